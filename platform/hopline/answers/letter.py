"""Answers from letters, memos, faxes and e-mails: sender, addressee, their positions, date, subject and copies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from hopline.answers.answerer import EvidenceReader
from hopline.answers.expansion import fetch_new_evidence
from hopline.answers.layout import LayoutField, TextLine, cite_field
from hopline.answers.letter_fields import read_letter
from hopline.answers.letter_question import LetterQuestion, LetterRole, parse_letter_question
from hopline.flow.columns import to_rows
from hopline.flow.requests import Flow, fetch
from hopline.questions.analysis import QuestionAnalysis
from hopline.reader.input import format_heading
from hopline.results import Answer, Evidence, Retrieval
from hopline.text.words import stem, stem_content_words

_ROLE_LABELS: Final[dict[LetterRole, str]] = {
    "sender": "Sender",
    "sender position": "Position of the sender",
    "addressee": "Addressee",
    "addressee position": "Position of the addressee",
    "date": "Date",
    "subject": "Subject",
    "copy": "Copy to",
}
_POSITIONS: Final[dict[LetterRole, LetterRole]] = {
    "sender": "sender position",
    "addressee": "addressee position",
}
MAX_DOCUMENTS: Final = 8  # of the nearest evidence
MIN_LETTERS: Final = 5  # of a word that is recognised within others
MAX_PASSAGES: Final = 40  # of a letter; longer documents are something else


def answer_letter(question: QuestionAnalysis, retrieval: Retrieval, _: EvidenceReader) -> Flow[Answer | None]:
    """Answer a question for a role in a letter; None if it asks for something else, or unless one letter has it.

    The letter is the one among the documents of the evidence that has all other words of the question.
    """
    parsed = parse_letter_question(question)
    if parsed is None:
        return None
    documents = yield from _fetch_documents(retrieval)
    letters = [read_letter(passages) for passages in documents if _has_words(passages, parsed)]
    fields = [letter[parsed.role] for letter in letters if parsed.role in letter]
    if len({field.text for field in fields}) != 1:
        return None
    letter = next(letter for letter in letters if parsed.role in letter)
    field = _extend_line(letter[parsed.role], letter.get(_POSITIONS.get(parsed.role, parsed.role)))
    if field.text.endswith("."):  # the first sentence, of a letter without a subject line
        return replace(cite_field(retrieval, field), short="")
    return cite_field(retrieval, field, _ROLE_LABELS[parsed.role])


def _extend_line(field: LayoutField, position: LayoutField | None) -> LayoutField:
    """Return the field of a name with its line and that of the position below it."""
    line = field.line
    if position is None or position.line.evidence is not line.evidence or position.line.start < line.end:
        return field
    return LayoutField(TextLine(line.evidence, line.start, position.line.end), field.start, field.end)


def _fetch_documents(retrieval: Retrieval) -> Flow[list[list[Evidence]]]:
    """Fetch the passages of the nearest documents that are short enough for a letter, in reading order."""
    ids = list(dict.fromkeys(item.document_id for item in retrieval.evidence))[:MAX_DOCUMENTS]
    columns = yield fetch("answering/document_passages", ids=ids)
    passages: dict[str, list[str]] = {}
    for row in to_rows(columns):
        passages.setdefault(row["document"], []).append(row["id"])
    short = [passages[id] for id in ids if id in passages and len(passages[id]) <= MAX_PASSAGES]
    added = yield from fetch_new_evidence([id for document in short for id in document], retrieval.evidence)
    known = {item.id: item for item in (*retrieval.evidence, *added)}
    return [[known[id] for id in document if id in known] for document in short]


def _has_words(passages: Sequence[Evidence], question: LetterQuestion) -> bool:
    """Return whether a document has all words of a question; text recognition may have left out blanks around them."""
    text = "\n".join((format_heading(passages[0]), *(passage.text for passage in passages))) if passages else ""
    stems = stem_content_words(text)
    without_blanks = "".join(text.casefold().split())
    return all(stem(word) in stems or (len(word) >= MIN_LETTERS and word in without_blanks) for word in question.words)
