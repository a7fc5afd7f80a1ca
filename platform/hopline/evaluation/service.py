"""Evaluation of answers and of graphs on questions with known answers (``hop.evaluation``)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Literal, TypeVar

from hopline.connections import Connections
from hopline.errors import HoplineError, ModelUnavailable
from hopline.evaluation.evidence_graphs import EvidenceGraphSample
from hopline.evaluation.grading import GradedAnswer
from hopline.evaluation.graph_quality import GraphDensity, Reachability
from hopline.evaluation.questions import Question
from hopline.flow.run import Outcome
from hopline.results import Answer, Retrieval
from hopline.retrieval.agent.bidirectional_search import BidirectionalGraphs
from hopline.text_encoding import normalize_text

NO_MODEL: Final = "answers as in papers are those of a language model, and none is configured (HOPLINE_MODEL)"

T = TypeVar("T")


class EvaluationService:
    """Metrics that need the database or the configured model."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def grade(self, answers: Sequence[GradedAnswer]) -> list[bool]:
        """Grade answers by the configured model, which sees the correct ones; results in order.

        Raises:
            ModelUnavailable: no model is configured, or it cannot be reached.
        """
        from hopline.evaluation.grading import grade_answer
        from hopline.flow.run import run_many
        from hopline.flow.services import Scope

        flows = [grade_answer(answer) for answer in answers]
        outcomes = run_many(flows, self._connections.services, Scope(""), budget=self._connections.create_budget())
        return [_raise_error(outcome).result for outcome in outcomes]

    def answer_in_short(
        self,
        question: str,
        *,
        collection: str = "default",
        documents: Sequence[str] = (),
        strategy: str,
        k: int,
        max_tokens: int | None = None,
        options: Sequence[str] = (),
        filter: str = "",
    ) -> Answer:
        """Let the configured model answer from the evidence of a strategy alone (`hopline.answers.short_answer`).

        With the option ``answer_from`` of ``ras`` it answers from the query graph, or the trained GraphLLM does.

        ``max_tokens`` limits the evidence; None: the context of the model does. ``options`` are those of a
        multiple-choice question. The answer is an abstention if no document matches ``filter``.

        Raises:
            ModelUnavailable: no model is configured.
            UnknownName: no such collection, document or strategy.
            UsageError: GraphLLM is to answer, and was not trained on this machine.
        """
        from hopline.answers.query_graph_answer import answer_from_query_graph, find_answer_source
        from hopline.answers.short_answer import ShortAnswerModel, answer_in_short
        from hopline.strategies import load_strategy

        loaded = load_strategy(strategy)
        source = find_answer_source(loaded)
        connections = self._connections
        llm = connections.services.language_model if source != "graph_llm" else None
        if llm is None and source != "graph_llm":
            raise ModelUnavailable(NO_MODEL)
        context = connections.settings.model_context
        model = ShortAnswerModel(llm.name, context, max_tokens, tuple(options)) if llm is not None else None
        text = normalize_text(question)
        if model is None or source == "graph":
            flow = answer_from_query_graph(loaded, text, k, model=model, collection=collection)
        else:
            flow = answer_in_short(loaded, text, k, model=model, collection=collection)
        scope = connections.resolve_scope(collection, documents, filter)
        if scope.is_empty:
            retrieval = Retrieval(text, loaded.spec or loaded.name, collection, not_searched=scope.notice)
            return Answer(text, (), retrieval, abstained=True, model_error=scope.notice)
        outcome = connections.run(flow, scope)
        answer = outcome.result
        return replace(answer, retrieval=replace(answer.retrieval, trace=outcome.trace))

    def search_evidence_graphs(
        self, graphs: Sequence[EvidenceGraphSample], *, follows: Literal["network", "likeness"]
    ) -> list[BidirectionalGraphs]:
        """Search the evidence graphs of both directions over the facts of each question (Graph-Hop).

        By the trained network or the likeness of the sentence encoder, as `hopline.strategies.graph_hop` does.

        Raises:
            UsageError: the network was not trained on this machine; names the command that trains it.
        """
        from hopline.flow.run import run_many
        from hopline.flow.services import Scope
        from hopline.retrieval.agent.bidirectional_search import (
            SimilarityScorer,
            score_with_network,
            search_both_directions,
        )
        from hopline.scoring.evidence_graph import GAMMA

        scorer = score_with_network if follows == "network" else SimilarityScorer()
        flows = [
            search_both_directions(graph.question, list(graph.facts.items()), scorer, rule="equation", gamma=GAMMA)
            for graph in graphs
        ]
        outcomes = run_many(flows, self._connections.services, Scope(""))
        return [_raise_error(outcome).result for outcome in outcomes]

    def graph_density(self, *, collection: str = "default", hub: int = 20) -> GraphDensity:
        """Count the nodes and edges of the graph of `gnn_ret`; entities in more than ``hub`` passages link none.

        Raises:
            UnknownName: no such collection.
        """
        from hopline.evaluation.graph_quality import measure_density

        return self._connections.run(measure_density(hub), self._connections.resolve_scope(collection)).result

    def graph_quality(
        self, questions: Sequence[Question], *, graph: str, collection: str = "default", neighbours: int = 50
    ) -> list[Reachability]:
        """Measure how much gold is within 0, 1 and 2 hops of the first passages of questions, in a graph of `kgp`.

        ``graph`` is entities, keywords or similar; ``neighbours`` is the maximum number followed from one passage.

        Raises:
            UnknownName: no such graph or collection.
        """
        from hopline.evaluation.graph_quality import average_reach, measure_reach
        from hopline.flow.run import run_many
        from hopline.retrieval.passage_graph import create_passage_graph

        selected = create_passage_graph(graph, neighbours=neighbours)
        outcomes = run_many(
            [measure_reach(question, selected) for question in questions],
            self._connections.services,
            self._connections.resolve_scope(collection),
        )
        return average_reach([_raise_error(outcome).result for outcome in outcomes])


def _raise_error(outcome: Outcome[T] | HoplineError) -> Outcome[T]:
    if isinstance(outcome, HoplineError):
        raise outcome
    return outcome
