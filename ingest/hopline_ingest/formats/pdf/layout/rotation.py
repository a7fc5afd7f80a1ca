"""Text that is set sideways: how much of it a page has, and where it stands once read. Pure."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from hopline_ingest.formats.pdf.page_content import Line, Rect, TableContent
from hopline_ingest.formats.pdf.text.glyphs import Frame, Glyph

_SHARE = 0.1  # of a page's characters, and
_LEAST = 80  # characters: less is a figure's axis or a mark in the margin


def turns(glyphs: Sequence[Glyph | None]) -> tuple[set[int], list[int]]:
    """The turns to read a page in: those that are read upright, then each that the page is turned for."""
    counts = Counter(glyph.turn for glyph in glyphs if glyph is not None)
    total = sum(counts.values())
    apart = [turn for turn, count in counts.most_common() if turn and count >= max(_LEAST, _SHARE * total)]
    return {0, 90, 180, 270}.difference(apart), apart


def back(line: Line, turn: int, frame: Frame, after: int = 0) -> Line:
    """A line read on a turned page where it stands on the page as shown; its block is counted from ``after``."""
    rect = _back(line.rect, turn, frame)
    lefts = array("f", [rect[0]]) * len(line.text)
    rights = array("f", [rect[2]]) * len(line.text)
    return replace(line, rect=rect, lefts=lefts, rights=rights, turn=turn, block=after + line.block)


def back_table(table: TableContent, turn: int, frame: Frame, after: int = 0) -> TableContent:
    """A table read on a turned page where it stands on the page as shown."""
    return replace(table, rect=_back(table.rect, turn, frame), block=after + table.block)


def upright(line: Line, turn: int, frame: Frame) -> Line:
    """A line of the page as shown, turned by ``turn``, where it stands once the page is turned back.

    Its characters share its width evenly.
    """
    rect = _back(line.rect, (360 - turn) % 360, turned(frame, turn))
    step = (rect[2] - rect[0]) / len(line.text)
    lefts = array("f", (rect[0] + index * step for index in range(len(line.text))))
    rights = array("f", (rect[0] + (index + 1) * step for index in range(len(line.text))))
    return replace(line, rect=rect, lefts=lefts, rights=rights, turn=0)


def turned(frame: Frame, turn: int) -> Frame:
    """A frame as large as the page is once text turned by ``turn`` stands upright."""
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
