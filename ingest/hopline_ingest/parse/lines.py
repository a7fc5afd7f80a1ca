"""Characters into lines. Pure: what PDFium gave, put together by where it stands."""

from __future__ import annotations

import unicodedata
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from operator import attrgetter

from hopline_ingest.parse.content import Line, Rect
from hopline_ingest.parse.glyphs import Glyph

_GAP = 1.5  # in font sizes: wider, and it is another column or cell
_OVERLAP = 0.3  # of the lower glyph's height: less, and it is another line


def pieces(glyphs: Iterable[Glyph | None]) -> list[Line]:
    """Runs of characters of one line with no wide gap within, in stream order."""
    found: list[Line] = []
    run: list[Glyph] = []
    last: Glyph | None = None
    for glyph in glyphs:
        if glyph is None or (last is not None and not glyph.text.isspace() and _parted(last, glyph)):
            found.extend(_line(run))
            run, last = [], None
        if glyph is not None:
            run.append(glyph)
            last = last if glyph.text.isspace() else glyph
    found.extend(_line(run))
    return found


def _parted(last: Glyph, glyph: Glyph) -> bool:
    """Whether ``glyph`` stands on another line than ``last``, or beyond a wide gap."""
    if last.turn != glyph.turn or last.text == "\u00ad":
        return True
    a, b = (last.rect, glyph.rect) if glyph.turn in {0, 180} else (_swapped(last.rect), _swapped(glyph.rect))
    lower = min(a[3] - a[1], b[3] - b[1])
    if min(a[3], b[3]) - max(a[1], b[1]) < _OVERLAP * lower:
        return True
    gap = max(b[0] - a[2], a[0] - b[2])
    return gap > _GAP * max(last.size, glyph.size, 1.0)


def _swapped(rect: Rect) -> Rect:
    return rect[1], rect[0], rect[3], rect[2]


def _line(run: Sequence[Glyph]) -> Iterator[Line]:
    """The line that a run of glyphs makes: NFKC, single blanks, nothing around it."""
    text: list[str] = []
    lefts, rights = array("f"), array("f")
    for glyph in run:
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
        yield Line(
            "".join(text),
            around(glyph.rect for glyph in shown),
            lefts,
            rights,
            size=_median([glyph.size for glyph in shown]),
            bold=sum(glyph.bold for glyph in shown) * 2 > len(shown),
            turn=shown[0].turn,
        )


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


def rows(lines: Iterable[Line]) -> list[Line]:
    """Pieces that stand side by side joined to one line each, from top to bottom."""
    return [joined(_read_order(row)) for row in same_row(lines)]


def same_row(lines: Iterable[Line]) -> list[list[Line]]:
    """Pieces grouped by the row on which they stand, from top to bottom."""
    held: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: line.rect[1] + line.rect[3]):
        if held and _beside(held[-1], line):
            held[-1].append(line)
        else:
            held.append([line])
    return held


def _read_order(row: Sequence[Line]) -> list[Line]:
    leftwards = sum(len(line.text) if right_to_left(line.text) else -len(line.text) for line in row) > 0
    return sorted(row, key=lambda line: line.rect[0], reverse=leftwards)


def right_to_left(text: str) -> bool:
    """Whether most of a text's letters are of a script that is read leftwards."""
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


def joined(row: Sequence[Line]) -> Line:
    """The pieces of a row, in the order in which they are read, as one line."""
    if len(row) == 1:
        return row[0]
    text = row[0].text
    lefts, rights = array("f", row[0].lefts), array("f", row[0].rights)
    for before, line in zip(row, row[1:], strict=False):
        if _blank_between(before, line):
            text += " "
            sides = sorted((before.rect[2], line.rect[0]))
            lefts.append(sides[0])
            rights.append(sides[1])
        text += line.text
        lefts.extend(line.lefts)
        rights.extend(line.rights)
    widest = max(row, key=lambda line: len(line.text))
    bold = sum(len(line.text) for line in row if line.bold) * 2 > len(text)
    return replace(widest, text=text, rect=around(map(attrgetter("rect"), row)), lefts=lefts, rights=rights, bold=bold)


def _blank_between(before: Line, line: Line) -> bool:
    gap = max(line.rect[0] - before.rect[2], before.rect[0] - line.rect[2])
    return gap > 0.1 * max(before.size, line.size)


def around(rects: Iterable[Rect]) -> Rect:
    """The smallest rectangle around all, of which there is at least one."""
    x0, y0, x1, y1 = zip(*rects, strict=True)
    return min(x0), min(y0), max(x1), max(y1)


def _median(values: list[float]) -> float:
    return sorted(values)[len(values) // 2]
