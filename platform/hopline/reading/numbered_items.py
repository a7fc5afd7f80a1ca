"""Items of numbered lists, for questions like "What is step 3 of the manual?" and "What does clause 4 (b) say?"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from hopline.nlp.question_terms import find_content_words
from hopline.nlp.stemmer import stem
from hopline.reading.correspondence import LayoutField, split_lines
from hopline.results import Evidence

_KINDS: Final = "step|stage|item|point|instruction|clause|rule|article|section|paragraph|principle"
_QUESTION: Final = re.compile(
    rf"what\s+(?:is|was|does|do|did)\s+(?:the\s+)?(?P<kind>{_KINDS})\s+(?:no\.?\s+|number\s+)?(?P<number>\d{{1,3}}(?:\.\d{{1,3}})*)"
    r"(?:\s*\((?P<part>[a-z]|[ivx]{2,4})\))?(?!\w|\s*\()(?P<rest>[^?]*)",
    re.IGNORECASE,
)
_LABEL: Final = re.compile(
    rf"\s*(?:(?:{_KINDS})\s+)?\(?(?P<number>\d{{1,3}}(?:\.\d{{1,3}})*)(?:[.):]+\s+|\s+)(?=\S)", re.IGNORECASE
)
_PART_LABEL: Final = re.compile(r"\s*(?:\((?P<bracketed>[a-z]|[ivx]{2,4})\)|(?P<plain>[a-z]|[ivx]{2,4})[.)])\s+(?=\S)")
_VERBS: Final = frozenset({"say", "state", "require", "mean"})  # "What does clause 4 say?"


def find_numbered_item(question: str, passages: Sequence[Evidence]) -> LayoutField | None:
    """Find the item of the number that a question names; None if no item, or items with different texts match.

    "4 (b)" is the item "(b)", "b)" or "b." between the items 4 and 5 of one passage, or at the beginning of item 4.
    All other words of the question have to be in the headings or the text of the item's document.
    """
    match = _QUESTION.match(" ".join(question.split()))
    if match is None:
        return None
    words = {stem(word) for word in find_content_words(match["rest"])} - {stem(word) for word in _VERBS}
    items: dict[str, LayoutField] = {}
    for passage in passages:
        if words <= _find_document_stems(passage, passages):
            for item in _list_items(passage, match["number"], match["part"]):
                items.setdefault(item.text.casefold(), item)
    return next(iter(items.values())) if len(items) == 1 else None


def _list_items(passage: Evidence, number: str, part: str | None) -> Iterator[LayoutField]:
    """List the items of a number, or their items ``part``; items of one list have numbers."""
    is_inside = False
    for line in split_lines(passage):
        label = _LABEL.match(line.text)
        if label:
            is_inside = label["number"] == number
        start = label.end() if label else 0
        part_label = _PART_LABEL.match(line.text, start) if part and is_inside else None
        if part_label and part in (part_label["bracketed"], part_label["plain"]):
            yield LayoutField(line, line.start + part_label.end(), line.start + len(line.text.rstrip()))
        if label and is_inside and not part and line.text[start:].strip():
            yield LayoutField(line, line.start + start, line.start + len(line.text.rstrip()))


def _find_document_stems(passage: Evidence, passages: Sequence[Evidence]) -> frozenset[str]:
    """Return the stems of the name, title, headings and texts of a passage's document."""
    same = [item for item in passages if item.document_id == passage.document_id]
    texts = [text for item in same for text in (item.text, *item.section)]
    return frozenset(stem(word) for word in find_content_words(" ".join((*texts, passage.title, passage.document))))
