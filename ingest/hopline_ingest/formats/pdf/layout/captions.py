"""Detection of captions of tables and figures: "Table 2. Sales by region", "Exhibit 4", "Fig. 3a". Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hopline_ingest.formats.pdf.page_content import Group, Rect
from hopline_ingest.formats.pdf.text.paragraph_text import join_text

_NAMED = re.compile(
    r"(?:(?P<table>(?i:table|exhibit|tab\.|schedule|tableau|tabelle|tabla))"
    r"|(?i:figure|fig\.?|chart|graph|box|map|abbildung))"
    r"\s*(?P<number>[A-Z]?[-.]?\d+(?:[.\-]\d+)*[a-z]?|[IVXL]+|[A-Z])(?![\w%])"
)
_LONGEST = 400


def is_caption(text: str) -> bool:
    """Whether a line begins a caption; "Table 2 shows" is running text."""
    found = _NAMED.match(text)
    return found is not None and _titled(text[found.end() :])


def is_table_caption(text: str) -> bool:
    """Whether a line begins the caption of a table or exhibit."""
    found = _NAMED.match(text)
    return found is not None and bool(found["table"]) and _titled(text[found.end() :])


def table_number(caption: str) -> str:
    """Return the number of a table's caption: "2" of "Table 2. Sales", "A-1" of "Exhibit A-1"; else ""."""
    found = _NAMED.match(caption.strip())
    return found["number"].strip(".-") if found and found["table"] else ""


def _titled(rest: str) -> bool:
    """Whether what follows the number can be a caption's: an end, a mark, or a word with a capital."""
    rest = rest.strip()
    return len(rest) < _LONGEST and (not rest or rest[0] in ".:-–—|(" or rest[0].isupper() or rest[0].isdigit())


def merge_captions(groups: Sequence[Group]) -> list[Group]:
    """Merge captions with their continuation lines: directly below, aligned, or after a number alone."""
    found = list(groups)
    for caption in [group for group in groups if group.role == "caption"]:
        if caption not in found:
            continue
        whole = caption
        while below := next((group for group in found if group is not whole and _carries_on(whole, group)), None):
            found.remove(below)
            place = found.index(whole)
            whole = Group("caption", (*whole.lines, *below.lines))
            found[place] = whole
    return found


def _carries_on(caption: Group, group: Group) -> bool:
    last, first = caption.lines[-1], group.lines[0]
    if group.role not in {"text", "caption", "title"} or is_caption(first.text) or len(group.lines) > _CAPTION_LINES:
        return False
    if last.turn != first.turn or abs(last.size - first.size) > 0.6:
        return False
    bare = bool(_NAMED.fullmatch(last.text.rstrip(" .:")))
    gap = first.rect[1] - last.rect[3]
    aligned = abs(first.rect[0] - last.rect[0]) < 3 or abs(_center(first.rect) - _center(last.rect)) < 4
    return aligned and -2 < gap < (_BARE_GAP if bare else _CAPTION_GAP) * last.size


def _center(rect: Rect) -> float:
    return (rect[0] + rect[2]) / 2


_CAPTION_LINES = 6  # at most: more is a paragraph
_CAPTION_GAP, _BARE_GAP = 0.5, 1.2  # in font sizes, between the lines of a caption
_ABOVE, _BELOW, _BESIDE = 48.0, 30.0, 24.0  # points between a table and its caption
_PENALTY = 20.0  # a caption below a table is more often the next one's
_HEADING = 160  # characters


def find_caption(table: Rect, groups: Sequence[Group]) -> int | None:
    """Return the index of the group of lines that is a table's caption: the nearest above, beside or below.

    What the layout model calls a caption, though it names no table, counts above a table only.
    """
    near = [
        (distance, number)
        for number, group in enumerate(groups)
        if group.role == "caption" and not _of_figure(group.lines[0].text)
        if (distance := _distance(table, group.rect)) is not None
        if is_table_caption(group.lines[0].text) or (distance < _PENALTY and not _sentence(group))
    ]
    return min(near)[1] if near else None


def find_lead_in(table: Rect, groups: Sequence[Group]) -> str:
    """Return the text that introduces a table without a caption: "Sales were as follows:", or the heading above it."""
    above = [
        (table[1] - group.rect[3], number)
        for number, group in enumerate(groups)
        if group.role in {"text", "title", "caption", "header"} and group.lines[0].turn == 0
        if _over(table, group.rect) and -6 < table[1] - group.rect[3] < _ABOVE
    ]
    if not above:
        return ""
    group = groups[min(above)[1]]
    text = join_text(group.lines)
    sentence = re.split(r"(?<=[.!?])\s+(?=[A-Z])", text)[-1]
    if sentence.endswith(":") and len(sentence) < _LONGEST:
        return sentence
    set_apart = group.role == "title" or all(line.bold for line in group.lines) or text.isupper()
    return text if set_apart and len(text) < _HEADING and not _sentence(group) else ""


def _sentence(group: Group) -> bool:
    return group.lines[-1].text.endswith((".", ";")) or not group.lines[0].text[0].isalnum()


def _of_figure(text: str) -> bool:
    found = _NAMED.match(text)
    return found is not None and not found["table"]


def _distance(table: Rect, caption: Rect) -> float | None:
    """How far a caption is from a table; ``None`` where it is too far to be its own."""
    above, below = table[1] - caption[3], caption[1] - table[3]
    if _over(table, caption):
        if -6 < above < _ABOVE:
            return max(above, 0.0)
        if -6 < below < _BELOW:
            return max(below, 0.0) + _PENALTY
        return 0.0 if above <= -6 and below <= -6 else None
    beside = max(table[0] - caption[2], caption[0] - table[2])
    level = min(table[3], caption[3]) - max(table[1], caption[1]) > 0
    return beside + _PENALTY if level and beside < _BESIDE else None


def _over(a: Rect, b: Rect) -> bool:
    return min(a[2], b[2]) > max(a[0], b[0])
