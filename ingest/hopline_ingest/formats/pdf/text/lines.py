"""Assembly of characters into lines by their positions. Pure."""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from hopline_ingest.formats.pdf.page_content import Line, Rect, bounding_rect
from hopline_ingest.formats.pdf.text.glyphs import Glyph

_GAP = 1.5  # in font sizes: wider, and it is another column or cell
_BULLET = re.compile(r"[•‣▪●○◦■□–—·➢✓\ufffd]|\(?[a-zA-Z0-9]{1,3}[.)]")
_BULLET_GAP = 5.0  # in font sizes
_LEVEL = 0.12  # of the font's size: what stands further from the base line is raised or lowered
_BOLD = 0.9  # of a line's characters
_LONG, _SHARED = 20, 5  # characters of a line, and such lines, that show where a column begins
_FIELD_OVERLAP = 3.0  # points by which a field may cover the end of its label
_BOX_GAP = 1.5  # in font sizes: a check box that is closer to the text on its right belongs to it
_OVERLAP = 0.3  # of the lower glyph's height: less, and it is another line


def build_pieces(glyphs: Iterable[Glyph | None], *, gap: float = _GAP) -> list[Line]:
    """Build runs of characters of one line without a gap wider than ``gap`` font sizes, in stream order."""
    found: list[Line] = []
    run: list[Glyph] = []
    last: Glyph | None = None
    for glyph in glyphs:
        if glyph is None or (last is not None and not glyph.text.isspace() and _parted(last, glyph, gap)):
            found.extend(_line(run))
            run, last = [], None
        if glyph is not None:
            run.append(glyph)
            last = last if glyph.text.isspace() else glyph
    found.extend(_line(run))
    return found


def _parted(last: Glyph, glyph: Glyph, widest: float) -> bool:
    """Whether ``glyph`` stands on another line than ``last``, or beyond a wide gap."""
    if last.turn != glyph.turn or last.text == "\u00ad":
        return True
    a, b = last.rect, glyph.rect
    if glyph.turn in {90, 270}:
        a, b = _swapped(a), _swapped(b)
    if a[1] != b[1] or a[3] != b[3]:  # most characters of a line are as high as the one before
        lower = min(a[3] - a[1], b[3] - b[1])
        if min(a[3], b[3]) - max(a[1], b[1]) < _OVERLAP * lower:
            return True
    gap = max(b[0] - a[2], a[0] - b[2])
    return gap > 0 and gap > widest * max(last.size, glyph.size, 1.0)


def _swapped(rect: Rect) -> Rect:
    return rect[1], rect[0], rect[3], rect[2]


def _line(run: Sequence[Glyph]) -> Iterator[Line]:
    """The line that a run of glyphs makes: NFKC, single blanks, nothing around it."""
    text: list[str] = []
    lefts, rights = array("f"), array("f")
    for glyph in run:
        if "!" <= glyph.text <= "~":  # what most characters are, and what has no other form
            text.append(glyph.text)
            lefts.append(glyph.rect[0])
            rights.append(glyph.rect[2])
            continue
        for left, character, right in _characters(glyph, text):
            text.append(character)
            lefts.append(left)
            rights.append(right)
    while text and text[-1] == " ":
        text.pop()
        lefts.pop()
        rights.pop()
    shown = [glyph for glyph in run if not glyph.text.isspace()]
    if text and shown:
        size = _median([glyph.size for glyph in shown])
        bold = sum(glyph.bold for glyph in shown) >= _BOLD * len(shown)
        yield Line("".join(text), _place(shown, size), lefts, rights, size=size, bold=bold, turn=shown[0].turn)


def _place(shown: Sequence[Glyph], size: float) -> Rect:
    """The rectangle of a line: as wide as its characters, as high as those on its base line.

    What is raised or lowered does not count: it reaches into the lines above and below.
    """
    around_all = bounding_rect(glyph.rect for glyph in shown)
    if shown[0].turn in {90, 270}:
        return around_all
    base = _median([glyph.rect[3] for glyph in shown])
    level = [glyph.rect for glyph in shown if abs(glyph.rect[3] - base) < _LEVEL * max(size, 1.0)]
    held = bounding_rect(level)
    return around_all[0], held[1], around_all[2], held[3]


def _characters(glyph: Glyph, before: list[str]) -> Iterator[tuple[float, str, float]]:
    """The characters of a glyph with their sides; a ligature's share its width."""
    x0, _, x1, _ = glyph.rect
    normal = unicodedata.normalize("NFKC", glyph.text)
    if before and unicodedata.combining(normal[:1] or " "):
        composed = unicodedata.normalize("NFC", before[-1] + normal)
        if len(composed) == 1:
            before[-1] = composed
            return
    if normal.isspace() or not normal:
        if before and before[-1] != " ":
            yield x0, " ", x1
        return
    if unicodedata.category(normal[0]) in {"Cc", "Cn", "Co"}:
        normal = "\ufffd"
    width = (x1 - x0) / len(normal)
    for index, character in enumerate(normal):
        yield x0 + index * width, character, x0 + (index + 1) * width


def join_rows(lines: Iterable[Line], *, gap: float | None = None, edges: Collection[int] = ()) -> list[Line]:
    """Join adjacent pieces into lines, from top to bottom.

    ``gap``, in font sizes, is the widest that is closed; by default any is. What begins at one of
    ``edges``, the left sides of columns in whole points, begins a line.
    """
    found = []
    for row in group_rows(lines):
        run: list[Line] = []
        for line in _read_order(row):
            wide = gap is not None and bool(run) and _apart(run[-1], line) > gap * max(line.size, 1.0)
            if run and (wide or round(line.rect[0]) in edges):
                found.append(join_pieces(run))
                run = []
            run.append(line)
        found.append(join_pieces(run))
    return found


def find_column_edges(lines: Iterable[Line]) -> set[int]:
    """Find the left edges of text columns, in whole points, that several long lines share."""
    counts = Counter(round(line.rect[0]) for line in lines if line.turn == 0 and len(line.text) >= _LONG)
    return {edge for edge in counts if sum(counts[near] for near in (edge - 1, edge, edge + 1)) >= _SHARED}


def group_rows(lines: Iterable[Line]) -> list[list[Line]]:
    """Group pieces by row, from top to bottom."""
    held: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: line.rect[1] + line.rect[3]):
        if held and _beside(held[-1], line):
            held[-1].append(line)
        else:
            held.append([line])
    return held


def _read_order(row: Sequence[Line]) -> list[Line]:
    leftwards = sum(len(line.text) if is_right_to_left(line.text) else -len(line.text) for line in row) > 0
    return sorted(row, key=lambda line: line.rect[0], reverse=leftwards)


def is_right_to_left(text: str) -> bool:
    """Whether most letters of a text are of a right-to-left script."""
    letters = [unicodedata.bidirectional(character) for character in text if character.isalpha()]
    return sum(kind in {"R", "AL"} for kind in letters) * 2 > len(letters)


def _beside(row: Sequence[Line], line: Line) -> bool:
    """Whether a line stands beside the pieces of a row, over none of them."""
    for other in row:
        overlap = min(other.rect[3], line.rect[3]) - max(other.rect[1], line.rect[1])
        across = min(other.rect[2], line.rect[2]) - max(other.rect[0], line.rect[0])
        if across > 0.5 * min(line.size, other.size, 4.0) or other.turn != line.turn:
            return False
        if overlap < 0.5 * min(other.rect[3] - other.rect[1], line.rect[3] - line.rect[1]):
            return False
    return True


def attach_bullets(lines: Sequence[Line]) -> list[Line]:
    """Merge each separate bullet or list number with the text to its right.

    A bullet of a font of symbols, whose character says nothing, becomes a usual one.
    """
    marks = [
        replace(line, text="•") if line.text == "\ufffd" else line for line in lines if _BULLET.fullmatch(line.text)
    ]
    found = [line for line in lines if not _BULLET.fullmatch(line.text)]
    for mark in marks:
        right = [
            (_apart(mark, line), index)
            for index, line in enumerate(found)
            if line.rect[0] > mark.rect[0] and line.turn == mark.turn and _beside([mark], line)
        ]
        if right and min(right)[0] < _BULLET_GAP * max(mark.size, 1.0):
            index = min(right)[1]
            found[index] = join_pieces([mark, found[index]])
        else:
            found.append(mark)
    return found


def attach_values(lines: Sequence[Line], values: Iterable[Line]) -> list[Line]:
    """Join the value of each form field with its label: the nearest text to its left in the row, else to its right."""
    joined = list(lines)
    for value in values:
        row = [
            (index, line)
            for index, line in enumerate(joined)
            if line.turn == value.turn and _is_in_row(line, value) and _apart(line, value) >= -_FIELD_OVERLAP
        ]
        left = [(value.rect[0] - line.rect[2], index) for index, line in row if line.rect[0] < value.rect[0]]
        right = [(line.rect[0] - value.rect[2], index) for index, line in row if line.rect[0] >= value.rect[0]]
        is_box = len(value.text) == 1
        near = sorted(right if is_box and right and min(right)[0] < _BOX_GAP * value.size else left or right)
        if near:
            index = near[0][1]
            joined[index] = join_pieces(sorted((joined[index], value), key=lambda line: line.rect[0]))
        else:
            joined.append(value)
    return joined


def _is_in_row(line: Line, value: Line) -> bool:
    overlap = min(line.rect[3], value.rect[3]) - max(line.rect[1], value.rect[1])
    return overlap >= 0.5 * min(line.rect[3] - line.rect[1], value.rect[3] - value.rect[1])


def join_pieces(row: Sequence[Line]) -> Line:
    """Join the pieces of a row, in reading order, into one line."""
    if len(row) == 1:
        return row[0]
    text = row[0].text
    lefts, rights = array("f", row[0].lefts), array("f", row[0].rights)
    for before, line in pairwise(row):
        if _blank_between(before, line):
            text += " "
            sides = sorted((before.rect[2], line.rect[0]))
            lefts.append(sides[0])
            rights.append(sides[1])
        text += line.text
        lefts.extend(line.lefts)
        rights.extend(line.rights)
    widest = max(row, key=lambda line: len(line.text))
    bold = sum(len(line.text) for line in row if line.bold) >= _BOLD * sum(len(line.text) for line in row)
    whole = bounding_rect(line.rect for line in row)
    rect = whole if widest.turn in {90, 270} else (whole[0], widest.rect[1], whole[2], widest.rect[3])
    return replace(widest, text=text, rect=rect, lefts=lefts, rights=rights, bold=bold)


def cut_line(line: Line, start: int, end: int) -> Line:
    """Return the part of an upright line from one character to another."""
    lefts, rights = line.lefts[start:end], line.rights[start:end]
    rect = (min(lefts), line.rect[1], max(rights), line.rect[3])
    return replace(line, text=line.text[start:end], rect=rect, lefts=lefts, rights=rights)


def _blank_between(before: Line, line: Line) -> bool:
    return _apart(before, line) > 0.1 * max(before.size, line.size)


def _apart(before: Line, line: Line) -> float:
    """The gap between two pieces of a row, whichever is the left one."""
    return max(line.rect[0] - before.rect[2], before.rect[0] - line.rect[2])


def _median(values: list[float]) -> float:
    return sorted(values)[len(values) // 2]
