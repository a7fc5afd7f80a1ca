"""The door for measuring and learning: both need questions whose evidence is known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from hopline.errors import HoplineError
from hopline.sdk.opened import Opened

if TYPE_CHECKING:
    from hopline.evaluate.grading import Marked
    from hopline.evaluate.graph_quality import Reached
    from hopline.evaluate.questions import Question
    from hopline.flow.run import Outcome
    from hopline.training.gnn import Learned
    from hopline.training.scorer import LearnedScorer

T = TypeVar("T")


class Learning(Opened):
    """How good a graph and its answers are, and what can be learned from a user's own questions."""

    def grade(self, marked: Sequence[Marked]) -> list[bool]:
        """The configured model's verdict on answers, beside the right ones, in order.

        Raises:
            ModelUnavailable: no model is configured, or it cannot be reached.
        """
        from hopline.evaluate.grading import grading
        from hopline.flow.run import run_many
        from hopline.flow.world import Scope

        flows = [grading(one) for one in marked]
        outcomes = run_many(flows, self._world, Scope(""), budget=self._budget())
        return [_or_raise(one).result for one in outcomes]

    def graph_quality(
        self, questions: Sequence[Question], *, graph: str, collection: str = "default", neighbours: int = 50
    ) -> list[Reached]:
        """How much of the questions' gold lies within 0, 1 and 2 hops of their first passages in a graph of `kgp`.

        ``graph`` is entities, keywords or similar; ``neighbours`` is how many of one passage are followed, its density.

        Raises:
            UnknownName: no such graph or collection.
        """
        from hopline.evaluate.graph_quality import quality, reached_by
        from hopline.flow.run import run_many
        from hopline.strategies.kgp import joined

        chosen = joined(graph, neighbours=neighbours)
        outcomes = run_many([reached_by(one, chosen) for one in questions], self._world, self._scope(collection, ()))
        return quality([_or_raise(one).result for one in outcomes])

    def train(
        self, what: str, questions: Sequence[Question], *, collection: str = "default", layers: int = 1
    ) -> Learned:
        """Learn α of ``gnn`` or α and β of ``rgnn`` from questions with gold, and keep them with the collection.

        ``layers`` is the depth of the network; ``rgnn`` needs questions with ``steps``. What was learned is
        used by ``gnn_ret:trained=true`` and ``rgnn_ret:trained=true``.

        Raises:
            UnknownName: no such part can be trained.
            UsageError: no question can be learned from.
        """
        from hopline.training.run import train_part

        return train_part(self._store, self._world, self._scope(collection, ()), what, questions, layers=layers)

    def train_scorer(
        self, questions: Sequence[Question], *, collection: str = "default", used_in: Sequence[str] = ()
    ) -> LearnedScorer:
        """Learn to order candidates from questions with gold, for ``hopline:trained=true``; 50 are a start.

        It is kept for ``collection``, or for other collections ``used_in``, and used only where it finds more of the
        gold evidence, on questions that it was not trained on, than the untrained order.

        Raises:
            UsageError: too few questions have gold evidence in the collection.
            UnknownName: no such collection.
        """
        from hopline.training.run import train_for_candidates

        others = [self._scope(name, ()).collection for name in used_in]
        return train_for_candidates(self._store, self._world, self._scope(collection, ()), questions, used_in=others)


def _or_raise(outcome: Outcome[T] | HoplineError) -> Outcome[T]:
    if isinstance(outcome, HoplineError):
        raise outcome
    return outcome
