"""A client in memory, for tests of code that uses Hopline."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, Self

from hopline.answers.answerer import Answerer
from hopline.answers.drafts import DraftCallback
from hopline.client import Hopline
from hopline.config import Settings
from hopline.documents.status import Status
from hopline.errors import HoplineError, UsageError
from hopline.exchange.folder_import import ImportedCollection
from hopline.exchange.forms import ExportForm
from hopline.exchange.layout import Manifest
from hopline.flow.execution import StepCallback
from hopline.ids import collection_id
from hopline.question_suggestions import SuggestedQuestion
from hopline.records import Collection
from hopline.remote.client import RemoteHopline
from hopline.results import Answer, AnswerDraft, Context, EvidenceGraph, Retrieval
from hopline.retrieval.agent.bidirectional_search import MergeOption
from hopline.retrieval.ranking import Strategy
from hopline.testing.documents import FakeDocumentLibrary
from hopline.testing.graph import (
    FakeCorrectionService,
    FakeEntityResolution,
    FakeFeedbackService,
    FakeGraphExplorer,
    FakeTopicService,
)
from hopline.testing.state import Call, FakeQuestion, FakeState, record_calls
from hopline.testing.training import FakeEvaluationService, FakeTrainingService


class FakeHopline(Hopline):
    """A `Hopline` without a database: it returns what `state` says, and logs every call there.

    ``FakeHopline(answer=…, documents=…)`` sets fields of `hopline.testing.state.FakeState`. Every public method and
    every part of `hopline.client.Hopline` is here with the same signature.
    """

    part = ""

    def __init__(self, **state: Any) -> None:
        self.state = FakeState(**state)

    @classmethod
    def open(
        cls,
        home: str | Path | None = None,
        uri: str | None = None,
        *,
        progress: Callable[[int, int, str], None] | None = None,
        worker: bool = True,
        **settings: Any,
    ) -> Self:
        """A fake client with an empty state."""
        return cls()

    @staticmethod
    def connect(url: str, key: str | None = None, *, timeout: float | None = 600.0) -> RemoteHopline:
        """A fake client reaches no service: raises UsageError."""
        raise UsageError(f"a fake client connects to no service (got {url!r}); use the fake client itself")

    @classmethod
    def stop(cls, home: str | Path | None = None) -> bool:
        """No server runs."""
        return False

    def close(self) -> None:
        """Log the call; `FakeState.error` is not raised."""
        self.state.calls.append(Call("close", {}))

    @property
    def settings(self) -> Settings:
        """The settings that the test has set."""
        return self.state.settings

    @record_calls
    def status(self) -> Status:
        """The status that the test has set."""
        return self.state.status

    def warm_up(self) -> None:
        """Nothing has to be loaded."""

    def start_warm_up(self) -> None:
        """Nothing has to be loaded."""

    def reload_model(self) -> Hopline:
        """The same client: its settings are those of the test."""
        return self

    def create_uncached_client(self) -> Hopline:
        """The same client: nothing is cached."""
        return self

    @record_calls
    def collections(self) -> list[Collection]:
        """The collections of `FakeState.documents`, by name."""
        return [
            Collection(
                collection_id(name),
                name,
                len(documents),
                sum(document.passages for document in documents),
                self.settings.extraction_model,
                sum(document.tables for document in documents),
            )
            for name, documents in sorted(self.state.documents.items())
        ]

    @record_calls
    def upgrade(self) -> int:
        """The outdated documents of the status that the test has set."""
        return self.state.status.outdated

    @record_calls
    def rename_collection(self, collection: str, to: str) -> None:
        """Move the documents to a collection of another name."""
        documents = self.state.documents_of(collection)
        if to in self.state.documents:
            raise UsageError(f"there is a collection called {to!r} already")
        self.state.documents[to] = [replace(document, collection=to) for document in documents]
        del self.state.documents[collection]

    @record_calls
    def export(
        self,
        collection: str,
        folder: str | Path,
        *,
        form: ExportForm = "jsonl",
        vectors: bool = True,
        originals: bool = True,
        unfinished: bool = False,
    ) -> Manifest:
        """The manifest of a collection; no file is written."""
        documents = self.state.documents_of(collection)
        counts = {"documents": len(documents), "passages": sum(document.passages for document in documents)}
        return Manifest(collection, collection_id(collection), "2024-01-01T00:00:00+00:00", "0", 0, counts=counts)

    @record_calls
    def import_collection(
        self,
        folder: str | Path,
        collection: str | None = None,
        *,
        bulk: bool = False,
        progress: Callable[[int, int, str], None] | None = None,
    ) -> ImportedCollection:
        """An empty collection, named as the folder by default."""
        name = Path(folder).name if collection is None else collection
        if name in self.state.documents:
            raise UsageError(f"there is a collection called {name!r} already")
        self.state.documents[name] = []
        return ImportedCollection(name, collection_id(name))

    @record_calls
    def backup(self, file: str | Path, *, unfinished: bool = False) -> list[Manifest]:
        """The manifests of all collections; no file is written."""
        return [self.export(name, file) for name in sorted(self.state.documents)]

    @record_calls
    def restore(self, file: str | Path, *, force: bool = False) -> list[ImportedCollection]:
        """An empty collection, named as the file."""
        return [self.import_collection(file, Path(file).stem)]

    # -- parts

    @cached_property
    def documents(self) -> FakeDocumentLibrary:
        """Documents."""
        return FakeDocumentLibrary(self.state)

    @cached_property
    def entities(self) -> FakeEntityResolution:
        """Entities."""
        return FakeEntityResolution(self.state)

    @cached_property
    def corrections(self) -> FakeCorrectionService:
        """Corrections."""
        return FakeCorrectionService(self.state)

    @cached_property
    def feedback(self) -> FakeFeedbackService:
        """Feedback on answers."""
        return FakeFeedbackService(self.state)

    @cached_property
    def topics(self) -> FakeTopicService:
        """Topics."""
        return FakeTopicService(self.state)

    @cached_property
    def graph(self) -> FakeGraphExplorer:
        """The graph."""
        return FakeGraphExplorer(self.state)

    @cached_property
    def training(self) -> FakeTrainingService:
        """Training."""
        return FakeTrainingService(self.state)

    @cached_property
    def evaluation(self) -> FakeEvaluationService:
        """Evaluation."""
        return FakeEvaluationService(self.state)

    # -- questions

    @record_calls
    def ask(
        self,
        question: str,
        *,
        collection: str = "default",
        documents: Sequence[str] = (),
        filter: str = "",
        strategy: str | Strategy | None = None,
        k: int | None = None,
        history: Sequence[Answer] = (),
        on_step: StepCallback | None = None,
        on_draft: DraftCallback | None = None,
        record: bool = False,
        answerers: Sequence[Answerer] = (),
    ) -> Answer:
        """The answer that `FakeState.answer` makes; before that of a model, a draft with each of its sentences."""
        answer = self._answer(
            question, collection, strategy, documents=documents, filter=filter, k=k, history=history, on_step=on_step
        )
        if on_draft is not None and answer.by_model:
            for number, sentence in enumerate(answer.claims):
                on_draft(AnswerDraft(answer.claims[:number], sentence.text))
        return answer

    @record_calls
    def retrieve(
        self,
        question: str,
        *,
        collection: str = "default",
        documents: Sequence[str] = (),
        filter: str = "",
        strategy: str | Strategy | None = None,
        k: int | None = None,
        on_step: StepCallback | None = None,
        record: bool = False,
    ) -> Retrieval:
        """The retrieval of the answer that `FakeState.answer` makes."""
        return self._answer(
            question, collection, strategy, documents=documents, filter=filter, k=k, on_step=on_step
        ).retrieval

    @record_calls
    def context(
        self,
        question: str,
        tokens: int = 4000,
        *,
        collection: str = "default",
        documents: Sequence[str] = (),
        filter: str = "",
        strategy: str | Strategy | None = None,
        k: int | None = None,
    ) -> Context:
        """The evidence of the answer that `FakeState.answer` makes, packed as by the real client."""
        from hopline.answers.context import check_token_limit, pack_evidence
        from hopline.answers.generated import GatheredEvidence
        from hopline.questions.analysis import analyse_question

        limit = check_token_limit(tokens)
        retrieval = self._answer(question, collection, strategy, documents=documents, filter=filter, k=k).retrieval
        gathered = GatheredEvidence(retrieval, retrieval.evidence, {}, {})
        return pack_evidence(analyse_question(question), retrieval, gathered, tokens=limit)

    @record_calls
    def retrieve_many(
        self,
        questions: Sequence[str],
        *,
        collection: str = "default",
        documents: Sequence[str] = (),
        filter: str = "",
        strategy: str | Strategy | None = None,
        k: int | None = None,
    ) -> list[Retrieval | HoplineError]:
        """The retrieval for each question."""
        return [
            self._answer(question, collection, strategy, documents=documents, filter=filter, k=k).retrieval
            for question in questions
        ]

    @record_calls
    def compare(
        self,
        question: str,
        *,
        strategies: Sequence[str],
        collection: str = "default",
        documents: Sequence[str] = (),
        filter: str = "",
        k: int | None = None,
    ) -> dict[str, Retrieval]:
        """The retrieval of each strategy."""
        scope: dict[str, Any] = {"documents": documents, "filter": filter}
        return {name: self._answer(question, collection, name, **scope, k=k).retrieval for name in strategies}

    def strategies(self, *, usable: bool = False) -> dict[str, str]:
        """The strategies that the test has set, or all that are installed."""
        if self.state.strategies is not None:
            return self.state.strategies
        from hopline.strategies import load_working_strategies

        return {strategy.name: strategy.summary for strategy in load_working_strategies()}

    @record_calls
    def suggest_questions(self, collection: str = "default", *, limit: int = 5) -> list[SuggestedQuestion]:
        """The questions that the test has set."""
        self.state.documents_of(collection)
        return list(self.state.suggested_questions[:limit])

    @record_calls
    def answer_from_graph(
        self, question: str, *, collection: str = "default", filter: str = "", strategy: str = "ras"
    ) -> str:
        """The short answer that `FakeState.answer` makes."""
        return self._answer(question, collection, strategy, filter=filter).short

    @record_calls
    def evidence_graph(
        self,
        question: str,
        facts: Mapping[str, str],
        *,
        follows: Literal["likeness", "network", "model"] = "likeness",
        merge: MergeOption = "usual",
        gamma: float | None = None,
    ) -> EvidenceGraph:
        """The evidence graph of the answer that `FakeState.answer` makes; empty where it has none."""
        return self._answer(question, "default", "graph_hop").retrieval.graph or EvidenceGraph((), ())

    def _answer(
        self,
        question: str,
        collection: str,
        strategy: str | Strategy | None,
        *,
        documents: Sequence[str] = (),
        filter: str = "",
        k: int | None = None,
        history: Sequence[Answer] = (),
        on_step: StepCallback | None = None,
    ) -> Answer:
        self.state.documents_of(collection)
        name = strategy if isinstance(strategy, str) else strategy.name if strategy else self.settings.strategy
        fake = FakeQuestion(
            question,
            collection,
            tuple(documents),
            name,
            self.settings.k if k is None else k,
            tuple(history),
            filter,
        )
        answer = self.state.answer(fake)
        for step in answer.retrieval.trace.steps:
            if on_step is not None:
                on_step(step)
        return answer
