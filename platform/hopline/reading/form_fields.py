"""Fields of forms: the value that is on the line of its label, with a colon ("Fee: 120") or without one ("Fee 120")."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from hopline.nlp.question_terms import find_content_words
from hopline.nlp.stemmer import stem
from hopline.reading.correspondence import LayoutField, TextLine, split_lines
from hopline.results import Evidence

MAX_VALUE: Final = 80  # characters
MAX_LABEL_WORDS: Final = 8
MIN_WORDS: Final = 2  # of a question that is compared with whole labels
_ASKED: Final = re.compile(r"(?:what|who)\s+(?:is|was|are|were)\s+the\s+(?P<phrase>[^?]+)", re.IGNORECASE)
_WORD: Final = re.compile(r"\w+(?:['’-]\w+)*")
_FIELD: Final = re.compile(
    r"(?:^|(?<=\s))(?P<label>[A-Z][^:|]{1,60}?)\s*:\s*(?P<value>\S.*?)(?=\s+[A-Z][\w ./-]{1,40}:|$)"
)
_VALUE: Final = re.compile(r"[^\w(]*(?:[A-Z]|\d|[$€£¥])")
_LINKS: Final = frozenset({"of", "for", "on", "in"})


def find_form_field(question: str, passages: Sequence[Evidence]) -> LayoutField | None:
    """Find the value of the field that "What is the …?" names; None if no field, or fields with different values do.

    The label has to be the first words of what is asked for. The remaining words ("of the applicant") have to be in
    the passage, or in another passage of its document. Other questions: see `_find_field_by_words`.
    """
    question = " ".join(question.split())
    match = _ASKED.match(question)
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


def _find_field_by_words(question: str, passages: Sequence[Evidence]) -> LayoutField | None:
    """Find the field before whose colon are the content words of the question, in any order, and no others.

    "What share was counted right?" is answered by "Share counted right: 96.4%".
    """
    words = _stem_words(question)
    if len(words) < MIN_WORDS:
        return None
    fields: dict[str, LayoutField] = {}
    for line in (line for passage in passages for line in split_lines(passage)):
        for match in _FIELD.finditer(line.text):
            if _stem_words(match["label"]) == words and len(match["value"]) <= MAX_VALUE:
                field = LayoutField(line, *(line.start + side for side in match.span("value")))
                fields.setdefault(field.text.casefold(), field)
    return next(iter(fields.values())) if len(fields) == 1 else None


def _stem_words(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in find_content_words(text))


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
