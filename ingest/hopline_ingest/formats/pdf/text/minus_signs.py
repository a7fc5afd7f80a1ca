"""Minus signs and hyphens that a font maps to no character, a control character, or a soft hyphen.

Such a glyph is recognised by its shape: a bar at half the height of the letters. Before a digit, it is a minus sign,
else a dash. PDFium does not know the shape of the glyphs of a Type 3 font, so these stay what they are.
"""

from __future__ import annotations

import ctypes
from typing import Any, Final

SOFT_HYPHEN: Final = "\u00ad"
_PRIVATE: Final = range(0xE000, 0xF900)
_MAX_HEIGHT, _MIN_WIDTH = 0.14, 0.18  # of the font size, for a bar
_LOWEST, _HIGHEST = 0.12, 0.5  # of the font size, of the middle of a bar above the baseline
_SAME_LINE = 0.2  # of the font size, between the baselines of a hyphen and a digit after it


def restore_minus(textpage: Any, index: int, character: str, size: float) -> str:
    """Return a hyphen or dash for an upright character that is a bar although its text does not say so, else its text.

    A soft hyphen is only replaced before a digit of its line, as it may also mark a word that is broken.
    ``character`` is the text of the character at ``index``, ``size`` its font size in points.
    """
    code = ord(character)
    is_unmapped = code < 0x20 or code == 0xFFFD or code in _PRIVATE
    if not (is_unmapped or character == SOFT_HYPHEN) or not _is_bar(textpage, index, size):
        return character
    if _is_before_digit(textpage, index, size):
        return "-"
    return "–" if is_unmapped else character


def _is_before_digit(textpage: Any, index: int, size: float) -> bool:
    import pypdfium2.raw as pdfium

    if not chr(pdfium.FPDFText_GetUnicode(textpage, index + 1) & 0xFFFF).isdigit():
        return False
    (x, y), (next_x, next_y) = (_read_origin(textpage, number) for number in (index, index + 1))
    return x < next_x and abs(y - next_y) < _SAME_LINE * size


def _is_bar(textpage: Any, index: int, size: float) -> bool:
    import pypdfium2.raw as pdfium

    left, right, bottom, top = (ctypes.c_double() for _ in range(4))
    if size <= 0 or not pdfium.FPDFText_GetCharBox(textpage, index, left, right, bottom, top):
        return False
    width, height = right.value - left.value, top.value - bottom.value
    middle = (bottom.value + top.value) / 2 - _read_origin(textpage, index)[1]
    return 0 < height <= _MAX_HEIGHT * size and width >= _MIN_WIDTH * size and _LOWEST <= middle / size <= _HIGHEST


def _read_origin(textpage: Any, index: int) -> tuple[float, float]:
    """Read the origin of a character in user space; (0, 0) if PDFium has none."""
    import pypdfium2.raw as pdfium

    x, y = ctypes.c_double(), ctypes.c_double()
    pdfium.FPDFText_GetCharOrigin(textpage, index, x, y)
    return x.value, y.value
