"""Characters of a PDF page from PDFium, in the order of its content stream."""

from __future__ import annotations

import ctypes
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from hopline_ingest.formats.pdf.page_content import Rect

MAX_GLYPHS = 200_000  # a page; a dense newspaper page has 30,000
_BOLD = (b"bold", b"black", b"heavy", b"demi")
_LIGATURE_RATIO, _LIGATURE_EM = 1.6, 0.8  # of the usual h, and of an em; a wider h is a Th
_BREAKS = {"\n", "\r"}
_OVERPRINT = 0.5  # of the width and height of a character that is covered by another one
_MAX_COMPARED = 40  # last equal characters of a row with which a character is compared
_ASCENT = 0.77  # of an em, from the baseline to the top of capitals and ascenders


@dataclass(slots=True)
class Glyph:
    """One character with its position on the displayed page and its style.

    ``turn`` is its clockwise rotation on the displayed page: 0, 90, 180 or 270.
    """

    text: str
    rect: Rect
    size: float
    bold: bool
    turn: int = 0


@dataclass(frozen=True, slots=True)
class Frame:
    """Affine map, of scale 1 with y downwards, from PDF user space to the displayed page.

    ``matrix`` is (a, b, c, d, e, f): x' = a·x + c·y + e, y' = b·x + d·y + f.
    """

    width: float
    height: float
    matrix: tuple[float, float, float, float, float, float]

    def map_rect(self, x0: float, y0: float, x1: float, y1: float) -> Rect:
        """Map a rectangle of user space to the displayed page."""
        a, b, c, d, e, f = self.matrix
        xa, ya = a * x0 + c * y0 + e, b * x0 + d * y0 + f
        xb, yb = a * x1 + c * y1 + e, b * x1 + d * y1 + f
        return min(xa, xb), min(ya, yb), max(xa, xb), max(ya, yb)

    def map_y(self, x: float, y: float) -> float:
        """Return the distance of a point of user space from the top of the displayed page."""
        return self.matrix[1] * x + self.matrix[3] * y + self.matrix[5]


def read_frame(page: Any) -> Frame:
    """Return the frame of a page from its crop box and rotation."""
    left, bottom, right, top = page.get_bbox()
    across, up = right - left, top - bottom
    turn = page.get_rotation() % 360
    matrix = {
        0: (1.0, 0.0, 0.0, -1.0, -left, top),
        90: (0.0, 1.0, 1.0, 0.0, -bottom, -left),
        180: (-1.0, 0.0, 0.0, 1.0, right, -bottom),
        270: (0.0, -1.0, -1.0, 0.0, top, right),
    }[turn]
    width, height = (across, up) if turn in {0, 180} else (up, across)
    return Frame(width, height, matrix)


def read_glyphs(page: Any, frame: Frame) -> tuple[list[Glyph | None], bool]:
    """Read the characters of a page in stream order, with ``None`` at PDFium's line ends.

    Also returns whether the page has more than `MAX_GLYPHS`, of which only the first are returned. Characters outside
    of the page are dropped, as they are not displayed.
    """
    textpage = page.get_textpage()
    try:
        count = textpage.count_chars()
        glyphs = _iterate_glyphs(textpage, min(count, MAX_GLYPHS), frame, page.get_rotation() % 360)
        return repair_ligatures(drop_overprints(glyphs)), count > MAX_GLYPHS
    finally:
        textpage.close()


def drop_overprints(glyphs: Iterable[Glyph | None]) -> list[Glyph | None]:
    """Drop characters that are drawn twice with a small offset: bold text without a bold font.

    A blank that PDFium adds between such a pair is dropped as well.
    """
    drawn: dict[tuple[str, int], list[Rect]] = defaultdict(list)
    result: list[Glyph | None] = []
    for glyph in glyphs:
        if glyph is not None and not glyph.text.isspace():
            row = round((glyph.rect[1] + glyph.rect[3]) / 2 / max(glyph.size, 1.0))
            earlier = [
                rect for near_row in (row - 1, row, row + 1) for rect in drawn[glyph.text, near_row][-_MAX_COMPARED:]
            ]
            is_ligature = (
                bool(result) and (last := result[-1]) is not None and last.rect == glyph.rect
            )  # "ff" in one glyph
            if not is_ligature and any(_overlaps(rect, glyph.rect) for rect in earlier):
                while result and (last := result[-1]) is not None and last.text.isspace():
                    result.pop()
                continue
            drawn[glyph.text, row].append(glyph.rect)
        result.append(glyph)
    return result


def _overlaps(first: Rect, second: Rect) -> bool:
    """Return whether two rectangles overlap by more than half of their width and height."""
    width = min(first[2], second[2]) - max(first[0], second[0])
    height = min(first[3], second[3]) - max(first[1], second[1])
    return (
        width > _OVERPRINT * min(first[2] - first[0], second[2] - second[0]) > 0
        and height > _OVERPRINT * min(first[3] - first[1], second[3] - second[1]) > 0
    )


def repair_ligatures(glyphs: list[Glyph | None]) -> list[Glyph | None]:
    """Restore the T of a Th ligature that the file encodes as an h, as files by Ghostscript do.

    Such an h is as wide as both letters; an ordinary one is half an em wide in any font.
    """
    ratios = {
        index: (glyph.rect[2] - glyph.rect[0]) / glyph.size
        for index, glyph in enumerate(glyphs)
        if glyph is not None and glyph.text == "h" and glyph.turn == 0 and glyph.size > 0
    }
    usual_ratio = sorted(ratios.values())[len(ratios) // 4] if ratios else 0.0
    min_ratio = max(_LIGATURE_RATIO * usual_ratio, _LIGATURE_EM)
    repaired: list[Glyph | None] = []
    for index, glyph in enumerate(glyphs):
        if glyph is not None and ratios.get(index, 0.0) > min_ratio:
            x0, y0, x1, y1 = glyph.rect
            middle = (x0 + x1) / 2
            repaired.append(replace(glyph, text="T", rect=(x0, y0, middle, y1)))
            glyph = replace(glyph, rect=(middle, y0, x1, y1))  # noqa: PLW2901
        repaired.append(glyph)
    return repaired


def _iterate_glyphs(textpage: Any, count: int, frame: Frame, turn: int) -> Iterator[Glyph | None]:
    import pypdfium2.raw as pdfium

    rect = pdfium.FS_RECTF()
    x, y = ctypes.c_double(), ctypes.c_double()
    style = _StyleReader(textpage, turn)
    for index, character in _iterate_characters(textpage, count):
        if character in _BREAKS:
            style.stale = True
            yield None
            continue
        if not pdfium.FPDFText_GetLooseCharBox(textpage, index, rect):
            continue
        box = frame.map_rect(rect.left, rect.bottom, rect.right, rect.top)
        if box[2] < 0 or box[3] < 0 or box[0] > frame.width or box[1] > frame.height:
            continue
        if style.stale:
            style.read(index)
        style.stale = character == " "
        if style.turn == 0 and pdfium.FPDFText_GetCharOrigin(textpage, index, x, y):
            box = _set_on_baseline(box, frame.map_y(x.value, y.value), style.size)
        yield Glyph(character, box, style.size, style.bold, style.turn)


def _iterate_characters(textpage: Any, count: int) -> Iterator[tuple[int, str]]:
    """Yield each character with its index in PDFium; surrogate pairs are joined."""
    import pypdfium2.raw as pdfium

    high = 0
    for index in range(count):
        code = pdfium.FPDFText_GetUnicode(textpage, index)
        if 0xD800 <= code < 0xDC00:
            high = code
            continue
        if high and 0xDC00 <= code < 0xE000:
            code = 0x10000 + ((high - 0xD800) << 10) + (code - 0xDC00)
        high = 0
        yield index, _convert_code(code)


def _set_on_baseline(box: Rect, baseline: float, size: float) -> Rect:
    """Return the box of a character with the height of its line: one em, whatever its font declares."""
    return box[0], baseline - _ASCENT * size, box[2], baseline + (1 - _ASCENT) * size


def _convert_code(code: int) -> str:
    """Return the character of a code; PDFium's two codes for a hyphen at a line's end become a soft hyphen."""
    if code in {0x02, 0xFFFE}:
        return "\u00ad"
    return chr(code) if 0 < code <= 0x10FFFF and not 0xD800 <= code < 0xE000 else "\ufffd"


class _StyleReader:
    """Size, weight and rotation of a word; read at its first character only, as each read costs a call."""

    def __init__(self, textpage: Any, turn: int) -> None:
        self.stale = True
        self.size, self.bold, self.turn = 0.0, False, 0
        self._textpage = textpage
        self._page_turn = turn
        self._name = ctypes.create_string_buffer(256)
        self._flags = ctypes.c_int()

    def read(self, index: int) -> None:
        """Read the style of the character at ``index``."""
        import pypdfium2.raw as pdfium

        self.size = _read_size(self._textpage, index)
        weight = pdfium.FPDFText_GetFontWeight(self._textpage, index)
        length = pdfium.FPDFText_GetFontInfo(self._textpage, index, self._name, 256, self._flags)
        name = self._name.raw[: max(0, min(length, 256) - 1)].lower()
        self.bold = weight >= 600 or any(mark in name for mark in _BOLD)
        quarter = round(math.degrees(pdfium.FPDFText_GetCharAngle(self._textpage, index)) / 90)
        self.turn = (self._page_turn + 90 * quarter) % 360  # PDFium counts clockwise too


def _read_size(textpage: Any, index: int) -> float:
    """Return the displayed font size in points: the size in the file, scaled by the text matrix."""
    import pypdfium2.raw as pdfium

    size = float(pdfium.FPDFText_GetFontSize(textpage, index))
    matrix = pdfium.FS_MATRIX()
    if not pdfium.FPDFText_GetMatrix(textpage, index, matrix):
        return size
    return size * (math.hypot(matrix.c, matrix.d) or 1.0)
