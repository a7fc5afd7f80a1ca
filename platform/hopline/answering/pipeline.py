"""From a question to a retrieval and to an answer, as flows."""

from __future__ import annotations

from hopline.flow.requests import Flow
from hopline.retrieval.evidence_reader import read_ranking
from hopline.retrieval.ranking import Strategy
from hopline.types import Answer, Retrieval


def retrieval_flow(question: str, strategy: Strategy, spec: str, collection: str, k: int) -> Flow[Retrieval]:
    """A strategy's evidence and paths; the trace is the runner's to add."""
    read = yield from read_ranking(strategy, question, k)
    return Retrieval(question, spec, collection, read.evidence, read.paths, graph=read.graph, unaided=read.unaided)


def answer_flow(
    question: str, retrieval: Flow[Retrieval], *, model: str = "", unaided_by_evidence: bool = False
) -> Flow[Answer]:
    """An answer, written by the model of that name or, without one, picked from the evidence."""
    from hopline.answering import extractive, unaided, written

    found = yield from retrieval
    if not model:
        return (yield from extractive(question, found))
    answered = unaided if unaided_by_evidence or found.unaided else written
    return (yield from answered(question, found, model=model))
