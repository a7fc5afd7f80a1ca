"""Rules drawn on a PDF page, and the sides of boxes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from ctypes import c_float, c_int, c_uint
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Any

from hopline_ingest.formats.pdf.frame import Frame
from hopline_ingest.formats.pdf.page_content import Rect, bounding_rect
from hopline_ingest.formats.pdf.page_objects import read_bounds

MAX_PATHS = 20_000  # of a page
MAX_POINTS = 50_000  # of all paths of a page; a page with more is a drawing
MAX_RULES = 600  # in one direction, and of filled areas
_MAX_HEIGHT = 2.5  # points; a higher object is a box
_MIN_WIDTH = 8.0  # points; a shorter object is a dash
_SLANT = 0.5  # points by which a line is not straight, or two areas are apart
_CORNERS = 5  # points of a closed rectangle
_MAX_DEPTH = 3  # of forms within forms
_TOUCH = 3.0  # points between two rules that meet
_BAND = 6.0  # points, at most, between two parts of a lattice
COLUMN_GAP = 6.0  # points between the rules of adjacent columns
_GAP = 1.5  # points between parts of one rule; less than between the rules below two headers
_LEVEL = 1.5  # points between the heights of parts of one rule

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Lattice:
    """Horizontal and vertical rules that are connected."""

    horizontal: tuple[Rect, ...]
    vertical: tuple[Rect, ...]

    @property
    def rect(self) -> Rect:
        """The bounding rectangle."""
        return bounding_rect([*self.horizontal, *self.vertical])


def read_rules(page: Any, frame: Frame) -> list[Rect]:
    """Read the horizontal rules of a PDFium page, in points from the top left of the page as shown."""
    import pypdfium2.raw as pdfium

    paths = islice(read_bounds(page, pdfium.FPDF_PAGEOBJ_PATH), MAX_PATHS)
    return join_rules(frame.map_rect(*bounds) for bounds in paths)


def read_edges(page: Any, frame: Frame) -> list[Rect]:
    """Read the horizontal and vertical lines of a PDFium page, and the sides of its filled areas.

    They are in points from the top left of the page as shown. There are none on a page with more than `MAX_POINTS`.
    """
    import pypdfium2.raw as pdfium

    points_left = MAX_POINTS
    lines: list[Rect] = []
    fills: dict[tuple[int, ...], list[Rect]] = {}
    for path in islice(page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_PATH], max_depth=_MAX_DEPTH), MAX_PATHS):
        points_left -= pdfium.FPDFPath_CountSegments(path)
        if points_left < 0:
            return []
        is_stroked = _is_stroked(path, pdfium)
        for points in _read_outlines(path, pdfium):
            bounds = bounding_rect((*point, *point) for point in points)
            if min(bounds[2] - bounds[0], bounds[3] - bounds[1]) <= _MAX_HEIGHT:
                lines.append(bounds)
            elif is_stroked:
                lines.extend(_list_straight_lines(points))
            elif len(points) == _CORNERS and len(list(_list_straight_lines(points))) == _CORNERS - 1:
                fills.setdefault(_read_fill_colour(path, pdfium), []).append(bounds)
    if sum(map(len, fills.values())) <= MAX_RULES:
        lines.extend(side for areas in fills.values() for side in find_sides(areas))
    return [frame.map_rect(*line) for line in lines]


def _is_stroked(path: Any, pdfium: Any) -> bool:
    fill, stroke = c_int(), c_int()
    return bool(pdfium.FPDFPath_GetDrawMode(path, fill, stroke)) and bool(stroke.value)


def _read_fill_colour(path: Any, pdfium: Any) -> tuple[int, ...]:
    """Return red, green, blue and opacity of the area of a path."""
    parts = [c_uint() for _ in range(4)]
    pdfium.FPDFPageObj_GetFillColor(path, *parts)
    return tuple(part.value for part in parts)


def find_sides(areas: Sequence[Rect]) -> Iterator[Rect]:
    """Yield the sides of areas of one colour that no other of them continues or contains. Pure."""
    for x0, y0, x1, y1 in areas:
        x, y = (x0 + x1) / 2, (y0 + y1) / 2
        for side, (outside_x, outside_y) in (
            ((x0, y0, x1, y0), (x, y0 - _SLANT)),
            ((x0, y1, x1, y1), (x, y1 + _SLANT)),
            ((x0, y0, x0, y1), (x0 - _SLANT, y)),
            ((x1, y0, x1, y1), (x1 + _SLANT, y)),
        ):
            if not any(a <= outside_x <= c and b <= outside_y <= d for a, b, c, d in areas):
                yield side


def _read_outlines(path: Any, pdfium: Any) -> Iterator[list[Point]]:
    """Yield the points of each part of a path, in user space; those of a closed one end where they begin."""
    matrix = path.get_matrix()
    x, y = c_float(), c_float()
    points: list[Point] = []
    for number in range(pdfium.FPDFPath_CountSegments(path)):
        segment = pdfium.FPDFPath_GetPathSegment(path, number)
        pdfium.FPDFPathSegment_GetPoint(segment, x, y)
        if pdfium.FPDFPathSegment_GetType(segment) == pdfium.FPDF_SEGMENT_MOVETO:
            if len(points) > 1:
                yield points
            points = []
        points.append(matrix.on_point(x.value, y.value))
        if pdfium.FPDFPathSegment_GetClose(segment) and points[-1] != points[0]:
            points.append(points[0])
    if len(points) > 1:
        yield points


def _list_straight_lines(points: Sequence[Point]) -> Iterator[Rect]:
    """Yield the rectangle of each line between two points that is horizontal or vertical."""
    for a, b in pairwise(points):
        width, height = abs(a[0] - b[0]), abs(a[1] - b[1])
        if min(width, height) <= _SLANT < max(width, height):
            yield min(a[0], b[0]), min(a[1], b[1]), max(a[0], b[0]), max(a[1], b[1])


def join_rules(rects: Iterable[Rect], *, gap: float = _GAP) -> list[Rect]:
    """Join the parts of each rule, which may be drawn cell by cell; drops other rectangles. Pure.

    ``gap`` are the points between two parts.
    """
    parts = [rect for rect in rects if rect[3] - rect[1] <= _MAX_HEIGHT and rect[2] - rect[0] >= _MIN_WIDTH]
    levels: list[list[Rect]] = []
    for rect in sorted(parts, key=lambda rect: rect[1]):
        if levels and rect[1] - levels[-1][0][1] <= _LEVEL:
            levels[-1].append(rect)
        else:
            levels.append([rect])
    return [rule for level in levels for rule in _join_level(level, gap)]


def _join_level(level: Sequence[Rect], gap: float) -> list[Rect]:
    rules: list[Rect] = []
    for rect in sorted(level):
        if rules and rect[0] - rules[-1][2] <= gap:
            x0, y0, x1, y1 = rules[-1]
            rules[-1] = (x0, min(y0, rect[1]), max(x1, rect[2]), max(y1, rect[3]))
        else:
            rules.append(rect)
    return rules


def find_lattices(edges: Sequence[Rect]) -> list[Lattice]:
    """Find rules that cross or meet, with at least three rows and two columns between them. Pure.

    Lattices of equal width below each other, with little space between them, are one. ``edges`` are lines in both
    directions.
    """
    horizontal = join_rules(edges)
    vertical = [_swap_axes(rule) for rule in join_rules(map(_swap_axes, edges))]
    if max(len(horizontal), len(vertical)) > MAX_RULES:
        return []
    groups: list[tuple[list[Rect], list[Rect]]] = []
    for rule in horizontal:
        crossing = [other for other in vertical if _meets(rule, other)]
        near = [group for group in groups if any(other in group[1] for other in crossing)]
        groups = [group for group in groups if group not in near]
        rules = [rule, *(other for group in near for other in group[0])]
        groups.append((rules, [*crossing, *(o for group in near for o in group[1] if o not in crossing)]))
    lattices = [Lattice(tuple(rows), tuple(columns)) for rows, columns in groups if len(rows) > 1 and len(columns) > 2]
    result: list[Lattice] = []
    for lattice in sorted(lattices, key=lambda lattice: lattice.rect[1]):
        above = next((other for other in result if _continues_lattice(other.rect, lattice.rect)), None)
        if above is None:
            result.append(lattice)
        else:
            whole = Lattice(above.horizontal + lattice.horizontal, above.vertical + lattice.vertical)
            result[result.index(above)] = whole
    return result


def _swap_axes(rect: Rect) -> Rect:
    return rect[1], rect[0], rect[3], rect[2]


def _meets(a: Rect, b: Rect) -> bool:
    return all(a[axis] - _TOUCH <= b[axis + 2] and b[axis] - _TOUCH <= a[axis + 2] for axis in (0, 1))


def _continues_lattice(above: Rect, below: Rect) -> bool:
    is_equal = abs(above[0] - below[0]) <= _TOUCH and abs(above[2] - below[2]) <= _TOUCH
    return is_equal and below[1] - above[3] <= _BAND
