"""Extractive answers: sentences and table cells that the reader finds in the evidence, without a language model.

A question for whole pages or tables gets their content, one for a summary the central sentences, and one that compares
two things by their dates is answered by rules; changes, averages and sums over years, counts, largest values and other
operations over rows are computed from the cells of a table; all others are read. Each part of a question with several
parts is answered by itself. A question that describes a thing by another one is read in two hops. Nothing is counted up
over passages: what was not found would make the number wrong.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from hopline.answering.answer_evidence import AnswerEvidence
from hopline.answering.comparison import ComparisonAnswer, answer_comparison
from hopline.answering.evidence_expansion import LONGEST, expand_evidence, expand_over_bridge
from hopline.answering.layout_answer import answer_form_question, answer_letter_question
from hopline.answering.nearest_sentences import cite_sentence, find_nearest
from hopline.answering.outline import answer_outline
from hopline.answering.span_answer import RatedReading, compose_span_answer
from hopline.answering.summary import parse_summary_request, summarize
from hopline.answering.table_answer import (
    compose_table_answer,
    compute_from_cells,
    find_table_result,
    limit_table_readings,
)
from hopline.flow.requests import Flow
from hopline.nlp.question_terms import find_content_words, find_unmatched
from hopline.questions.comparison import parse_comparison
from hopline.questions.parts import split_parts
from hopline.questions.two_hops import TwoHopQuestion, split_question
from hopline.reading.confidence import normalize_short, rate_readings
from hopline.reading.readable_text import heading
from hopline.reading.sentence_spans import split_evidence
from hopline.reading.span_reading import read_evidence
from hopline.results import POSSIBLE, Answer, Retrieval, Sentence
from hopline.tables.calculations import parse_calculation

READ: Final = 16  # evidence that are read for a question
READ_IN_HOPS: Final = 8  # evidence that are read again for each hop, besides what was added
BRIDGES: Final = 2  # names that are filled in
MIN_BRIDGE: Final = 0.2  # confidence of the first hop below which there is no second
THRESHOLD: Final = 0.6  # confidence below which nothing is answered: on dev, four in five answers above it are right
NOT_ENGLISH: Final = (
    "The reader reads English, and this question is in another script: only the nearest passages are shown."
)
_LATIN: Final = re.compile(r"[A-Za-zÀ-ɏ]")
_LETTER: Final = re.compile(r"[^\W\d_]")


Retrieve = Callable[[str], Flow[Retrieval]]


def extract_answer(
    question: str,
    retrieval: Retrieval,
    *,
    retrieve: Retrieve | None = None,
    reader: bool = True,
    threshold: float = THRESHOLD,
) -> Flow[Answer]:
    """Answer with sentences and table cells of the evidence, or abstain with the nearest sentences.

    ``retrieve`` finds the evidence for each part of a question with several parts; without it, they share that of the
    question. Without the ``reader``, a question that no rule answers gets the nearest sentences only. ``threshold`` is
    the confidence, in [0, 1], below which nothing is answered.
    """
    whole = answer_outline(question, retrieval)
    if whole is not None:
        return whole
    summary = parse_summary_request(question)
    if summary is not None and (answer := (yield from summarize(summary, retrieval))):
        return answer
    given = yield from expand_evidence(question, AnswerEvidence.of(retrieval))
    return (yield from answer_from_evidence(question, given, retrieve=retrieve, reader=reader, threshold=threshold))


def _answer_parts(
    parts: Sequence[str], given: AnswerEvidence, *, retrieve: Retrieve | None, threshold: float
) -> Flow[Answer | None]:
    """Answer each part of a question by itself; None if no part has an answer or a possible answer.

    The confidence is the lowest of the parts with an answer, or, if there are none, with a possible one. ``nearest``
    has the sentences of the possible answers, and a notice names the parts without an answer.
    """
    answers: list[Answer] = []
    for part in parts:
        about_part = given.put_first((yield from retrieve(part))) if retrieve else given
        about_part = yield from expand_evidence(part, about_part)
        answers.append((yield from _answer_one_part(part, about_part, threshold=threshold)))
    answered = [answer for answer in answers if not answer.abstained]
    shown = answered or [answer for answer in answers if answer.possible]
    if not shown:
        return None
    pairs = list(zip(parts, answers, strict=True))
    unsure = [part for part, answer in pairs if answered and answer.possible]
    unanswered = [part for part, answer in pairs if answer.abstained and not answer.possible]
    notices = [f"Not sure: {' '.join(unsure)}"] if unsure else []
    notices += [f"No answer was found to: {' '.join(unanswered)}"] if unanswered else []
    confidences = [answer.confidence for answer in shown if answer.confidence is not None]
    additional = {item.id: item for answer in answers for item in answer.additional_evidence}
    paths = {path.evidence: path for answer in answers for path in answer.additional_paths}
    return replace(
        shown[0],
        sentences=_unite_sentences(answered),
        abstained=not answered,
        missing=tuple(dict.fromkeys(name for answer in answers for name in answer.missing)),
        short="; ".join(answer.short for answer in shown if answer.short),
        short_quoted=all(answer.short_quoted for answer in shown),
        additional_evidence=tuple(additional.values()),
        additional_paths=tuple(paths.values()),
        confidence=min(confidences, default=None),
        nearest=tuple(dict.fromkeys(answer.possible for answer in answers if answer.possible)),
        notice=" ".join(notices),
    )


def _unite_sentences(answers: Sequence[Answer]) -> tuple[Sentence, ...]:
    """The sentences of all answers, in their order; those with the same text once, with the citations of each."""
    united: dict[str, Sentence] = {}
    for sentence in (sentence for answer in answers for sentence in answer.sentences):
        known = united.get(sentence.text)
        citations = dict.fromkeys((*known.citations, *sentence.citations) if known else sentence.citations)
        united[sentence.text] = replace(sentence, citations=tuple(citations))
    return tuple(united.values())


def answer_from_evidence(
    question: str,
    given: AnswerEvidence,
    *,
    retrieve: Retrieve | None = None,
    reader: bool = True,
    threshold: float = THRESHOLD,
) -> Flow[Answer]:
    """Answer from expanded evidence, part by part if the question has several; arguments as for `extract_answer`."""
    parts = split_parts(question) if reader and len(question) <= LONGEST else (question,)
    if len(parts) > 1:
        combined = yield from _answer_parts(parts, given, retrieve=retrieve, threshold=threshold)
        if combined is not None:
            return combined
    return (yield from _answer_one_part(question, given, reader=reader, threshold=threshold))


def _answer_one_part(question: str, given: AnswerEvidence, *, reader: bool = True, threshold: float) -> Flow[Answer]:
    """Answer a question that asks for one thing; arguments as for `extract_answer`."""
    by_rules = yield from answer_by_rules(question, given)
    if by_rules is not None:
        return by_rules
    calculation = parse_calculation(question) if reader else None
    computed = (yield from compute_from_cells(calculation, given, threshold=threshold)) if calculation else None
    if computed is not None:
        return computed
    given, rated = yield from find_readings(question, given) if reader else _find_none(given)
    return compose_answer(question, given, rated, threshold=threshold)


def answer_by_rules(question: str, given: AnswerEvidence) -> Flow[Answer | None]:
    """Answer a question for a role in a letter, a field of a form, or a comparison of two things by their dates.

    None for other questions, if there is not one letter or field that the question describes, and if a date is unknown.
    """
    about_letter = yield from answer_letter_question(question[:LONGEST], given)
    by_layout = about_letter or answer_form_question(question[:LONGEST], given)
    if by_layout is not None:
        return by_layout
    comparison = parse_comparison(question[:LONGEST])
    compared = answer_comparison(comparison, split_evidence(given.evidence)) if comparison else None
    return _answer_compared(compared, given) if compared else None


def find_readings(question: str, given: AnswerEvidence) -> Flow[tuple[AnswerEvidence, list[RatedReading]]]:
    """Read the evidence, in two hops too if the question asks for them; returns it with what the second hop added.

    What the first hop finds is not the answer, unless it answers the whole question with a higher confidence. A
    question without content words, or in a script that is not Latin, is not read.
    """
    question = " ".join(question.split())[:LONGEST]
    if not find_content_words(question) or not _is_latin(question):
        return given, []
    readings = yield from read_evidence(question, given.evidence[:READ])
    pairs = zip(readings, rate_readings(question, readings), strict=True)
    rated = [RatedReading(reading, confidence) for reading, confidence in pairs]
    hops = split_question(question)
    if hops is None:
        return given, rated
    given, second_hop, bridges = yield from read_two_hops(hops, given)
    direct = [item for item in rated if item.confidence > bridges.get(normalize_short(item.reading.short), -1.0)]
    return given, [*direct, *second_hop]


def compose_answer(question: str, given: AnswerEvidence, rated: Sequence[RatedReading], *, threshold: float) -> Answer:
    """Compose the answer of the readings or of a table, the surer one, or an abstention with the nearest sentences."""
    missing = find_unmatched(question, (f"{heading(one)}\n{one.text}" for one in given.evidence))
    if parse_comparison(question[:LONGEST]):  # the reader does not compare
        rated = [replace(one, confidence=0.0) for one in rated]
    result = find_table_result(question[:LONGEST], given, rated)
    rated = limit_table_readings(question, rated, result)
    if result and result.probability > max((POSSIBLE, *(one.confidence for one in rated))):
        return compose_table_answer(result, given, threshold=threshold, missing=missing)
    if not rated:
        notice = "" if _is_latin(question) else NOT_ENGLISH
        return given.answer((), nearest=find_nearest(question, given), missing=missing, notice=notice)
    return compose_span_answer(question, given, rated, threshold=threshold, missing=missing)


def read_two_hops(
    question: TwoHopQuestion, given: AnswerEvidence
) -> Flow[tuple[AnswerEvidence, list[RatedReading], dict[str, float]]]:
    """Find what the question describes, fill in its name, and read again; confidences of both hops are multiplied.

    Returns the evidence, the readings of the second hop, and the confidence of each name that was filled in.
    """
    first = yield from read_evidence(question.first, given.evidence[:READ_IN_HOPS])
    rated = sorted(zip(rate_readings(question.first, first), first, strict=True), key=lambda pair: -pair[0])
    bridges: dict[str, float] = {}
    found: list[RatedReading] = []
    for confidence, bridge in rated:
        name = normalize_short(bridge.short)
        if confidence < MIN_BRIDGE or len(bridges) == BRIDGES:
            break
        if name in bridges or not name or name in normalize_short(question.text):
            continue
        bridges[name] = confidence
        filled = question.fill_in(bridge.short)
        known = given.evidence
        given = yield from expand_over_bridge(filled, given, bridge)
        added = [evidence for evidence in given.evidence if evidence not in known]
        second = yield from read_evidence(filled, [*added, *known[:READ_IN_HOPS]])
        found += [
            RatedReading(reading, confidence * rating, bridge)
            for reading, rating in zip(second, rate_readings(filled, second), strict=True)
            if normalize_short(reading.short) != name
        ]
    return given, found, bridges


def _find_none(given: AnswerEvidence) -> Flow[tuple[AnswerEvidence, list[RatedReading]]]:
    yield from ()
    return given, []


def _answer_compared(compared: ComparisonAnswer, given: AnswerEvidence) -> Answer:
    return given.answer(tuple(cite_sentence(one, given) for one in compared.sentences), short=compared.short)


def _is_latin(question: str) -> bool:
    """Whether at least half of the letters are Latin: the reader reads English."""
    letters: Sequence[str] = _LETTER.findall(question)
    return 2 * len([letter for letter in letters if _LATIN.match(letter)]) >= len(letters)
