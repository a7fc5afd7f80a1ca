"""Detection of headers and footers that are far from the edge of the page, by the number of the page in them. Pure."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from hopline_ingest.formats.pdf.page_content import Line, LinePosition, PageContent

_BAND: Final = 0.3  # of the page's height, at its top and bottom
_MAX_ROWS: Final = 3  # of a header
_POSITION_STEP: Final = 0.02  # of the page's height
_GAP: Final = 0.8  # font sizes, at least from a header to the text
_MIN_PAGES: Final = 3
_MAX_PAGE_GAP: Final = 2  # pages; left and right pages may differ
_NUMBER: Final = re.compile(r"\d{1,4}")


@dataclass(frozen=True, slots=True)
class _Row:
    """The lines of a row of a page, with their numbers; ``is_apart`` if a gap separates it from the text."""

    indices: tuple[int, ...]
    text: str
    height: int
    is_apart: bool

    @property
    def key(self) -> tuple[str, int]:
        return _NUMBER.sub("#", self.text.lower()), self.height

    def list_counters(self, page: int) -> Iterator[tuple[str, int, int]]:
        """Yield the row with each of its numbers as the distance from the number of the page."""
        yield from ((*self.key, int(match[0]) - page) for match in _NUMBER.finditer(self.text))


def find_deep_headers(pages: Sequence[PageContent], excluded: Collection[LinePosition]) -> Iterator[LinePosition]:
    """Find outermost rows that close pages share at the same position, up to one whose number counts the pages.

    ``excluded`` lines are already known as headers or marks.
    """
    sides = [(page, rows) for page in enumerate(pages) for rows in _list_sides(*page, excluded)]
    seen: dict[tuple[object, ...], set[int]] = defaultdict(set)
    for (number, page), rows in sides:
        for row in rows:
            for key in (row.key, *row.list_counters(page.number)):
                seen[key].add(number)
    shared = {key for key, numbers in seen.items() if count_close_pages(numbers) >= _MIN_PAGES}
    for (number, page), rows in sides:
        header: list[int] = []
        for row in rows:
            if row.key not in shared:
                break
            header += row.indices
            if row.is_apart and not shared.isdisjoint(row.list_counters(page.number)):
                yield from ((number, index) for index in header)
                header = []


def count_close_pages(numbers: Iterable[int]) -> int:
    """Count the pages that are close to another one: left and right pages may differ."""
    pairs = (pair for pair in pairwise(sorted(numbers)) if pair[1] - pair[0] <= _MAX_PAGE_GAP)
    return len({number for pair in pairs for number in pair})


def _list_sides(number: int, page: PageContent, excluded: Collection[LinePosition]) -> Iterator[list[_Row]]:
    """Yield the outermost rows at the top and at the bottom of a page, from the edge inwards."""
    lines = [(i, line) for i, line in enumerate(page.lines) if (number, i) not in excluded and line.turn == 0]
    rows = _group_rows(sorted(lines, key=lambda item: item[1].rect[1]))
    if len(rows) > 2 * _MAX_ROWS:
        yield list(_build_rows(rows[: _MAX_ROWS + 1], page.height))
        yield list(_build_rows(rows[: -_MAX_ROWS - 2 : -1], page.height))


def _group_rows(lines: Iterable[tuple[int, Line]]) -> list[list[tuple[int, Line]]]:
    rows: list[list[tuple[int, Line]]] = []
    for index, line in lines:
        if rows and line.rect[1] < (rows[-1][0][1].rect[1] + rows[-1][0][1].rect[3]) / 2:
            rows[-1].append((index, line))
        else:
            rows.append([(index, line)])
    return rows


def _build_rows(rows: Sequence[Sequence[tuple[int, Line]]], height: float) -> Iterator[_Row]:
    """Yield all rows but the last one, which is the text that follows; those within the band."""
    for row, following in pairwise(rows):
        line, other = row[0][1], following[0][1]
        gap = max(other.rect[1] - line.rect[3], line.rect[1] - other.rect[3])
        in_band = line.rect[3] < _BAND * height or line.rect[1] > (1 - _BAND) * height
        if not in_band:
            return
        text = " ".join(cell.text for _, cell in sorted(row, key=lambda item: item[1].rect[0]))
        position = round(line.rect[1] / height / _POSITION_STEP)
        yield _Row(tuple(index for index, _ in row), text, position, gap >= _GAP * line.size)
