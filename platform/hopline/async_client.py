"""`Hopline` for asyncio: the same methods, awaited, over an open graph or a service.

async with AsyncHopline.open() as hop:
    answer = await hop.ask("Which lender finances an asset of Nordvik?")
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import cached_property, partial, wraps
from pathlib import Path
from types import TracebackType
from typing import Any, Concatenate, Final, ParamSpec, Self, TypeVar

from hopline.client import Hopline
from hopline.corrections.service import CorrectionService
from hopline.documents.library import DocumentLibrary
from hopline.documents.progress import Batch
from hopline.entities.resolution import EntityResolution
from hopline.errors import Cancelled
from hopline.feedback.service import FeedbackService
from hopline.graph_explorer import GraphExplorer
from hopline.remote.client import DEFAULT_TIMEOUT, RemoteHopline
from hopline.results import Answer, AnswerDraft, TraceStep
from hopline.topics.service import TopicService

P = ParamSpec("P")
T = TypeVar("T")

THREADS: Final = 8  # calls that run at the same time; others wait for a thread


def _await(method: Callable[Concatenate[Any, P], T]) -> Callable[Concatenate[Any, P], Awaitable[T]]:
    """Return the method of an asynchronous part that runs a method of the same name in a thread."""

    @wraps(method)
    async def call(self: Any, /, *args: P.args, **kwargs: P.kwargs) -> T:
        result: T = await self._run(getattr(self._part, method.__name__), *args, **kwargs)
        return result

    return call


def _await_batch(method: Callable[Concatenate[Any, P], Batch]) -> Callable[Concatenate[Any, P], Awaitable[AsyncBatch]]:
    """Return the method of an asynchronous part that adds documents in a thread."""

    @wraps(method)
    async def call(self: Any, /, *args: P.args, **kwargs: P.kwargs) -> AsyncBatch:
        batch = await self._run(getattr(self._part, method.__name__), *args, **kwargs)
        return AsyncBatch(batch, self._threads)

    return call


class _Part:
    """A part of a client whose methods run in the threads of the client."""

    def __init__(self, part: Any, threads: ThreadPoolExecutor) -> None:
        self._part = part
        self._threads = threads

    async def _run(self, function: Callable[..., T], *args: Any, **kwargs: Any) -> T:
        call = partial(copy_context().run, function, *args, **kwargs)
        return await asyncio.get_running_loop().run_in_executor(self._threads, call)


class AsyncDocumentLibrary(_Part):
    """The documents; as `hopline.documents.library.DocumentLibrary`."""

    batch = _await(DocumentLibrary.batch)
    estimate = _await(DocumentLibrary.estimate)
    progress = _await(DocumentLibrary.progress)
    list = _await(DocumentLibrary.list)
    count = _await(DocumentLibrary.count)
    get = _await(DocumentLibrary.get)
    facets = _await(DocumentLibrary.facets)
    set_metadata = _await(DocumentLibrary.set_metadata)
    remove = _await(DocumentLibrary.remove)
    extract_again = _await(DocumentLibrary.extract_again)
    retry = _await(DocumentLibrary.retry)
    states = _await(DocumentLibrary.states)
    outline = _await(DocumentLibrary.outline)
    file = _await(DocumentLibrary.file)
    read_page = _await(DocumentLibrary.read_page)
    find_pages = _await(DocumentLibrary.find_pages)
    find_text = _await(DocumentLibrary.find_text)
    render_page = _await(DocumentLibrary.render_page)

    add = _await_batch(DocumentLibrary.add)
    add_texts = _await_batch(DocumentLibrary.add_texts)
    add_documents = _await_batch(DocumentLibrary.add_documents)


class AsyncGraphExplorer(_Part):
    """The graph; as `hopline.graph_explorer.GraphExplorer`."""

    find = _await(GraphExplorer.find)
    list_entities = _await(GraphExplorer.list_entities)
    list_communities = _await(GraphExplorer.list_communities)
    get_community = _await(GraphExplorer.get_community)
    get_overview = _await(GraphExplorer.get_overview)
    get_neighbourhood = _await(GraphExplorer.get_neighbourhood)
    find_paths = _await(GraphExplorer.find_paths)
    get_node = _await(GraphExplorer.get_node)
    get_collection = _await(GraphExplorer.get_collection)
    cypher = _await(GraphExplorer.cypher)


class AsyncEntityResolution(_Part):
    """The entities; as `hopline.entities.resolution.EntityResolution`."""

    similar_names = _await(EntityResolution.similar_names)
    merge = _await(EntityResolution.merge)
    reject = _await(EntityResolution.reject)
    decisions = _await(EntityResolution.decisions)
    undo = _await(EntityResolution.undo)


class AsyncCorrectionService(_Part):
    """The corrections; as `hopline.corrections.service.CorrectionService`."""

    list = _await(CorrectionService.list)
    correct_passage = _await(CorrectionService.correct_passage)
    correct_table = _await(CorrectionService.correct_table)
    correct_entity = _await(CorrectionService.correct_entity)
    reject_triple = _await(CorrectionService.reject_triple)
    undo = _await(CorrectionService.undo)


class AsyncFeedbackService(_Part):
    """The feedback on answers; as `hopline.feedback.service.FeedbackService`."""

    add = _await(FeedbackService.add)
    list = _await(FeedbackService.list)
    delete = _await(FeedbackService.delete)


class AsyncTopicService(_Part):
    """The topics; as `hopline.topics.service.TopicService`."""

    list = _await(TopicService.list)
    assign = _await(TopicService.assign)


class AsyncBatch(_Part):
    """Added files; as `hopline.documents.progress.Batch`."""

    progress = _await(Batch.progress)

    def __getattr__(self, name: str) -> Any:
        """Return what is known without a question to the database: files, ids, replaced, missing, skipped."""
        if name in {"files", "ids", "replaced", "missing", "skipped"}:
            return getattr(self._part, name)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    async def wait(self, *, progress: bool = False, timeout: float | None = None) -> AsyncBatch:
        """Wait until all documents are processed; see `Batch.wait`."""
        await self._run(self._part.wait, progress=progress, timeout=timeout)
        return self

    async def failures(self) -> tuple[Any, ...]:
        """Return the documents, rows and passages that could not be processed."""
        return await self._run(lambda: self._part.failures)

    async def warnings(self) -> tuple[Any, ...]:
        """Return the warnings of documents that were processed."""
        return await self._run(lambda: self._part.warnings)


class AsyncHopline(_Part):
    """A client for asyncio over a `Hopline` or a `RemoteHopline`: its calls run in threads.

    Use as an asynchronous context manager, or await `close`.
    """

    def __init__(self, hop: Hopline | RemoteHopline, *, threads: int = THREADS) -> None:
        super().__init__(hop, ThreadPoolExecutor(threads, thread_name_prefix="hopline"))

    @classmethod
    def open(cls, home: str | Path | None = None, uri: str | None = None, **settings: Any) -> Self:
        """Open a graph, as `Hopline.open` does; the first call of a home downloads the database and blocks."""
        return cls(Hopline.open(home, uri, **settings))

    @classmethod
    def connect(cls, url: str, key: str | None = None, *, timeout: float | None = DEFAULT_TIMEOUT) -> Self:
        """Connect to a service, as `Hopline.connect` does."""
        return cls(RemoteHopline(url, key, timeout=timeout))

    async def close(self) -> None:
        """Close the connections, after the calls that are running."""
        await self._run(self._part.close)
        self._threads.shutdown(wait=False)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    status = _await(Hopline.status)
    collections = _await(Hopline.collections)
    upgrade = _await(Hopline.upgrade)
    rename_collection = _await(Hopline.rename_collection)
    export = _await(Hopline.export)
    ask = _await(Hopline.ask)
    retrieve = _await(Hopline.retrieve)
    context = _await(Hopline.context)
    retrieve_many = _await(Hopline.retrieve_many)
    compare = _await(Hopline.compare)
    strategies = _await(Hopline.strategies)
    suggest_questions = _await(Hopline.suggest_questions)
    answer_from_graph = _await(Hopline.answer_from_graph)
    evidence_graph = _await(Hopline.evidence_graph)
    estimate = _await(Hopline.estimate)
    remove = _await(Hopline.remove)
    explore = _await(Hopline.explore)
    same_names = _await(Hopline.same_names)
    merge = _await(Hopline.merge)
    undo = _await(Hopline.undo)

    add = _await_batch(Hopline.add)
    add_texts = _await_batch(Hopline.add_texts)
    add_documents = _await_batch(Hopline.add_documents)

    async def stream(self, question: str, **options: Any) -> AsyncIterator[TraceStep | AnswerDraft | Answer]:
        """Yield the steps of the search, the drafts of a language model and last the answer, as they come.

        ``options`` are those of `Hopline.ask`. A reader that leaves cancels the question at its next step.
        """
        loop, left = asyncio.get_running_loop(), False
        events: asyncio.Queue[TraceStep | AnswerDraft | Answer | None] = asyncio.Queue()

        def report(event: TraceStep | AnswerDraft | Answer | None) -> None:
            if left:
                raise Cancelled("nobody reads the answer")
            loop.call_soon_threadsafe(events.put_nowait, event)

        def run() -> None:
            try:
                report(self._part.ask(question, **options, on_step=report, on_draft=report))
            finally:
                loop.call_soon_threadsafe(events.put_nowait, None)

        running = asyncio.ensure_future(self._run(run))
        try:
            while (event := await events.get()) is not None:
                yield event
            await running
        finally:
            left = True
            running.add_done_callback(lambda task: task.cancelled() or task.exception())

    @cached_property
    def documents(self) -> AsyncDocumentLibrary:
        """Documents: add, list, retry, remove."""
        return AsyncDocumentLibrary(self._part.documents, self._threads)

    @cached_property
    def entities(self) -> AsyncEntityResolution:
        """Entities: similar names, merge, undo."""
        return AsyncEntityResolution(self._part.entities, self._threads)

    @cached_property
    def corrections(self) -> AsyncCorrectionService:
        """Corrections of what was read from documents: correct, list, undo."""
        return AsyncCorrectionService(self._part.corrections, self._threads)

    @cached_property
    def feedback(self) -> AsyncFeedbackService:
        """Feedback on answers: add, list, delete."""
        return AsyncFeedbackService(self._part.feedback, self._threads)

    @cached_property
    def topics(self) -> AsyncTopicService:
        """Topics of collections: list, assign."""
        return AsyncTopicService(self._part.topics, self._threads)

    @cached_property
    def graph(self) -> AsyncGraphExplorer:
        """The graph: find nodes, expand them, find paths."""
        return AsyncGraphExplorer(self._part.graph, self._threads)
