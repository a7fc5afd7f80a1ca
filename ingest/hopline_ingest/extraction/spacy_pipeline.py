"""The spaCy pipeline, loaded once per process, single-threaded and without torch."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

from hopline.text.parser import load_parser

if TYPE_CHECKING:
    from spacy.language import Language
    from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]

BATCH = 64


@cache
def load_pipeline() -> Language:
    """Load the tagger, dependency parser and entity recogniser; the rules need no lemmas and no coarse tags.

    NumPy's matrix product is used because it is 1.5 times as fast here as thinc's own.
    """
    return load_parser(exclude=["lemmatizer", "attribute_ruler"], blis=False)


@cache
def _thread_controller() -> ThreadpoolController:
    from threadpoolctl import ThreadpoolController

    load_pipeline()  # libraries that are loaded later would not be controlled
    return ThreadpoolController()


@contextmanager
def single_threaded() -> Iterator[None]:
    """Run matrix products on one thread, since the process pool already has one process per core."""
    with _thread_controller().limit(limits=1, user_api="blas"):
        yield
