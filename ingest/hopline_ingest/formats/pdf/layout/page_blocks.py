"""Lines of a page into its blocks, in reading order, each with its role. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from hopline_ingest.formats.pdf.layout.captions import caption_of, is_caption, lead_in, whole_captions
from hopline_ingest.formats.pdf.layout.layout_model import Region
from hopline_ingest.formats.pdf.layout.reading_order import reading_order
from hopline_ingest.formats.pdf.layout.table_areas import holds, overlap
from hopline_ingest.formats.pdf.page_content import Group, Line, Rect, Role, TableContent
from hopline_ingest.formats.pdf.tables.grids import Cells, is_table
from hopline_ingest.formats.pdf.text.lines import column_edges, right_to_left, rows
from hopline_ingest.formats.pdf.text.paragraph_text import told

_ROLES: dict[str, Role] = {  # by what a line is first taken to be, where regions overlap
    "header": "header",
    "footer": "footer",
    "table_caption": "caption",
    "figure_caption": "caption",
    "title": "title",
    "text": "text",
    "reference": "text",
    "equation": "text",
    "figure": "figure",
}
_RANKS = {kind: rank for rank, kind in enumerate(_ROLES)}

Content = tuple[tuple[Line, ...], tuple[TableContent, ...]]


_RULE = re.compile(r"[_\-–—=~*.·•\s]{3,}")  # a rule drawn with characters


def without_rules(pieces: Iterable[Line]) -> list[Line]:
    """Pieces that say something."""
    return [line for line in pieces if not _RULE.fullmatch(line.text)]


def plain_blocks(pieces: Sequence[Line]) -> tuple[Line, ...]:
    """The lines of a page of one column, from top to bottom, as one block."""
    aside = [replace(line, block=1 + n) for n, line in enumerate(line for line in pieces if line.turn)]
    return (*rows(line for line in pieces if line.turn == 0), *aside)


def blocks(pieces: Sequence[Line], regions: Sequence[Region], candidates: Sequence[tuple[Rect, Cells]]) -> Content:
    """The lines of a page in reading order, and its tables.

    Lines are held together by the region that they stand in, and by nearness where they stand in
    none. Candidates that are no tables stay text.
    """
    regions = [region for region in regions if region.kind != "figure" or not _is_none(region, pieces, candidates)]
    groups = _groups(_outside(pieces, [rect for rect, _ in candidates]), regions)
    kept = [
        (rect, cells) for rect, cells in candidates if is_table(cells, captioned=caption_of(rect, groups) is not None)
    ]
    if len(kept) < len(candidates):
        groups = _groups(_outside(pieces, [rect for rect, _ in kept]), regions)
    tables = []
    taken: set[int] = set()
    for rect, cells in kept:
        number = caption_of(rect, groups)
        if number is None or number in taken:
            tables.append(TableContent(rect, cells, lead_in(rect, groups)))
        else:
            taken.add(number)
            tables.append(TableContent(rect, cells, told(groups[number].lines)))
    return _ordered([group for number, group in enumerate(groups) if number not in taken], tables)


def is_whole(content: Content, pieces: Sequence[Line]) -> bool:
    """Whether lines and tables hold what the pieces of a page do, but for a tenth at most."""
    lines, tables = content
    kept = sum(len(line.text) for line in lines)
    kept += sum(len(cell) for table in tables for row in table.cells for cell in row)
    kept += sum(len(table.caption) for table in tables)
    return kept >= _KEPT * sum(len(line.text) for line in pieces)


def _is_none(figure: Region, pieces: Sequence[Line], candidates: Sequence[tuple[Rect, Cells]]) -> bool:
    """Whether what the model took for a figure is none: it holds a table, or sentences rather than labels."""
    if any(overlap(figure.rect, rect) for rect, _ in candidates):
        return True
    held = [line.text for line in pieces if holds(figure.rect, line.rect)]
    long = sum(len(text) for text in held if len(text.split()) >= _WORDS)
    return long * 2 > sum(map(len, held))


def _outside(pieces: Iterable[Line], rects: Sequence[Rect]) -> list[Line]:
    return [line for line in pieces if not any(holds(rect, line.rect) for rect in rects)]


def _groups(pieces: Sequence[Line], regions: Sequence[Region]) -> list[Group]:
    edges = column_edges(pieces)
    loose: list[Line] = []
    held: dict[int, list[Line]] = {}
    for line in pieces:
        number = _region_of(line, regions)
        if number is None:
            loose.append(line)
        else:
            held.setdefault(number, []).append(line)
    groups = [Group(_ROLES[regions[number].kind], tuple(rows(lines, edges=edges))) for number, lines in held.items()]
    near = rows(loose, gap=_LOOSE_GAP, edges=edges)
    groups.extend(Group("text", tuple(lines)) for lines in clusters(near))
    return whole_captions([_captioned(group) for group in groups])


_KEPT = 0.9


_WORDS = 7  # of a line that is no label
_LOOSE_GAP = 2.5  # in font sizes: what no region holds together is one line only where it is close


def _region_of(line: Line, regions: Sequence[Region]) -> int | None:
    """The number of the region whose text a line is."""
    held = [
        (_RANKS[region.kind], number)
        for number, region in enumerate(regions)
        if region.kind in _RANKS and holds(region.rect, line.rect)
    ]
    return min(held)[1] if held else None


def _captioned(group: Group) -> Group:
    """Text that begins as a caption does, though the model did not see it."""
    if group.role in {"text", "title"} and is_caption(group.lines[0].text):
        return replace(group, role="caption")
    return group


def _ordered(groups: Sequence[Group], tables: Sequence[TableContent]) -> Content:
    rects = [*(group.rect for group in groups), *(table.rect for table in tables)]
    leftwards = right_to_left(" ".join(line.text for group in groups for line in group.lines))
    lines: list[Line] = []
    placed: list[TableContent] = []
    for place, number in enumerate(reading_order(rects, leftwards=leftwards)):
        if number < len(groups):
            group = groups[number]
            lines.extend(replace(line, role=group.role, block=place) for line in group.lines)
        else:
            placed.append(replace(tables[number - len(groups)], block=place))
    return tuple(lines), tuple(placed)


def clusters(lines: Sequence[Line]) -> list[list[Line]]:
    """Lines that stand below one another, close and of like size, together."""
    found: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: (line.rect[1], line.rect[0])):
        home = next((held for held in reversed(found) if _continues(held[-1], line)), None)
        if home is None:
            found.append([line])
        else:
            home.append(line)
    return found


def _continues(above: Line, line: Line) -> bool:
    a, b = above.rect, line.rect
    across = min(a[2], b[2]) - max(a[0], b[0])
    gap = b[1] - a[3]
    size = max(above.size, line.size, 1.0)
    return (
        above.turn == line.turn
        and across > 0.3 * min(a[2] - a[0], b[2] - b[0])
        and -0.5 * size < gap < 0.9 * size
        and abs(above.size - line.size) < 0.15 * size
    )
