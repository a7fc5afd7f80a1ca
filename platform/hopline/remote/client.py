"""`Hopline` over HTTP: the methods of the Python client, answered by a running service."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Literal, Self

from hopline.errors import HoplineError, ServiceError, UsageError
from hopline.records import Collection
from hopline.remote.transport import Transport, build_error, decode
from hopline.results import Answer, AnswerDraft, Context, EvidenceGraph, Retrieval, Sentence
from hopline.results.serialization import trace_step_from_dict

if TYPE_CHECKING:
    from hopline.answers.answerer import Answerer
    from hopline.answers.drafts import DraftCallback
    from hopline.documents.addition import Titles
    from hopline.documents.estimate import Estimate
    from hopline.documents.library import Paths
    from hopline.documents.progress import Progress
    from hopline.documents.status import Status
    from hopline.entities.resolution import MergeSuggestion
    from hopline.exchange.forms import ExportForm
    from hopline.exchange.layout import Manifest
    from hopline.flow.execution import StepCallback
    from hopline.graph_explorer import Neighbourhood
    from hopline.metadata.values import MetadataChange
    from hopline.question_suggestions import SuggestedQuestion
    from hopline.remote.documents import RemoteBatch, RemoteDocumentLibrary
    from hopline.remote.graph import (
        RemoteCorrectionService,
        RemoteEntityResolution,
        RemoteFeedbackService,
        RemoteGraphExplorer,
        RemoteTopicService,
    )
    from hopline.retrieval.agent.bidirectional_search import MergeOption
    from hopline.retrieval.ranking import Strategy

DEFAULT_TIMEOUT: Final = 600.0  # seconds for an answer


class RemoteHopline:
    """A client of a running service, with the methods of `hopline.client.Hopline` that a service offers.

    Results and errors are those of `Hopline`. What runs in the caller's process cannot be passed to a service:
    answerers and strategies of your own, and recording. Training, backup and import are done on the machine of the
    service.
    """

    def __init__(self, url: str, key: str | None = None, *, timeout: float | None = DEFAULT_TIMEOUT) -> None:
        """``key`` is an API key of the service, which needs none on its own machine while it has none.

        ``timeout`` is in seconds; None: none. The service is not called yet.

        Raises:
            UsageError: the URL is not that of a web service.
        """
        self._transport = Transport(url, key, timeout)

    @property
    def url(self) -> str:
        """The URL of the service."""
        return self._transport.url

    def close(self) -> None:
        """Close the connections; the service continues."""
        self._transport.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # -- the service and its collections

    def status(self) -> Status:
        """The state of the database, the worker and the collections."""
        from hopline.documents.status import Status

        return decode(Status, self._transport.get("/status"))

    def collections(self) -> list[Collection]:
        """Every collection that the key may use, by name."""
        return decode(list[Collection], self._transport.get("/collections"))

    def upgrade(self) -> int:
        """Queue the documents that an older version of the parser parsed, and return their number."""
        return int(self._transport.post("/upgrade", {})["count"])

    def rename_collection(self, collection: str, to: str) -> None:
        """Give a collection another name; its contents stay."""
        self._transport.send("PATCH", "/collections", {"collection": collection}, json={"name": to})

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
        """Download an exported collection to a new folder of this machine; see `hopline.client.Hopline.export`.

        Raises:
            UsageError: the folder exists and is not empty, or the collection cannot be exported.
        """
        from hopline.exchange.folder_export import create_folder
        from hopline.exchange.layout import MANIFEST, Manifest

        query = {"collection": collection, "form": form, "vectors": vectors, "originals": originals}
        with (
            create_folder(Path(folder).expanduser()) as partial,
            tempfile.NamedTemporaryFile(suffix=".zip") as archive,
            self._transport.open_download("/export", {**query, "unfinished": unfinished}) as parts,
        ):
            for part in parts:
                archive.write(part)
            archive.flush()
            shutil.unpack_archive(archive.name, partial, "zip")
            return Manifest.from_json((partial / MANIFEST).read_text("utf-8"))

    # -- parts

    @cached_property
    def documents(self) -> RemoteDocumentLibrary:
        """Documents: add, list, retry, remove."""
        from hopline.remote.documents import RemoteDocumentLibrary

        return RemoteDocumentLibrary(self._transport, _draw_progress)

    @cached_property
    def entities(self) -> RemoteEntityResolution:
        """Entities: similar names, merge, undo."""
        from hopline.remote.graph import RemoteEntityResolution

        return RemoteEntityResolution(self._transport)

    @cached_property
    def corrections(self) -> RemoteCorrectionService:
        """Corrections of what was read from documents: correct, list, undo."""
        from hopline.remote.graph import RemoteCorrectionService

        return RemoteCorrectionService(self._transport)

    @cached_property
    def feedback(self) -> RemoteFeedbackService:
        """Feedback on answers: add, list, delete."""
        from hopline.remote.graph import RemoteFeedbackService

        return RemoteFeedbackService(self._transport)

    @cached_property
    def topics(self) -> RemoteTopicService:
        """Topics of collections: list, assign."""
        from hopline.remote.graph import RemoteTopicService

        return RemoteTopicService(self._transport)

    @cached_property
    def graph(self) -> RemoteGraphExplorer:
        """The graph: find nodes, expand them, find paths."""
        from hopline.remote.graph import RemoteGraphExplorer

        return RemoteGraphExplorer(self._transport)

    # -- questions

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
        """Answer a question with cited sentences, or abstain; see `hopline.client.Hopline.ask`.

        A step that is passed to ``on_step`` has no recorded details.

        Raises:
            UsageError: also for ``record``, ``answerers`` and a `Strategy`, which a service cannot be given.
        """
        if record or answerers:
            raise UsageError("a service takes no answerers of yours and records nothing; use Hopline.open for that")
        body = {
            **_build_question(question, strategy, k),
            "collection": collection,
            "documents": list(documents),
            "filter": filter,
            "history": [turn.to_dict() for turn in history],
        }
        if on_step is None and on_draft is None:
            return Answer.from_dict(self._transport.post("/ask", body, repeatable=True))
        return Answer.from_dict(self._follow("/ask/stream", body, on_step, on_draft))

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
        """Retrieve the evidence for a question; see `hopline.client.Hopline.retrieve`."""
        if record:
            raise UsageError("a service records nothing; use Hopline.open for that")
        body = {
            **_build_question(question, strategy, k),
            "collection": collection,
            "documents": list(documents),
            "filter": filter,
        }
        if on_step is None:
            return Retrieval.from_dict(self._transport.post("/retrieve", body, repeatable=True))
        return Retrieval.from_dict(self._follow("/retrieve/stream", body, on_step, None))

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
        """Pack the evidence for a question, for a language model of your own; see `hopline.client.Hopline.context`."""
        body = {
            **_build_question(question, strategy, k),
            "collection": collection,
            "documents": list(documents),
            "filter": filter,
        }
        return Context.from_dict(self._transport.post("/context", {**body, "tokens": tokens}, repeatable=True))

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
        """Many questions side by side, in order; one that fails has its error in its place."""
        if isinstance(questions, str):
            raise UsageError(f"retrieve_many wants a list of questions, got the text {questions!r:.80}; use retrieve")
        body = {
            **_build_question("", strategy, k),
            "collection": collection,
            "documents": list(documents),
            "filter": filter,
        }
        del body["question"]
        results = self._transport.post("/retrieve-many", {**body, "questions": list(questions)}, repeatable=True)
        return [build_error(row["problem"]) if "problem" in row else Retrieval.from_dict(row) for row in results]

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
        """Retrieve the evidence for one question with several strategies; returns the retrieval of each."""
        if isinstance(strategies, str):
            raise UsageError(f"compare wants a list of strategies, got the text {strategies!r}; use [{strategies!r}]")
        body = {
            **_build_question(question, None, k),
            "strategies": list(strategies),
            "collection": collection,
            "documents": list(documents),
            "filter": filter,
        }
        del body["strategy"]
        rows = self._transport.post("/compare", body, repeatable=True)
        return {name: Retrieval.from_dict(row) for name, row in rows.items()}

    def strategies(self, *, usable: bool = False) -> dict[str, str]:
        """Every strategy by name, with its one-line summary."""
        return decode(dict[str, str], self._transport.get("/strategies", usable=usable))

    def suggest_questions(self, collection: str = "default", *, limit: int = 5) -> list[SuggestedQuestion]:
        """Suggest questions that a collection answers, at most ``limit``, which is from 1 to 20."""
        from hopline.question_suggestions import SuggestedQuestion

        data = self._transport.get("/suggested-questions", collection=collection, limit=limit)
        return decode(list[SuggestedQuestion], data)

    def answer_from_graph(
        self, question: str, *, collection: str = "default", filter: str = "", strategy: str = "ras"
    ) -> str:
        """Answer a question with the trained GraphLLM, from the facts that ``ras`` retrieves; without citations."""
        body = {"question": question, "collection": collection, "filter": filter, "strategy": strategy}
        return str(self._transport.post("/answer-from-graph", body, repeatable=True)["text"])

    def evidence_graph(
        self,
        question: str,
        facts: Mapping[str, str],
        *,
        follows: Literal["likeness", "network", "model"] = "likeness",
        merge: MergeOption = "usual",
        gamma: float | None = None,
    ) -> EvidenceGraph:
        """Build the evidence graph of given facts (texts by id); see `hopline.client.Hopline.evidence_graph`."""
        body = {"question": question, "facts": dict(facts), "follows": follows, "merge": merge, "gamma": gamma}
        return decode(EvidenceGraph, self._transport.post("/evidence-graph", body, repeatable=True))

    # -- short forms of the calls that are used most

    def add(
        self,
        paths: Paths,
        collection: str = "default",
        *,
        titles: Titles = "keep",
        max_calls: int | None = None,
        metadata: MetadataChange | None = None,
        remove_missing: bool = False,
    ) -> RemoteBatch:
        """Upload files and folders of this machine: `RemoteDocumentLibrary.add`."""
        return self.documents.add(
            paths, collection, titles=titles, max_calls=max_calls, metadata=metadata, remove_missing=remove_missing
        )

    def add_texts(
        self,
        texts: Sequence[str],
        titles: Sequence[str | None] | None = None,
        metadata: Sequence[Mapping[str, Any]] | None = None,
        collection: str = "default",
        *,
        max_calls: int | None = None,
    ) -> RemoteBatch:
        """Add texts, each as a document: `RemoteDocumentLibrary.add_texts`."""
        return self.documents.add_texts(texts, titles, metadata, collection, max_calls=max_calls)

    def add_documents(
        self, documents: Iterable[Any], collection: str = "default", *, max_calls: int | None = None
    ) -> RemoteBatch:
        """Add documents of other libraries: `RemoteDocumentLibrary.add_documents`."""
        return self.documents.add_documents(documents, collection, max_calls=max_calls)

    def estimate(self, paths: Paths, collection: str = "default") -> Estimate:
        """Estimate the work of adding files: `RemoteDocumentLibrary.estimate`."""
        return self.documents.estimate(paths, collection)

    def remove(self, document: str | None = None, *, collection: str = "default") -> int:
        """Remove a document or a collection: `RemoteDocumentLibrary.remove`."""
        return self.documents.remove(document, collection=collection)

    def explore(self, node: str, hops: int = 1, *, limit: int = 300, uncertain: bool = False) -> Neighbourhood:
        """The neighbourhood of a node: `RemoteGraphExplorer.get_neighbourhood`."""
        return self.graph.get_neighbourhood(node, hops, limit=limit, uncertain=uncertain)

    def same_names(self, collection: str = "default", *, limit: int = 20) -> list[MergeSuggestion]:
        """Entities that may be the same: `RemoteEntityResolution.similar_names`."""
        return self.entities.similar_names(collection, limit=limit)

    def merge(self, source: str, target: str) -> None:
        """Merge one entity into another: `RemoteEntityResolution.merge`."""
        self.entities.merge(source, target)

    def undo(self, decision: str) -> None:
        """Undo a decision about entities: `RemoteEntityResolution.undo`."""
        self.entities.undo(decision)

    def _follow(
        self, path: str, body: Mapping[str, Any], on_step: StepCallback | None, on_draft: DraftCallback | None
    ) -> Any:
        """Call the callbacks with the events of a question, and return its result."""
        for name, data in self._transport.stream_events(path, body):
            if name == "result":
                return data
            if name == "step" and on_step is not None:
                on_step(trace_step_from_dict(data))
            elif name == "draft" and on_draft is not None:
                sentences = tuple(Sentence(row["text"], (), row["state"]) for row in data["sentences"])
                on_draft(AnswerDraft(sentences, data["text"]))
        raise ServiceError("the service ended the answer before its result; its log has the reason")


def _build_question(question: str, strategy: str | Strategy | None, k: int | None) -> dict[str, Any]:
    if not isinstance(question, str):
        raise UsageError(f"a question is a text; got {question!r:.80}, of type {type(question).__name__}")
    if strategy is not None and not isinstance(strategy, str):
        raise UsageError(f"a service takes the name of a strategy, with its options if any (got {strategy!r:.80})")
    return {"question": question, "strategy": strategy, "k": k}


def _draw_progress(next_progress: Callable[[], Progress]) -> None:
    from hopline.rendering import show_progress

    show_progress(next_progress)
