"""Items of lists below a lead-in: lines with bullets, letters or numbers, or the lines behind a colon."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from hopline.answers.layout import split_lines
from hopline.answers.listed_items import ListItem, covers_several
from hopline.results import Evidence
from hopline.text.words import stem_content_words

MAX_ITEM: Final = 160  # characters of an item
MAX_LEAD: Final = 4  # words of a lead-in without a colon
_MARKER: Final = re.compile(r"\s*(?:\((?:[a-z]|[ivx]{1,4}|\d{1,2})\)|(?:[a-z]|[ivx]{2,4}|\d{1,2})[.)]|[-*•–])\s+(?=\S)")
_INNER_MARKER: Final = re.compile(r"(?:^|(?<=[;,:.\s]))\s*\((?P<label>[a-z]|[ivx]{1,4}|\d{1,2})\)\s+(?=\S)")
_END: Final = " \t\n,;.:"


def list_below(
    evidence: Evidence, sentence: tuple[int, int], nouns: frozenset[str] = frozenset()
) -> tuple[str, list[ListItem]]:
    """List the items of the list that a lead-in ("The members are:") begins, or that the sentence is an item of.

    Items are lines with a bullet, letter or number, or the lines without a full stop behind the lead-in. A short line
    with one of the ``nouns`` is a lead-in without a colon. The first value is the lead-in; both are empty if the
    sentence is in no list.
    """
    lines = _split_items(evidence)
    index = next((n for n, (start, end) in enumerate(lines) if start < sentence[1] and sentence[0] < end), None)
    if index is None:
        return "", []
    leads = (n for n in range(index, -1, -1) if _is_lead(evidence.text[slice(*lines[n])].strip(), nouns))
    lead = next(leads, None)
    if lead is None:
        return "", []
    spans = _take_items(evidence, lines[lead + 1 :])
    items = [_build_item(evidence, span) for span in spans]
    read = sum(item.sentence[0] < sentence[1] and sentence[0] < item.sentence[1] for item in items)
    is_inside = read > 1 or (index <= lead + len(items) and not covers_several(evidence, *sentence))
    is_list = is_inside and len(items) > 1 and all(len(item.text) <= MAX_ITEM for item in items)
    return (evidence.text[slice(*lines[lead])], items) if is_list else ("", [])


def _is_lead(text: str, nouns: frozenset[str]) -> bool:
    is_short = len(text.split()) <= MAX_LEAD and not text.endswith((".", ";", ",")) and not _MARKER.match(text)
    return text.endswith(":") or (is_short and not nouns.isdisjoint(stem_content_words(text)))


def _split_items(evidence: Evidence) -> list[tuple[int, int]]:
    """Split a passage into its sentences, and these at the letters of the items within them: "(a) …; (b) …"."""
    spans: list[tuple[int, int]] = []
    for start, end in evidence.sentences or [(line.start, line.end) for line in split_lines(evidence)]:
        text = evidence.text[start:end]
        begins = [match.start() + len(match[0]) - len(match[0].lstrip()) for match in _INNER_MARKER.finditer(text)]
        cuts = sorted({0, *begins, len(text)})
        spans += [(start + a, start + b) for a, b in pairwise(cuts) if text[a:b].strip()]
    return spans


def _take_items(evidence: Evidence, lines: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Take the first lines that are items of one list: all with a marker, or all without a full stop but the last."""
    texts = [evidence.text[start:end].strip() for start, end in lines]
    if texts and (style := _find_marker_style(texts[0])):
        count = next((n for n, text in enumerate(texts) if _find_marker_style(text) != style), len(texts))
        return list(lines[:count])
    count = next((n for n, text in enumerate(texts) if text.endswith((".", "!", "?", ":"))), len(texts))
    is_closed = 0 < count < len(texts) and texts[count - 1].endswith((",", ";", " and"))
    return list(lines[: count + is_closed])


def _find_marker_style(text: str) -> str:
    """Return the marker of an item with its letter or number left out: "()" for "(a)"; "" if it has none."""
    marker = _MARKER.match(text)
    return re.sub(r"[\s\w]+", "1" if re.search(r"\d", marker[0]) else "", marker[0]) if marker else ""


def _build_item(evidence: Evidence, span: tuple[int, int]) -> ListItem:
    text = evidence.text[slice(*span)]
    marker = _MARKER.match(text)
    start = span[0] + (marker.end() if marker else len(text) - len(text.lstrip()))
    end = span[0] + len(re.sub(r"[;,]?\s+(?:and|or)$", "", text.rstrip()).rstrip(_END))
    return ListItem(evidence, start, end, span)
