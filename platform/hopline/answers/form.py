"""Fields of forms and items of numbered lists: "What is the fee?", "What does clause 4 (b) say?".

A field is the value on the line of its label, with a colon ("Fee: 120") or without one ("Fee 120").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from hopline.answers.answerer import EvidenceReader
from hopline.answers.layout import LayoutField, TextLine, cite_field, split_lines
from hopline.flow.requests import Flow
from hopline.questions.analysis import QuestionAnalysis
from hopline.results import Answer, Evidence, Retrieval
from hopline.text.words import find_content_words, stem, stem_content_words

MAX_VALUE: Final = 80  # characters
MAX_LABEL_WORDS: Final = 8
MIN_WORDS: Final = 2  # of a question that is compared with whole labels
_ASKED: Final = re.compile(r"(?:what|who)\s+(?:is|was|are|were)\s+the\s+(?P<phrase>[^?]+)", re.IGNORECASE)
_WORD: Final = re.compile(r"\w+(?:['’-]\w+)*")
_FIELD: Final = re.compile(
    r"(?:^|(?<=\s))(?P<label>[A-Z][^:|]{1,60}?)\s*(?:(?<!\d):|:(?!\d))\s*(?P<value>\S.*?)(?=\s+[A-Z][\w ./-]{1,40}:|$)"
)
_VALUE: Final = re.compile(r"[^\w(]*(?:[A-Z]|\d|[$€£¥])")
_LINKS: Final = frozenset({"of", "for", "on", "in"})
_KINDS: Final = "step|stage|item|point|instruction|clause|rule|article|section|paragraph|principle"
_ITEM_SOUGHT: Final = re.compile(
    rf"what\s+(?:is|was|does|do|did)\s+(?:the\s+)?(?P<kind>{_KINDS})\s+(?:no\.?\s+|number\s+)?(?P<number>\d{{1,3}}(?:\.\d{{1,3}})*)"
    r"(?:\s*\((?P<part>[a-z]|[ivx]{2,4})\))?(?!\w|\s*\()(?P<rest>[^?]*)",
    re.IGNORECASE,
)
_ITEM_LABEL: Final = re.compile(
    rf"\s*(?:(?:{_KINDS})\s+)?\(?(?P<number>\d{{1,3}}(?:\.\d{{1,3}})*)(?:[.):]+\s+|\s+)(?=\S)", re.IGNORECASE
)
_PART_LABEL: Final = re.compile(r"\s*(?:\((?P<bracketed>[a-z]|[ivx]{2,4})\)|(?P<plain>[a-z]|[ivx]{2,4})[.)])\s+(?=\S)")
_VERBS: Final = frozenset({"say", "state", "require", "mean"})  # "What does clause 4 say?"


def answer_form(question: QuestionAnalysis, retrieval: Retrieval, _: EvidenceReader) -> Flow[Answer | None]:
    """Answer with the only field or list item whose label or number the question names; None if there is none."""
    yield from ()
    passages = [item for item in retrieval.evidence if item.kind == "passage"]
    field = find_numbered_item(question, passages) or find_form_field(question, passages)
    return cite_field(retrieval, field) if field else None


def find_form_field(question: QuestionAnalysis, passages: Sequence[Evidence]) -> LayoutField | None:
    """Find the value of the field that "What is the …?" names; None if no field, or fields with different values do.

    The label has to be the first words of what is asked for. The remaining words ("of the applicant") have to be in
    the passage, or in another passage of its document. Other questions: see `_find_field_by_words`.
    """
    match = _ASKED.match(question.text)
    if match is None:
        return _find_field_by_words(question, passages)
    wanted = [word.lower() for word in _WORD.findall(match["phrase"])]
    fields: dict[str, LayoutField] = {}
    for passage in passages:
        for line in split_lines(passage):
            for label, start, end in _split_fields(line, wanted):
                if find_content_words(" ".join(wanted[label:])) <= _find_document_words(passage, passages):
                    field = LayoutField(line, line.start + start, line.start + end)
                    fields.setdefault(field.text.casefold(), field)
    return next(iter(fields.values())) if len(fields) == 1 else None


def _find_field_by_words(question: QuestionAnalysis, passages: Sequence[Evidence]) -> LayoutField | None:
    """Find the field before whose colon are the content words of the question, in any order, and no others.

    "What share was counted right?" is answered by "Share counted right: 96.4%".
    """
    words = question.content_stems
    if len(words) < MIN_WORDS:
        return None
    fields: dict[str, LayoutField] = {}
    for line in (line for passage in passages for line in split_lines(passage)):
        for match in _FIELD.finditer(line.text):
            if stem_content_words(match["label"]) == words and len(match["value"]) <= MAX_VALUE:
                field = LayoutField(line, *(line.start + side for side in match.span("value")))
                fields.setdefault(field.text.casefold(), field)
    return next(iter(fields.values())) if len(fields) == 1 else None


def _find_document_words(passage: Evidence, passages: Sequence[Evidence]) -> frozenset[str]:
    """The content words of the headings of a passage, and of all passages of its document."""
    texts = [item.text for item in passages if item.document_id == passage.document_id]
    return find_content_words(" ".join((*texts, passage.title, *passage.section)))


def _split_fields(line: TextLine, wanted: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """Yield the fields of a line whose label consists of the first ``wanted`` words.

    Each is the number of words of the label, and the start and end of the value in the line.
    """
    with_colon = list(_FIELD.finditer(line.text))
    for match in with_colon:
        label = [word.lower() for word in _WORD.findall(match["label"])]
        if _is_label(label, wanted) and len(match["value"]) <= MAX_VALUE:
            yield len(label), *match.span("value")
    if with_colon:
        return
    matches = list(_WORD.finditer(line.text))[:MAX_LABEL_WORDS]
    count = 0
    while count < min(len(matches), len(wanted)) and matches[count][0].lower() == wanted[count]:
        count += 1
    if not _is_label(wanted[:count], wanted) or not line.text[:1].isupper():
        return
    start = matches[count - 1].end()
    start += len(line.text[start:]) - len(line.text[start:].lstrip())
    value = line.text[start:].rstrip()
    if value and len(value) <= MAX_VALUE and _VALUE.match(value):
        yield count, start, start + len(value)


def _is_label(label: Sequence[str], wanted: Sequence[str]) -> bool:
    """Whether the label consists of the first wanted words, up to a preposition or to their end."""
    count = len(label)
    return (
        bool(find_content_words(" ".join(label)))
        and list(wanted[:count]) == list(label)
        and (count == len(wanted) or wanted[count] in _LINKS)
    )


def find_numbered_item(question: QuestionAnalysis, passages: Sequence[Evidence]) -> LayoutField | None:
    """Find the item of the number that a question names; None if no item, or items with different texts match.

    "4 (b)" is the item "(b)", "b)" or "b." between the items 4 and 5 of one passage, or at the beginning of item 4.
    All other words of the question have to be in the headings or the text of the item's document.
    """
    match = _ITEM_SOUGHT.match(question.text)
    if match is None:
        return None
    words = stem_content_words(match["rest"]) - {stem(word) for word in _VERBS}
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
        label = _ITEM_LABEL.match(line.text)
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
    return stem_content_words(" ".join((*texts, passage.title, passage.document)))
