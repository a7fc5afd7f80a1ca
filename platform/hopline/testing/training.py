"""The training and the evaluation of a fake client."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from hopline.evaluation.evidence_graphs import EvidenceGraphSample
from hopline.evaluation.grading import GradedAnswer
from hopline.evaluation.graph_quality import GraphDensity, Reachability
from hopline.evaluation.labels import LabelledText
from hopline.evaluation.questions import Question
from hopline.evaluation.service import EvaluationService
from hopline.learned.weight_files import ModelCard
from hopline.results import Answer
from hopline.retrieval.agent.bidirectional_search import BidirectionalGraphs
from hopline.testing.state import FakeQuestion, FakeState, record_calls
from hopline.training.gnn import GnnTrainingResult
from hopline.training.progress import TrainingProgress
from hopline.training.service import TrainingService
from hopline.training.training_loop import Recipe

if TYPE_CHECKING:
    from hopline.retrieval.reranking.features import NeuralFeature
    from hopline.training.graph_hop import GraphHopConfig
    from hopline.training.graph_llm import GraphLlmConfig
    from hopline.training.reranker import RerankerTrainingResult
    from hopline.training.sub_question_data import SubQuestionSample

OnProgress = Callable[[TrainingProgress], None] | None


class FakeTrainingService(TrainingService):
    """`hop.training` of a fake client: nothing is trained, every method returns what the test has set.

    `FakeState.training_results` has the results by the method's name; a method that returns a card returns an
    empty one where the test has set none.
    """

    part = "training."

    def __init__(self, state: FakeState) -> None:
        self.state = state

    @record_calls
    def gnn(
        self,
        variant: str,
        questions: Sequence[Question],
        *,
        collection: str = "default",
        layers: int = 1,
        nodes: int | None = None,
        competitors: int | None = None,
        on_progress: OnProgress = None,
    ) -> GnnTrainingResult:
        """The result that the test has set, or one round on all questions."""
        _report(on_progress, "questions")
        default = GnnTrainingResult((0.25,), 0.5, len(questions), 1, 0.02, 0.01)
        result: GnnTrainingResult = self.state.training_results.get("gnn", default)
        return result

    @record_calls
    def mdr(
        self,
        questions: Mapping[str, Sequence[Question]],
        *,
        recipe: Recipe | None = None,
        metadata: Mapping[str, Any] | None = None,
        on_progress: OnProgress = None,
    ) -> ModelCard:
        """A card."""
        return self._card("mdr", on_progress)

    @record_calls
    def reader(
        self,
        files: Sequence[str | Path] = (),
        questions: Mapping[str, Sequence[Question]] | None = None,
        *,
        base: str | Path | None = None,
        recipe: Recipe | None = None,
        resume: bool = True,
        on_progress: OnProgress = None,
    ) -> ModelCard:
        """A card."""
        return self._card("reader", on_progress)

    @record_calls
    def writer(
        self,
        questions: Mapping[str, Sequence[Question]],
        base: str | Path,
        *,
        recipe: Recipe | None = None,
        metadata: Mapping[str, Any] | None = None,
        on_progress: OnProgress = None,
    ) -> ModelCard:
        """A card."""
        return self._card("writer", on_progress)

    @record_calls
    def graph_hop(
        self,
        graphs: Sequence[EvidenceGraphSample],
        validation: Sequence[EvidenceGraphSample] = (),
        *,
        config: GraphHopConfig | None = None,
        metadata: Mapping[str, Any] | None = None,
        on_progress: OnProgress = None,
    ) -> ModelCard:
        """A card."""
        return self._card("graph_hop", on_progress)

    @record_calls
    def label_questions(
        self,
        questions: Sequence[Question],
        *,
        collection: str = "default",
        on_progress: OnProgress = None,
    ) -> list[SubQuestionSample]:
        """The samples that the test has set."""
        _report(on_progress, "labelling")
        samples: list[SubQuestionSample] = self.state.training_results.get("label_questions", [])
        return samples

    @record_calls
    def graph_llm(
        self,
        samples: Sequence[SubQuestionSample],
        base: str | Path,
        *,
        config: GraphLlmConfig | None = None,
        metadata: Mapping[str, Any] | None = None,
        on_progress: OnProgress = None,
    ) -> ModelCard:
        """A card."""
        return self._card("graph_llm", on_progress)

    @record_calls
    def reranker(
        self,
        questions: Sequence[Question],
        *,
        collection: str = "default",
        used_in: Sequence[str] = (),
        extras: Sequence[NeuralFeature] = (),
        on_progress: OnProgress = None,
    ) -> RerankerTrainingResult:
        """The result that the test has set."""
        _report(on_progress, "folds")
        result: RerankerTrainingResult = self.state.training_results["reranker"]
        return result

    @record_calls
    def topics(
        self,
        collection: str = "default",
        *,
        count: int | None = None,
        questions: Sequence[Question] = (),
        on_progress: OnProgress = None,
    ) -> ModelCard:
        """A card; the collection gets the set of topics that is named after it, if the test has set one."""
        if collection in self.state.topic_sets:
            self.state.topics[collection] = self.state.topic_sets[collection]
        return self._card("topics", on_progress)

    @record_calls
    def topic_classifier(
        self,
        rows: Sequence[LabelledText],
        name: str,
        *,
        recipe: Recipe | None = None,
        metadata: Mapping[str, Any] | None = None,
        on_progress: OnProgress = None,
    ) -> ModelCard:
        """A card."""
        return replace(self._card("topic_classifier", on_progress), part=f"themes/{name}")

    def _card(self, part: str, on_progress: OnProgress) -> ModelCard:
        _report(on_progress, part)
        empty = ModelCard(part, 1, "", "", {}, {}, {}, {}, 0.0)
        card: ModelCard = self.state.training_results.get(part, empty)
        return card


class FakeEvaluationService(EvaluationService):
    """`hop.evaluation` of a fake client."""

    part = "evaluation."

    def __init__(self, state: FakeState) -> None:
        self.state = state

    @record_calls
    def grade(self, answers: Sequence[GradedAnswer]) -> list[bool]:
        """Every answer is right."""
        return [True] * len(answers)

    @record_calls
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
        """The answer that the test has set."""
        return self.state.answer(FakeQuestion(question, collection, tuple(documents), strategy, k, filter=filter))

    @record_calls
    def search_evidence_graphs(
        self, graphs: Sequence[EvidenceGraphSample], *, follows: Literal["network", "likeness"]
    ) -> list[BidirectionalGraphs]:
        """The gold graphs, in both directions."""
        return [BidirectionalGraphs(graph.edges, graph.edges, graph.edges) for graph in graphs]

    @record_calls
    def graph_density(self, *, collection: str = "default", hub: int = 20) -> GraphDensity:
        """A graph of ``hub`` nodes with one edge for each."""
        return GraphDensity(hub, 1.0)

    @record_calls
    def graph_quality(
        self, questions: Sequence[Question], *, graph: str, collection: str = "default", neighbours: int = 50
    ) -> list[Reachability]:
        """The figures that the test has set."""
        figures: list[Reachability] = self.state.training_results.get("graph_quality", [])
        return figures


def _report(on_progress: OnProgress, phase: str) -> None:
    if on_progress is not None:
        on_progress(TrainingProgress(phase, 1, 1))
