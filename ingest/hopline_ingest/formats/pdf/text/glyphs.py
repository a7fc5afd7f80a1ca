"""Characters of a PDF page from PDFium, in the order of its content stream."""

from __future__ import annotations

import ctypes
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from hopline_ingest.formats.pdf.frame import Frame
from hopline_ingest.formats.pdf.page_content import Rect
from hopline_ingest.formats.pdf.text.minus_signs import restore_minus

MAX_GLYPHS = 200_000  # a page; a dense newspaper page has 30,000
MAX_OUTSIDE = 2_000  # characters outside of a page that are listed
_BOLD = (b"bold", b"black", b"heavy", b"demi")
_LIGATURE_RATIO, _LIGATURE_EM = 1.6, 0.8  # of the usual h, and of an em; a wider h is a Th
_BREAKS = {"\n", "\r"}
_WHITE = 245  # of 255: the least level of red, green and blue of a text that may be hidden
_OVERPRINT = 0.5  # of the width and height of a character that is covered by another one
_MAX_COMPARED = 40  # last equal characters near a position with which a character is compared
_ASCENT = 0.77  # of an em, from the baseline to the top of capitals and ascenders


@dataclass(slots=True)
class Glyph:
    """One character with its position on the displayed page and its style.

    ``turn`` is its clockwise rotation on the displayed page: 0, 90, 180 or 270. It ``may_be_hidden`` if it is drawn
    without ink, transparent or white.
    """

    text: str
    rect: Rect
    size: float
    bold: bool
    turn: int = 0
    may_be_hidden: bool = False


@dataclass(frozen=True, slots=True)
class PageGlyphs:
    """The characters of a page in stream order, with ``None`` at PDFium's line ends.

    ``is_cut`` if the page has more than `MAX_GLYPHS`, of which only the first are here. ``outside`` are the characters
    outside of the displayed page, as text.
    """

    glyphs: list[Glyph | None]
    is_cut: bool = False
    outside: str = ""


def read_glyphs(page: Any, frame: Frame) -> PageGlyphs:
    """Read the characters of a page."""
    textpage = page.get_textpage()
    try:
        count = textpage.count_chars()
        outside: list[str] = []
        glyphs = _iterate_glyphs(textpage, min(count, MAX_GLYPHS), frame, page.get_rotation() % 360, outside)
        shown = repair_ligatures(drop_overprints(glyphs))
        return PageGlyphs(shown, count > MAX_GLYPHS, " ".join("".join(outside).split())[:MAX_OUTSIDE])
    finally:
        textpage.close()


def drop_overprints(glyphs: Iterable[Glyph | None]) -> list[Glyph | None]:
    """Drop characters that are drawn twice with a small offset: bold text without a bold font.

    A blank that PDFium adds between such a pair is dropped as well.
    """
    drawn: dict[tuple[str, int, int], list[Rect]] = defaultdict(list)  # by character and position, in font sizes
    result: list[Glyph | None] = []
    for glyph in glyphs:
        if glyph is not None and not glyph.text.isspace():
            x0, y0, x1, y1 = glyph.rect
            unit = 2 * max(glyph.size, 1.0)
            column, row = round((x0 + x1) / unit), round((y0 + y1) / unit)
            # the letters of a ligature such as "ff" share the rectangle of their glyph
            is_ligature = bool(result) and (last := result[-1]) is not None and last.rect == glyph.rect
            if not is_ligature and _is_overprint(drawn, glyph, column, row):
                while result and (last := result[-1]) is not None and last.text.isspace():
                    result.pop()
                continue
            drawn[glyph.text, column, row].append(glyph.rect)
        result.append(glyph)
    return result


def _is_overprint(drawn: Mapping[tuple[str, int, int], list[Rect]], glyph: Glyph, column: int, row: int) -> bool:
    """Return whether the character of a glyph was drawn before at its position or beside it."""
    for near_column in (column - 1, column, column + 1):
        for near_row in (row - 1, row, row + 1):
            rects = drawn.get((glyph.text, near_column, near_row))
            if rects and any(_overlaps(rect, glyph.rect) for rect in rects[-_MAX_COMPARED:]):
                return True
    return False


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


def _iterate_glyphs(textpage: Any, count: int, frame: Frame, turn: int, outside: list[str]) -> Iterator[Glyph | None]:
    """Yield the characters on the displayed page, and append those outside of it to ``outside``."""
    import pypdfium2.raw as pdfium

    rect = pdfium.FS_RECTF()
    x, y = ctypes.c_double(), ctypes.c_double()
    style = _StyleReader(textpage, turn)
    for index, character in _iterate_characters(textpage, count):
        if character in _BREAKS:
            style.stale = True
            outside.append(" ")
            yield None
            continue
        if not pdfium.FPDFText_GetLooseCharBox(textpage, index, rect):
            continue
        box = frame.map_rect(rect.left, rect.bottom, rect.right, rect.top)
        if box[2] < 0 or box[3] < 0 or box[0] > frame.width or box[1] > frame.height:
            outside.append(character)
            continue
        if style.stale:
            style.read(index)
        style.stale = character == " "
        if style.turn == 0 and pdfium.FPDFText_GetCharOrigin(textpage, index, x, y):
            box = _set_on_baseline(box, frame.map_y(x.value, y.value), style.size)
            character = restore_minus(textpage, index, character, style.size)  # noqa: PLW2901
        yield Glyph(character, box, style.size, style.bold, style.turn, style.may_be_hidden)


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
    """Size, weight, rotation and ink of a word; read at its first character only, as each read costs a call."""

    def __init__(self, textpage: Any, turn: int) -> None:
        self.stale = True
        self.size, self.bold, self.turn, self.may_be_hidden = 0.0, False, 0, False
        self._textpage = textpage
        self._page_turn = turn
        self._name = ctypes.create_string_buffer(256)
        self._flags = ctypes.c_int()
        self._colour = [ctypes.c_uint() for _ in range(4)]

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
        text_object = pdfium.FPDFText_GetTextObject(self._textpage, index)
        mode = pdfium.FPDFTextObj_GetTextRenderMode(text_object) if text_object else pdfium.FPDF_TEXTRENDERMODE_FILL
        self.may_be_hidden = mode == pdfium.FPDF_TEXTRENDERMODE_INVISIBLE or (
            mode in {pdfium.FPDF_TEXTRENDERMODE_FILL, pdfium.FPDF_TEXTRENDERMODE_FILL_CLIP} and self._is_pale(index)
        )

    def _is_pale(self, index: int) -> bool:
        """Return whether the character at ``index`` is filled with white, or transparent."""
        import pypdfium2.raw as pdfium

        if not pdfium.FPDFText_GetFillColor(self._textpage, index, *self._colour):
            return False
        *levels, alpha = (level.value for level in self._colour)
        return alpha == 0 or min(levels) >= _WHITE


def _read_size(textpage: Any, index: int) -> float:
    """Return the displayed font size in points: the size in the file, scaled by the text matrix."""
    import pypdfium2.raw as pdfium

    size = float(pdfium.FPDFText_GetFontSize(textpage, index))
    matrix = pdfium.FS_MATRIX()
    if not pdfium.FPDFText_GetMatrix(textpage, index, matrix):
        return size
    return size * (math.hypot(matrix.c, matrix.d) or 1.0)
