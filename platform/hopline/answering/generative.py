"""Generated answers: a model writes sentences with quotes, and every quote is checked against its evidence."""

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
from hopline.results import Answer, Citation, Evidence, Retrieval, Sentence

MOST_EVIDENCE: Final = 10  # in the prompt: they have the quotes of 89 % of the development questions, all have 91 %
MARKED: Final = 0.1  # confidence from which the reader's answer is marked in the prompt
UNSUPPORTED: Final = "none of its quotes is in the evidence"


def generate_answer(
    question: str, retrieval: Retrieval, *, model: str, reader: bool = True, threshold: float = THRESHOLD
) -> Flow[Answer]:
    """Generate an answer with a model over the evidence; fall back to the extractive answer if the model fails.

    One call. The evidence that the reader rates highest is given, best first, with the reader's answers marked. A quote
    that is not in the evidence is dropped, and so is a sentence without quotes; a sentence with a figure that none of
    its evidence has is marked ``backed=False``. The model decides whether it found an answer after it has written its
    sentences, and sentences with verified quotes count more than this verdict: small models often deny an answer that
    they have quoted.

    If the model returns no sentences, the answer abstains, with the nearest sentences. If it fails, if its reply cannot
    be parsed, or if it returns sentences but none has a quote from the evidence, the answer is the extractive one, and
    its ``model_error`` says why. ``model`` is the value of ``written_by``; ``reader`` and ``threshold`` are those of
    `extract_answer`.
    """
    given = yield from expand_evidence(question, AnswerEvidence.of(retrieval))
    rated: Sequence[RatedReading] = ()
    if reader:
        given, rated = yield from find_readings(question, given)
    by_rules = yield from answer_by_rules(question, given)
    extracted = by_rules or compose_answer(question, given, rated, threshold=threshold)
    if not given.evidence:
        return extracted
    best = _get_best_readings(rated)
    ranked = sorted(given.evidence, key=lambda item: -best[item.id].confidence if item.id in best else 0.0)
    ordered = ranked[:MOST_EVIDENCE]
    spans = {id: (item.reading.start, item.reading.end) for id, item in best.items() if item.confidence >= MARKED}
    prompt = build_prompt(question, ordered, spans)
    data, error = yield from complete(prompt, schema=SCHEMA, system=SYSTEM, max_tokens=MOST_TOKENS)
    if data is None:
        return replace(extracted, model_error=error)
    sentences = tuple(_verify_sentences(data["sentences"], question, given, ordered))
    if sentences:
        return given.answer(sentences, short=data["short"].strip(), written_by=model)
    if any(sentence["text"].strip() for sentence in data["sentences"]):
        return replace(extracted, model_error=UNSUPPORTED)
    nearest = extracted.nearest or extracted.sentences
    return given.answer((), missing=extracted.missing, nearest=nearest, written_by=model)


def _get_best_readings(rated: Sequence[RatedReading]) -> dict[str, RatedReading]:
    """The best reading of each evidence, by its id."""
    return {item.reading.evidence.id: item for item in sorted(rated, key=lambda item: item.confidence)}


def _verify_sentences(
    claimed: Iterable[Mapping[str, Any]], question: str, given: AnswerEvidence, ordered: Sequence[Evidence]
) -> Iterator[Sentence]:
    """The sentences that have at least one quote from the evidence, with these quotes as their citations."""
    for sentence in claimed:
        text = " ".join(sentence["text"].split())
        citations = tuple(dict.fromkeys(_verify_citations(sentence["citations"], given, ordered)))
        if text and citations:
            yield Sentence(text, citations, _has_known_figures(text, citations, question))


def _verify_citations(
    claimed: Iterable[Mapping[str, Any]], given: AnswerEvidence, ordered: Sequence[Evidence]
) -> Iterator[Citation]:
    """The citations whose quote is in the evidence; with a wrong number, in the evidence that has the quote."""
    for citation in claimed:
        number = citation["evidence"]
        numbered = ordered[number - 1 : number] if number >= 1 else []
        for evidence in (*numbered, *ordered):
            spans = find_quote(citation["quote"], evidence.text)
            if spans:
                path = given.find_path(evidence.id)
                yield from (Citation(evidence, evidence.text[a:b], a, b, path) for a, b in spans)
                break


def _has_known_figures(text: str, citations: Iterable[Citation], question: str) -> bool:
    """Whether every figure of a sentence is in its evidence or in the question."""
    known = _find_figures(question).union(*(_find_figures(citation.evidence.text) for citation in citations))
    return _find_figures(text) <= known


def _find_figures(text: str) -> set[str]:
    return {form for token in tokenise(text) if token.kind == "number" for form in token.forms if form[0] == "#"}
