"""The flow from a question to its answer."""

from __future__ import annotations

from hopline.answering.evidence_expansion import separate_additions
from hopline.answering.extractive import THRESHOLD, Retrieve, extract_answer
from hopline.answering.generative import answer_closed_book, generate_answer
from hopline.flow.requests import Flow
from hopline.results import Answer


def answer_question(
    question: str, retrieve: Retrieve, *, model: str = "", reader: bool = True, threshold: float = THRESHOLD
) -> Flow[Answer]:
    """Retrieve evidence and answer a question: a language model writes the answer, or it is extracted.

    ``retrieve`` runs the strategy: for the question, and without a model also for each part of a question with several
    parts. ``model`` is the name of the language model, "" if there is none. Without one, the reader
    (`hopline.learned.reader`) finds the answer, if its confidence reaches ``threshold``; without the ``reader``, the
    nearest sentences are shown.
    """
    retrieval = yield from retrieve(question)
    if not model:
        answer = yield from extract_answer(question, retrieval, retrieve, reader=reader, threshold=threshold)
    elif retrieval.closed_book:
        answer = yield from answer_closed_book(question, retrieval, model=model)
    else:
        answer = yield from generate_answer(question, retrieval, model=model, reader=reader, threshold=threshold)
    return separate_additions(answer, retrieval)
