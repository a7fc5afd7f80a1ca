"""Answers that a language model writes with quotes from evidence, which are verified."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any, Final

from hopline.answers.answerer import EvidenceReader
from hopline.answers.composition import cite, compose_answer, demote_to_possible, find_missing
from hopline.answers.expansion import expand_evidence
from hopline.answers.prompts import WITH_EVIDENCE, build_prompt, request_reply
from hopline.flow.requests import Flow
from hopline.questions.analysis import QuestionAnalysis
from hopline.reader.confidence import RatedReading
from hopline.reader.negation import denies
from hopline.reader.quotes import find_quote
from hopline.results import Answer, Citation, Evidence, Retrieval, Sentence
from hopline.text.tokens import tokenize
from hopline.text.values import find_numbers

MAX_EVIDENCE: Final = 10  # in the prompt: they have the quotes of 89 % of the development questions, all have 91 %
MIN_MARKED: Final = 0.1  # confidence from which the reader's answer is marked in the prompt
UNSUPPORTED: Final = "none of its quotes is in the evidence"
FOUND_BY_READER: Final = "The language model found no answer. This one is from the reader."
_DECREASE: Final = re.compile(
    r"\b(?:loss(?:es)?|lost|decreas\w+|declin\w+|fell|fall(?:s|en)?|dropp?\w*|down|lower\w*|negative|reduc\w+|deficit|minus|less)\b",
    re.IGNORECASE,
)
_AMOUNT_WORD: Final = re.compile(r"\b(?:no|none|nothing|dozens?|several|half|twice|double)\b", re.IGNORECASE)


def generate_answer(
    question: QuestionAnalysis,
    retrieval: Retrieval,
    reader: EvidenceReader,
    extract: Callable[[], Flow[Answer]],
    *,
    model: str,
) -> Flow[Answer]:
    """Generate an answer with a model over the evidence; fall back to that of ``extract`` if the model fails.

    One call. The prompt has the evidence with the highest confidence of the reader, best first, with the reader's
    answers marked. A quote that is not in the evidence is dropped, and so is a sentence without quotes; a sentence with
    a figure that none of its evidence has is marked ``backed=False``. Sentences with verified quotes count more than
    the model's verdict whether it found an answer: small models often deny an answer that they have quoted.

    The answer is only a possible one if the evidence lacks a name or number of the question, or if it fails
    `_is_supported`. If the model returns no sentences, the extractive answer is a possible one. If the model fails, if
    its reply cannot be parsed, or if it returns sentences but none has a quote from the evidence, the answer is the
    extractive one, and its ``model_error`` says why. ``model`` is the value of ``written_by``.
    """
    retrieval = yield from expand_evidence(question, retrieval)
    if not retrieval.evidence:
        return (yield from extract())
    retrieval, readings = yield from reader.read(question, retrieval)
    numbered, marked = _select_evidence(retrieval, readings)
    data, error = yield from request_reply(WITH_EVIDENCE, build_prompt(question.original, numbered, marked))
    if data is None:
        return replace((yield from extract()), model_error=error)
    sentences = list(_verify_sentences(data["sentences"], question, retrieval, numbered))
    if sentences:
        short = _read_short(question, data["short"], sentences)
        written = compose_answer(retrieval, sentences, short=short, written_by=model)
        missing = find_missing(question, retrieval)
        is_sure = _is_supported(question, written) and not missing
        return written if is_sure else demote_to_possible(written, missing=missing)
    extracted = yield from extract()
    if any(sentence["text"].strip() for sentence in data["sentences"]):
        return replace(extracted, model_error=UNSUPPORTED)
    if extracted.status != "not_found":
        return replace(demote_to_possible(extracted), notice=FOUND_BY_READER)
    return replace(extracted, written_by=model, confidence=None)


def _read_short(question: QuestionAnalysis, short: str, sentences: Iterable[Sentence]) -> str:
    """Return the short answer of a model; "" for a verdict that the question does not ask for or a sentence denies."""
    short = short.strip()
    verdict = short.lower().rstrip(".")
    if verdict not in {"yes", "no"}:
        return short
    is_denied = verdict == "yes" and any(denies(question, sentence.text) for sentence in sentences)
    return short if question.asks_for_verdict and not is_denied else ""


def _is_supported(question: QuestionAnalysis, answer: Answer) -> bool:
    """Whether a sentence has known figures only, and the answer a number if the question asks for one."""
    is_backed = any(sentence.backed for sentence in answer.sentences)
    return is_backed and (question.answer_type != "number" or _has_number(f"{answer.short} {answer.text}"))


def _select_evidence(
    retrieval: Retrieval, readings: Sequence[RatedReading]
) -> tuple[list[Evidence], dict[str, tuple[int, int]]]:
    """Select the evidence of the prompt, best first, and the spans of the reader's answers by the ids of evidence."""
    best = {item.reading.evidence.id: item for item in sorted(readings, key=lambda item: item.confidence)}
    ranked = sorted(retrieval.evidence, key=lambda item: -best[item.id].confidence if item.id in best else 0.0)
    marked = {id: (item.reading.start, item.reading.end) for id, item in best.items() if item.confidence >= MIN_MARKED}
    return ranked[:MAX_EVIDENCE], marked


def _verify_sentences(
    claimed: Iterable[Mapping[str, Any]], question: QuestionAnalysis, retrieval: Retrieval, numbered: Sequence[Evidence]
) -> Iterator[Sentence]:
    """Yield the sentences that have at least one quote from the evidence, with these quotes as their citations."""
    for sentence in claimed:
        text = " ".join(sentence["text"].split())
        citations = tuple(dict.fromkeys(_verify_citations(sentence["citations"], retrieval, numbered)))
        if text and citations:
            yield Sentence(text, citations, _has_known_figures(text, citations, question))


def _verify_citations(
    claimed: Iterable[Mapping[str, Any]], retrieval: Retrieval, numbered: Sequence[Evidence]
) -> Iterator[Citation]:
    """Yield the citations whose quote is in the evidence of their number, or else in other evidence."""
    for citation in claimed:
        number = citation["evidence"]
        stated = numbered[number - 1 : number] if number >= 1 else []
        for evidence in (*stated, *numbered):
            spans = find_quote(citation["quote"], evidence.text)
            if spans:
                yield from (cite(retrieval, evidence, span) for span in spans)
                break


def _has_known_figures(text: str, citations: Iterable[Citation], question: QuestionAnalysis) -> bool:
    """Return whether every figure of a sentence is in its evidence or in the question, with its sign.

    A figure without a sign may be a negative one of the evidence if the sentence says that something fell or was lost.
    """
    known = _find_figures(question.text).union(*(_find_figures(citation.evidence.text) for citation in citations))
    if _DECREASE.search(text):
        known |= {-figure for figure in known}
    return _find_figures(text) <= known


def _find_figures(text: str) -> set[Decimal]:
    """Find the numbers of a text, each as it is written and with its scale."""
    return {value for number in find_numbers(text) for value in (number.value, number.amount)}


def _has_number(text: str) -> bool:
    """Whether a text has a number, in figures or in words."""
    return any(form[0] == "#" for token in tokenize(text) for form in token.forms) or bool(_AMOUNT_WORD.search(text))
