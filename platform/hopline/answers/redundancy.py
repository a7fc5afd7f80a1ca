"""Evidence without repetition: passages that overlap and parts of one table are united, repeated texts are left out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from hopline.answers.expansion import unite_parts
from hopline.results import Evidence
from hopline.tables.parts import RowRange, parse_row_range
from hopline.text.words import STOP_WORDS

MIN_OVERLAP: Final = 40  # characters that the end of a passage and the beginning of another share
MAX_MISSING: Final = 0.05  # of the words of a repeated text that the other one lacks; these are stop words
MIN_SHINGLES: Final = 0.8  # share of its runs of words that the other one has
SHINGLE: Final = 4  # words
_WORD: Final = re.compile(r"\w+(?:['’]\w+)?")


@dataclass(frozen=True, slots=True)
class EvidenceGroup:
    """Evidence that is shown as one text: ``shown`` has the text of all ``parts``."""

    shown: Evidence
    parts: tuple[Evidence, ...]


def group_evidence(ranked: Sequence[Evidence]) -> list[EvidenceGroup]:
    """Group evidence, best first, so that nothing is shown twice; a group has the rank of its best evidence.

    A text is repeated if another one has all of its words, but for a few stop words, mostly in the same order. Two
    texts that differ in a name, a number or a negation are both shown.
    """
    groups = _unite_tables(ranked)
    groups = _unite_passages(groups)
    distinct: list[EvidenceGroup] = []
    for group in groups:
        if not any(is_repeated(group.shown.text, other.shown.text) for other in distinct):
            distinct.append(group)
    return distinct


def _unite_tables(ranked: Sequence[Evidence]) -> list[EvidenceGroup]:
    """Unite the parts of each table; a table of one part, and a passage, is a group of its own."""
    tables: dict[tuple[str, str], list[tuple[RowRange, Evidence]]] = {}
    for item in ranked:
        rows = parse_row_range(item.caption) if item.kind == "table" and item.cells else None
        key = (item.document_id, rows.caption) if rows else (item.id, "")
        tables.setdefault(key, []).append((rows or RowRange("", 0, 0), item))
    groups = []
    for parts in tables.values():
        ordered = sorted(parts, key=lambda part: part[0].first)
        items = tuple({item.id: item for _, item in ordered}.values())
        if len(items) == 1:
            groups.append(EvidenceGroup(items[0], items))
        else:
            ranges = [rows for rows, _ in ordered]
            groups.append(EvidenceGroup(unite_parts(_describe_rows(ranges), items), items))
    return groups


def _describe_rows(ranges: Sequence[RowRange]) -> str:
    """Return the caption of parts of a table: "Stock (rows 1–100, 151–200)"."""
    spans: list[tuple[int, int]] = []
    for rows in ranges:
        if spans and rows.first <= spans[-1][1] + 1:
            spans[-1] = (spans[-1][0], max(rows.last, spans[-1][1]))
        else:
            spans.append((rows.first, rows.last))
    described = ", ".join(f"{first}–{last}" for first, last in spans)
    return f"{ranges[0].caption} (rows {described})".strip()


def _unite_passages(groups: Sequence[EvidenceGroup]) -> list[EvidenceGroup]:
    """Unite passages of one document of which one continues the end of another."""
    united: list[EvidenceGroup] = []
    for group in groups:
        current = group
        position = len(united)
        for index in reversed(range(len(united))):
            pair = _unite_pair(united[index], current)
            if pair is not None:
                current = pair
                del united[index]
                position = index
        united.insert(position, current)
    return united


def _unite_pair(first: EvidenceGroup, second: EvidenceGroup) -> EvidenceGroup | None:
    """Return two groups as one, or None if they do not overlap."""
    a, b = first.shown, second.shown
    if a.kind == "table" or b.kind == "table" or a.document_id != b.document_id:
        return None
    for before, after in ((first, second), (second, first)):
        overlap = find_overlap(before.shown.text, after.shown.text)
        if overlap:
            text = before.shown.text + after.shown.text[overlap:]
            shown = replace(before.shown, text=text, boxes=(), lines=(), sentences=())
            return EvidenceGroup(shown, tuple(dict.fromkeys((*before.parts, *after.parts))))
    return None


def find_overlap(before: str, after: str) -> int:
    """Return how many characters at the end of a text are the beginning of another: 0, or at least `MIN_OVERLAP`."""
    head = after[:MIN_OVERLAP]
    if len(head) < MIN_OVERLAP:
        return 0
    start = before.find(head)
    while start >= 0:
        if after.startswith(before[start:]):
            return len(before) - start
        start = before.find(head, start + 1)
    return 0


def is_repeated(text: str, other: str) -> bool:
    """Return whether another text says all that a text says, in nearly the same words."""
    words, other_words = _list_words(text), _list_words(other)
    missing = Counter(words) - Counter(other_words)
    if missing.total() > MAX_MISSING * len(words) or not missing.keys() <= STOP_WORDS:
        return False
    shingles, others = _list_shingles(words), _list_shingles(other_words)
    return len(shingles & others) >= MIN_SHINGLES * len(shingles)


def _list_words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def _list_shingles(words: Sequence[str]) -> set[tuple[str, ...]]:
    return {tuple(words[index : index + SHINGLE]) for index in range(max(len(words) - SHINGLE + 1, 1))}
