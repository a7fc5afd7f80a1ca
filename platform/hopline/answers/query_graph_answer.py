"""Answers of RAS from the query graph of a question (equation 11): its sub-questions with the facts of their evidence.

GraphLLM, which is trained, reads them and the encoded graph. Any other language model reads them alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from hopline.answers.prompts import request_reply
from hopline.answers.short_answer import (
    FROM_FACTS,
    FROM_MEMORY,
    ShortAnswerModel,
    compose_short_answer,
    read_short_answer,
)
from hopline.errors import UsageError
from hopline.flow.quoted_text import quote_text
from hopline.flow.requests import Flow, infer
from hopline.results import Answer
from hopline.retrieval.agent.planning import PART
from hopline.retrieval.agent.query_graph import QueryGraph
from hopline.retrieval.evidence_retrieval import retrieve_evidence
from hopline.retrieval.evidence_texts import CHARACTERS_PER_TOKEN
from hopline.retrieval.ranking import Ranking, Strategy
from hopline.retrieval.strategy_options import RERANK
from hopline.strategies.ras import AnswerSource, rank_with_facts
from hopline.text.room import fit_in_turns

GRAPH_LLM: Final = "GraphLLM"


def find_answer_source(strategy: Strategy) -> AnswerSource:
    """Return what a strategy answers from: its option ``answer_from``, "passages" for those without it.

    Raises:
        UsageError: the query graph is to be read, but its passages reranked.
    """
    reranked: Mapping[str, Any] = strategy.options.get("options", {})
    if reranked.get("answer_from", "passages") != "passages":
        raise UsageError(
            f"an answer from the query graph does not read the passages; leave out {RERANK} ({strategy.spec})"
        )
    source: AnswerSource = strategy.options.get("answer_from", "passages")
    return source


def answer_from_query_graph(
    strategy: Strategy,
    question: str,
    k: int,
    *,
    model: ShortAnswerModel | None,
    collection: str = "",
) -> Flow[Answer]:
    """Build the query graph of ``ras``, and let a language model answer from it, GraphLLM if ``model`` is None.

    The retrieval of the answer is the ranking of the strategy. The answer is as that of
    `hopline.answers.short_answer.answer_in_short`.

    Raises:
        UsageError: GraphLLM was not trained on this machine; names the command that trains it.
    """
    graphs: list[QueryGraph] = []

    def rank(question: str, k: int, **options: Any) -> Flow[Ranking]:
        ranking, graph = yield from rank_with_facts(question, k, options=options)
        graphs.append(graph)
        return ranking

    retrieval = yield from retrieve_evidence(replace(strategy, rank=rank), question, k, collection=collection)
    graph = graphs[0] if graphs else QueryGraph()
    if model is None:
        text: str = yield infer(PART, task="answer", question=question, rounds=graph.to_rounds(), merged=None)
        return compose_short_answer(retrieval, text, GRAPH_LLM)
    prompt = build_fact_prompt(question, graph, model)
    reply = yield from request_reply(model.instruct(FROM_FACTS if graph.rounds else FROM_MEMORY), prompt)
    return compose_short_answer(retrieval, read_short_answer(reply), model.name, error=reply.error)


def build_fact_prompt(question: str, graph: QueryGraph, model: ShortAnswerModel) -> str:
    """Build the prompt of the sub-questions, each with its facts in reading order, and the question after them.

    The rounds take turns in filling the room for facts.
    """
    texts: Sequence[Sequence[str]] = [[f"{fact}\n" for fact in item.facts] for item in graph.rounds]
    parts = []
    for item, facts, count in zip(
        graph.rounds, texts, fit_in_turns(texts, model.room * CHARACTERS_PER_TOKEN), strict=True
    ):
        shown = quote_text("".join(facts[:count]).strip() or "(none)")
        parts.append(f"Sub-question: {item.question}\nFacts:\n{shown}")
    return "\n\n".join([*parts, model.format_question(question)])
