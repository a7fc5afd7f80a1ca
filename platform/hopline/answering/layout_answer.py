"""Answers from layout: letters ("Who signed the letter about the pier?"), forms, items of numbered lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hopline.answering.composition import cite, compose_answer
from hopline.answering.evidence_expansion import fetch_new_evidence, insert_seeds
from hopline.flow.columns import to_rows
from hopline.flow.requests import Flow, fetch
from hopline.nlp.question_terms import find_content_words
from hopline.nlp.stemmer import stem
from hopline.questions.correspondence import LetterQuestion, parse_letter_question
from hopline.reading.correspondence import LayoutField, LetterRole, read_letter
from hopline.reading.form_fields import find_form_field
from hopline.reading.numbered_items import find_numbered_item
from hopline.reading.readable_text import format_heading
from hopline.results import Answer, Evidence, Retrieval, Sentence

_ROLE_LABELS: Final[dict[LetterRole, str]] = {
    "sender": "Sender",
    "addressee": "Addressee",
    "date": "Date",
    "subject": "Subject",
    "copy": "Copy to",
}
DOCUMENTS: Final = 8  # of the nearest evidence
MIN_LETTERS: Final = 5  # of a word that is recognised within others
MAX_PASSAGES: Final = 40  # of a letter; longer documents are something else


def answer_letter_question(question: str, retrieval: Retrieval) -> Flow[Answer | None]:
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
    return _cite_field(retrieval, fields[0], _ROLE_LABELS[parsed.role])


def _fetch_documents(retrieval: Retrieval) -> Flow[list[list[Evidence]]]:
    """Fetch the passages of the nearest documents that are short enough for a letter, in reading order."""
    ids = list(dict.fromkeys(item.document_id for item in retrieval.evidence))[:DOCUMENTS]
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
    stems = {stem(word) for word in find_content_words(text)}
    without_blanks = "".join(text.casefold().split())
    return all(stem(word) in stems or (len(word) >= MIN_LETTERS and word in without_blanks) for word in question.words)


def answer_form_question(question: str, retrieval: Retrieval) -> Answer | None:
    """Answer with the only field or list item whose label or number the question names; None if there is none."""
    passages = [item for item in retrieval.evidence if item.kind == "passage"]
    field = find_numbered_item(question, passages) or find_form_field(question, passages)
    return _cite_field(retrieval, field) if field else None


def _cite_field(retrieval: Retrieval, field: LayoutField, label: str = "") -> Answer:
    """Answer with the line of a field; ``label`` precedes a line that has none."""
    evidence, line = field.line.evidence, field.line
    if evidence.id not in {item.id for item in retrieval.evidence}:
        retrieval = insert_seeds(retrieval, [evidence])
    citation = cite(retrieval, evidence, (line.start, line.end), answer=(field.start, field.end))
    text = " ".join(line.text.split())
    sentence = Sentence(text if ":" in text or not label else f"{label}: {text}", (citation,))
    return compose_answer(retrieval, (sentence,), short=field.text)
