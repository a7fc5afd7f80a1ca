"""Which lines are headings, and how they nest. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hopline_ingest.parse.content import Line

_NUMBERED = re.compile(r"(?P<number>(?:\d{1,2}|[A-Z])(?:\.\d{1,3})*)\.?\s+(?=\D)")
_PART = re.compile(
    r"(?P<kind>part|chapter|item|section|appendix|annex|article)\s+(?P<number>[\dIVXLA-Z]+)", re.IGNORECASE
)
_RANKS = {"part": 0, "chapter": 1, "appendix": 1, "annex": 1, "item": 1, "article": 1, "section": 2}
_LONGEST = 180  # characters
_LARGER = 1.1  # than the body's text


@dataclass(frozen=True, slots=True)
class Style:
    """How a heading is set and numbered; what decides how deep it stands."""

    size: float
    bold: bool
    caps: bool
    depth: int = 0  # of "3.2": 2; of "Item 7": 1; 0 where it has no number

    def encloses(self, other: Style) -> bool:
        """Whether a heading of this style stands above one of ``other``."""
        if self.depth and other.depth and self.depth != other.depth:
            return self.depth < other.depth
        if abs(self.size - other.size) >= 0.5:
            return self.size > other.size
        if self.depth and other.depth:
            return False
        if self.caps != other.caps:
            return self.caps
        if self.bold != other.bold:
            return self.bold
        return bool(self.depth) and not other.depth


def body_size(lines: Iterable[Line]) -> float:
    """The font size in which most characters are set, to half a point; 0 where there are none."""
    counts: Counter[float] = Counter()
    for line in lines:
        counts[round(line.size * 2) / 2] += len(line.text)
    return max(counts, key=lambda size: counts[size]) if counts else 0.0


def style_of(text: str, lines: Sequence[Line]) -> Style:
    """The style of a heading that stands on ``lines``."""
    letters = [character for character in text if character.isalpha()]
    caps = bool(letters) and all(character.isupper() for character in letters)
    size = round(max(line.size for line in lines) * 2) / 2
    return Style(size, all(line.bold for line in lines), caps, _depth(text))


def _depth(text: str) -> int:
    part = _PART.match(text)
    if part:
        return 1 + _RANKS[part["kind"].lower()]
    numbered = _NUMBERED.match(text)
    return 1 + numbered["number"].count(".") if numbered else 0


def is_heading(lines: Sequence[Line], body: float) -> bool:
    """Whether a paragraph is a heading: short, no sentence, and set apart by size, weight or the layout model."""
    text = " ".join(line.text for line in lines)
    words = text.split()
    if len(text) > _LONGEST or len(lines) > 4 or not any(character.isalpha() for character in text):
        return False
    if text.endswith((",", ";")) or (text.endswith(".") and len(words) > 12) or text[0].islower() or text[0] == "(":
        return False
    larger = min(line.size for line in lines) >= _LARGER * body
    bold = all(line.bold for line in lines)
    if lines[0].role == "title":
        return larger or bold or text.isupper() or bool(_depth(text)) or len(words) <= 8
    if lines[0].role != "text":
        return False
    return larger or (bold and len(words) <= 16 and not text.endswith((".", ":"))) or (bold and bool(_depth(text)))


class Sections:
    """The path of headings above what is read; fed with headings in reading order."""

    def __init__(self) -> None:
        self._stack: list[tuple[Style, str]] = []

    @property
    def path(self) -> tuple[str, ...]:
        """The headings from the outermost to the innermost."""
        return tuple(text for _, text in self._stack)

    def enter(self, text: str, style: Style) -> None:
        """Go on under a new heading: those that do not stand above it end."""
        while self._stack and not self._stack[-1][0].encloses(style):
            self._stack.pop()
        self._stack.append((style, text))

    def leave(self) -> None:
        """End every section."""
        self._stack.clear()
