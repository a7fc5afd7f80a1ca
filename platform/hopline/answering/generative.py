"""Answers that a language model writes: with quotes from evidence, which are verified, or closed-book."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from hopline.answering.composition import cite, compose_answer, demote_to_possible
from hopline.answering.evidence_expansion import expand_evidence
from hopline.answering.extractive import THRESHOLD, answer_by_rules, choose_answer, read_question
from hopline.answering.prompts import CLOSED_BOOK, WITH_EVIDENCE, Instruction, build_prompt
from hopline.errors import BudgetSpent, ModelError
from hopline.flow.requests import Flow, ask
from hopline.nlp.question_terms import asks_yes_or_no
from hopline.nlp.tokens import tokenize
from hopline.reading.confidence import RatedReading
from hopline.reading.negation import denies
from hopline.reading.quotes import find_quote
from hopline.results import Answer, Citation, Evidence, Retrieval, Sentence
from hopline.tables.values import asks_for_number

MAX_EVIDENCE: Final = 10  # in the prompt: they have the quotes of 89 % of the development questions, all have 91 %
MIN_MARKED: Final = 0.1  # confidence from which the reader's answer is marked in the prompt
UNSUPPORTED: Final = "none of its quotes is in the evidence"
FOUND_BY_READER: Final = "The language model found no answer. This one is from the reader."
NO_DATA: Final = "the model's reply holds no JSON object"
_AMOUNT_WORD: Final = re.compile(r"\b(?:no|none|nothing|dozens?|several|half|twice|double)\b", re.IGNORECASE)


def generate_answer(
    question: str, retrieval: Retrieval, *, model: str, reader: bool = True, threshold: float = THRESHOLD
) -> Flow[Answer]:
    """Generate an answer with a model over the evidence; fall back to the extractive answer if the model fails.

    One call. The prompt has the evidence with the highest confidence of the reader, best first, with the reader's
    answers marked. A quote that is not in the evidence is dropped, and so is a sentence without quotes; a sentence with
    a figure that none of its evidence has is marked ``backed=False``. Sentences with verified quotes count more than
    the model's verdict whether it found an answer: small models often deny an answer that they have quoted.

    The answer is only a possible one if the evidence lacks a name or number of the question, or if it fails
    `_is_supported`. If the model returns no sentences, the answer of the reader is a possible one. If the model fails,
    if its reply cannot be parsed, or if it returns sentences but none has a quote from the evidence, the answer is the
    extractive one, and its ``model_error`` says why. ``model`` is the value of ``written_by``; ``reader`` and
    ``threshold`` are those of `extract_answer`.
    """
    retrieval = yield from expand_evidence(question, retrieval)
    readings: Sequence[RatedReading] = ()
    if reader:
        retrieval, readings = yield from read_question(question, retrieval)
    by_rules = yield from answer_by_rules(question, retrieval)
    extracted = by_rules or choose_answer(question, retrieval, readings, threshold=threshold)
    if not retrieval.evidence:
        return extracted
    numbered, marked = _select_evidence(retrieval, readings)
    data, error = yield from _request_reply(WITH_EVIDENCE, build_prompt(question, numbered, marked))
    if data is None:
        return replace(extracted, model_error=error)
    sentences = list(_verify_sentences(data["sentences"], question, retrieval, numbered))
    if sentences:
        short = _read_short(question, data["short"], sentences)
        written = compose_answer(retrieval, sentences, short=short, written_by=model)
        is_sure = _is_supported(question, written) and not extracted.missing
        return written if is_sure else demote_to_possible(written, missing=extracted.missing)
    if any(sentence["text"].strip() for sentence in data["sentences"]):
        return replace(extracted, model_error=UNSUPPORTED)
    if extracted.status != "not_found":
        return replace(demote_to_possible(extracted), notice=FOUND_BY_READER)
    return compose_answer(retrieval, (), missing=extracted.missing, nearest=extracted.nearest, written_by=model)


def answer_closed_book(question: str, retrieval: Retrieval, *, model: str) -> Flow[Answer]:
    """Answer with one sentence of the model, never backed and never cited; abstain if the model does not know.

    If the model fails, the abstention's ``model_error`` says why.
    """
    data, error = yield from _request_reply(CLOSED_BOOK, question)
    if data is None:
        return replace(compose_answer(retrieval, ()), model_error=error)
    text = " ".join((data["text"] or data["short"]).split())
    if not text:
        return compose_answer(retrieval, (), written_by=model)
    return compose_answer(retrieval, [Sentence(text, backed=False)], short=data["short"].strip(), written_by=model)


def _request_reply(instruction: Instruction, prompt: str) -> Flow[tuple[Mapping[str, Any] | None, str]]:
    """Return the data of the model's reply and ""; or None and why: it failed, or its reply does not fit the schema."""
    request = ask([prompt], schema=instruction.schema, system=instruction.system, max_tokens=instruction.max_tokens)
    try:
        [reply] = yield request
    except (ModelError, BudgetSpent) as error:
        return None, str(error) or type(error).__name__
    if reply.ok and isinstance(reply.data, dict):
        return reply.data, ""
    return None, reply.error or NO_DATA


def _read_short(question: str, short: str, sentences: Iterable[Sentence]) -> str:
    """Return the short answer of a model; "" for a verdict that the question does not ask for or a sentence denies."""
    short = short.strip()
    verdict = short.lower().rstrip(".")
    if verdict not in {"yes", "no"}:
        return short
    is_denied = verdict == "yes" and any(denies(question, sentence.text) for sentence in sentences)
    return short if asks_yes_or_no(question) and not is_denied else ""


def _is_supported(question: str, answer: Answer) -> bool:
    """Whether a sentence has known figures only, and the answer a number if the question asks for one."""
    is_backed = any(sentence.backed for sentence in answer.sentences)
    return is_backed and (not asks_for_number(question) or _has_number(f"{answer.short} {answer.text}"))


def _select_evidence(
    retrieval: Retrieval, readings: Sequence[RatedReading]
) -> tuple[list[Evidence], dict[str, tuple[int, int]]]:
    """Select the evidence of the prompt, best first, and the spans of the reader's answers by the ids of evidence."""
    best = {item.reading.evidence.id: item for item in sorted(readings, key=lambda item: item.confidence)}
    ranked = sorted(retrieval.evidence, key=lambda item: -best[item.id].confidence if item.id in best else 0.0)
    marked = {id: (item.reading.start, item.reading.end) for id, item in best.items() if item.confidence >= MIN_MARKED}
    return ranked[:MAX_EVIDENCE], marked


def _verify_sentences(
    claimed: Iterable[Mapping[str, Any]], question: str, retrieval: Retrieval, numbered: Sequence[Evidence]
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


def _has_known_figures(text: str, citations: Iterable[Citation], question: str) -> bool:
    """Return whether every figure of a sentence is in its evidence or in the question."""
    known = _find_figures(question).union(*(_find_figures(citation.evidence.text) for citation in citations))
    return _find_figures(text) <= known


def _find_figures(text: str) -> set[str]:
    return {form for token in tokenize(text) if token.kind == "number" for form in token.forms if form[0] == "#"}


def _has_number(text: str) -> bool:
    """Whether a text has a number, in figures or in words."""
    return any(form[0] == "#" for token in tokenize(text) for form in token.forms) or bool(_AMOUNT_WORD.search(text))
