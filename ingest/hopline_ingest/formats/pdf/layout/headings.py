"""Detection and nesting of headings. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hopline_ingest.extraction.references import is_reference_heading
from hopline_ingest.formats.pdf.page_content import Line

_NUMBERED = re.compile(r"(?P<number>(?:\d{1,2}|[A-Z])(?:\.\d{1,3})*)(?P<dot>\.?)\s+(?=[^\W\d])")
_PART = re.compile(r"(?P<kind>part|chapter|item|section|appendix|annex|article|note)\s+[\dIVXLA-Z]+\b", re.IGNORECASE)
_RANKS = {"part": 1, "chapter": 2, "appendix": 2, "annex": 2, "item": 2, "article": 2, "section": 3, "note": 3}
_MOST_BARE = 20  # the highest number without a dot that numbers a heading: "53 Vice President" is an age
_WORD = re.compile(r"[^\W\d_]{3,}")
_LONGEST = 180  # characters
_MUCH_LARGER = 1.25  # than "Chapter 2": what is set so stands above it
_LARGER = 1.1  # than the body's text


@dataclass(frozen=True, slots=True)
class HeadingStyle:
    """Typography and numbering of a heading, which determine its level.

    ``depth`` is 2 of "3.2"; of "Item 7" the rank of such parts among themselves, which ``part``
    says; 0 where a heading has no number.
    """

    size: float
    bold: bool
    caps: bool
    depth: int = 0
    part: bool = False

    def encloses(self, other: HeadingStyle) -> bool:
        """Whether a heading of this style is of a higher level than one of ``other``."""
        if self.depth and other.depth and self.part == other.part:
            return self.depth < other.depth
        if self.part != other.part:
            part, rest = (self, other) if self.part else (other, self)
            return self.part == (rest.size < _MUCH_LARGER * part.size)
        if abs(self.size - other.size) >= 0.5:
            return self.size > other.size
        if self.caps != other.caps:
            return self.caps
        if self.bold != other.bold:
            return self.bold
        return self.depth > other.depth


def body_size(lines: Iterable[Line]) -> float:
    """Return the most frequent font size by characters, to half a point; 0 without characters."""
    counts: Counter[float] = Counter()
    for line in lines:
        counts[round(line.size * 2) / 2] += len(line.text)
    return max(counts, key=lambda size: counts[size]) if counts else 0.0


def heading_style(text: str, lines: Sequence[Line]) -> HeadingStyle:
    """Return the style of a heading from its lines."""
    letters = [character for character in text if character.isalpha()]
    caps = bool(letters) and all(character.isupper() for character in letters)
    size = round(max(line.size for line in lines) * 2) / 2
    part = _PART.match(text)
    return HeadingStyle(size, all(line.bold for line in lines), caps, _depth(text), part=bool(part))


def _depth(text: str) -> int:
    part = _PART.match(text)
    if part:
        return _RANKS[part["kind"].lower()]
    numbered = _NUMBERED.match(text)
    if not numbered:
        return 0
    number = numbered["number"]
    if number.isdigit() and not numbered["dot"] and int(number) > _MOST_BARE:
        return 0
    if number.isalpha() and not numbered["dot"]:
        return 0  # "A priori": an article
    return 1 + number.count(".")


def is_heading(lines: Sequence[Line], body: float, *, modelled: bool = False, first: bool = False) -> bool:
    """Whether a paragraph is a heading: short, not a sentence, and distinguished by size, weight or the layout model.

    ``modelled``: the layout model saw titles on this page, so that its word counts for more.
    ``first``: nothing of the text stands before; there, names and dates are set large too.
    """
    text = " ".join(line.text for line in lines)
    if len(text) > _LONGEST or len(lines) > 4 or not _can_head(text):
        return False
    is_part = _PART.match(text) and text.split()[0].isupper() and len(text.split()) <= 12
    if (is_part and text[-1] not in ".0123456789") or is_reference_heading(text):
        return True
    larger = min(line.size for line in lines) >= _LARGER * body
    bold = all(line.bold for line in lines)
    numbered = bool(_depth(text))
    words = len(text.split())
    if lines[0].role == "title":
        return larger or bold or text.isupper() or numbered or words <= 8
    if lines[0].role not in {"text", "header", "footer"} or (first and not numbered and words > 4):
        return False
    if modelled:
        return (bold or larger) and (words <= 10 or numbered or text.isupper()) and text[-1] not in ".:"
    return larger or (bold and words <= 16 and text[-1] not in ".:") or (bold and numbered)


def _can_head(text: str) -> bool:
    """Whether a text can be a heading at all: words, no formula, no end of a sentence."""
    if not _WORD.search(text) or "=" in text or "\ufffd" in text:
        return False
    if text.endswith((",", ";")) or (text.endswith(".") and len(text.split()) > 12):
        return False
    return text[0].isdigit() or (text[0].isalpha() and not text[0].islower()) or text[0] in "“‘\"'"


class SectionPath:
    """The path of headings above what is read; fed with headings in reading order."""

    def __init__(self) -> None:
        self._stack: list[tuple[HeadingStyle, str]] = []

    @property
    def path(self) -> tuple[str, ...]:
        """The headings from the outermost to the innermost."""
        return tuple(text for _, text in self._stack)

    def enter(self, text: str, style: HeadingStyle) -> None:
        """Go on under a new heading: those that do not stand above it end."""
        while self._stack and not self._stack[-1][0].encloses(style):
            self._stack.pop()
        self._stack.append((style, text))

    def leave(self) -> None:
        """End every section."""
        self._stack.clear()
