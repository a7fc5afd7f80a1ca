"""The words that reading questions and finding answers rely on, out of ``vocabulary.txt``."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from hopline.nlp.stemmer import root


@cache
def words(name: str) -> tuple[str, ...]:
    """The words of a list, as they stand and in their order.

    Raises:
        KeyError: there is no such list.
    """
    return _lists()[name]


@cache
def roots(name: str) -> frozenset[str]:
    """The roots of the words of a list."""
    return frozenset(root(word) for word in words(name))


@cache
def names(prefix: str) -> tuple[str, ...]:
    """What stands behind the dot in the names of the lists that begin with ``prefix``, in their order."""
    return tuple(name.removeprefix(f"{prefix}.") for name in _lists() if name.startswith(f"{prefix}."))


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
