"""The spaCy pipeline, loaded once a process, single-threaded and without torch."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

from hopline.nlp.parser import load_parser

if TYPE_CHECKING:
    from spacy.language import Language
    from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]

BATCH = 64


@cache
def pipeline() -> Language:
    """Tagger, parser and entity recogniser; no lemmas, no coarse tags: the rules need neither.

    NumPy's matrix product is half again as fast here as the one that thinc brings.
    """
    return load_parser(exclude=["lemmatizer", "attribute_ruler"], blis=False)


@cache
def _threads() -> ThreadpoolController:
    from threadpoolctl import ThreadpoolController

    pipeline()  # libraries that are loaded later would not be seen
    return ThreadpoolController()


@contextmanager
def one_thread() -> Iterator[None]:
    """Matrix products on one thread: the process pool has a process for each core already."""
    with _threads().limit(limits=1, user_api="blas"):
        yield
