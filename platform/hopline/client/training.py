"""The door for measuring and learning: both need questions whose evidence is known."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from hopline.client.connections import Opened
from hopline.errors import HoplineError, UsageError
from hopline.evaluation.evidence_graphs import Graph
from hopline.evaluation.grading import Marked
from hopline.evaluation.graph_quality import Reached
from hopline.evaluation.questions import Question
from hopline.flow.run import Outcome
from hopline.learned.weight_files import Card
from hopline.retrieval.agent.bidirectional_search import Rule
from hopline.scoring.evidence_graph import GAMMA
from hopline.training.gnn import Learned
from hopline.training.progress import Told
from hopline.training.training_loop import Recipe
from hopline.types import EvidenceGraph

if TYPE_CHECKING:
    from hopline.retrieval.reranking.neural_features import Extra
    from hopline.training.graph_hop import Setup
    from hopline.training.graph_llm import Setup as GraphSetup
    from hopline.training.reranker import LearnedScorer
    from hopline.training.sub_question_data import Sample
else:  # their modules load torch or scipy; `typing.get_type_hints` has to find every name
    Extra = Setup = GraphSetup = LearnedScorer = Sample = Any

T = TypeVar("T")


class Learning(Opened):
    """How good a graph and its answers are, and what can be learned from a user's own questions."""

    def grade(self, marked: Sequence[Marked]) -> list[bool]:
        """The configured model's verdict on answers, beside the right ones, in order.

        Raises:
            ModelUnavailable: no model is configured, or it cannot be reached.
        """
        from hopline.evaluation.grading import grading
        from hopline.flow.run import run_many
        from hopline.flow.services import Scope

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
        from hopline.evaluation.graph_quality import quality, reached_by
        from hopline.flow.run import run_many
        from hopline.strategies.kgp import joined

        chosen = joined(graph, neighbours=neighbours)
        outcomes = run_many([reached_by(one, chosen) for one in questions], self._world, self._scope(collection, ()))
        return quality([_or_raise(one).result for one in outcomes])

    def train(
        self,
        what: str,
        questions: Sequence[Question],
        *,
        collection: str = "default",
        layers: int = 1,
        listener: Callable[[Told], None] | None = None,
    ) -> Learned:
        """Learn α of ``gnn`` or α and β of ``rgnn`` from questions with gold, and keep them with the collection.

        ``layers`` is the depth of the network; ``rgnn`` needs questions with ``steps``. What was learned is
        used by ``gnn_ret:trained=true`` and ``rgnn_ret:trained=true``.

        Raises:
            UnknownName: no such part can be trained.
            UsageError: no question can be learned from.
        """
        from hopline.training.collection_training import train_part
        from hopline.training.progress import unheard

        scope, heard = self._scope(collection, ()), listener or unheard
        return train_part(self._store, self._world, scope, what, questions, layers=layers, listener=heard)

    def train_mdr(
        self,
        questions: Mapping[str, Sequence[Question]],
        *,
        recipe: Recipe | None = None,
        told: Mapping[str, Any] | None = None,
        listener: Callable[[Told], None] | None = None,
    ) -> Card:
        """Teach the guide (MDR) where the next passage is, from each collection's questions with two gold passages.

        ``questions`` are by collection. The weights go to the home folder, for ``mdr:trained=true``, ``kgp:guide=mdr``,
        ``kgp:graph=mdr`` and ``guided:guide=mdr`` on any collection. A training that was stopped is taken up again;
        ``told`` says in the card what the data is.

        Raises:
            UsageError: too few questions have two gold passages in their collection.
            UnknownName: no such collection.
        """
        from hopline.training.collection_training import guide_pools
        from hopline.training.mdr import RECIPE, train_mdr
        from hopline.training.progress import unheard

        asked = [(name, self._scope(name, ()), some) for name, some in questions.items()]
        heard = listener or unheard
        pools = guide_pools(self._world, asked, listener=heard)
        folder = self.settings.weights / "mdr"
        return train_mdr(pools, folder, recipe=recipe or RECIPE, told=told, listener=heard)

    def train_writer(
        self,
        questions: Mapping[str, Sequence[Question]],
        base: str | Path,
        *,
        recipe: Recipe | None = None,
        told: Mapping[str, Any] | None = None,
        listener: Callable[[Told], None] | None = None,
    ) -> Card:
        """Teach a local language model, a folder of transformers or a .gguf file, to write what is needed next (KGP).

        From each collection's questions with two gold passages, for ``kgp:guide=writer`` and ``guided:guide=writer`` on
        any collection. A training that was stopped is taken up again.

        Raises:
            UsageError: too few questions, no model at ``base``, or the extra ``graph-learning`` is not installed.
            UnknownName: no such collection.
        """
        from hopline.training.collection_training import guide_pools
        from hopline.training.progress import unheard
        from hopline.training.writer import RECIPE, train_writer

        asked, heard = [(name, self._scope(name, ()), some) for name, some in questions.items()], listener or unheard
        pools = guide_pools(self._world, asked, listener=heard)
        folder, path = self.settings.weights / "writer", Path(base).resolve()
        return train_writer(pools, folder, path, recipe=recipe or RECIPE, told=told, listener=heard)

    def train_graph_hop(
        self,
        graphs: Sequence[Graph],
        dev: Sequence[Graph] = (),
        *,
        setup: Setup | None = None,
        told: Mapping[str, Any] | None = None,
        listener: Callable[[Told], None] | None = None,
    ) -> Card:
        """Teach both directions of Graph-Hop from right graphs, for ``graph_hop:follows=network`` on any collection.

        What decides is chosen on ``dev``, or on every tenth graph where there is none. ``told`` says in the card what
        the data is. A training that was stopped is taken up again.

        Raises:
            UsageError: there are fewer than `LEAST` graphs.
        """
        from hopline.training.graph_hop import split, train_graph_hop
        from hopline.training.progress import unheard

        taught, chosen_on = (graphs, dev) if dev else split(graphs)
        folder = self.settings.weights / "graph_hop"
        return train_graph_hop(taught, chosen_on, folder, setup=setup, told=told, listener=listener or unheard)

    def label_questions(
        self,
        questions: Sequence[Question],
        *,
        collection: str = "default",
        listener: Callable[[Told], None] | None = None,
    ) -> list[Sample]:
        """What a planner and an answerer learn from, of questions with two gold passages and an answer (HotpotQA-SUBQ).

        The configured model writes the sub-questions; a question that it cannot be asked about is left out.

        Raises:
            ModelUnavailable: no model is configured, or it never answered.
            UnknownName: no such collection.
        """
        from hopline.training.collection_training import label_questions
        from hopline.training.progress import unheard

        scope = self._scope(collection, ())
        return label_questions(self._world, scope, questions, budget=self._budget(), listener=listener or unheard)

    def train_graph_llm(
        self,
        samples: Sequence[Sample],
        base: str | Path,
        *,
        setup: GraphSetup | None = None,
        told: Mapping[str, Any] | None = None,
        listener: Callable[[Told], None] | None = None,
    ) -> Card:
        """Teach a local language model, a folder of transformers or a .gguf file, to plan and answer from graphs (RAS).

        ``setup`` may say more than its ``base``. For ``ras:planner=trained`` and `answer_from_graph`. A training that
        was stopped is taken up again.

        Raises:
            UsageError: too few samples, no model at ``base``, or the extra ``graph-learning`` is not installed.
        """
        from hopline.training.graph_llm import Setup, train_graph_llm
        from hopline.training.progress import unheard

        chosen = setup or Setup(Path(base).resolve())
        folder = self.settings.weights / "graph_llm"
        return train_graph_llm(samples, folder, chosen, told=told, listener=listener or unheard)

    def answer_from_graph(self, question: str, *, collection: str = "default", strategy: str = "ras") -> str:
        """The trained GraphLLM's own short answer, from the facts that ``ras`` finds; it cites nothing.

        Raises:
            UsageError: nothing was trained on this machine, or another strategy than ``ras``; says how to.
            UnknownName: no such collection.
        """
        from hopline.strategies import load_strategy
        from hopline.strategies.ras import answered

        chosen = load_strategy(strategy)
        if chosen.name != "ras":
            raise UsageError(f"answers from a query's graph need the strategy ras (got {strategy})")
        flow = answered(question, **chosen.options)
        return self._run(flow, self._scope(collection, ()), None, record=False).result

    def evidence_graph(
        self,
        question: str,
        facts: Mapping[str, str],
        *,
        follows: Literal["likeness", "network", "model"] = "likeness",
        merge: Rule = "usual",
        gamma: float = GAMMA,
    ) -> EvidenceGraph:
        """The graph of evidence among given facts, texts by their ids: what `graph_hop` does behind its search.

        ``merge`` "usual" is equation 1 of the paper, and by likeness the forward graph.

        Raises:
            UsageError: ``follows="network"``, and nothing was trained on this machine; says how to.
            ModelUnavailable: ``follows="model"`` without one.
        """
        from hopline.flow.services import Scope
        from hopline.retrieval.agent.bidirectional_search import laid_out
        from hopline.scoring.evidence_graph import in_order
        from hopline.types import EvidenceGraph, Node

        flow = laid_out(question, list(facts.items()), follows=follows, rule=merge, gamma=gamma)
        edges = self._run(flow, Scope(""), None, record=False).result
        return EvidenceGraph(tuple(Node(id, "passage", facts[id]) for id in in_order(edges)), tuple(edges))

    def train_scorer(
        self,
        questions: Sequence[Question],
        *,
        collection: str = "default",
        used_in: Sequence[str] = (),
        extras: Sequence[Extra] = (),
        listener: Callable[[Told], None] | None = None,
    ) -> LearnedScorer:
        """Learn to order candidates from questions with gold, for ``hopline:trained=true``; 50 are a start.

        It is kept for ``collection``, or for other collections ``used_in``, and used only where it finds more of the
        gold evidence, on questions that it was not trained on, than the untrained order. ``extras`` are trained parts
        that it listens to as well: "guide", "themes", "hops"; each makes a question slower. Questions
        that taught such a part show it surer than it is: the scorer should learn from others.

        Raises:
            UsageError: too few questions have gold evidence in the collection, or an extra was not trained.
            UnknownName: no such collection.
        """
        from hopline.training.collection_training import train_for_candidates
        from hopline.training.progress import unheard

        others = [self._scope(name, ()).collection for name in used_in]
        scope, heard = self._scope(collection, ()), listener or unheard
        return train_for_candidates(
            self._store, self._world, scope, questions, used_in=others, extras=extras, listener=heard
        )


def _or_raise(outcome: Outcome[T] | HoplineError) -> Outcome[T]:
    if isinstance(outcome, HoplineError):
        raise outcome
    return outcome
