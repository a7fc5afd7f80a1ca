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

_GAP = 1.5  # in font sizes; a wider gap separates columns or cells
_BULLET = re.compile(r"[•‣▪●○◦■□–—·➢✓\ufffd]|\(?[a-zA-Z0-9]{1,3}[.)]|\[[A-Za-z]{0,6}\+?\d{1,3}[a-z]?\]")
_BULLET_GAP = 5.0  # in font sizes
_LEVEL = 0.12  # of the font's size; characters further from the base line are raised or lowered
_BOLD_SHARE = 0.9  # of a line's characters
_LONG_LINE, _MIN_SHARED = 20, 5  # characters of a line, and number of such lines, that mark the side of a column
_FIELD_OVERLAP = 3.0  # points by which a field may cover the end of its label
_BOX_GAP = 1.5  # in font sizes, at most between a check box and its text on the right
_SUPERSCRIPTS = dict(zip("0123456789+-−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻", strict=True))
_SUPERSCRIPT_TABLE = str.maketrans(_SUPERSCRIPTS)
_SUPERSCRIPT_GAP = 0.25  # in font sizes, at most from a text to its superscript
_RAISED = 0.15  # of the font's size, at least from the base line to a superscript
_OVERLAP = 0.3  # of the height of the lower glyph; a smaller overlap separates lines


def build_pieces(glyphs: Iterable[Glyph | None], *, gap: float = _GAP, keep_superscripts: bool = False) -> list[Line]:
    """Build runs of characters of one line without a gap wider than ``gap`` font sizes, in stream order.

    With ``keep_superscripts``, raised digits become superscript characters: "10⁶", and "34.2¹" with the mark of a note.
    """
    pieces: list[Line] = []
    run: list[Glyph] = []
    last: Glyph | None = None
    for glyph in glyphs:
        if glyph is None or (last is not None and not glyph.text.isspace() and _is_separate(last, glyph, gap)):
            pieces.extend(_build_line(run, keep_superscripts=keep_superscripts))
            run, last = [], None
        if glyph is not None:
            run.append(glyph)
            last = last if glyph.text.isspace() else glyph
    pieces.extend(_build_line(run, keep_superscripts=keep_superscripts))
    return pieces


def _is_separate(last: Glyph, glyph: Glyph, max_gap: float) -> bool:
    """Return whether ``glyph`` is on another line than ``last``, or beyond a wide gap."""
    if last.turn != glyph.turn or last.text == "\u00ad":
        return True
    a, b = last.rect, glyph.rect
    if glyph.turn in {90, 270}:
        a, b = _swap_axes(a), _swap_axes(b)
    if a[1] != b[1] or a[3] != b[3]:  # most characters of a line have the same height
        lower = min(a[3] - a[1], b[3] - b[1])
        if min(a[3], b[3]) - max(a[1], b[1]) < _OVERLAP * lower:
            return True
    gap = max(b[0] - a[2], a[0] - b[2])
    return gap > 0 and gap > max_gap * max(last.size, glyph.size, 1.0)


def _swap_axes(rect: Rect) -> Rect:
    return rect[1], rect[0], rect[3], rect[2]


def _build_line(run: Sequence[Glyph], *, keep_superscripts: bool) -> Iterator[Line]:
    """Build the line of a run of glyphs: NFKC, single blanks, stripped."""
    text: list[str] = []
    lefts, rights = array("f"), array("f")
    raised = _find_superscripts(run) if keep_superscripts else set()
    for number, glyph in enumerate(run):
        if number in raised:
            text.append(_SUPERSCRIPTS[glyph.text])
            lefts.append(glyph.rect[0])
            rights.append(glyph.rect[2])
            continue
        if "!" <= glyph.text <= "~":  # ASCII, unchanged by NFKC: most characters
            text.append(glyph.text)
            lefts.append(glyph.rect[0])
            rights.append(glyph.rect[2])
            continue
        for left, character, right in _split_glyph(glyph, text):
            text.append(character)
            lefts.append(left)
            rights.append(right)
    while text and text[-1] == " ":
        text.pop()
        lefts.pop()
        rights.pop()
    visible = [glyph for glyph in run if not glyph.text.isspace()]
    if text and visible:
        size = _find_median([glyph.size for glyph in visible])
        bold = sum(glyph.bold for glyph in visible) >= _BOLD_SHARE * len(visible)
        yield Line(
            "".join(text), _measure_rect(visible, size), lefts, rights, size=size, bold=bold, turn=visible[0].turn
        )


def _find_superscripts(run: Sequence[Glyph]) -> set[int]:
    """Return the indices of the digits and signs of a run that are above its base line."""
    visible = [glyph for glyph in run if not glyph.text.isspace()]
    if not any(glyph.text in _SUPERSCRIPTS for glyph in visible) or visible[0].turn:
        return set()
    base = _find_median([glyph.rect[3] for glyph in visible])
    return {
        number
        for number, glyph in enumerate(run)
        if glyph.text in _SUPERSCRIPTS and base - glyph.rect[3] > _RAISED * glyph.size
    }


def mark_superscripts(pieces: Sequence[Line]) -> list[Line]:
    """Replace the text of each piece of raised digits beside another piece by superscript characters."""
    return [
        replace(piece, text=piece.text.translate(_SUPERSCRIPT_TABLE)) if _is_superscript(piece, pieces) else piece
        for piece in pieces
    ]


def _is_superscript(piece: Line, others: Iterable[Line]) -> bool:
    """Return whether a piece of digits is directly right of another one, and above its base line."""
    if piece.turn or not set(piece.text) <= _SUPERSCRIPTS.keys():
        return False
    return any(
        abs(piece.rect[0] - other.rect[2]) < _SUPERSCRIPT_GAP * other.size
        and other.rect[3] - piece.rect[3] > _RAISED * other.size
        and piece.rect[3] > other.rect[1]
        for other in others
        if other is not piece
    )


def _measure_rect(visible: Sequence[Glyph], size: float) -> Rect:
    """Return the rectangle of a line: as wide as its characters, as high as those on its base line.

    Raised or lowered characters are ignored, as they overlap the lines above and below.
    """
    around_all = bounding_rect(glyph.rect for glyph in visible)
    if visible[0].turn in {90, 270}:
        return around_all
    base = _find_median([glyph.rect[3] for glyph in visible])
    level = [glyph.rect for glyph in visible if abs(glyph.rect[3] - base) < _LEVEL * max(size, 1.0)]
    level_rect = bounding_rect(level)
    return around_all[0], level_rect[1], around_all[2], level_rect[3]


def _split_glyph(glyph: Glyph, before: list[str]) -> Iterator[tuple[float, str, float]]:
    """Yield the characters of a glyph with their sides; those of a ligature share its width equally."""
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

    ``gap`` is the widest gap within a line, in font sizes; by default there is no limit. A piece that begins at one of
    ``edges``, the left sides of columns in whole points, begins a line.
    """
    joined_lines = []
    for row in group_rows(lines):
        run: list[Line] = []
        for line in _sort_row(row):
            is_wide = gap is not None and bool(run) and _measure_gap(run[-1], line) > gap * max(line.size, 1.0)
            if run and (is_wide or round(line.rect[0]) in edges):
                joined_lines.append(join_pieces(run))
                run = []
            run.append(line)
        joined_lines.append(join_pieces(run))
    return joined_lines


def find_column_edges(lines: Iterable[Line]) -> set[int]:
    """Find the left edges of text columns, in whole points, that several long lines share."""
    counts = Counter(round(line.rect[0]) for line in lines if line.turn == 0 and len(line.text) >= _LONG_LINE)
    return {edge for edge in counts if sum(counts[near] for near in (edge - 1, edge, edge + 1)) >= _MIN_SHARED}


def group_rows(lines: Iterable[Line]) -> list[list[Line]]:
    """Group pieces by row, from top to bottom."""
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: line.rect[1] + line.rect[3]):
        if rows and _is_beside(rows[-1], line):
            rows[-1].append(line)
        else:
            rows.append([line])
    return rows


def _sort_row(row: Sequence[Line]) -> list[Line]:
    leftwards = sum(len(line.text) if is_right_to_left(line.text) else -len(line.text) for line in row) > 0
    return sorted(row, key=lambda line: line.rect[0], reverse=leftwards)


def is_right_to_left(text: str) -> bool:
    """Return whether most letters of a text are of a right-to-left script."""
    if text.isascii():
        return False
    letters = [unicodedata.bidirectional(character) for character in text if character.isalpha()]
    return sum(kind in {"R", "AL"} for kind in letters) * 2 > len(letters)


def _is_beside(row: Sequence[Line], line: Line) -> bool:
    """Return whether a line is beside the pieces of a row and overlaps none of them."""
    for other in row:
        overlap = min(other.rect[3], line.rect[3]) - max(other.rect[1], line.rect[1])
        across = min(other.rect[2], line.rect[2]) - max(other.rect[0], line.rect[0])
        if across > 0.5 * min(line.size, other.size, 4.0) or other.turn != line.turn:
            return False
        if overlap < 0.5 * min(other.rect[3] - other.rect[1], line.rect[3] - line.rect[1]):
            return False
    return True


def attach_bullets(lines: Sequence[Line]) -> list[Line]:
    """Merge each separate bullet, list number or label of a reference with the text to its right.

    A bullet of a symbol font, whose character is unknown, becomes "•".
    """
    marks = [
        replace(line, text="•") if line.text == "\ufffd" else line for line in lines if _BULLET.fullmatch(line.text)
    ]
    merged = [line for line in lines if not _BULLET.fullmatch(line.text)]
    for mark in marks:
        right = [
            (_measure_gap(mark, line), index)
            for index, line in enumerate(merged)
            if line.rect[0] > mark.rect[0] and line.turn == mark.turn and _is_beside([mark], line)
        ]
        if right and min(right)[0] < _BULLET_GAP * max(mark.size, 1.0):
            index = min(right)[1]
            merged[index] = join_pieces([mark, merged[index]])
        else:
            merged.append(mark)
    return merged


def attach_values(lines: Sequence[Line], values: Iterable[Line]) -> list[Line]:
    """Join the value of each form field with its label: the nearest text to its left in the row, else to its right."""
    merged = list(lines)
    for value in values:
        row = [
            (index, line)
            for index, line in enumerate(merged)
            if line.turn == value.turn and _is_in_row(line, value) and _measure_gap(line, value) >= -_FIELD_OVERLAP
        ]
        left = [(value.rect[0] - line.rect[2], index) for index, line in row if line.rect[0] < value.rect[0]]
        right = [(line.rect[0] - value.rect[2], index) for index, line in row if line.rect[0] >= value.rect[0]]
        is_box = len(value.text) == 1
        near = sorted(right if is_box and right and min(right)[0] < _BOX_GAP * value.size else left or right)
        if near:
            index = near[0][1]
            merged[index] = join_pieces(sorted((merged[index], value), key=lambda line: line.rect[0]))
        else:
            merged.append(value)
    return merged


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
        if _has_blank_between(before, line):
            text += " "
            sides = sorted((before.rect[2], line.rect[0]))
            lefts.append(sides[0])
            rights.append(sides[1])
        text += line.text
        lefts.extend(line.lefts)
        rights.extend(line.rights)
    longest = max(row, key=lambda line: len(line.text))
    bold = sum(len(line.text) for line in row if line.bold) >= _BOLD_SHARE * sum(len(line.text) for line in row)
    whole = bounding_rect(line.rect for line in row)
    rect = whole if longest.turn in {90, 270} else (whole[0], longest.rect[1], whole[2], longest.rect[3])
    return replace(longest, text=text, rect=rect, lefts=lefts, rights=rights, bold=bold)


def cut_line(line: Line, start: int, end: int) -> Line:
    """Return the part of an upright line from one character to another."""
    lefts, rights = line.lefts[start:end], line.rights[start:end]
    rect = (min(lefts), line.rect[1], max(rights), line.rect[3])
    return replace(line, text=line.text[start:end], rect=rect, lefts=lefts, rights=rights)


def _has_blank_between(before: Line, line: Line) -> bool:
    return _measure_gap(before, line) > 0.1 * max(before.size, line.size)


def _measure_gap(before: Line, line: Line) -> float:
    """Return the gap between two pieces of a row in any order; negative if they overlap."""
    return max(line.rect[0] - before.rect[2], before.rect[0] - line.rect[2])


def _find_median(values: list[float]) -> float:
    return sorted(values)[len(values) // 2]
