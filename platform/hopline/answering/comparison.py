"""Answers to questions that compare two subjects by their dates, which are read from the evidence."""

from __future__ import annotations

from hopline.answering.composition import compose_answer, quote_span
from hopline.questions.comparison import parse_comparison
from hopline.reading.event_dates import find_event_date
from hopline.reading.sentence_spans import split_evidence
from hopline.results import Answer, Retrieval


def answer_comparison(question: str, retrieval: Retrieval) -> Answer | None:
    """Answer which subject came first or last, or lived longer, with the sentences that give both dates.

    None if the question asks for something else, if a subject has no date, or if the dates do not decide.
    """
    comparison = parse_comparison(question)
    if comparison is None:
        return None
    first, second = comparison.subjects
    sentences = split_evidence(retrieval.evidence)
    first_date = find_event_date(first, comparison.event, sentences, other=second)
    second_date = find_event_date(second, comparison.event, sentences, other=first)
    if first_date is None or second_date is None:
        return None
    (first_days, first_sentence), (second_days, second_sentence) = first_date, second_date
    first_is_less = first_days.is_before(second_days)
    if not first_is_less and not second_days.is_before(first_days):
        return None
    winner = 0 if first_is_less == comparison.least else 1
    short = ("yes", "no")[winner] if comparison.whether else comparison.subjects[winner]
    cited = (first_sentence, second_sentence)
    quotes = [quote_span(retrieval, sentence.evidence, (sentence.start, sentence.end)) for sentence in cited]
    return compose_answer(retrieval, quotes, short=short)
