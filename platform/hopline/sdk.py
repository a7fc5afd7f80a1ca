"""The front door for Python.

with Hopline.open() as hop:
    hop.add(["reports/"]).wait(progress=True)
    answer = hop.ask("Which lender finances an asset of Nordvik?")
    answer.sentences[0].citations[0].page
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

from hopline.batch import Batch, Failure, Progress, progress_of
from hopline.config import Settings, load_settings
from hopline.errors import HoplineError, UnknownName, UsageError
from hopline.exploring import Detail, Explorer, Found, Neighbourhood
from hopline.ids import collection_id
from hopline.inventory import Estimate, Inventory, Status
from hopline.types import Answer, Collection, Document, Kind, Retrieval, Step, TraceStep

if TYPE_CHECKING:
    from hopline.adding import Titles
    from hopline.evaluate.grading import Marked
    from hopline.evaluate.graph_quality import Reached
    from hopline.evaluate.questions import Question
    from hopline.flow.requests import Flow
    from hopline.flow.run import Outcome
    from hopline.flow.world import Scope, World
    from hopline.model.chat import ChatPort
    from hopline.store.graph import Store
    from hopline.training.gnn import Learned
    from hopline.training.scorer import LearnedScorer

__all__ = [
    "Batch",
    "Detail",
    "Estimate",
    "Failure",
    "Found",
    "Hopline",
    "Listener",
    "Neighbourhood",
    "Progress",
    "Status",
]

Listener = Callable[[TraceStep], None]  # called after every request of a flow, on the caller's thread
Paths = str | Path | Iterable[str | Path]
T = TypeVar("T")


class Hopline:
    """One open graph. Use as a context manager, or call `close`. Safe to share between threads."""

    def __init__(self, settings: Settings, store: Store, world: World, chat: ChatPort | None = None) -> None:
        self.settings = settings
        self._store = store
        self._world = world
        self._chat = chat

    @classmethod
    def open(
        cls,
        home: str | Path | None = None,
        uri: str | None = None,
        *,
        progress: Callable[[int, int, str], None] | None = None,
        **settings: Any,
    ) -> Self:
        """The user's graph: the server at ``uri``, or the private one, fetched and started when needed.

        ``settings`` are those of `hopline.config.Settings`; they win over the environment.
        ``progress`` hears of a first fetch.

        Raises:
            SettingsError: a setting cannot be used.
            EngineUnavailable: no server could be reached or started.
            EngineRefused: wrong password, too old a server, data of a newer one.
        """
        chosen = load_settings(home=home, neo4j_uri=uri, **settings)
        from hopline.flow.world import Price, World
        from hopline.model.chat import load_chat
        from hopline.model.embedder import load_embedder
        from hopline.store.graph import Store

        embedder = load_embedder(chosen)
        store = Store.open(chosen, embedder=embedder.name, dimension=embedder.dimension, progress=progress)
        chat = load_chat(chosen)
        return cls(chosen, store, World(store, embedder, chat, Price(chosen.price_in, chosen.price_out)), chat)

    @classmethod
    def stop(cls, home: str | Path | None = None) -> bool:
        """End the worker and the private server of a home; returns whether a server ran.

        Nothing is lost: what the worker has not done, the next one does.
        """
        from hopline.store.server import status, stop
        from hopline.worker import stop_worker

        chosen = load_settings(home=home)
        if status(chosen).running:
            with cls.open(home=chosen.home) as hop:
                stop_worker(hop._store)  # noqa: SLF001 — its own class
        return stop(chosen)

    def close(self) -> None:
        """Close the connections. The private server and the worker go on for others."""
        self._store.close()
        if self._chat is not None:
            self._chat.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # -- documents

    def add(self, paths: Paths, collection: str = "default", *, titles: Titles = "keep") -> Batch:
        """Keep files and folders and have the worker read them; returns at once.

        A file that is there unchanged is left alone, a changed one replaces its old version. ``titles`` is for
        rows of ``.jsonl``: ``ignore`` and ``drop`` read them as if nobody had written titles (`add_files`).

        Raises:
            UsageError: a path that is not there.
        """
        from hopline.adding import add_files
        from hopline.worker import ensure_worker

        ids = add_files(self._store, self.settings, _paths(paths), collection, titles=titles)
        if ids:
            ensure_worker(self.settings, self._store)
        return Batch(self._store, self.settings, collection_id(collection), ids)

    def estimate(self, paths: Paths) -> Estimate:
        """What reading these would take, without reading them."""
        return self._inventory.estimate(self.settings, _paths(paths))

    def progress(self, collection: str = "default") -> Progress:
        """How far the worker is with all of a collection."""
        return progress_of(self._store, "read/progress_collection", {"collection": collection_id(collection)})

    def collections(self) -> list[Collection]:
        """Every collection, by name."""
        return self._inventory.collections()

    def documents(self, collection: str = "default") -> list[Document]:
        """Every document of a collection, by name."""
        return self._inventory.documents(collection)

    def remove(self, document: str | None = None, *, collection: str = "default") -> int:
        """Remove one document, by name or id, or the whole collection; returns how many documents went."""
        return self._inventory.remove(document, collection)

    def retry(self, collection: str = "default") -> int:
        """Read the documents that failed once more; returns how many there are."""
        from hopline.worker import ensure_worker

        count = self._inventory.retry(collection)
        if count:
            ensure_worker(self.settings, self._store)
        return count

    def file(self, document: str) -> Path:
        """The kept file of a document, by the document's id.

        Raises:
            UnknownName: no such document, or it came as rows and has no file of its own.
        """
        return self._inventory.file(self.settings, document)

    # -- questions

    def ask(
        self,
        question: str,
        *,
        collection: str = "default",
        documents: Sequence[str] = (),
        strategy: str | None = None,
        k: int | None = None,
        after: Sequence[Answer] = (),
        listener: Listener | None = None,
        record: bool = False,
    ) -> Answer:
        """An answer whose sentences are cited, or an abstention that says what was not found.

        ``documents`` (names or ids) narrow the search; ``strategy`` may carry options
        (``gnn_ret:nodes=10``); ``k`` is how much evidence is looked at. A question may follow on the answers
        ``after`` which it is asked ("When was she born?"): ``retrieval.question`` says how it was understood.
        ``record`` keeps in the trace what each step asked and was answered, as `hopline.flow.replay` needs it.

        Raises:
            UnknownName: no such collection, document or strategy.
            BudgetSpent: a cap of the settings was reached.
        """
        from hopline.asking import answer_flow
        from hopline.strategies import load_strategy

        by_model = self._world.chat is not None
        unaided = load_strategy(strategy or self.settings.strategy).unaided

        def answered(meant: str) -> Flow[Answer]:
            retrieval = self._retrieval(meant, strategy, collection, k)
            return answer_flow(meant, retrieval, written_by_model=by_model, unaided_by_evidence=unaided)

        flow = answered(question)
        if after:
            from hopline.conversation import Turn, follow

            flow = follow(question, [Turn.of(one) for one in after], answered, by_model=by_model)
        outcome = self._run(flow, self._scope(collection, documents), listener, record=record)
        return _with_trace(outcome.result, outcome.trace)

    def retrieve(
        self,
        question: str,
        *,
        collection: str = "default",
        documents: Sequence[str] = (),
        strategy: str | None = None,
        k: int | None = None,
        listener: Listener | None = None,
        record: bool = False,
    ) -> Retrieval:
        """The evidence for a question, best first, with the path to each. Arguments as for `ask`."""
        flow = self._retrieval(question, strategy, collection, k)
        outcome = self._run(flow, self._scope(collection, documents), listener, record=record)
        return _retrieval_with_trace(outcome.result, outcome.trace)

    def retrieve_many(
        self,
        questions: Sequence[str],
        *,
        collection: str = "default",
        documents: Sequence[str] = (),
        strategy: str | None = None,
        k: int | None = None,
    ) -> list[Retrieval | HoplineError]:
        """Many questions side by side, in order; one that fails has its error in its place."""
        from hopline.flow.run import run_many

        flows = [self._retrieval(question, strategy, collection, k) for question in questions]
        outcomes = run_many(flows, self._world, self._scope(collection, documents), budget=self._budget())
        return [
            one if isinstance(one, HoplineError) else _retrieval_with_trace(one.result, one.trace) for one in outcomes
        ]

    def compare(
        self, question: str, *, strategies: Sequence[str], collection: str = "default", k: int | None = None
    ) -> dict[str, Retrieval]:
        """The same question put to several strategies."""
        return {name: self.retrieve(question, collection=collection, strategy=name, k=k) for name in strategies}

    def strategies(self, *, usable: bool = False) -> dict[str, str]:
        """Every strategy with one line on what it does.

        ``usable`` leaves out those that need a model where none is configured, and those that only bound answers.
        """
        from hopline.strategies import load_strategy, strategy_names

        there = [load_strategy(name) for name in strategy_names()]
        if usable:
            there = [one for one in there if not (one.unaided or one.needs_gold)]
            there = [one for one in there if self._chat is not None or not one.needs_model]
        return {one.name: one.summary for one in there}

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

    # -- the graph

    def explore(self, node: str, hops: int = 1, *, limit: int = 300) -> Neighbourhood:
        """What stands around a node, by its id: at most ``limit`` edges.

        Raises:
            UnknownName: no node has this id.
        """
        return self._explorer.around(node, hops, limit)

    def find(
        self,
        text: str,
        *,
        collection: str = "default",
        kinds: Sequence[Kind] = ("entity", "document", "table", "passage"),
        limit: int = 10,
    ) -> list[Found]:
        """Nodes by name or text, kind by kind, at most ``limit`` of each; names that begin with ``text`` first.

        Raises:
            UsageError: a kind that cannot be searched for.
        """
        return self._explorer.find(text, collection, kinds, limit)

    def overview(self, collection: str = "default", *, limit: int = 300) -> Neighbourhood:
        """The names that a collection's evidence shares most, with that evidence: at most ``limit`` nodes.

        ``total`` counts all nodes of the collection. Of a large one a sample is looked at.
        """
        return self._explorer.overview(collection, limit)

    def between(self, source: str, target: str, *, limit: int = 3) -> list[tuple[Step, ...]]:
        """The shortest ways between two nodes by their ids, of equal length; none within 8 edges: an empty list."""
        return self._explorer.between(source, target, limit)

    def detail(self, node: str) -> Detail:
        """One node in full: its texts, where they name it, and its triples.

        Raises:
            UnknownName: no node has this id.
        """
        return self._explorer.detail(node)

    def status(self) -> Status:
        """The engine, the worker, and what there is."""
        embedder = self._world.embedder.name
        return self._inventory.status(self.settings, embedder, self._store.connection)

    def warm_up(self) -> None:
        """Load now what the first question would wait for: the embedder, and the parser where no model answers."""
        self._world.embedder.embed(["ready"])
        if self._chat is None:
            from hopline.answer.question import grammar

            grammar()

    # -- inside

    @cached_property
    def _inventory(self) -> Inventory:
        return Inventory(self._store)

    @cached_property
    def _explorer(self) -> Explorer:
        return Explorer(self._store)

    def _retrieval(self, question: str, strategy: str | None, collection: str, k: int | None) -> Flow[Retrieval]:
        from hopline.asking import retrieval_flow
        from hopline.strategies import load_strategy

        chosen = k if k is not None else self.settings.k
        if chosen < 1:
            raise UsageError(f"k must be at least 1 (got {chosen})")
        spec = strategy or self.settings.strategy
        return retrieval_flow(question, load_strategy(spec), spec, collection, chosen)

    def _run(self, flow: Flow[T], scope: Scope, listener: Listener | None, *, record: bool) -> Outcome[T]:
        from hopline.flow.run import run

        return run(flow, self._world, scope, budget=self._budget(), listener=listener, record=record)

    def _budget(self) -> Any:
        from hopline.flow.budget import Budget

        caps = self.settings
        return Budget(calls=caps.max_calls, tokens=caps.max_tokens, seconds=caps.max_seconds, cost=caps.max_cost)

    def _scope(self, collection: str, documents: Sequence[str]) -> Scope:
        from hopline.flow.world import Scope

        id = collection_id(collection)
        if id not in self._known_collections:
            known = self.collections()
            self._known_collections |= {one.id for one in known}
            if id not in self._known_collections:
                raise UnknownName("collection", collection, (one.name for one in known))
        return Scope(id, self._inventory.document_ids(collection, documents) if documents else ())

    @cached_property
    def _known_collections(self) -> set[str]:
        return set()


def _paths(paths: Paths) -> list[Path]:
    given = [paths] if isinstance(paths, str | Path) else paths
    return [Path(path).expanduser() for path in given]


def _or_raise(outcome: Outcome[T] | HoplineError) -> Outcome[T]:
    if isinstance(outcome, HoplineError):
        raise outcome
    return outcome


def _with_trace(answer: Answer, trace: Any) -> Answer:
    from dataclasses import replace

    return replace(answer, retrieval=_retrieval_with_trace(answer.retrieval, trace))


def _retrieval_with_trace(retrieval: Retrieval, trace: Any) -> Retrieval:
    from dataclasses import replace

    return replace(retrieval, trace=trace)
