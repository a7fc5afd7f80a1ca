"""An open graph: how it is opened and closed, and what its doors stand on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

from hopline.config import Settings, load_settings
from hopline.documents.library import Inventory, Status
from hopline.errors import SettingsError, UsageError
from hopline.types import Collection, TraceStep

if TYPE_CHECKING:
    from hopline.documents.worker_process import Workers
    from hopline.flow.requests import Flow
    from hopline.flow.run import Outcome
    from hopline.flow.services import Scope, World
    from hopline.llm.client import ChatPort
    from hopline.store.graph import Store

Listener = Callable[[TraceStep], None]  # called after every request of a flow, on the caller's thread
T = TypeVar("T")


class Opened:
    """The connections of one open graph. Use as a context manager, or call `close`."""

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
        worker: bool = True,
        **settings: Any,
    ) -> Self:
        """The user's graph: the server at ``uri``, or the private one, fetched and started when needed.

        ``settings`` are those of `hopline.config.Settings`; they win over the environment.
        ``progress`` hears of a first fetch. Where work waits in the graph, a worker is started for it unless
        ``worker`` is False.

        Raises:
            SettingsError: no such setting, or one that cannot be used.
            EngineUnavailable: no server could be reached or started.
            EngineRefused: wrong password, too old a server, data of a newer one.
        """
        chosen = load_settings(home=home, neo4j_uri=uri, **settings)
        _check_strategy(chosen)
        from hopline.embeddings.loader import load_embedder
        from hopline.flow.services import Price, World
        from hopline.learned.registry import LearnedParts
        from hopline.llm.client import load_chat
        from hopline.store.graph import Store

        embedder = load_embedder(chosen)
        with ExitStack() as unfinished:
            store = Store.open(chosen, embedder=embedder.name, dimension=embedder.dimension, progress=progress)
            unfinished.callback(store.close)
            chat = load_chat(chosen)
            if chat is not None:
                unfinished.callback(chat.close)
            price = Price(chosen.price_in, chosen.price_out)
            hop = cls(chosen, store, World(store, embedder, chat, price, LearnedParts(chosen.weights)), chat)
            if worker:
                hop._workers.ensure_if_needed()
            unfinished.pop_all()
        return hop

    @classmethod
    def stop(cls, home: str | Path | None = None) -> bool:
        """End the worker and the private server of a home; returns whether a server ran.

        Nothing is lost: what the worker has not done, the next one does.
        """
        from hopline.documents.worker_process import stop_worker
        from hopline.neo4j_server import status, stop

        chosen = load_settings(home=home)
        if status(chosen).running:
            with cls.open(home=chosen.home, worker=False) as hop:
                stop_worker(hop._store)  # noqa: SLF001 — its own class
        return stop(chosen)

    def close(self) -> None:
        """Close the connections. The private server and the worker go on for others."""
        with ExitStack() as closing:  # each is closed, also after one that raises
            closing.callback(self._store.close)
            if self._chat is not None:
                closing.callback(self._chat.close)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def status(self) -> Status:
        """The engine, the worker, and what there is."""
        embedder = self._world.embedder.name
        self._workers.ensure_if_needed()
        return self._inventory.status(self.settings, embedder, self._store.connection)

    def warm_up(self) -> None:
        """Load now what the first question would wait for: the embedder, and the parser where no model answers."""
        self._world.embedder.embed(["ready"])
        if self._chat is None:
            from hopline.answering.question import grammar

            grammar()

    def collections(self) -> list[Collection]:
        """Every collection, by name."""
        return self._inventory.collections()

    # -- inside

    @cached_property
    def _inventory(self) -> Inventory:
        return Inventory(self._store)

    @cached_property
    def _workers(self) -> Workers:
        from hopline.documents.worker_process import Workers

        return Workers(self.settings, self._store, self._world.embedder.name)

    def _run(self, flow: Flow[T], scope: Scope, listener: Listener | None, *, record: bool) -> Outcome[T]:
        from hopline.flow.run import run

        return run(flow, self._world, scope, budget=self._budget(), listener=listener, record=record)

    def _budget(self) -> Any:
        from hopline.flow.budget import Budget

        caps = self.settings
        return Budget(calls=caps.max_calls, tokens=caps.max_tokens, seconds=caps.max_seconds, cost=caps.max_cost)

    def _scope(self, collection: str, documents: Sequence[str]) -> Scope:
        return self._inventory.scope(collection, documents)


def _check_strategy(settings: Settings) -> None:
    from hopline.strategies import check_strategy

    try:
        check_strategy(settings.strategy)
    except UsageError as error:
        raise SettingsError(f"strategy: {error} (got {settings.strategy!r})") from error
