"""Lines of a page into its blocks, in reading order, each with its role. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hopline_ingest.parse.captions import is_caption
from hopline_ingest.parse.content import Line, Rect, Role
from hopline_ingest.parse.lines import around, right_to_left, rows
from hopline_ingest.parse.order import reading_order
from hopline_ingest.parse.regions import Region

_ROLES: dict[str, Role] = {
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
_FIRST = ["header", "footer", "table_caption", "figure_caption", "title", "text", "reference", "equation", "figure"]


def plain_blocks(pieces: Sequence[Line]) -> list[Line]:
    """The lines of a page of one column, from top to bottom, as one block."""
    upright = [line for line in pieces if line.turn == 0]
    aside = [replace(line, block=1 + n) for n, line in enumerate(line for line in pieces if line.turn)]
    return [*rows(upright), *aside]


def blocks(pieces: Sequence[Line], regions: Sequence[Region]) -> list[Line]:
    """The lines of a page by the regions that they stand in, and by nearness where they stand in none."""
    groups: list[tuple[Role, list[Line]]] = []
    loose: list[Line] = []
    by_region: dict[int, list[Line]] = {}
    for line in pieces:
        number = _region_of(line, regions)
        by_region.setdefault(number, []).append(line) if number >= 0 else loose.append(line)
    for number, held in by_region.items():
        groups.append((_ROLES[regions[number].kind], rows(held)))
    groups.extend(("text", rows(held)) for held in clusters(loose))
    return _ordered([_captioned(group) for group in groups])


def _region_of(line: Line, regions: Sequence[Region]) -> int:
    """The number of the region whose text a line is, -1 for none."""
    x, y = (line.rect[0] + line.rect[2]) / 2, (line.rect[1] + line.rect[3]) / 2
    held = [
        (_FIRST.index(region.kind), number)
        for number, region in enumerate(regions)
        if region.kind in _ROLES and _holds(region.rect, x, y)
    ]
    return min(held)[1] if held else -1


def _holds(rect: Rect, x: float, y: float) -> bool:
    return rect[0] <= x <= rect[2] and rect[1] - 1 <= y <= rect[3] + 1


def _captioned(group: tuple[Role, list[Line]]) -> tuple[Role, list[Line]]:
    role, held = group
    return ("caption", held) if role in {"text", "title"} and is_caption(held[0].text) else group


def _ordered(groups: Sequence[tuple[Role, list[Line]]]) -> list[Line]:
    rects = [around(line.rect for line in held) for _, held in groups]
    leftwards = right_to_left(" ".join(line.text for _, held in groups for line in held))
    order = reading_order(rects, leftwards=leftwards)
    return [
        replace(line, role=groups[number][0], block=place)
        for place, number in enumerate(order)
        for line in groups[number][1]
    ]


def clusters(pieces: Sequence[Line]) -> list[list[Line]]:
    """Pieces that stand below one another, close and of like size, together."""
    found: list[list[Line]] = []
    for line in sorted(pieces, key=lambda line: (line.rect[1], line.rect[0])):
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
