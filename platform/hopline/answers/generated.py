"""Answers that a language model writes with quotes from evidence; `hopline.answers.verification` verifies them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from hopline.answers.answerer import EvidenceReader
from hopline.answers.composition import Span, compose_answer, demote_to_possible, find_missing
from hopline.answers.drafts import DraftCallback, DraftWriter
from hopline.answers.expansion import expand_evidence, insert_seeds
from hopline.answers.prompts import WITH_EVIDENCE, build_prompt, compute_reply_limit, request_reply, select_evidence
from hopline.answers.summary import fetch_central_passages, parse_summary_request
from hopline.answers.verification import SentenceVerifier, mark_unsupported_sentences
from hopline.flow.requests import Flow
from hopline.questions.analysis import QuestionAnalysis
from hopline.reader.negation import denies
from hopline.reader.quotes import contains_words
from hopline.results import Answer, Evidence, Retrieval, Sentence
from hopline.text.tokens import tokenize

Verification = Literal["mark", "strict"]

MIN_MARKED: Final = 0.1  # confidence from which the reader's answer is marked in the prompt
DEFAULT_CONTEXT: Final = 8192  # tokens
UNSUPPORTED: Final = "none of its quotes is in the evidence"
FOUND_BY_READER: Final = "The language model found no answer. This one is from the reader."
TRUNCATED: Final = "The answer is not complete: the model reached the maximum length of a reply."
_NO_ANSWER: Final = frozenset({
    "none", "null", "n/a", "unknown", "no answer", "not found", "not stated", "not mentioned", "not specified",
    "not available", "not provided",
})  # fmt: skip
_AMOUNT_WORD: Final = re.compile(r"\b(?:no|none|nothing|dozens?|several|half|twice|double)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class AnswerModel:
    """The language model that writes answers: its name, and how it is used.

    ``context`` is the number of tokens of a prompt and its reply together. ``on_draft`` is called with what has been
    written of an answer, each time the model sends text.
    """

    name: str
    verification: Verification = "mark"
    context: int = DEFAULT_CONTEXT
    on_draft: DraftCallback | None = None


def generate_answer(
    question: QuestionAnalysis,
    retrieval: Retrieval,
    reader: EvidenceReader,
    extract: Callable[[], Flow[Answer]],
    *,
    model: AnswerModel,
) -> Flow[Answer]:
    """Generate an answer with a model over the evidence; fall back to that of ``extract`` if the model fails.

    One call. The prompt has the evidence with the highest confidence of the reader, best first, with the reader's
    answers marked; for a summary, the most central passages of the documents in reading order. It has as much of it as
    the context of the model holds.

    With the verification "mark", the answer is what the model wrote, each sentence with its state. It is only a
    possible one if no sentence is supported, if a figure of the short answer is in nothing that is cited and does not
    follow from it, or if the model says that the evidence does not answer the question. With "strict", sentences
    without a verbatim quote are left out, and more makes the answer a possible one (see `_compose_strictly`).

    If the model returns no sentences, or says that there is no answer and has no supported sentence, the extractive
    answer is a possible one. If the model fails, or if its reply cannot be parsed, the answer is the extractive one,
    and its ``model_error`` says why.
    """
    evidence = yield from gather_evidence(question, retrieval, reader)
    if not evidence.ranked:
        return (yield from extract())
    shown = select_evidence(question, evidence.ranked, evidence.marked, context=model.context)
    shown.sort(key=lambda item: evidence.positions.get(item.evidence.id, 0))
    is_strict = model.verification == "strict"
    numbered = [item.evidence for item in shown]
    verifier = SentenceVerifier(question, evidence.retrieval, numbered, strict=is_strict)
    draft = DraftWriter(verifier, model.on_draft) if model.on_draft is not None else None
    prompt = build_prompt(question.original, shown)
    max_tokens, on_text = compute_reply_limit(model.context), draft.write if draft is not None else None
    reply = yield from request_reply(WITH_EVIDENCE, prompt, max_tokens=max_tokens, on_text=on_text)
    if not reply.ok:
        return replace((yield from extract()), model_error=reply.error)
    claimed = [item for item in reply.data["sentences"] if not _abstains(question, item["text"])]
    short = "" if _abstains(question, reply.data["short"]) else reply.data["short"].strip()
    is_found = reply.data.get("found", True)
    if is_found and short and not claimed and not is_strict:
        claimed = [{"text": short}]
    sentences = yield from mark_unsupported_sentences(verifier.verify(claimed))
    is_supported = any(sentence.supported for sentence in sentences)
    short = _check_verdict(question, short, sentences)
    if is_strict and sentences:
        answer = _compose_strictly(question, evidence.retrieval, sentences, short, model.name)
    elif is_strict and any(item["text"].strip() for item in claimed):
        return replace((yield from extract()), model_error=UNSUPPORTED)
    elif not sentences or not (is_found or is_supported):
        return _mark_as_possible((yield from extract()), model.name)
    else:
        answer = compose_answer(evidence.retrieval, sentences, short=short, written_by=model.name)
        if not (is_found and is_supported and verifier.has_known_figures(short, sentences)):
            answer = demote_to_possible(answer, missing=find_missing(question, evidence.retrieval))
    return replace(answer, notice=TRUNCATED) if reply.truncated else answer


@dataclass(frozen=True, slots=True)
class GatheredEvidence:
    """The evidence for a prompt, the most important first.

    ``marked`` are the spans of the reader's answers by the ids of evidence. ``positions`` are the places of evidence in
    the reading order, if it is shown in this order.
    """

    retrieval: Retrieval
    ranked: Sequence[Evidence]
    marked: Mapping[str, Span]
    positions: Mapping[str, int]


def gather_evidence(question: QuestionAnalysis, retrieval: Retrieval, reader: EvidenceReader) -> Flow[GatheredEvidence]:
    """Gather the evidence for a prompt: that of the retrieval and what answering adds, in the order of the reader.

    For a summary, it is the most central passages of the documents.
    """
    request = parse_summary_request(question)
    if request is not None and retrieval.evidence:
        passages, positions = yield from fetch_central_passages(request, retrieval)
        if passages:
            known = {item.id for item in retrieval.evidence}
            retrieval = insert_seeds(retrieval, [item for item in passages if item.id not in known])
            return GatheredEvidence(retrieval, passages, {}, positions)
    retrieval = yield from expand_evidence(question, retrieval)
    retrieval, readings = yield from reader.read(question, retrieval)
    best = {item.reading.evidence.id: item for item in sorted(readings, key=lambda item: item.confidence)}
    ranked = sorted(retrieval.evidence, key=lambda item: -best[item.id].confidence if item.id in best else 0.0)
    marked = {id: (item.reading.start, item.reading.end) for id, item in best.items() if item.confidence >= MIN_MARKED}
    return GatheredEvidence(retrieval, ranked, marked, {})


def _mark_as_possible(extracted: Answer, model: str) -> Answer:
    """Return the extractive answer as a possible one, or the abstention of the model if there is none."""
    if extracted.status != "not_found":
        return replace(demote_to_possible(extracted), notice=FOUND_BY_READER)
    return replace(extracted, written_by=model, confidence=None)


def _compose_strictly(
    question: QuestionAnalysis, retrieval: Retrieval, sentences: Sequence[Sentence], short: str, model: str
) -> Answer:
    """Compose the answer of sentences with verbatim quotes, for models that often err.

    Quotes count more than the model's verdict whether it found an answer: small models often deny an answer that they
    have quoted. The answer is only a possible one if no sentence is supported, if its short answer is in none of its
    sentences and quotes, if it has no number where one is asked for, or if the evidence lacks a name or number of the
    question.
    """
    answer = compose_answer(retrieval, sentences, short=short, written_by=model)
    missing = find_missing(question, retrieval)
    has_number = question.answer_type != "number" or _has_number(f"{answer.short} {answer.text}")
    texts = [text for item in sentences for text in (item.text, *(citation.quote for citation in item.citations))]
    is_consistent = _is_verdict(answer.short) or any(contains_words(answer.short, text) for text in texts)
    is_supported = any(sentence.supported for sentence in sentences)
    is_sure = is_supported and has_number and not missing and (is_consistent or not answer.short)
    return answer if is_sure else demote_to_possible(answer, missing=missing)


def _check_verdict(question: QuestionAnalysis, short: str, sentences: Iterable[Sentence]) -> str:
    """Return the short answer of a model; "" for a verdict that the question does not ask for or a sentence denies."""
    if not _is_verdict(short):
        return short
    is_denied = short.lower().startswith("y") and any(denies(question, sentence.text) for sentence in sentences)
    return short if question.asks_for_verdict and not is_denied else ""


def _is_verdict(short: str) -> bool:
    return short.lower().rstrip(".") in {"yes", "no"}


def _abstains(question: QuestionAnalysis, text: str) -> bool:
    """Whether a text only says that there is no answer; "none" may answer a question for a number."""
    return text.strip(" \t.-").casefold() in _NO_ANSWER and question.answer_type != "number"


def _has_number(text: str) -> bool:
    """Whether a text has a number, in figures or in words."""
    return any(form[0] == "#" for token in tokenize(text) for form in token.forms) or bool(_AMOUNT_WORD.search(text))
