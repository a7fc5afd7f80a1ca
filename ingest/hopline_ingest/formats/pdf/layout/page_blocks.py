"""Grouping of a page's lines into blocks with roles, in reading order. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from hopline_ingest.formats.pdf.layout.captions import find_caption, find_lead_in, is_caption, merge_captions
from hopline_ingest.formats.pdf.layout.layout_model import Region
from hopline_ingest.formats.pdf.layout.reading_order import reading_order
from hopline_ingest.formats.pdf.layout.table_areas import contains, overlaps
from hopline_ingest.formats.pdf.page_content import Group, Line, Rect, Role, TableCandidate, TableContent
from hopline_ingest.formats.pdf.tables.grids import is_table
from hopline_ingest.formats.pdf.text.lines import find_column_edges, is_right_to_left, join_rows
from hopline_ingest.formats.pdf.text.paragraph_text import join_text

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


def drop_rules(pieces: Iterable[Line]) -> list[Line]:
    """Remove pieces that are rules drawn with characters."""
    return [line for line in pieces if not _RULE.fullmatch(line.text)]


def build_plain_blocks(pieces: Sequence[Line]) -> tuple[Line, ...]:
    """Return the lines of a single-column page, from top to bottom, as one block."""
    aside = [replace(line, block=1 + n) for n, line in enumerate(line for line in pieces if line.turn)]
    return (*join_rows(line for line in pieces if line.turn == 0), *aside)


def build_blocks(pieces: Sequence[Line], regions: Sequence[Region], candidates: Sequence[TableCandidate]) -> Content:
    """Return the lines of a page in reading order, and its tables.

    Lines are held together by the region that they stand in, and by nearness where they stand in
    none. Candidates that are no tables stay text.
    """
    regions = [region for region in regions if region.kind != "figure" or not _is_none(region, pieces, candidates)]
    groups = _groups(_outside(pieces, [candidate.rect for candidate in candidates]), regions)
    kept = [
        one
        for one in candidates
        if is_table(one.cells, captioned=find_caption(one.rect, groups) is not None, ruled=one.ruled)
    ]
    if len(kept) < len(candidates):
        groups = _groups(_outside(pieces, [one.rect for one in kept]), regions)
    tables = []
    taken: set[int] = set()
    for one in kept:
        number = find_caption(one.rect, groups)
        if number is None or number in taken:
            tables.append(TableContent(one.rect, one.cells, find_lead_in(one.rect, groups)))
        else:
            taken.add(number)
            tables.append(TableContent(one.rect, one.cells, join_text(groups[number].lines)))
    return _ordered([group for number, group in enumerate(groups) if number not in taken], tables)


def is_complete(content: Content, pieces: Sequence[Line]) -> bool:
    """Whether lines and tables contain at least nine tenths of the characters of a page's pieces."""
    lines, tables = content
    kept = sum(len(line.text) for line in lines)
    kept += sum(len(cell.text) for table in tables for row in table.cells for cell in row)
    kept += sum(len(table.caption) for table in tables)
    return kept >= _KEPT * sum(len(line.text) for line in pieces)


def _is_none(figure: Region, pieces: Sequence[Line], candidates: Sequence[TableCandidate]) -> bool:
    """Whether what the model took for a figure is none: it holds a table, or sentences rather than labels."""
    if any(overlaps(figure.rect, candidate.rect) for candidate in candidates):
        return True
    return is_running_text(line for line in pieces if contains(figure.rect, line.rect))


def is_running_text(lines: Iterable[Line]) -> bool:
    """Whether more than half of the characters are in lines of at least `_WORDS` words: sentences, no labels."""
    texts = [line.text for line in lines]
    return 2 * sum(len(text) for text in texts if len(text.split()) >= _WORDS) > sum(map(len, texts))


def _outside(pieces: Iterable[Line], rects: Sequence[Rect]) -> list[Line]:
    return [line for line in pieces if not any(contains(rect, line.rect) for rect in rects)]


def _groups(pieces: Sequence[Line], regions: Sequence[Region]) -> list[Group]:
    edges = find_column_edges(pieces)
    loose: list[Line] = []
    held: dict[int, list[Line]] = {}
    for line in pieces:
        number = _region_of(line, regions)
        if number is None:
            loose.append(line)
        else:
            held.setdefault(number, []).append(line)
    groups = [
        Group(_ROLES[regions[number].kind], tuple(join_rows(lines, edges=edges))) for number, lines in held.items()
    ]
    near = join_rows(loose, gap=_LOOSE_GAP, edges=edges)
    groups.extend(Group("text", tuple(lines)) for lines in cluster_lines(near))
    return merge_captions([_captioned(group) for group in groups])


_KEPT = 0.9


_WORDS = 7  # of a line that is no label
_LOOSE_GAP = 2.5  # in font sizes: what no region holds together is one line only where it is close


def _region_of(line: Line, regions: Sequence[Region]) -> int | None:
    """The number of the region whose text a line is."""
    held = [
        (_RANKS[region.kind], number)
        for number, region in enumerate(regions)
        if region.kind in _RANKS and contains(region.rect, line.rect)
    ]
    return min(held)[1] if held else None


def _captioned(group: Group) -> Group:
    """Text that begins as a caption does, though the model did not see it."""
    if group.role in {"text", "title"} and is_caption(group.lines[0].text):
        return replace(group, role="caption")
    return group


def _ordered(groups: Sequence[Group], tables: Sequence[TableContent]) -> Content:
    rects = [*(group.rect for group in groups), *(table.rect for table in tables)]
    leftwards = is_right_to_left(" ".join(line.text for group in groups for line in group.lines))
    lines: list[Line] = []
    placed: list[TableContent] = []
    for place, number in enumerate(reading_order(rects, leftwards=leftwards)):
        if number < len(groups):
            group = groups[number]
            lines.extend(replace(line, role=group.role, block=place) for line in group.lines)
        else:
            placed.append(replace(tables[number - len(groups)], block=place))
    return tuple(lines), tuple(placed)


def cluster_lines(lines: Sequence[Line]) -> list[list[Line]]:
    """Group lines below one another that are close and of similar size."""
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
