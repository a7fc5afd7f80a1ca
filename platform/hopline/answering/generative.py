"""Answers written by a model, every sentence cited and every quote checked against its evidence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from hopline.answering.answer_evidence import AnswerEvidence
from hopline.answering.completion import complete
from hopline.answering.evidence_expansion import widen
from hopline.answering.extractive import picked
from hopline.answering.prompts import MOST_TOKENS, SCHEMA, SYSTEM, prompt
from hopline.answering.question import read_question
from hopline.answering.quotes import find_quote
from hopline.answering.tokens import tokenise
from hopline.flow.requests import Flow
from hopline.types import Answer, Citation, Evidence, Retrieval, Sentence


def written(question: str, retrieval: Retrieval, *, model: str) -> Flow[Answer]:
    """The answer of a model over the evidence, or what can be picked from it where the model fails.

    One call. A quote that no evidence repeats is dropped, and so is a sentence that keeps none; a
    sentence with a figure that none of its evidence has stays, marked ``backed=False``. When the
    model finds nothing, or nothing it wrote stands, the answer abstains and ``missing`` says what
    the evidence lacks. A model that does not answer, or not in a form that can be read, costs no
    question: the answer is then the extractive one, and its ``model_error`` says why. ``model`` is
    the name that an answer which it wrote carries.
    """
    read = read_question(question)
    wide = yield from widen(read, retrieval)
    if not wide.evidence:
        return (yield from picked(read, wide))
    text = prompt(question, wide.evidence)
    data, error = yield from complete(text, schema=SCHEMA, system=SYSTEM, max_tokens=MOST_TOKENS)
    sentences = tuple(_checked(data, question, wide)) if data and data["found"] else ()
    if data and sentences:
        return wide.answer(sentences, short=_short(data["short"], sentences), written_by=model)
    fallback = yield from picked(read, wide)
    if data is None:
        return replace(fallback, model_error=error)
    return wide.answer((), missing=fallback.missing, written_by=model)


def _checked(data: Mapping[str, Any], question: str, given: AnswerEvidence) -> Iterator[Sentence]:
    for said in data["sentences"]:
        text = " ".join(said["text"].split())
        citations = tuple(dict.fromkeys(_citations(said["citations"], given)))
        if text and citations:
            yield Sentence(text, citations, _backed(text, citations, question))


def _citations(claimed: Iterable[Mapping[str, Any]], given: AnswerEvidence) -> Iterator[Citation]:
    """The citations that stand; a quote under a wrong number is given to the evidence that has it."""
    for one in claimed:
        for evidence in _numbered_first(given.evidence, one["evidence"]):
            spans = find_quote(one["quote"], evidence.text)
            if spans:
                path = given.path_of(evidence.id)
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
