"""What the forms of one word share, and which words mean the same."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final

_SHORT: Final = ("ate", "ise", "ize", "ent", "ant", "ity", "ist", "ism", "ics")
_VOWEL: Final = re.compile("[aeiouy]")
_DOUBLED: Final = "bdgmnprt"  # "stopped" -> "stop"; "called" keeps its two l
_ROUNDS: Final = 3  # "organizations": plural, then noun, then verb


@lru_cache(maxsize=50_000)
def fold(word: str) -> str:
    """A word without case, accents and possessive ending."""
    if word.isascii():
        return word.lower().removesuffix("'s")
    plain = unicodedata.normalize("NFKD", word.replace("’", "'"))
    return "".join(c for c in plain if not unicodedata.combining(c)).casefold().removesuffix("'s")


@lru_cache(maxsize=50_000)
def root(word: str) -> str:
    """What the forms of a folded word share: inflection and common derivation taken off.

    "founder" and "founded" give "found", "acquisitions" and "acquired" one root. What is left has
    at least three letters and a vowel; it need not be a word.
    """
    irregular = _irregular()
    word = irregular.get(word, word)
    for _ in range(_ROUNDS):
        shorter = _shorten(word)
        if shorter == word:
            break
        word = irregular.get(shorter, shorter)
    return word


def _shorten(word: str) -> str:
    if word.endswith("ss"):
        return word
    endings, longest = _endings()
    for size in range(min(longest, len(word) - 3), 0, -1):
        stem, ending = word[:-size], word[-size:]
        least = 4 if size > 3 or ending in _SHORT else 3
        if ending not in endings or len(stem) < least or not _VOWEL.search(stem):
            continue
        return stem[:-1] if len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] in _DOUBLED else stem
    return word


@cache
def _endings() -> tuple[frozenset[str], int]:
    """The endings, and the letters of the longest."""
    endings = frozenset(ending for line in _lines("endings.txt") for ending in line)
    return endings, max(map(len, endings))


@cache
def synonyms() -> dict[str, frozenset[str]]:
    """Root -> the roots that share a line of ``synonyms.txt`` with it."""
    met: dict[str, set[str]] = {}
    for words in _lines("synonyms.txt"):
        group = {root(word) for word in words}
        for word in group:
            met.setdefault(word, set()).update(group - {word})
    return {word: frozenset(others) for word, others in met.items()}


@cache
def _irregular() -> dict[str, str]:
    return {form: words[0] for words in _lines("irregular.txt") for form in words[1:]}


def _lines(name: str) -> list[list[str]]:
    text = (files(__package__) / name).read_text(encoding="utf-8")
    return [words for line in text.splitlines() if (words := line.partition("//")[0].split())]
