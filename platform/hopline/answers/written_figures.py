"""Figures of a sentence, with what is needed to compare them to values of the evidence: rounding, scale and sign."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final, NamedTuple

from hopline.text.values import SCALES, Number, find_numbers, is_year

LOWER_BOUND_MARGIN: Final = Decimal("1.1")  # "over 1,000" is at most 1,100
DECREASE: Final = re.compile(
    r"\b(?:loss(?:es)?|lost|decreas\w+|declin\w+|fell|fall(?:s|en)?|dropp?\w*|down|lower\w*|negative|reduc\w+|deficit|minus|less|fewer|below|under|shr[aiu]nk)\b",
    re.IGNORECASE,
)
PERCENT: Final = re.compile(r"\s?(?:%|per\s?cent\b|percentage\b)", re.IGNORECASE)
_ROUNDED: Final = re.compile(
    r"\b(?:about|around|approximately|roughly|nearly|almost|some)\W{0,2}$|[~≈]\s?$", re.IGNORECASE
)
_LOWER_BOUND: Final = re.compile(r"\b(?:over|more than|at least)\W{0,2}$", re.IGNORECASE)
_LIST_NUMBER: Final = re.compile(r"^\s*\d{1,3}[.)]\s", re.MULTILINE)


class WrittenFigure(NamedTuple):
    """A number of a sentence, and how a computed value may differ from it.

    ``tolerance``: by rounding, in the scale of the number. ``is_lower_bound``: it is "over" or "more than" the number.
    ``is_decrease``: the sentence says that something fell, so that the sign may be missing. ``is_year``: it has no
    separators and may be a year, which follows from no formula.
    """

    number: Number
    is_percentage: bool
    tolerance: Decimal
    is_lower_bound: bool
    is_decrease: bool
    is_year: bool

    @property
    def is_whole(self) -> bool:
        """Whether it is written without decimals."""
        return self.number.value.as_tuple().exponent == 0

    def round(self) -> WrittenFigure:
        """Return the figure as one that may be rounded to its last digit."""
        return self._replace(tolerance=max(self.tolerance, Decimal("0.5")))

    def is_close(self, value: Decimal, *, in_scale: bool) -> bool:
        """Whether a value, which may be given in the scale of the number, is this figure."""
        scale = 1 if in_scale else SCALES.get(self.number.scale, 1)
        target, tolerance = self.number.value * scale, self.tolerance * scale
        if self.is_lower_bound and target < value <= target * LOWER_BOUND_MARGIN:
            return True
        return abs(value - target) <= tolerance or (self.is_decrease and abs(value + target) <= tolerance)


def find_figures(text: str) -> list[WrittenFigure]:
    """Find the numbers of a text, but for those of list items, with what is needed to compare them to other values.

    A number with decimals, a scale or a percent sign may be rounded; another one only behind a word such as "about".
    """
    text = _LIST_NUMBER.sub(lambda match: " " * len(match[0]), text)
    is_decrease = bool(DECREASE.search(text))
    figures = []
    for number in find_numbers(text):
        in_percent = is_percentage(number, text)
        figures.append(
            WrittenFigure(
                number,
                in_percent,
                _find_tolerance(number, text[: number.start], is_rounded=in_percent or bool(number.scale)),
                bool(_LOWER_BOUND.search(text[: number.start])),
                is_decrease,
                is_written_year(number, text),
            )
        )
    return figures


def _find_tolerance(number: Number, before: str, *, is_rounded: bool) -> Decimal:
    """Return half a unit of the last digit that is given; of the last but zeros, and of the second, behind "about"."""
    exponent = number.value.as_tuple().exponent
    if isinstance(exponent, int) and exponent < 0:
        return Decimal(1).scaleb(exponent) / 2
    if not _ROUNDED.search(before) or not number.value:
        return Decimal("0.5") if is_rounded else Decimal(0)
    digits = f"{abs(number.value):f}"
    zeros = len(digits) - len(digits.rstrip("0"))
    return Decimal(10) ** max(0, min(zeros, len(digits) - 2)) / 2


def is_percentage(number: Number, text: str) -> bool:
    """Whether a number of a text has a percent sign or word."""
    return number.unit == "%" or bool(PERCENT.match(text, number.end))


def is_written_year(number: Number, text: str) -> bool:
    """Whether a number is written as a year is: four digits without separators, unit and scale."""
    return not number.unit and not number.scale and is_year(text[number.start : number.end].strip())


def list_values(text: str) -> set[Decimal]:
    """Return the numbers of a text, each as it is written and with its scale."""
    return {value for number in find_numbers(text) for value in (number.value, number.amount)}
