"""Detection of captions of tables and figures: "Table 2. Sales by region", "Exhibit 4", "Fig. 3a". Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hopline.tables.captions import CAPTION_LABEL
from hopline_ingest.formats.pdf.page_content import Group, Line, Rect, bounding_rect
from hopline_ingest.formats.pdf.text.paragraph_text import join_text

_EXHIBIT = re.compile("exhibit", re.IGNORECASE)
_PART = re.compile(r"\s+[a-z]\)?\s+[A-Z]")  # "Fig. 7 a Enthalpy of adsorption; b …"
_MAX_LENGTH = 400  # characters
_MAX_CONTINUATION = 6  # lines; a group of more is a paragraph
_CAPTION_GAP, _LABEL_GAP = 0.5, 1.2  # in font sizes, between the lines of a caption
_ABOVE, _BELOW, _BESIDE = 48.0, 30.0, 24.0  # points between a table and its caption
_SIDE_ROWS = 10.0  # in font sizes: the part of a table, from its top, beside a caption in the margin
_GUTTER = 4.0  # points, at least between a caption in the margin and the table
_SIDE_WIDTH = 0.35  # of both, at most
_MIN_ROWS, _MIN_COLUMNS = 3, 2  # of a table beside its caption
_PENALTY = 20.0  # points; a caption below a table is more often that of the next table
_MAX_HEADING = 160  # characters


def is_caption(text: str) -> bool:
    """Return whether a line begins a caption; "Table 2 shows" is running text."""
    match = CAPTION_LABEL.match(text)
    return match is not None and _is_rest_of_caption(text[match.end() :])


def is_table_caption(text: str) -> bool:
    """Return whether a line begins the caption of a table or exhibit."""
    match = CAPTION_LABEL.match(text)
    return match is not None and bool(match["table"]) and _is_rest_of_caption(text[match.end() :])


def is_figure_caption(text: str, *, with_exhibits: bool = False) -> bool:
    """Return whether a line begins the caption of a figure, chart, graph, diagram or map, or ``with_exhibits``."""
    match = CAPTION_LABEL.match(text)
    if match is None or not (match["figure"] or (with_exhibits and _EXHIBIT.match(text))):
        return False
    rest = text[match.end() :]
    return _is_rest_of_caption(rest) or bool(_PART.match(rest))


def read_figure_number(caption: str) -> str:
    """Return the number of a figure's caption: "3" of "Figure 3: Output", "B-2" of "Fig. B-2"; else ""."""
    match = CAPTION_LABEL.match(caption.strip())
    is_figure = match is not None and bool(match["figure"] or _EXHIBIT.match(caption.strip()))
    return match["number"].strip(".-") if match and is_figure else ""


def _is_rest_of_caption(rest: str) -> bool:
    """Return whether a caption can continue so after its number: it ends, or has a mark or a capital."""
    rest = rest.strip()
    return len(rest) < _MAX_LENGTH and (not rest or rest[0] in ".:-–—|(" or rest[0].isupper() or rest[0].isdigit())


def merge_captions(groups: Sequence[Group]) -> list[Group]:
    """Merge captions with their continuation lines: directly below, aligned, or after a number alone."""
    merged = list(groups)
    for caption in [group for group in groups if group.role == "caption"]:
        if caption not in merged:
            continue
        merged_caption = caption
        while below := next(
            (group for group in merged if group is not merged_caption and _continues_caption(merged_caption, group)),
            None,
        ):
            merged.remove(below)
            index = merged.index(merged_caption)
            merged_caption = Group("caption", (*merged_caption.lines, *below.lines))
            merged[index] = merged_caption
    return merged


def _continues_caption(caption: Group, group: Group) -> bool:
    last, first = caption.lines[-1], group.lines[0]
    if group.role not in {"text", "caption", "title"} or is_caption(first.text) or len(group.lines) > _MAX_CONTINUATION:
        return False
    if last.turn != first.turn or abs(last.size - first.size) > 0.6:
        return False
    is_label_only = bool(CAPTION_LABEL.fullmatch(last.text.rstrip(" .:")))
    gap = first.rect[1] - last.rect[3]
    aligned = abs(first.rect[0] - last.rect[0]) < 3 or abs(_compute_center(first.rect) - _compute_center(last.rect)) < 4
    return aligned and -2 < gap < (_LABEL_GAP if is_label_only else _CAPTION_GAP) * last.size


def _compute_center(rect: Rect) -> float:
    return (rect[0] + rect[2]) / 2


def find_caption(table: Rect, groups: Sequence[Group]) -> int | None:
    """Return the index of the group of lines that is a table's caption: the nearest above, beside or below.

    A caption of the layout model that does not begin like a table's counts only above the table.
    """
    nearby = [
        (distance, number)
        for number, group in enumerate(groups)
        if group.role == "caption" and not _is_figure_caption(group.lines[0].text)
        if (distance := _measure_distance(table, group.rect)) is not None
        if is_table_caption(group.lines[0].text) or (distance < _PENALTY and not _is_sentence(group))
    ]
    return min(nearby)[1] if nearby else None


def find_side_captions(pieces: Sequence[Line]) -> list[Rect]:
    """Find captions in the margin left of their table: lines below each other that end before its first column.

    Returns their rectangles. Nothing else is left of the rows of the table beside and below them.
    """
    labels = [line for line in pieces if line.turn == 0 and is_table_caption(line.text)]
    return [rect for label in labels if (rect := _find_side_caption(label, pieces)) is not None]


def _find_side_caption(label: Line, pieces: Sequence[Line]) -> Rect | None:
    reach = _SIDE_ROWS * label.size
    band = [line for line in pieces if label.rect[1] - label.size < line.rect[1] < label.rect[1] + reach]
    starts = sorted({line.rect[0] for line in band if line.rect[0] > label.rect[2] + _GUTTER})
    start = next((x for x in starts if not any(line.rect[0] < x - _GUTTER < line.rect[2] for line in band)), None)
    if start is None:
        return None
    left = sorted((line for line in band if line.rect[2] < start), key=lambda line: line.rect[1])
    caption: list[Line] = []
    for line in left:
        if caption and line.rect[1] - caption[-1].rect[3] > _CAPTION_GAP * label.size:
            break
        caption.append(line)
    beside = [line for line in band if line.rect[0] >= start]
    rows = len({round(line.rect[1]) for line in beside})
    rect = bounding_rect(line.rect for line in caption)
    is_margin = rect[2] - rect[0] < _SIDE_WIDTH * (max(line.rect[2] for line in band) - rect[0])
    is_alone = len(caption) == len(left) and caption[0].rect[1] >= label.rect[1] - 1
    return rect if is_margin and is_alone and rows >= _MIN_ROWS and len(beside) >= _MIN_COLUMNS * rows else None


def find_lead_in(table: Rect, groups: Sequence[Group]) -> str:
    """Return the text that introduces a table without a caption: "Sales were as follows:", or the heading above it."""
    above = [
        (table[1] - group.rect[3], number)
        for number, group in enumerate(groups)
        if group.role in {"text", "title", "caption", "header"} and group.lines[0].turn == 0
        if _overlaps_across(table, group.rect) and -6 < table[1] - group.rect[3] < _ABOVE
    ]
    if not above:
        return ""
    group = groups[min(above)[1]]
    text = join_text(group.lines)
    sentence = re.split(r"(?<=[.!?])\s+(?=[A-Z])", text)[-1]
    if sentence.endswith(":") and len(sentence) < _MAX_LENGTH:
        return sentence
    is_set_apart = group.role == "title" or all(line.bold for line in group.lines) or text.isupper()
    return text if is_set_apart and len(text) < _MAX_HEADING and not _is_sentence(group) else ""


def _is_sentence(group: Group) -> bool:
    return group.lines[-1].text.endswith((".", ";")) or not group.lines[0].text[0].isalnum()


def _is_figure_caption(text: str) -> bool:
    match = CAPTION_LABEL.match(text)
    return match is not None and not match["table"]


def _measure_distance(table: Rect, caption: Rect) -> float | None:
    """Return the distance of a caption from a table in points, or ``None`` if it is too far away."""
    above, below = table[1] - caption[3], caption[1] - table[3]
    if _overlaps_across(table, caption):
        if -6 < above < _ABOVE:
            return max(above, 0.0)
        if -6 < below < _BELOW:
            return max(below, 0.0) + _PENALTY
        return 0.0 if above <= -6 and below <= -6 else None
    beside = max(table[0] - caption[2], caption[0] - table[2])
    is_beside = min(table[3], caption[3]) - max(table[1], caption[1]) > 0
    return beside + _PENALTY if is_beside and beside < _BESIDE else None


def _overlaps_across(a: Rect, b: Rect) -> bool:
    return min(a[2], b[2]) > max(a[0], b[0])
