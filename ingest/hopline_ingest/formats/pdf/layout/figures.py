"""Figures of a page: regions of the layout model with their captions. Pure.

A figure needs a caption with a label and a number ("Figure 3", "Exhibit 4"). Its parts are regions of the layout model,
or else images of the page, directly above, below or beside the caption and without running text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from hopline_ingest.formats.pdf.layout.captions import is_figure_caption
from hopline_ingest.formats.pdf.layout.layout_model import Region
from hopline_ingest.formats.pdf.layout.page_blocks import is_running_text
from hopline_ingest.formats.pdf.layout.table_areas import contains
from hopline_ingest.formats.pdf.page_content import FigureContent, Line, Rect, TableContent, bounding_rect

_ABOVE, _BELOW = 48.0, 30.0  # points between a figure and a caption below it, or above it
_BESIDE = 60.0  # points between a figure and a caption in the margin, level with its top or bottom
_OVERLAP = 12.0  # points by which a region and a caption may overlap
_PENALTY = 20.0  # points; a caption is more often below its figure
_SHARED = 0.5  # of the narrower of both, across
_PART_GAP = 24.0  # points between the parts of a figure
_MIN_SIDE = 24.0  # points of a figure; less is a mark


@dataclass(frozen=True, slots=True)
class _Caption:
    """The block of a caption on its page, and its rectangle."""

    block: int
    rect: Rect


def find_figures(
    lines: Sequence[Line], tables: Sequence[TableContent], regions: Iterable[Region], pictures: Iterable[Rect] = ()
) -> tuple[FigureContent, ...]:
    """Return the figures of a page in reading order.

    ``lines`` are in reading order, with their roles and blocks; ``pictures`` are the rectangles of images on the page,
    for captions without a region of the layout model. A caption labelled "Exhibit" is a figure's only with a region:
    it may be that of a table.
    """
    blocks = {block: list(group) for block, group in groupby(lines, key=lambda line: line.block)}
    captions = [
        _Caption(block, bounding_rect(line.rect for line in group))
        for block, group in blocks.items()
        if group[0].role == "caption" and group[0].turn == 0 and is_figure_caption(group[0].text, with_exhibits=True)
    ]
    others = [line for line in lines if line.role != "caption"]
    table_rects = [table.rect for table in tables]
    detected = [region.rect for region in regions if region.kind == "figure"]
    parts = _assign([rect for rect in detected if _is_figure(rect, table_rects, others)], captions)
    bare = [caption for caption in captions if caption.block not in parts]
    parts |= _assign([rect for rect in pictures if _is_figure(rect, table_rects, others)], bare)
    figures = []
    for caption in captions:
        rects = parts.get(caption.block, [])
        if not rects and not is_figure_caption(blocks[caption.block][0].text):
            continue
        rect = bounding_rect([caption.rect, *rects])
        labels = [block for block, group in blocks.items() if block != caption.block and _is_inside(group, rects)]
        figures.append(FigureContent(rect, caption.block, tuple(labels), has_region=bool(rects)))
    return tuple(figures)


def _is_figure(rect: Rect, tables: Sequence[Rect], lines: Iterable[Line]) -> bool:
    """Return whether a region is large enough for a figure, and has no table and no running text."""
    is_large = min(rect[2] - rect[0], rect[3] - rect[1]) >= _MIN_SIDE
    has_table = any(contains(rect, table) or contains(table, rect) for table in tables)
    return is_large and not has_table and not is_running_text(line for line in lines if contains(rect, line.rect))


def _is_inside(group: Sequence[Line], rects: Sequence[Rect]) -> bool:
    """Return whether all lines of a block are inside of the parts of a figure, and none is a caption or heading."""
    return all(line.role in {"figure", "text", "list", "note"} for line in group) and all(
        any(contains(rect, line.rect) for rect in rects) for line in group
    )


def _assign(rects: Sequence[Rect], captions: Sequence[_Caption]) -> dict[int, list[Rect]]:
    """Return the parts of the figure of each caption, by the caption's block; each part belongs to one caption."""
    pairs = sorted(
        (distance, number, caption.block)
        for number, rect in enumerate(rects)
        for caption in captions
        if (distance := _measure_distance(rect, caption.rect)) is not None
    )
    owners: dict[int, int] = {}
    for _, number, block in pairs:
        if number not in owners and block not in owners.values():
            owners[number] = block
    while part := next(_list_further_parts(rects, owners), None):
        owners[part[0]] = part[1]
    parts: dict[int, list[Rect]] = {}
    for number, block in sorted(owners.items()):
        parts.setdefault(block, []).append(rects[number])
    return parts


def _list_further_parts(rects: Sequence[Rect], owners: dict[int, int]) -> Iterator[tuple[int, int]]:
    """Yield each rectangle beside or above a part of a figure, with the block of the figure's caption."""
    for number, rect in enumerate(rects):
        for part, block in owners.items():
            if number not in owners and _are_adjacent(rect, rects[part]):
                yield number, block


def _are_adjacent(a: Rect, b: Rect) -> bool:
    across = max(a[0], b[0]) - min(a[2], b[2])
    down = max(a[1], b[1]) - min(a[3], b[3])
    shares_height = -down > _SHARED * min(a[3] - a[1], b[3] - b[1])
    shares_width = -across > _SHARED * min(a[2] - a[0], b[2] - b[0])
    return (shares_height and across < _PART_GAP) or (shares_width and down < _PART_GAP)


def _measure_distance(figure: Rect, caption: Rect) -> float | None:
    """Return the distance of a caption below, above or beside a figure in points; None if it is elsewhere."""
    shared = min(figure[2], caption[2]) - max(figure[0], caption[0])
    if shared <= _SHARED * min(figure[2] - figure[0], caption[2] - caption[0]):
        is_level = min(abs(figure[1] - caption[1]), abs(figure[3] - caption[3])) < _OVERLAP
        is_inside = caption[1] > figure[1] - _OVERLAP and caption[3] < figure[3] + _OVERLAP
        return 2 * _PENALTY - shared if is_level and is_inside and shared > -_BESIDE else None
    below, above = caption[1] - figure[3], figure[1] - caption[3]
    if -_OVERLAP < below < _ABOVE:
        return max(below, 0.0)
    return max(above, 0.0) + _PENALTY if -_OVERLAP < above < _BELOW else None
