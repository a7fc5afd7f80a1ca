"""Extractive answers: sentences and table cells of the evidence, without a language model.

These stages are tried in order, and the first that applies to the question answers it:

1. Questions for whole pages or tables: their content. Questions for a summary: the central sentences.
2. By rules: roles in a letter, fields of a form, items of a numbered list, comparisons of two dates.
3. Calculations over the cells of a table: changes, averages and sums over years, ratios of rows.
4. All others are read. The answer is the reader's likeliest span, or the result of operations over the rows of a table
   if it is likelier. If a question describes a thing by another one, it is read in two hops.

Each part of a question with several parts passes through stages 2 to 4 by itself, and the answers are combined. Nothing
is counted over passages: one that was not retrieved would make the number wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from hopline.answering.comparison import answer_comparison
from hopline.answering.composition import combine_answers, compose_answer, demote_repeated_answers, find_nearest
from hopline.answering.evidence_expansion import MAX_CHARACTERS, expand_evidence, prepend_evidence
from hopline.answering.layout_answer import answer_form_question, answer_letter_question
from hopline.answering.outline import answer_outline
from hopline.answering.span_answer import compose_span_answer
from hopline.answering.summary import answer_summary_request
from hopline.answering.table_answer import (
    answer_calculation,
    compose_table_answer,
    find_table_result,
    limit_table_readings,
)
from hopline.answering.two_hops import read_two_hops
from hopline.flow.requests import Flow
from hopline.nlp.question_terms import find_content_words, find_unmatched, is_latin
from hopline.questions.comparison import parse_comparison
from hopline.questions.parts import insert_answer, split_parts
from hopline.questions.two_hops import parse_two_hop_question
from hopline.reading.confidence import RatedReading, read_with_confidence
from hopline.reading.readable_text import format_with_heading
from hopline.results import POSSIBLE, Answer, Retrieval

MAX_EVIDENCE: Final = 16  # evidence that is read for a question
THRESHOLD: Final = 0.6  # confidence below which nothing is answered: on dev, four in five answers above it are right
NOT_ENGLISH: Final = (
    "The reader reads English, and this question is in another script: only the nearest passages are shown."
)

Retrieve = Callable[[str], Flow[Retrieval]]


def extract_answer(
    question: str,
    retrieval: Retrieval,
    retrieve: Retrieve,
    *,
    reader: bool = True,
    threshold: float = THRESHOLD,
) -> Flow[Answer]:
    """Answer with sentences and table cells of the evidence, or abstain with the nearest sentences.

    ``retrieval`` is for the whole question; ``retrieve`` is called for each part of a question with several parts.
    Without the ``reader``, a question is not split into parts, nothing is calculated, and no evidence is read.
    ``threshold`` is the confidence, in [0, 1], below which nothing is answered. The retrieval of the answer has the
    evidence that was added as well.
    """
    outline = answer_outline(question, retrieval)
    if outline is not None:
        return outline
    summary = yield from answer_summary_request(question, retrieval)
    if summary is not None:
        return summary
    retrieval = yield from expand_evidence(question, retrieval)
    texts = [item.text for item in retrieval.evidence]
    parts = split_parts(question, texts) if reader and len(question) <= MAX_CHARACTERS else (question,)
    if len(parts) > 1:
        questions, answers = yield from _answer_each_part(parts, retrieval, retrieve, threshold=threshold)
        if any(answer.status != "not_found" for answer in answers):
            return combine_answers(questions, answers)
    return (yield from _answer_part(question, retrieval, reader=reader, threshold=threshold))


def _answer_each_part(
    parts: Sequence[str], retrieval: Retrieval, retrieve: Retrieve, *, threshold: float
) -> Flow[tuple[list[str], list[Answer]]]:
    """Answer each part of a question, with its own evidence before that of the whole question.

    Returns the parts as well: a pronoun that refers to the answer to the first part is replaced by this answer.
    """
    questions: list[str] = []
    answers: list[Answer] = []
    for text in parts:
        refers = bool(answers) and bool(answers[0].short) and not answers[0].abstained
        part = insert_answer(text, answers[0].short) if refers else text
        questions.append(part)
        about_part = prepend_evidence(retrieval, (yield from retrieve(part)))
        about_part = yield from expand_evidence(part, about_part)
        answers.append((yield from _answer_part(part, about_part, reader=True, threshold=threshold)))
    return questions, demote_repeated_answers(answers)


def _answer_part(question: str, retrieval: Retrieval, *, reader: bool, threshold: float) -> Flow[Answer]:
    """Answer a question that has one part."""
    by_rules = yield from answer_by_rules(question, retrieval)
    if by_rules is not None:
        return by_rules
    readings: list[RatedReading] = []
    if reader:
        calculated = yield from answer_calculation(question, retrieval, threshold=threshold)
        if calculated is not None:
            return calculated
        retrieval, readings = yield from read_question(question, retrieval)
    return choose_answer(question, retrieval, readings, threshold=threshold)


def answer_by_rules(question: str, retrieval: Retrieval) -> Flow[Answer | None]:
    """Answer a question for a role in a letter, a field of a form, a list item, or a comparison of two dates.

    None for other questions, if there is not exactly one such letter or field, and if a date is unknown.
    """
    question = question[:MAX_CHARACTERS]
    letter = yield from answer_letter_question(question, retrieval)
    return letter or answer_form_question(question, retrieval) or answer_comparison(question, retrieval)


def read_question(question: str, retrieval: Retrieval) -> Flow[tuple[Retrieval, list[RatedReading]]]:
    """Read the evidence for a question, in two hops too if it describes a thing by another one.

    Returns the retrieval with the evidence that the second hop added, and the readings. A question without content
    words, or in a script that is not Latin, is not read.
    """
    question = " ".join(question.split())[:MAX_CHARACTERS]
    if not find_content_words(question) or not is_latin(question):
        return retrieval, []
    readings = yield from read_with_confidence(question, retrieval.evidence[:MAX_EVIDENCE])
    two_hop_question = parse_two_hop_question(question)
    if two_hop_question is None:
        return retrieval, readings
    return (yield from read_two_hops(two_hop_question, retrieval, readings))


def choose_answer(question: str, retrieval: Retrieval, readings: Sequence[RatedReading], *, threshold: float) -> Answer:
    """Answer with the likeliest reading or the result over a table, whichever is likelier, or abstain."""
    missing = find_unmatched(question, (format_with_heading(item) for item in retrieval.evidence))
    if parse_comparison(question[:MAX_CHARACTERS]):  # the reader does not compare
        readings = [replace(item, confidence=0.0) for item in readings]
    result = find_table_result(question[:MAX_CHARACTERS], retrieval, readings)
    readings = limit_table_readings(question, readings, result)
    if result and result.probability > max((POSSIBLE, *(item.confidence for item in readings))):
        return compose_table_answer(retrieval, result, threshold=threshold, missing=missing)
    if readings:
        return compose_span_answer(question, retrieval, readings, threshold=threshold, missing=missing)
    notice = "" if is_latin(question) else NOT_ENGLISH
    return compose_answer(retrieval, (), nearest=find_nearest(question, retrieval), missing=missing, notice=notice)
