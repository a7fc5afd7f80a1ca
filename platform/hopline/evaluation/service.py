"""Evaluation of answers and of graphs on questions with known answers (``hop.evaluation``)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from hopline.connections import Connections
from hopline.errors import HoplineError
from hopline.evaluation.grading import GradedAnswer
from hopline.evaluation.graph_quality import Reachability
from hopline.evaluation.questions import Question
from hopline.flow.run import Outcome

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
