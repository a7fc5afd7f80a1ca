"""Sheets of a spreadsheet: what its readers return, whatever the format of the file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

_VALUE: Final = re.compile(
    r"[\s$€£¥%()+\-−–.,:/'<>~=±\d]*\d[\s$€£¥%()+\-−–.,:/'<>~=±\d]*(?:[A-Za-z€£]{1,3}|%)?|[-−–—]|n/?a|#[A-Z/0!?]+",
    re.IGNORECASE,
)
_MAX_VALUE: Final = 100  # characters


@dataclass(frozen=True, slots=True)
class SheetCell:
    """A cell with a text as it is displayed; ``is_value`` says that it holds a number, a date or a truth value.

    ``indent`` is larger for a text that is more indented.
    """

    text: str
    is_value: bool = False
    indent: int = 0


@dataclass(frozen=True, slots=True)
class MergedRange:
    """A range of merged cells, by the numbers of its first and last row and column, from 0."""

    top: int
    left: int
    bottom: int
    right: int


@dataclass(slots=True)
class GridSheet:
    """The visible cells of a sheet by row and column, from 0; cells without a text are not among them.

    ``left_out`` are the texts of hidden rows and columns; ``problems`` say what could not be read.
    """

    name: str
    cells: Mapping[tuple[int, int], SheetCell]
    merged: tuple[MergedRange, ...] = ()
    left_out: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def count_blanks(text: str) -> int:
    """Return the number of the blanks before a text, which indent it."""
    return len(text) - len(text.lstrip()) if text.strip() else 0


def is_value(text: str) -> bool:
    """Return whether a text is a number, an amount, a date in figures, an error, or a mark for a missing value."""
    return len(text) <= _MAX_VALUE and bool(_VALUE.fullmatch(text))
