"""Evaluation of answers and of graphs on questions with known answers (``hop.evaluation``)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, TypeVar

from hopline.connections import Connections
from hopline.errors import HoplineError, ModelUnavailable
from hopline.evaluation.grading import GradedAnswer
from hopline.evaluation.graph_quality import Reachability
from hopline.evaluation.questions import Question
from hopline.flow.run import Outcome
from hopline.results import Answer
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
        chooses: bool = False,
    ) -> Answer:
        """Let the configured model answer from the evidence of a strategy alone (`hopline.answers.short_answer`).

        ``max_tokens`` limits the evidence; None: the context of the model does. ``chooses``: the question has options
        with letters, one of which is the answer.

        Raises:
            ModelUnavailable: no model is configured.
            UnknownName: no such collection, document or strategy.
        """
        from hopline.answers.short_answer import ShortAnswerModel, answer_in_short
        from hopline.strategies import load_strategy

        connections = self._connections
        llm = connections.services.language_model
        if llm is None:
            raise ModelUnavailable(NO_MODEL)
        model = ShortAnswerModel(llm.name, connections.settings.model_context, max_tokens, chooses)
        flow = answer_in_short(load_strategy(strategy), normalize_text(question), k, model=model, collection=collection)
        outcome = connections.run(flow, connections.resolve_scope(collection, documents))
        answer = outcome.result
        return replace(answer, retrieval=replace(answer.retrieval, trace=outcome.trace))

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
