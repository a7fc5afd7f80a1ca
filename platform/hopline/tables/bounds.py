"""Bounds of numbers and years that a question states: "more than 5", "since 2010", "between 3 and 7"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

Comparison = Literal[">", ">=", "<", "<=", "range"]

_NUMBER: Final = r"(?:\w+ )??[$€£]?(\d[\d,.]*)"
_DIGITS: Final = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
}  # fmt: skip
_BEFORE: Final[tuple[tuple[Comparison, str], ...]] = (
    (">=", r"at least|no less than|a minimum of|since|starting (?:in|from)"),
    ("<=", r"at most|no more than|up to|a maximum of|until"),
    (">", r"(?:more|greater|higher|larger|longer|later|better) than|over|above|after|exceed\w*|beyond"),
    ("<", r"(?:less|fewer|lower|smaller|shorter|earlier) than|under|below|before|prior to"),
)
_BEHIND: Final[tuple[tuple[Comparison, str], ...]] = (
    (">=", r"or (?:more|later|higher|greater|above)"),
    ("<=", r"or (?:less|fewer|earlier|lower|below)"),
)
_RANGE: Final = re.compile(rf"\b(?:between|from) {_NUMBER} (?:and|to|through|until) {_NUMBER}")
_BOUNDS: Final = tuple(
    (comparison, re.compile(pattern))
    for comparison, pattern in (
        *((comparison, rf"{_NUMBER} (?:\w+ )?(?:{words})\b") for comparison, words in _BEHIND),
        *((comparison, rf"\b(?:{words}) {_NUMBER}") for comparison, words in _BEFORE),
    )
)


@dataclass(frozen=True, slots=True)
class Bound:
    """A bound; a range has two numbers, both included. ``start`` and ``end`` are the words of the numbers."""

    comparison: Comparison
    numbers: tuple[float, ...]
    start: int
    end: int

    def includes(self, key: float, *, unit: float = 1.0) -> bool:
        """Whether a number is within the bound; with a ``unit``, the bounds are multiples of it, each all the unit."""
        low, high = self.numbers[0] * unit, self.numbers[-1] * unit
        last = unit - 1
        match self.comparison:
            case ">":
                return key > low + last
            case "<":
                return key < low
            case ">=":
                return key >= low
            case "<=":
                return key <= low + last
            case "range":
                return low <= key <= high + last


def find_bounds(text: str, words: Sequence[str]) -> Iterator[Bound]:
    """Find the bound of a question, at most one; ``words`` are its words."""
    lowered = re.sub(
        rf"\b(?:{'|'.join(_DIGITS)})\b", lambda match: str(_DIGITS[match[0]]), " ".join(text.lower().split())
    )
    if interval := _RANGE.search(lowered):
        yield _build("range", interval.groups(), words)
        return
    for comparison, pattern in _BOUNDS:
        if match := pattern.search(lowered):
            yield _build(comparison, match.groups(), words)
            return


def _build(comparison: Comparison, numbers: Sequence[str], words: Sequence[str]) -> Bound:
    texts = [number.replace(",", "").rstrip(".") for number in numbers]
    values = tuple(float(text) for text in texts)
    written = all(text in words for text in texts)  # not if the numbers are written in letters
    start, end = (words.index(texts[0]), words.index(texts[-1]) + 1) if written else (0, 0)
    return Bound(comparison, values, start, end)
