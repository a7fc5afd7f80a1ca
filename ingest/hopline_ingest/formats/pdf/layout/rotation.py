"""Rotated text: its detection on a page, and conversion of positions between rotations. Pure."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from hopline_ingest.formats.pdf.frame import Frame
from hopline_ingest.formats.pdf.page_content import FigureContent, Line, Rect, TableContent
from hopline_ingest.formats.pdf.text.glyphs import Glyph

_SHARE = 0.1  # of a page's characters, and
_LEAST = 80  # characters: less is a figure's axis or a mark in the margin


def find_text_rotations(glyphs: Sequence[Glyph | None]) -> tuple[set[int], list[int]]:
    """Return the rotations to parse with the upright text, then each rotation that needs a pass of its own."""
    counts = Counter(glyph.turn for glyph in glyphs if glyph is not None)
    total = sum(counts.values())
    apart = [turn for turn, count in counts.most_common() if turn and count >= max(_LEAST, _SHARE * total)]
    return {0, 90, 180, 270}.difference(apart), apart


def rotate_line_back(line: Line, turn: int, frame: Frame, after: int = 0) -> Line:
    """Map a line from the rotated page back to the displayed one; its block number is offset by ``after``."""
    rect = _back(line.rect, turn, frame)
    lefts = array("f", [rect[0]]) * len(line.text)
    rights = array("f", [rect[2]]) * len(line.text)
    return replace(line, rect=rect, lefts=lefts, rights=rights, turn=turn, block=after + line.block)


def rotate_table_back(table: TableContent, turn: int, frame: Frame, after: int = 0) -> TableContent:
    """Map a table from the rotated page back to the displayed one."""
    cells = tuple(
        tuple(replace(cell, rect=_back(cell.rect, turn, frame)) if cell.rect else cell for cell in row)
        for row in table.cells
    )
    return replace(table, rect=_back(table.rect, turn, frame), cells=cells, block=after + table.block)


def rotate_figure_back(figure: FigureContent, turn: int, frame: Frame, after: int = 0) -> FigureContent:
    """Map a figure from the rotated page back to the displayed one; its block numbers are offset by ``after``."""
    labels = tuple(after + block for block in figure.labels)
    return replace(figure, rect=_back(figure.rect, turn, frame), caption=after + figure.caption, labels=labels)


def rotate_line_upright(line: Line, turn: int, frame: Frame) -> Line:
    """Map a line that is turned by ``turn`` on the displayed page to the page rotated upright.

    Its characters share its width evenly.
    """
    rect = _back(line.rect, (360 - turn) % 360, rotate_frame(frame, turn))
    step = (rect[2] - rect[0]) / len(line.text)
    lefts = array("f", (rect[0] + index * step for index in range(len(line.text))))
    rights = array("f", (rect[0] + (index + 1) * step for index in range(len(line.text))))
    return replace(line, rect=rect, lefts=lefts, rights=rights, turn=0)


def rotate_frame(frame: Frame, turn: int) -> Frame:
    """Return the frame of the page rotated so that text turned by ``turn`` is upright."""
    return replace(frame, width=frame.height, height=frame.width) if turn in {90, 270} else frame


def _back(rect: Rect, turn: int, frame: Frame) -> Rect:
    x0, y0, x1, y1 = rect
    if turn == 90:
        return frame.width - y1, x0, frame.width - y0, x1
    if turn == 270:
        return y0, frame.height - x1, y1, frame.height - x0
    if turn == 180:
        return frame.width - x1, frame.height - y1, frame.width - x0, frame.height - y0
    return rect
