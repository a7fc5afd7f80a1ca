"""The state that all parts of a fake client share, and the log of the calls that it received."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Concatenate, NamedTuple, NoReturn, ParamSpec, Protocol, TypeVar

from hopline.config import Settings, load_settings
from hopline.documents.estimate import Estimate
from hopline.documents.outline import OutlineItem
from hopline.documents.pages import DocumentPage
from hopline.documents.progress import DocumentProgress, Failure, ProcessingWarning, Progress
from hopline.documents.status import Status
from hopline.entities.communities import CommunityGraph
from hopline.entities.ranking import RankedEntity
from hopline.entities.resolution import MergeDecision, MergeSuggestion
from hopline.errors import UnknownName
from hopline.graph_explorer import NODE_ADVICE, Neighbourhood, NodeDetails, NodeMatch
from hopline.question_suggestions import SuggestedQuestion
from hopline.records import Correction, Document, Feedback, MissingFile
from hopline.results import Answer, PathStep, Retrieval
from hopline.store.collection_catalog import COLLECTION_ADVICE
from hopline.store.read_only_query import QueryResult
from hopline.topics.collection_topics import CollectionTopics

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a method: its name, with its part ("ask", "documents.add"), and all arguments by name."""

    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class FakeQuestion:
    """What a fake client was asked: the input of `FakeState.answer`."""

    question: str
    collection: str = "default"
    documents: tuple[str, ...] = ()
    strategy: str = "hopline"
    k: int = 10
    history: tuple[Answer, ...] = ()
    filter: str = ""


class AddedFile(NamedTuple):
    """One file that was passed to `add`."""

    collection: str
    name: str
    data: bytes


def abstain(fake: FakeQuestion) -> Answer:
    """An abstention without evidence."""
    retrieval = Retrieval(fake.question, fake.strategy, fake.collection, (), ())
    return Answer(fake.question, (), retrieval, abstained=True)


def unknown_node(id: str) -> NoReturn:
    """Raise UnknownName: the graph has no such node."""
    raise UnknownName("node", id, advice=NODE_ADVICE)


@dataclass
class FakeState:
    """What a fake client returns and what it was asked; tests set and read its fields.

    ``error`` is raised by every call. ``answer`` makes the answer, and its retrieval, to each question.
    ``documents`` are by collection, ``files``, ``outlines`` and ``pages`` by document id; ``neighbourhood`` and
    ``details`` are called with the id of a node. ``interrupt`` makes waiting for a batch raise
    KeyboardInterrupt.
    """

    settings: Settings = field(default_factory=load_settings)
    answer: Callable[[FakeQuestion], Answer] = abstain
    documents: dict[str, list[Document]] = field(default_factory=dict)
    files: dict[str, Path] = field(default_factory=dict)
    outlines: dict[str, tuple[OutlineItem, ...]] = field(default_factory=dict)
    pages: dict[str, tuple[DocumentPage, ...]] = field(default_factory=dict)
    error: Exception | None = None
    calls: list[Call] = field(default_factory=list)
    added: list[AddedFile] = field(default_factory=list)
    progress: Progress = field(default_factory=lambda: Progress(done=True))
    document_progress: dict[str, DocumentProgress] = field(default_factory=dict)
    failures: tuple[Failure, ...] = ()
    warnings: tuple[ProcessingWarning, ...] = ()
    missing: tuple[MissingFile, ...] = ()
    worker_notice: str = ""
    interrupt: bool = False
    estimate: Callable[[Sequence[Path]], Estimate] = lambda paths: Estimate(len(paths))
    status: Status = field(default_factory=Status)
    strategies: dict[str, str] | None = None
    nodes: Sequence[NodeMatch] = ()
    details: Callable[[str], NodeDetails] = unknown_node
    entities: Sequence[RankedEntity] = ()
    communities: CommunityGraph = field(default_factory=CommunityGraph)
    overview: Neighbourhood = field(default_factory=Neighbourhood)
    neighbourhood: Callable[[str], Neighbourhood] = unknown_node
    paths: Callable[[str, str], list[tuple[PathStep, ...]]] = lambda _source, _target: []
    query_result: QueryResult = field(default_factory=QueryResult)
    suggestions: Sequence[MergeSuggestion] = ()
    suggested_questions: Sequence[SuggestedQuestion] = ()
    decisions: dict[str, MergeDecision] = field(default_factory=dict)
    corrections: dict[str, Correction] = field(default_factory=dict)
    feedback: dict[str, Feedback] = field(default_factory=dict)
    topics: dict[str, CollectionTopics] = field(default_factory=dict)
    topic_sets: dict[str, CollectionTopics] = field(default_factory=dict)
    training_results: dict[str, Any] = field(default_factory=dict)

    def calls_of(self, name: str) -> list[Mapping[str, Any]]:
        """The arguments of every call of one method, oldest first."""
        return [call.arguments for call in self.calls if call.name == name]

    def documents_of(self, collection: str) -> list[Document]:
        """The documents of a collection.

        Raises:
            UnknownName: no such collection.
        """
        if collection not in self.documents:
            raise UnknownName("collection", collection, self.documents, advice=COLLECTION_ADVICE)
        return self.documents[collection]


class HasState(Protocol):
    """An object with the state of a fake client; ``part`` is the prefix of its calls in the log."""

    part: str

    @property
    def state(self) -> FakeState:
        """The state of the fake client."""
        ...


S = TypeVar("S", bound=HasState)


def record_calls(method: Callable[Concatenate[S, P], R]) -> Callable[Concatenate[S, P], R]:
    """Log each call of a method with all its arguments by name, then raise `FakeState.error` if it is set."""
    signature = inspect.signature(method)

    @functools.wraps(method)
    def call(self: S, /, *args: P.args, **kwargs: P.kwargs) -> R:
        bound = signature.bind(self, *args, **kwargs)
        bound.apply_defaults()
        arguments = dict(list(bound.arguments.items())[1:])
        self.state.calls.append(Call(f"{self.part}{method.__name__}", arguments))
        if self.state.error is not None:
            raise self.state.error
        return method(self, *args, **kwargs)

    return call
