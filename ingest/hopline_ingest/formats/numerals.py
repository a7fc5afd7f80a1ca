"""Numbers of list items: decimal, letters, Roman numerals. Pure."""

from __future__ import annotations

import string
from collections.abc import Iterator
from typing import Final

_ROMAN: Final = (
    *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl")),
    *((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
)
_MAX_ROMAN: Final = 3999


def format_numeral(number: int, kind: str) -> str:
    """Format a number as ``kind`` says: "a" (z is followed by aa, bb …), "A", "i", "I", or decimal."""
    letters = string.ascii_lowercase
    if kind in {"a", "A"} and number >= 1:
        text = letters[(number - 1) % len(letters)] * (1 + (number - 1) // len(letters))
    elif kind in {"i", "I"} and 1 <= number <= _MAX_ROMAN:
        text = "".join(_list_roman_digits(number))
    else:
        return str(number)
    return text.upper() if kind.isupper() else text


def _list_roman_digits(number: int) -> Iterator[str]:
    for value, digits in _ROMAN:
        while number >= value:
            yield digits
            number -= value
