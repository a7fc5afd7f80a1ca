"""Fuzzy search for a quote in a text: spaces, hyphens, quotation marks and case may differ."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

MIN_LETTERS: Final = 3  # letters and digits of a quote; fewer prove nothing
_SKIPPED: Final = frozenset("-‐‑‒–—―−\u00ad\ufffe'\"‘’“”„`´|*_")
_ELLIPSIS: Final = re.compile(r"\s*(?:\[?(?:\.\s?\.\s?\.|…)\]?)\s*")
_EDGES: Final = " \t\n.,;:"


def find_quote(quote: str, text: str) -> tuple[tuple[int, int], ...]:
    """Return the spans of ``text`` that a quote repeats; empty if the text does not have the quote.

    One span, or one for each part of a quote with an ellipsis ("first … last"); the parts must follow each other.
    Spaces, hyphens, quotation marks, table bars, case and compatibility forms ("ﬁ") may differ, letters and digits may
    not, and a quote does not begin or end inside a word.
    """
    if sum(char.isalnum() for char in quote) < MIN_LETTERS:
        return ()
    spans: list[tuple[int, int]] = []
    letters, positions = _normalize(text)
    start = 0
    for part in _ELLIPSIS.split(quote.strip(_EDGES)):
        wanted, _ = _normalize(part.strip(_EDGES))
        if not wanted:
            continue
        match = next(_find_matches(wanted, letters, positions, text, start), None)
        if match is None:
            return ()
        start = match[1]
        spans.append((positions[match[0]], positions[match[1] - 1] + 1))
    return tuple(spans)


def contains_words(words: str, text: str) -> bool:
    """Return whether a text has these words, of any length; their spelling may differ as in `find_quote`."""
    if find_quote(words, text):
        return True
    exact = " ".join(words.split())
    return bool(exact) and re.search(rf"(?<!\w){re.escape(exact)}(?!\w)", text, re.IGNORECASE) is not None


def _normalize(text: str) -> tuple[str, list[int]]:
    """Return the characters of a text that are compared, and the index of each in the text."""
    letters: list[str] = []
    positions: list[int] = []
    for position, char in enumerate(text):
        if char.isspace() or char in _SKIPPED:
            continue
        for part in unicodedata.normalize("NFKC", char).casefold():
            letters.append(part)
            positions.append(position)
    return "".join(letters), positions


def _find_matches(wanted: str, letters: str, positions: list[int], text: str, start: int) -> Iterator[tuple[int, int]]:
    """Yield the spans of ``letters``, from ``start`` on, that are the wanted letters and whole words of ``text``."""
    index = letters.find(wanted, start)
    while index >= 0:
        end = index + len(wanted)
        if not (_is_inside_word(text, positions[index]) or _is_inside_word(text, positions[end - 1] + 1)):
            yield index, end
        index = letters.find(wanted, index + 1)


def _is_inside_word(text: str, position: int) -> bool:
    """Return whether the characters on both sides of a position belong to one word."""
    return 0 < position < len(text) and text[position - 1].isalnum() and text[position].isalnum()
