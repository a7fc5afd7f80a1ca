"""Training of models on a user's own questions (``hop.training``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hopline.connections import Connections
from hopline.evaluation.evidence_graphs import EvidenceGraphSample
from hopline.evaluation.labels import LabelledText
from hopline.evaluation.questions import Question
from hopline.learned.weight_files import ModelCard
from hopline.topics.service import TopicService
from hopline.training.gnn import GnnTrainingResult
from hopline.training.progress import ProgressCallback, ignore_progress
from hopline.training.training_loop import Recipe

if TYPE_CHECKING:
    from hopline.retrieval.reranking.features import NeuralFeature
    from hopline.training.graph_hop import GraphHopConfig
    from hopline.training.graph_llm import GraphLlmConfig
    from hopline.training.mdr import TrainingCollection
    from hopline.training.reranker import RerankerTrainingResult
    from hopline.training.sub_question_data import SubQuestionSample
else:  # their modules import torch or scipy; `typing.get_type_hints` needs every name
    NeuralFeature = GraphHopConfig = GraphLlmConfig = RerankerTrainingResult = SubQuestionSample = Any
    TrainingCollection = Any


class TrainingService:
    """Trains the models of strategies: each method stores the parameters and returns their description."""

    def __init__(self, connections: Connections, topics: TopicService) -> None:
        self._connections = connections
        self._topics = topics

    def gnn(
        self,
        variant: str,
        questions: Sequence[Question],
        *,
        collection: str = "default",
        layers: int = 1,
        nodes: int | None = None,
        competitors: int | None = None,
        on_progress: ProgressCallback | None = None,
    ) -> GnnTrainingResult:
        """Train α of ``gnn`` or α and β of ``rgnn`` on questions with gold, and store them with the collection.

        ``layers`` is the depth of the network, ``nodes`` the paper's K (5), ``competitors`` its O (25; ``rgnn``: 10);
        ``rgnn`` needs questions with ``steps``. The parameters are used by ``gnn_ret:trained=true`` and
        ``rgnn_ret:trained=true``.

        Raises:
            UnknownName: no such variant or collection.
            UsageError: no question is usable.
        """
        from hopline.training.collection_training import GnnSizes, train_collection_gnn

        scope, callback = self._connections.resolve_scope(collection), on_progress or ignore_progress
        return train_collection_gnn(
            self._connections.store,
            self._connections.services,
            scope,
            variant,
            questions,
            sizes=GnnSizes(layers, nodes, competitors),
            on_progress=callback,
        )

    def mdr(
        self,
        questions: Mapping[str, Sequence[Question]],
        *,
        recipe: Recipe | None = None,
        metadata: Mapping[str, Any] | None = None,
        on_progress: ProgressCallback | None = None,
    ) -> ModelCard:
        """Train the passage guide (MDR), which predicts the next passage, on questions with two gold passages.

        ``questions`` are by collection. The weights go to the home folder, for ``mdr:trained=true``, ``kgp:guide=mdr``,
        ``kgp:graph=mdr`` and ``guided:guide=mdr`` on any collection. An interrupted training is resumed;
        ``metadata`` describes the data in the model card.

        Raises:
            UsageError: too few questions have two gold passages in their collection.
            UnknownName: no such collection.
        """
        from hopline.training.mdr import RECIPE, train_mdr

        callback = on_progress or ignore_progress
        collections = self._fetch_collections(questions, callback)
        folder = self._connections.settings.weights / "mdr"
        return train_mdr(collections, folder, recipe=recipe or RECIPE, metadata=metadata, on_progress=callback)

    def writer(
        self,
        questions: Mapping[str, Sequence[Question]],
        base: str | Path,
        *,
        recipe: Recipe | None = None,
        metadata: Mapping[str, Any] | None = None,
        on_progress: ProgressCallback | None = None,
    ) -> ModelCard:
        """Train a local language model, a transformers folder or a .gguf file, to generate the next passage (KGP).

        It is trained on each collection's questions with two gold passages, for ``kgp:guide=writer`` and
        ``guided:guide=writer`` on any collection. An interrupted training is resumed.

        Raises:
            UsageError: too few questions, no model at ``base``, or the extra ``graph-learning`` is not installed.
            UnknownName: no such collection.
        """
        from hopline.training.writer import RECIPE, train_writer

        callback = on_progress or ignore_progress
        collections = self._fetch_collections(questions, callback)
        folder, path = self._connections.settings.weights / "writer", Path(base).resolve()
        return train_writer(collections, folder, path, recipe=recipe or RECIPE, metadata=metadata, on_progress=callback)

    def reader(
        self,
        files: Sequence[str | Path] = (),
        questions: Mapping[str, Sequence[Question]] | None = None,
        *,
        base: str | Path | None = None,
        recipe: Recipe | None = None,
        resume: bool = True,
        on_progress: ProgressCallback | None = None,
    ) -> ModelCard:
        """Train the reader, which finds the answer of a question in a passage.

        ``files`` are SQuAD's JSON or MRQA's lines (`hopline.training.reader_data.read_reader_file`); ``questions`` are
        by collection: the passages and tables that are found for them, with and without the answer, are the samples.
        ``base`` is a folder of reader weights that the training goes on from, or "included". The weights go to the home
        folder, and are used instead of the included ones. An interrupted training is resumed, unless ``resume`` is
        false.

        Raises:
            UsageError: a file is of neither format, there are too few questions, or ``base`` holds no reader.
            UnknownName: no such collection.
        """
        from hopline.learned.registry import BUNDLED
        from hopline.training.collection_training import fetch_reader_file
        from hopline.training.reader import RECIPE, train_reader
        from hopline.training.reader_data import read_reader_file

        callback = on_progress or ignore_progress
        mined = [
            fetch_reader_file(
                self._connections.services, name, self._connections.resolve_scope(name), collection_questions, callback
            )
            for name, collection_questions in (questions or {}).items()
        ]
        return train_reader(
            [*(read_reader_file(Path(path)) for path in files), *mined],
            self._connections.settings.weights / "reader",
            recipe=recipe or RECIPE,
            base=BUNDLED / "reader" if str(base) == "included" else Path(base) if base else None,
            resume=resume,
            on_progress=callback,
        )

    def graph_hop(
        self,
        graphs: Sequence[EvidenceGraphSample],
        validation: Sequence[EvidenceGraphSample] = (),
        *,
        config: GraphHopConfig | None = None,
        metadata: Mapping[str, Any] | None = None,
        on_progress: ProgressCallback | None = None,
    ) -> ModelCard:
        """Train both directions of Graph-Hop on gold graphs, for ``graph_hop:follows=network`` on any collection.

        Thresholds are selected on ``validation`` graphs, or on every tenth graph if there are none. ``metadata``
        describes the data in the model card. An interrupted training is resumed.

        Raises:
            UsageError: there are too few graphs.
        """
        from hopline.training.graph_hop import split_graphs, train_graph_hop

        training, validation = (graphs, validation) if validation else split_graphs(graphs)
        folder = self._connections.settings.weights / "graph_hop"
        return train_graph_hop(
            training, validation, folder, config=config, metadata=metadata, on_progress=on_progress or ignore_progress
        )

    def label_questions(
        self,
        questions: Sequence[Question],
        *,
        collection: str = "default",
        on_progress: ProgressCallback | None = None,
    ) -> list[SubQuestionSample]:
        """Create samples for a planner and an answerer from questions with two gold passages and an answer (RAS).

        The configured model writes the sub-questions (HotpotQA-SUBQ); questions for which that fails are left out.

        Raises:
            ModelUnavailable: no model is configured, or it cannot be reached.
            UnknownName: no such collection.
        """
        from hopline.training.collection_training import label_questions

        scope = self._connections.resolve_scope(collection)
        return label_questions(
            self._connections.services,
            scope,
            questions,
            budget=self._connections.create_budget(),
            on_progress=on_progress or ignore_progress,
        )

    def graph_llm(
        self,
        samples: Sequence[SubQuestionSample],
        base: str | Path,
        *,
        config: GraphLlmConfig | None = None,
        metadata: Mapping[str, Any] | None = None,
        on_progress: ProgressCallback | None = None,
    ) -> ModelCard:
        """Train a local language model, a transformers folder or a .gguf file, to plan and answer from graphs (RAS).

        ``config`` replaces ``base`` and the defaults. For ``ras:planner=trained`` and `answer_from_graph`. An
        interrupted training is resumed.

        Raises:
            UsageError: too few samples, no model at ``base``, or the extra ``graph-learning`` is not installed.
        """
        from hopline.training.graph_llm import GraphLlmConfig, train_graph_llm

        graph_llm_config = config or GraphLlmConfig(Path(base).resolve())
        folder = self._connections.settings.weights / "graph_llm"
        return train_graph_llm(
            samples, folder, graph_llm_config, metadata=metadata, on_progress=on_progress or ignore_progress
        )

    def reranker(
        self,
        questions: Sequence[Question],
        *,
        collection: str = "default",
        used_in: Sequence[str] = (),
        extras: Sequence[NeuralFeature] = (),
        on_progress: ProgressCallback | None = None,
    ) -> RerankerTrainingResult:
        """Train the reranker of candidates on questions with gold, better 50 or more, for ``hopline:trained=true``.

        It is stored with ``collection``, or with other collections ``used_in``, and used only if its recall on
        held-out questions is higher than that of the untrained order. ``extras`` are trained models whose outputs
        become features: "guide", "themes", "hops"; each makes a question slower. On questions that such a model was
        trained on, its outputs are too confident: the reranker should be trained on others.

        Raises:
            UsageError: too few questions have gold evidence in the collection, or a model of ``extras`` is not trained.
            UnknownName: no such collection.
        """
        from hopline.training.collection_training import train_collection_reranker

        collections = [self._connections.resolve_scope(name).collection for name in used_in]
        scope, callback = self._connections.resolve_scope(collection), on_progress or ignore_progress
        return train_collection_reranker(
            self._connections.store,
            self._connections.services,
            scope,
            questions,
            used_in=collections,
            extras=extras,
            on_progress=callback,
        )

    def topics(
        self,
        collection: str = "default",
        *,
        count: int | None = None,
        questions: Sequence[Question] = (),
        on_progress: ProgressCallback | None = None,
    ) -> ModelCard:
        """Cluster a collection's passages into ``count`` topics, name them, train a classifier, and assign topics.

        ``questions`` with gold train the expected topics of answers, by their ``steps`` where these have gold; without
        any, the first sentence of a passage is used as a question that the passage answers. Names are generated by the
        configured model, or are distinctive terms. New passages get their topics when they are processed.

        Raises:
            UnknownName: no such collection.
            UsageError: it has too few passages.
        """
        from hopline.training.topic_sets import train_topics

        scope = self._connections.resolve_scope(collection)
        weights = self._connections.settings.weights / "themes"
        card = train_topics(
            self._connections.services,
            scope,
            weights,
            count=count,
            questions=questions,
            on_progress=on_progress or ignore_progress,
            by_model=self._connections.language_model is not None,
        )
        self._topics.assign_card(scope.collection, card)
        return card

    def topic_classifier(
        self,
        rows: Sequence[LabelledText],
        name: str,
        *,
        recipe: Recipe | None = None,
        metadata: Mapping[str, Any] | None = None,
        on_progress: ProgressCallback | None = None,
    ) -> ModelCard:
        """Train a classifier on labelled texts: a topic set that any collection can use by its ``name``.

        ``metadata`` describes the data in the model card.

        Raises:
            UsageError: too few rows, or an invalid name.
        """
        from hopline.training.topic_sets import train_topics_from_labels

        folder, embedder = self._connections.settings.weights / "themes", self._connections.services.embedder
        return train_topics_from_labels(
            embedder, rows, folder, name, recipe=recipe, metadata=metadata, on_progress=on_progress or ignore_progress
        )

    def _fetch_collections(
        self, questions: Mapping[str, Sequence[Question]], on_progress: ProgressCallback
    ) -> list[TrainingCollection]:
        from hopline.training.collection_training import fetch_training_collections

        inputs = [
            (name, self._connections.resolve_scope(name), collection_questions)
            for name, collection_questions in questions.items()
        ]
        return fetch_training_collections(self._connections.services, inputs, on_progress=on_progress)
