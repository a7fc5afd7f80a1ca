"""English stemmer, word normalization and synonyms."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final

_SHORT_ENDINGS: Final = ("ate", "ise", "ize", "ent", "ant", "ity", "ist", "ism", "ics")
_VOWEL: Final = re.compile("[aeiouy]")
_DOUBLED_CONSONANTS: Final = "bdgmnprt"  # "stopped" -> "stop", but "called" -> "call"
_MAX_ROUNDS: Final = 3  # "organizations": plural, then noun, then verb


@lru_cache(maxsize=50_000)
def normalize_word(word: str) -> str:
    """Return a word in lower case, without accents and possessive ending."""
    if word.isascii():
        return word.lower().removesuffix("'s")
    plain = unicodedata.normalize("NFKD", word.replace("’", "'"))
    return "".join(c for c in plain if not unicodedata.combining(c)).casefold().removesuffix("'s")


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """Return the stem of a normalized word: inflection and common derivation are removed.

    "founder" and "founded" give "found"; "acquisitions" and "acquired" share one stem. A stem has at least three
    letters and a vowel; it need not be a word.
    """
    irregular = _load_irregular()
    word = irregular.get(word, word)
    for _ in range(_MAX_ROUNDS):
        shorter = _shorten(word)
        if shorter == word:
            break
        word = irregular.get(shorter, shorter)
    return word


def _shorten(word: str) -> str:
    if word.endswith("ss"):
        return word
    endings, longest = _load_endings()
    for size in range(min(longest, len(word) - 3), 0, -1):
        stem, ending = word[:-size], word[-size:]
        least = 4 if size > 3 or ending in _SHORT_ENDINGS else 3
        if ending not in endings or len(stem) < least or not _VOWEL.search(stem):
            continue
        return stem[:-1] if len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] in _DOUBLED_CONSONANTS else stem
    return word


@cache
def _load_endings() -> tuple[frozenset[str], int]:
    """Return the endings, and the length of the longest."""
    endings = frozenset(ending for line in _read_lines("endings.txt") for ending in line)
    return endings, max(map(len, endings))


@cache
def load_synonyms() -> dict[str, frozenset[str]]:
    """Map each stem to the stems that share a line of ``synonyms.txt`` with it."""
    synonyms: dict[str, set[str]] = {}
    for words in _read_lines("synonyms.txt"):
        group = {stem(word) for word in words}
        for word in group:
            synonyms.setdefault(word, set()).update(group - {word})
    return {word: frozenset(others) for word, others in synonyms.items()}


@cache
def _load_irregular() -> dict[str, str]:
    return {form: words[0] for words in _read_lines("irregular.txt") for form in words[1:]}


def _read_lines(name: str) -> list[list[str]]:
    text = (files(__package__) / name).read_text(encoding="utf-8")
    return [words for line in text.splitlines() if (words := line.partition("//")[0].split())]
