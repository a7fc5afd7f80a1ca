"""Generative answers: a model writes cited sentences, and every quote is checked against its evidence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from hopline.answering.answer_evidence import AnswerEvidence
from hopline.answering.completion import complete
from hopline.answering.evidence_expansion import expand_evidence
from hopline.answering.extractive import THRESHOLD, answer_by_rules, compose_answer, find_readings
from hopline.answering.prompts import MOST_TOKENS, SCHEMA, SYSTEM, build_prompt
from hopline.answering.quotes import find_quote
from hopline.answering.span_answer import RatedReading
from hopline.flow.requests import Flow
from hopline.nlp.tokens import tokenise
from hopline.types import Answer, Citation, Evidence, Retrieval, Sentence

MARKED: Final = 0.1  # confidence from which the reader's answer is marked in the prompt


def generate_answer(
    question: str, retrieval: Retrieval, *, model: str, reader: bool = True, threshold: float = THRESHOLD
) -> Flow[Answer]:
    """Generate an answer with a model over the evidence; fall back to the extractive answer if the model fails.

    One call. The reader's answers are marked in the evidence, which is given best first. A quote that is not in the
    evidence is dropped, and so is a sentence without quotes; a sentence with a figure that is in none of its evidence
    is marked ``backed=False``. If no sentence remains, the answer abstains, with the nearest sentences. If the model
    does not answer, or its reply cannot be parsed, the answer is the extractive one, and its ``model_error`` says why.
    ``model`` is the value of ``written_by``; ``reader`` and ``threshold`` are those of `extract_answer`.
    """
    given = yield from expand_evidence(question, retrieval)
    rated: Sequence[RatedReading] = ()
    if reader:
        given, rated = yield from find_readings(question, given)
    extracted = answer_by_rules(question, given) or compose_answer(question, given, rated, threshold=threshold)
    if not given.evidence:
        return extracted
    best = _get_best(rated)
    ordered = sorted(given.evidence, key=lambda one: -best[one.id].confidence if one.id in best else 0.0)
    spans = {id: (one.reading.start, one.reading.end) for id, one in best.items() if one.confidence >= MARKED}
    prompt = build_prompt(question, ordered, spans)
    data, error = yield from complete(prompt, schema=SCHEMA, system=SYSTEM, max_tokens=MOST_TOKENS)
    if data is None:
        return replace(extracted, model_error=error)
    sentences = tuple(_checked(data, question, given, ordered))
    if sentences:
        return given.answer(sentences, short=_short(data["short"], sentences), written_by=model)
    nearest = extracted.nearest or extracted.sentences
    return given.answer((), missing=extracted.missing, nearest=nearest, written_by=model)


def _get_best(rated: Sequence[RatedReading]) -> dict[str, RatedReading]:
    """The best reading of each evidence, by its id."""
    return {one.reading.evidence.id: one for one in sorted(rated, key=lambda one: one.confidence)}


def _checked(
    data: Mapping[str, Any], question: str, given: AnswerEvidence, ordered: Sequence[Evidence]
) -> Iterator[Sentence]:
    for said in data["sentences"]:
        text = " ".join(said["text"].split())
        citations = tuple(dict.fromkeys(_citations(said["citations"], given, ordered)))
        if text and citations:
            yield Sentence(text, citations, _backed(text, citations, question))


def _citations(
    claimed: Iterable[Mapping[str, Any]], given: AnswerEvidence, ordered: Sequence[Evidence]
) -> Iterator[Citation]:
    """The citations that stand; a quote under a wrong number is given to the evidence that has it."""
    for one in claimed:
        for evidence in _numbered_first(ordered, one["evidence"]):
            spans = find_quote(one["quote"], evidence.text)
            if spans:
                path = given.find_path(evidence.id)
                yield from (Citation(evidence, evidence.text[a:b], a, b, path) for a, b in spans)
                break


def _numbered_first(evidence: Sequence[Evidence], number: int) -> Iterator[Evidence]:
    if 1 <= number <= len(evidence):
        yield evidence[number - 1]
    yield from evidence


def _backed(text: str, citations: Iterable[Citation], question: str) -> bool:
    """Whether every figure of a sentence stands in its evidence or in the question."""
    known = _figures(question).union(*(_figures(citation.evidence.text) for citation in citations))
    return _figures(text) <= known


def _figures(text: str) -> set[str]:
    return {form for token in tokenise(text) if token.kind == "number" for form in token.forms if form[0] == "#"}


def _short(short: str, sentences: Sequence[Sentence]) -> str:
    """The short answer, where the evidence of the answer repeats it."""
    cited = (citation.evidence.text for sentence in sentences for citation in sentence.citations)
    return short.strip() if short.strip() and any(find_quote(short, text) for text in cited) else ""
