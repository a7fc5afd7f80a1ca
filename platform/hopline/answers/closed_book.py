"""Answers that a language model gives from its own knowledge, without evidence."""

from __future__ import annotations

from dataclasses import replace

from hopline.answers.composition import compose_answer
from hopline.answers.prompts import CLOSED_BOOK, request_reply
from hopline.flow.requests import Flow
from hopline.questions.analysis import QuestionAnalysis
from hopline.results import Answer, Retrieval, Sentence


def answer_closed_book(question: QuestionAnalysis, retrieval: Retrieval, *, model: str) -> Flow[Answer]:
    """Answer with one sentence of the model, never supported and never cited; abstain if the model does not know.

    If the model fails, the abstention's ``model_error`` says why.
    """
    reply = yield from request_reply(CLOSED_BOOK, question.original)
    if not reply.ok:
        return replace(compose_answer(retrieval, ()), model_error=reply.error)
    text = " ".join((reply.data["text"] or reply.data["short"]).split())
    if not text:
        return compose_answer(retrieval, (), written_by=model)
    return compose_answer(
        retrieval, [Sentence(text, state="unsupported")], short=reply.data["short"].strip(), written_by=model
    )
