"""The flow from a question to its answer: the strategy retrieves evidence, and the answer is extracted or written.

Without a language model, rules, calculations over tables and the reader extract the answer from the evidence
(`hopline.answering.extractive`). With one, it writes the answer, and its quotes are verified
(`hopline.answering.generative`). Both may look at more evidence than the strategy retrieved.
"""

from __future__ import annotations

from hopline.answering.evidence_expansion import separate_additions
from hopline.answering.extractive import THRESHOLD, Retrieve, extract_answer
from hopline.answering.generative import answer_closed_book, generate_answer
from hopline.flow.requests import Flow
from hopline.nlp.question_terms import expand_fiscal_years
from hopline.results import Answer


def answer_question(
    question: str, retrieve: Retrieve, *, model: str = "", reader: bool = True, threshold: float = THRESHOLD
) -> Flow[Answer]:
    """Retrieve evidence and answer a question: a language model writes the answer, or it is extracted.

    ``retrieve`` runs the strategy: for the question, and without a model also for each part of a question with several
    parts. ``model`` is the name of the language model, "" if there is none. It answers from memory (closed book) if the
    strategy decided that no evidence is needed. Without a model, the reader (`hopline.learned.reader`) finds the
    answer, if its confidence, from 0 to 1, reaches ``threshold``; without the ``reader``, the nearest sentences are
    shown.

    The retrieval of the answer is that of the strategy; what answering added to it is the additional evidence.
    """
    retrieval = yield from retrieve(question)
    question = expand_fiscal_years(question)
    if not model:
        answer = yield from extract_answer(question, retrieval, retrieve, reader=reader, threshold=threshold)
    elif retrieval.closed_book:
        answer = yield from answer_closed_book(question, retrieval, model=model)
    else:
        answer = yield from generate_answer(question, retrieval, model=model, reader=reader, threshold=threshold)
    return separate_additions(answer, retrieval)
