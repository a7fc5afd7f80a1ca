"""Training from the questions of a collection: fetches samples, trains, and stores the parameters."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from hopline.embeddings.minilm import MiniLM
from hopline.errors import HoplineError, UnknownName, UsageError
from hopline.evaluation.questions import Question, QuestionStep
from hopline.flow.requests import Flow
from hopline.flow.run import run, run_many
from hopline.flow.services import Scope, Services
from hopline.retrieval.agent.llm_session import LlmExhausted
from hopline.retrieval.reranking.learned_reranker import NAME as RERANKER
from hopline.store.graph import Store
from hopline.training.collection_vectors import fetch_collection_vectors
from hopline.training.gnn import RECURRENT, GnnConfig, GnnTrainingResult, train_gnn
from hopline.training.gnn_samples import fetch_gnn_sample
from hopline.training.hop_order import fetch_hops
from hopline.training.progress import ProgressCallback, TrainingProgress, ignore_progress
from hopline.training.reranker import RerankerTrainingResult, fetch_reranker_sample, train_reranker

if TYPE_CHECKING:
    from hopline.flow.budget import Budget
    from hopline.retrieval.reranking.features import NeuralFeature
    from hopline.training.mdr import TrainingCollection
    from hopline.training.reader_data import ReaderFile
    from hopline.training.sub_question_data import SubQuestionSample

T = TypeVar("T")

BATCH = 64  # questions between two progress reports
GNN_CONFIGS = {"gnn": GnnConfig(), "rgnn": RECURRENT}  # for the strategies gnn_ret and rgnn_ret


@dataclass(frozen=True, slots=True)
class GnnSizes:
    """Layers, and the paper's K (``nodes``) and O (``competitors``); None: those of the variant in the paper."""

    layers: int = 1
    nodes: int | None = None
    competitors: int | None = None

    def change(self, config: GnnConfig) -> GnnConfig:
        """Return hyperparameters with these sizes."""
        nodes, competitors = self.nodes or config.nodes, self.competitors or config.competitors
        return replace(config, layers=self.layers, nodes=nodes, competitors=competitors)


def train_collection_gnn(
    store: Store,
    services: Services,
    scope: Scope,
    variant: str,
    questions: Sequence[Question],
    *,
    sizes: GnnSizes = GnnSizes(),
    on_progress: ProgressCallback = ignore_progress,
) -> GnnTrainingResult:
    """Train GNN-Ret or RGNN-Ret on the questions of a collection and store the parameters with it.

    Raises:
        UnknownName: ``variant`` is neither gnn nor rgnn.
        UsageError: no question has gold evidence in the collection, or, for ``rgnn``, sub-questions.
    """
    if variant not in GNN_CONFIGS:
        raise UnknownName("variant of GNN-Ret", variant, GNN_CONFIGS)
    config = sizes.change(GNN_CONFIGS[variant])
    inputs = [
        (question.steps if config.recurrent else (QuestionStep(question.text),), question.gold)
        for question in questions
    ]
    usable = [(steps, gold) for steps, gold in inputs if steps and gold]
    if not usable:
        required = '"gold" and a "decomposition"' if config.recurrent else '"gold"'
        raise UsageError(f"training {variant} needs questions with {required} (got none among {len(questions)})")
    flows = [fetch_gnn_sample(steps, gold, nodes=config.nodes, layers=config.layers) for steps, gold in usable]
    samples = _run_flows(flows, services, scope, on_progress)
    result = train_gnn(samples, config, on_progress)
    result = replace(result, questions_left_out=len(questions) - result.questions)
    save_parameters(store, scope.collection, variant, {**result.to_dict(), "layers": config.layers})
    return result


def train_collection_reranker(
    store: Store,
    services: Services,
    scope: Scope,
    questions: Sequence[Question],
    *,
    used_in: Sequence[str] = (),
    extras: Sequence[NeuralFeature] = (),
    on_progress: ProgressCallback = ignore_progress,
) -> RerankerTrainingResult:
    """Train a reranker on the questions of a collection and store it with the collections ``used_in``, by id.

    Raises:
        UsageError: too few questions have gold evidence in the collection.
    """
    flows = [fetch_reranker_sample(question.text, question.gold, extras) for question in questions if question.gold]
    result = train_reranker(_run_flows(flows, services, scope, on_progress), extras=extras, on_progress=on_progress)
    for collection in used_in or (scope.collection,):
        save_parameters(store, collection, RERANKER, result.to_dict())
    return result


def fetch_training_collections(
    services: Services,
    inputs: Sequence[tuple[str, Scope, Sequence[Question]]],
    *,
    on_progress: ProgressCallback = ignore_progress,
) -> list[TrainingCollection]:
    """Fetch the passages and hops of each name, scope and questions, for the training of MDR and of the writer.

    Raises:
        UsageError: the collections were embedded by another embedder than MiniLM.
    """
    if services.embedder.name != MiniLM.name:
        raise UsageError(
            f"the guide adapts {MiniLM.name} and needs its vectors (got the embedder {services.embedder.name})"
        )
    return [_fetch_training_collection(services, *arguments, on_progress) for arguments in inputs]


def fetch_reader_file(
    services: Services, name: str, scope: Scope, questions: Sequence[Question], on_progress: ProgressCallback
) -> ReaderFile:
    """Fetch training data of the reader: the evidence of each question in a collection, with and without its answer."""
    from hopline.training.reader_data import ReaderFile
    from hopline.training.reader_mining import fetch_reader_paragraphs

    flows = [fetch_reader_paragraphs(question) for question in questions]
    results = _run_flows(flows, services, scope, on_progress)
    return ReaderFile(name, {}, tuple(paragraph for paragraphs in results for paragraph in paragraphs))


def _fetch_training_collection(
    services: Services, name: str, scope: Scope, questions: Sequence[Question], on_progress: ProgressCallback
) -> TrainingCollection:
    from hopline.training.mdr import TrainingCollection

    ids, vectors = run(fetch_collection_vectors(), services, scope).result
    flows = [fetch_hops(question) for question in questions if len(question.gold) > 1]
    hops = _run_flows(
        flows, services, scope, lambda progress: on_progress(replace(progress, phase=f"questions of {name}"))
    )
    return TrainingCollection(name, ids, vectors, hops)


def _run_flows(
    flows: Sequence[Flow[T | None]], services: Services, scope: Scope, on_progress: ProgressCallback = ignore_progress
) -> list[T]:
    results: list[T] = []
    for start in range(0, len(flows), BATCH):
        for outcome in run_many(flows[start : start + BATCH], services, scope):
            if isinstance(outcome, HoplineError):
                raise outcome
            if outcome.result is not None:
                results.append(outcome.result)
        on_progress(TrainingProgress("questions", min(start + BATCH, len(flows)), len(flows)))
    return results


def label_questions(
    services: Services,
    scope: Scope,
    questions: Sequence[Question],
    *,
    budget: Budget | None = None,
    on_progress: ProgressCallback = ignore_progress,
) -> list[SubQuestionSample]:
    """Create the samples of the questions that have an answer and two gold passages in the collection.

    Raises:
        ModelUnavailable: no model is configured, or it cannot be reached.
    """
    from hopline.training.sub_question_data import label_question

    samples: list[SubQuestionSample] = []
    usable = [question for question in questions if question.answers and len(question.gold) > 1]
    try:
        for n, question in enumerate(usable, 1):
            results = run(label_question(question), services, scope, budget=budget).result
            samples += results or []
            on_progress(TrainingProgress("labelling", n, len(usable)))
    except LlmExhausted:
        pass  # the budget is spent: the samples so far are used
    return samples


def save_parameters(store: Store, collection: str, name: str, parameters: Mapping[str, Any]) -> None:
    """Store the parameters of a model with a collection, by id; earlier ones are replaced."""
    values = {"collection": collection, "name": name, "values": json.dumps(parameters)}
    store.write(("learned/write_parameters", values))
