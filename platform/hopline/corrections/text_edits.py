"""Edits between two versions of a text: the spans of one in the other, and the same edits in a third version.

Texts are compared word by word. Spans are half-open character ranges.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import accumulate
from typing import Final

from hopline.text.sentences import Span

MIN_SIMILARITY: Final = 0.6  # share of the words of the shorter text that two versions of one text have in common
_MAX_GAP: Final = 8  # words that a changed place may have more in a third version
_TOKEN: Final = re.compile(r"\s+|\w+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class _Edit:
    """Words ``start:end`` of the original are replaced by a text."""

    start: int
    end: int
    text: str


def compute_similarity(first: str, second: str) -> float:
    """Compute which share of the words of the shorter text both texts have, in the same order: from 0 to 1."""
    tokens, others = _split(first), _split(second)
    shorter = min(_count_words(tokens), _count_words(others))
    if not shorter:
        return float(first.strip() == second.strip())
    return sum(_count_words(tokens[a : a + size]) for a, _, size in _match(tokens, others)) / shorter


def move_spans(before: str, after: str, spans: Sequence[Span]) -> list[Span]:
    """Return where spans of a text are in its later version, in order; a span whose text was deleted is empty.

    A changed text belongs to every span that it overlaps, an inserted one to the span before it.
    """
    tokens, others = _split(before), _split(after)
    old, new = _compute_offsets(tokens), _compute_offsets(others)
    matcher = SequenceMatcher(None, tokens, others, autojunk=False)
    pieces = [(kind == "equal", old[a], old[b], new[c], new[d]) for kind, a, b, c, d in matcher.get_opcodes()]

    def move_start(position: int) -> int:
        for is_equal, first, last, start, _ in pieces:
            if position == 0 or first <= position < last:
                return start + (position - first if is_equal else 0)
        return len(after)

    def move_end(position: int) -> int:
        moved = 0
        for is_equal, first, last, start, end in pieces:
            if first < position <= last:
                moved = start + position - first if is_equal else end
            elif first == last == position:
                moved = end
        return moved

    moved = [(start, max(start, move_end(last))) for first, last in spans for start in (move_start(first),)]
    return _extend_over_inserted_text(before, after, spans, moved) if spans else []


def _extend_over_inserted_text(before: str, after: str, spans: Sequence[Span], moved: Sequence[Span]) -> list[Span]:
    """Extend each span over what was inserted between it and the next one, or behind the last one."""
    extended = []
    starts = [*(start for start, _ in spans[1:]), len(before)]
    moved_starts = [*(start for start, _ in moved[1:]), len(after)]
    for (_, end), (start, moved_end), next_start, moved_next in zip(spans, moved, starts, moved_starts, strict=True):
        has_gap = not before[end:next_start].strip() and after[moved_end:moved_next].strip()
        extended.append((start, len(after[:moved_next].rstrip()) if has_gap else moved_end))
    return extended


def merge_edits(original: str, corrected: str, current: str) -> str | None:
    """Make the edits from ``original`` to ``corrected`` in another version of the original.

    An edit is made between the words around it. None: these are not there for an edit.
    """
    if current == original:
        return corrected
    tokens, others = _split(original), _split(current)
    images = {a + n: b + n for a, b, size in _match(tokens, others) for n in range(size)}
    replacements = []
    for edit in _list_edits(tokens, _split(corrected)):
        span = _find_span(edit, images, len(tokens), len(others))
        if span is None:
            return None
        replacements.append((*span, edit.text))
    for start, end, text in sorted(replacements, reverse=True):
        others[start:end] = [text]
    return "".join(others)


def _split(text: str) -> list[str]:
    return _TOKEN.findall(text)


def _count_words(tokens: Sequence[str]) -> int:
    return sum(not token.isspace() for token in tokens)


def _compute_offsets(tokens: Sequence[str]) -> list[int]:
    return [0, *accumulate(map(len, tokens))]


def _match(tokens: Sequence[str], others: Sequence[str]) -> list[tuple[int, int, int]]:
    blocks = SequenceMatcher(None, tokens, others, autojunk=False).get_matching_blocks()
    return [(block.a, block.b, block.size) for block in blocks]


def _list_edits(tokens: Sequence[str], others: Sequence[str]) -> Iterator[_Edit]:
    for kind, a, b, c, d in SequenceMatcher(None, tokens, others, autojunk=False).get_opcodes():
        if kind != "equal":
            yield _Edit(a, b, "".join(others[c:d]))


def _find_span(edit: _Edit, images: dict[int, int], size: int, other_size: int) -> tuple[int, int] | None:
    """Return where an edit is made in another version: between the images of the words before and after it."""
    length = edit.end - edit.start
    before, after = images.get(edit.start - 1), images.get(edit.end)
    if before is None and after is None:
        inside = [images[n] for n in range(edit.start, edit.end) if n in images]
        is_whole = bool(inside) and length == size == len(inside) and inside[-1] - inside[0] == length - 1
        return (inside[0], inside[-1] + 1) if is_whole else None
    if (before is None and edit.start > 0) or (after is None and edit.end < size):
        return None
    start = before + 1 if before is not None else (after or 0) - length
    end = after if after is not None else start + length
    is_near = 0 <= start <= end <= other_size and end - start <= length + _MAX_GAP
    return (start, end) if is_near else None
