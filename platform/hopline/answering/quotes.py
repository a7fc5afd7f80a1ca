"""Fuzzy search for a quote in a text: spaces, hyphens, quotation marks and case may differ."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

LEAST: Final = 3  # letters and digits of a quote; fewer prove nothing
_SKIPPED: Final = frozenset("-‐‑‒–—―−\u00ad\ufffe'\"‘’“”„`´|*_")
_ELLIPSIS: Final = re.compile(r"\s*(?:\[?(?:\.\s?\.\s?\.|…)\]?)\s*")
_EDGES: Final = " \t\n.,;:"


def find_quote(quote: str, text: str) -> tuple[tuple[int, int], ...]:
    """The spans of ``text`` that a quote repeats; empty where it is not there.

    One span, or one for each part where the quote leaves something out ("first … last"); the parts
    must follow each other. Spaces, hyphens, quotation marks, table bars, case and compatibility
    forms ("ﬁ") may differ, letters and digits may not, and a quote does not begin or end inside a
    word.
    """
    if sum(char.isalnum() for char in quote) < LEAST:
        return ()
    spans: list[tuple[int, int]] = []
    letters, places = _letters(text)
    start = 0
    for part in _ELLIPSIS.split(quote.strip(_EDGES)):
        wanted, _ = _letters(part.strip(_EDGES))
        if not wanted:
            continue
        found = next(_matches(wanted, letters, places, text, start), None)
        if found is None:
            return ()
        start = found[1]
        spans.append((places[found[0]], places[found[1] - 1] + 1))
    return tuple(spans)


def contains_words(words: str, text: str) -> bool:
    """Whether a text has these words, however few their letters; spelled as `find_quote` allows."""
    if find_quote(words, text):
        return True
    exact = " ".join(words.split())
    return bool(exact) and re.search(rf"(?<!\w){re.escape(exact)}(?!\w)", text, re.IGNORECASE) is not None


def _letters(text: str) -> tuple[str, list[int]]:
    """The characters of a text that count, and the place of each in it."""
    kept: list[str] = []
    places: list[int] = []
    for place, char in enumerate(text):
        if char.isspace() or char in _SKIPPED:
            continue
        for part in unicodedata.normalize("NFKC", char).casefold():
            kept.append(part)
            places.append(place)
    return "".join(kept), places


def _matches(wanted: str, letters: str, places: list[int], text: str, start: int) -> Iterator[tuple[int, int]]:
    """Where the wanted letters stand, from ``start`` on, with no half word at either end."""
    at = letters.find(wanted, start)
    while at >= 0:
        end = at + len(wanted)
        first, last = places[at], places[end - 1] + 1
        if not (_inside(text, first) or _inside(text, last)):
            yield at, end
        at = letters.find(wanted, at + 1)


def _inside(text: str, place: int) -> bool:
    """Whether a word goes on over a place of the text."""
    return 0 < place < len(text) and text[place - 1].isalnum() and text[place].isalnum()
