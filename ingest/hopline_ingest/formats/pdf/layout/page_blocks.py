"""Grouping of a page's lines into blocks with roles, in reading order. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from hopline_ingest.formats.pdf.layout.captions import (
    find_caption,
    find_lead_in,
    is_caption,
    is_table_caption,
    merge_captions,
)
from hopline_ingest.formats.pdf.layout.layout_model import Region
from hopline_ingest.formats.pdf.layout.reading_order import find_reading_order
from hopline_ingest.formats.pdf.layout.table_areas import contains, overlaps
from hopline_ingest.formats.pdf.page_content import Group, Line, Rect, Role, TableCandidate, TableContent
from hopline_ingest.formats.pdf.tables.grids import is_table
from hopline_ingest.formats.pdf.text.lines import find_column_edges, is_right_to_left, join_rows
from hopline_ingest.formats.pdf.text.paragraph_text import join_text

_ROLES: dict[str, Role] = {  # in order of preference where regions overlap
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
_CHARACTER_RULE = re.compile(r"[_\-–—=~*.·•\s]{3,}")
_MIN_COMPLETE = 0.9  # of the characters of a page
_SENTENCE_WORDS = 7  # of a line that is not a label
_LOOSE_GAP = 2.5  # in font sizes, between pieces of one line outside of regions

Content = tuple[tuple[Line, ...], tuple[TableContent, ...]]


def drop_rules(pieces: Iterable[Line]) -> list[Line]:
    """Remove pieces that are rules drawn with characters."""
    return [line for line in pieces if not _CHARACTER_RULE.fullmatch(line.text)]


def build_plain_blocks(pieces: Sequence[Line]) -> tuple[Line, ...]:
    """Return the lines of a single-column page, from top to bottom, as one block."""
    turned = [replace(line, block=1 + n) for n, line in enumerate(line for line in pieces if line.turn)]
    return (*join_rows(line for line in pieces if line.turn == 0), *turned)


def build_blocks(pieces: Sequence[Line], regions: Sequence[Region], candidates: Sequence[TableCandidate]) -> Content:
    """Return the lines of a page in reading order, and its tables.

    Lines in one region form a block; lines outside of regions are grouped by distance. Candidates that are no
    tables stay text.
    """
    regions = [region for region in regions if region.kind != "figure" or not _is_no_figure(region, pieces, candidates)]
    groups = _group_lines(_select_outside(pieces, [candidate.rect for candidate in candidates]), regions)
    accepted = [
        candidate
        for candidate in candidates
        if is_table(candidate.cells, captioned=find_caption(candidate.rect, groups) is not None, ruled=candidate.ruled)
    ]
    if len(accepted) < len(candidates):
        groups = _group_lines(_select_outside(pieces, [candidate.rect for candidate in accepted]), regions)
    tables = []
    used_captions: set[int] = set()
    for candidate in accepted:
        number = find_caption(candidate.rect, groups)
        if number is None or number in used_captions:
            tables.append(TableContent(candidate.rect, candidate.cells, find_lead_in(candidate.rect, groups)))
        else:
            used_captions.add(number)
            tables.append(TableContent(candidate.rect, candidate.cells, join_text(groups[number].lines)))
    return _order_content([group for number, group in enumerate(groups) if number not in used_captions], tables)


def is_complete(content: Content, pieces: Sequence[Line]) -> bool:
    """Return whether lines and tables contain at least nine tenths of the letters and digits of a page's pieces.

    Other characters do not count: the dots between a label and its value are in no cell.
    """
    lines, tables = content
    count = sum(_count_characters(line.text) for line in lines)
    count += sum(_count_characters(cell.text) for table in tables for row in table.cells for cell in row)
    count += sum(_count_characters(table.caption) for table in tables)
    return count >= _MIN_COMPLETE * sum(_count_characters(line.text) for line in pieces)


def _count_characters(text: str) -> int:
    return sum(map(str.isalnum, text))


def _is_no_figure(figure: Region, pieces: Sequence[Line], candidates: Sequence[TableCandidate]) -> bool:
    """Return whether a figure of the layout model contains a table, or sentences rather than labels."""
    if any(overlaps(figure.rect, candidate.rect) for candidate in candidates):
        return True
    return is_running_text(line for line in pieces if contains(figure.rect, line.rect))


def is_running_text(lines: Iterable[Line]) -> bool:
    """Return whether most characters are in lines of at least `_SENTENCE_WORDS` words: sentences, no labels."""
    texts = [line.text for line in lines]
    return 2 * sum(len(text) for text in texts if len(text.split()) >= _SENTENCE_WORDS) > sum(map(len, texts))


def _select_outside(pieces: Iterable[Line], rects: Sequence[Rect]) -> list[Line]:
    return [line for line in pieces if not any(contains(rect, line.rect) for rect in rects)]


def _group_lines(pieces: Sequence[Line], regions: Sequence[Region]) -> list[Group]:
    edges = find_column_edges(pieces)
    loose_lines: list[Line] = []
    lines_by_region: dict[int, list[Line]] = {}
    for line in pieces:
        number = _find_region(line, regions)
        if number is None:
            loose_lines.append(line)
        else:
            lines_by_region.setdefault(number, []).append(line)
    groups = [
        Group(_ROLES[regions[number].kind], tuple(join_rows(lines, edges=edges)))
        for number, lines in lines_by_region.items()
    ]
    loose_rows = join_rows(loose_lines, gap=_LOOSE_GAP, edges=edges)
    groups.extend(Group("text", tuple(lines)) for lines in cluster_lines(loose_rows))
    return merge_captions([part for group in groups for part in _mark_captions(group)])


def _find_region(line: Line, regions: Sequence[Region]) -> int | None:
    """Return the number of the region that contains a line; of several of one kind, the smallest one.

    The model may find a region around two columns beside those of the columns.
    """
    matches = [
        (_RANKS[region.kind], _compute_area(region.rect), number)
        for number, region in enumerate(regions)
        if region.kind in _RANKS and contains(region.rect, line.rect)
    ]
    return min(matches)[-1] if matches else None


def _compute_area(rect: Rect) -> float:
    return (rect[2] - rect[0]) * (rect[3] - rect[1])


def _mark_captions(group: Group) -> list[Group]:
    """Return the group as a caption if its text begins like one and the model did not detect it.

    The title of a table that goes on over pages may stand in the header of each page.
    """
    if group.role in {"text", "title"} and is_caption(group.lines[0].text):
        return [replace(group, role="caption")]
    if group.role == "header":
        start = next((n for n, line in enumerate(group.lines) if is_table_caption(line.text)), None)
        if start is not None:
            before = [Group(group.role, group.lines[:start])] if start else []
            return [*before, Group("caption", group.lines[start:])]
    return [group]


def _order_content(groups: Sequence[Group], tables: Sequence[TableContent]) -> Content:
    rects = [*(group.rect for group in groups), *(table.rect for table in tables)]
    leftwards = is_right_to_left(" ".join(line.text for group in groups for line in group.lines))
    lines: list[Line] = []
    ordered_tables: list[TableContent] = []
    for block, number in enumerate(find_reading_order(rects, leftwards=leftwards)):
        if number < len(groups):
            group = groups[number]
            lines.extend(replace(line, role=group.role, block=block) for line in group.lines)
        else:
            ordered_tables.append(replace(tables[number - len(groups)], block=block))
    return tuple(lines), tuple(ordered_tables)


def cluster_lines(lines: Sequence[Line]) -> list[list[Line]]:
    """Group lines below one another that are close and of similar size."""
    clusters: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: (line.rect[1], line.rect[0])):
        cluster_above = next((cluster for cluster in reversed(clusters) if _continues(cluster[-1], line)), None)
        if cluster_above is None:
            clusters.append([line])
        else:
            cluster_above.append(line)
    return clusters


def _continues(above: Line, line: Line) -> bool:
    a, b = above.rect, line.rect
    shared_width = min(a[2], b[2]) - max(a[0], b[0])
    gap = b[1] - a[3]
    size = max(above.size, line.size, 1.0)
    return (
        above.turn == line.turn
        and shared_width > 0.3 * min(a[2] - a[0], b[2] - b[0])
        and -0.5 * size < gap < 0.9 * size
        and abs(above.size - line.size) < 0.15 * size
    )
