"""Word lists for reading questions and numbers, loaded from ``vocabulary.txt``."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from hopline.nlp.stemmer import stem


@cache
def words(name: str) -> tuple[str, ...]:
    """The words of a list, as they stand and in their order.

    Raises:
        KeyError: there is no such list.
    """
    return _lists()[name]


@cache
def stems(name: str) -> frozenset[str]:
    """The roots of the words of a list."""
    return frozenset(stem(word) for word in words(name))


@cache
def _lists() -> dict[str, tuple[str, ...]]:
    lists: dict[str, tuple[str, ...]] = {}
    name = ""
    for line in (files(__package__) / "vocabulary.txt").read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("//"):
            continue
        head, colon, rest = ("", "", line) if line[0].isspace() else line.partition(":")
        name = head if colon else name
        lists[name] = (*lists.get(name, ()), *rest.split())
    return lists
