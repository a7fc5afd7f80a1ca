"""Watermarks of a PDF page: large text that is drawn over or under the lines of the text, upright or slanted. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from hopline_ingest.formats.pdf.layout.headings import body_size
from hopline_ingest.formats.pdf.page_content import Line, Rect
from hopline_ingest.formats.pdf.text.glyphs import Glyph

WATERMARK: Final = "watermark: "  # before the text of one that is left out
_LARGER: Final = 1.5  # times the size of the body
_MIN_LETTERS: Final = 3  # a large initial and a bracket of a formula are no watermarks
_MIN_COVERED: Final = 2  # lines
_MIN_SHARE: Final = 0.2  # of the width of a line, or of that of the watermark
_MIN_WIDTH: Final = 0.3  # of a character, in font sizes; fonts may declare a size that their characters do not have
_SAME_SIZE: Final = 0.5  # points


def find_watermarks(pieces: Sequence[Line]) -> list[Line]:
    """Find the large pieces within which the middle of other lines lies, and other pieces with the same text."""
    large = [piece for piece in pieces if is_large(piece, pieces)]
    texts = {(piece.text, round(piece.size)) for piece in large if _covers_lines(piece, pieces)}
    return [piece for piece in large if (piece.text, round(piece.size)) in texts]


def drop_glyphs(glyphs: Sequence[Glyph | None], watermarks: Sequence[Line]) -> list[Glyph | None]:
    """Return the glyphs without those of the watermarks; what is before and after one is not one word."""
    return [
        glyph if glyph is None or not any(_is_in_watermark(glyph, watermark) for watermark in watermarks) else None
        for glyph in glyphs
    ]


def is_large(piece: Line, pieces: Sequence[Line]) -> bool:
    """Return whether a piece has letters that are much larger than those of the other pieces of its page."""
    if piece.size < _LARGER * body_size(pieces) or sum(map(str.isalpha, piece.text)) < _MIN_LETTERS:
        return False
    return math.dist(piece.rect[:2], piece.rect[2:]) >= _MIN_WIDTH * piece.size * len(piece.text)


def _covers_lines(large: Line, pieces: Sequence[Line]) -> bool:
    smaller = (piece for piece in pieces if piece.size * _LARGER <= large.size)
    return sum(_covers_middle(large.rect, piece.rect) for piece in smaller) >= _MIN_COVERED


def _covers_middle(outer: Rect, inner: Rect) -> bool:
    width = min(outer[2], inner[2]) - max(outer[0], inner[0])
    share = width / max(min(outer[2] - outer[0], inner[2] - inner[0]), 1.0)
    return outer[1] < (inner[1] + inner[3]) / 2 < outer[3] and share > _MIN_SHARE


def _is_in_watermark(glyph: Glyph, watermark: Line) -> bool:
    x, y = (glyph.rect[0] + glyph.rect[2]) / 2, (glyph.rect[1] + glyph.rect[3]) / 2
    left, top, right, bottom = watermark.rect
    is_within = left <= x <= right and top <= y <= bottom
    return is_within and abs(glyph.size - watermark.size) < _SAME_SIZE and glyph.turn == watermark.turn
