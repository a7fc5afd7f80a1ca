"""Training data of the reader from questions over a collection: what is retrieved, with and without the answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from hopline.evaluation.questions import Question
from hopline.flow.requests import Flow, search
from hopline.questions.analysis import analyse_question
from hopline.reader.input import make_readable
from hopline.results import Evidence
from hopline.retrieval.evidence_texts import fetch_evidence
from hopline.training.reader_data import Paragraph, ReaderQuestion

DEPTH: Final = 10  # evidence of a hybrid search that are labelled for a question


def fetch_reader_paragraphs(question: Question) -> Flow[list[Paragraph]]:
    """Fetch the texts that the reader would get for a question, labelled with its answer.

    A text with an answer is a positive sample if its evidence is gold, or if the gold is unknown; one without an answer
    is a negative sample that ranks high (a hard negative). Others are left out: the answer may be there by chance.
    """
    hits = yield search(question.text, DEPTH, by="hybrid")
    evidence = yield from fetch_evidence(hits.ids)
    paragraphs = []
    for item in evidence:
        gold = _is_gold(question, item)
        for window in make_readable(analyse_question(question.text), item):
            spans = _find_spans(window.text, question.answers)
            if spans and gold is False:
                continue
            mined = ReaderQuestion(question.text, spans if question.answerable else ())
            paragraphs.append(Paragraph(window.header, window.text, (mined,)))
    return paragraphs


def _is_gold(question: Question, evidence: Evidence) -> bool | None:
    """Whether the question's gold names the evidence; None if it has no gold."""
    if question.gold:
        return evidence.id in question.gold or evidence.source_id in question.gold
    if question.quotes:
        pages = {(quote.document, quote.page) for quote in question.quotes}
        return any((evidence.document, page) in pages for page in evidence.pages)
    return None


def _find_spans(text: str, answers: Sequence[str]) -> tuple[tuple[int, int], ...]:
    """Where the first of the answers that the text contains stands as whole words."""
    for answer in answers:
        match = re.search(rf"(?<!\w){re.escape(answer)}(?!\w)", text, re.IGNORECASE) if answer else None
        if match:
            return (match.span(),)
    return ()
