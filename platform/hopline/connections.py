"""The connections of one open graph: database, embedder, language model, worker."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

from hopline.config import Settings, load_settings, load_unstored_settings
from hopline.errors import SettingsError, UsageError
from hopline.stored_settings import FileVersion, read_file_version

if TYPE_CHECKING:
    from hopline.documents.status import ModelState
    from hopline.documents.worker_process import WorkerSupervisor
    from hopline.embeddings.loader import CachedEmbedder
    from hopline.flow.budget import Budget
    from hopline.flow.execution import StepCallback
    from hopline.flow.requests import Flow
    from hopline.flow.run import Outcome
    from hopline.flow.services import Price, Scope, Services
    from hopline.llm.client import LlmClient
    from hopline.store.collection_catalog import CollectionCatalog
    from hopline.store.graph import Store

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _SettingsSource:
    """The arguments with which settings are loaded, and the version of the file that stores others."""

    arguments: Mapping[str, Any]
    file_version: FileVersion | None

    def load(self) -> Settings:
        return load_settings(**self.arguments)


class Connections:
    """The connections that all services of the client share. Safe to share between threads."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        services: Services,
        llm: LlmClient | None = None,
        embedder: CachedEmbedder | None = None,
        *,
        source: _SettingsSource | None = None,
    ) -> None:
        """``source``: where the settings come from; None if they are not loaded again."""
        self.settings = settings
        self._source = source
        self.store = store
        self.services = services
        self.language_model = llm
        self.embedder = embedder

    @classmethod
    def open(
        cls,
        home: str | Path | None = None,
        uri: str | None = None,
        *,
        progress: Callable[[int, int, str], None] | None = None,
        **settings: Any,
    ) -> Self:
        """Connect to the server at ``uri``, or to the private server of a home folder, which is started when needed.

        Raises:
            SettingsError, EngineUnavailable, EngineRefused: as `hopline.client.Hopline.open`.
        """
        source = _find_source({"home": home, "neo4j_uri": uri, **settings})
        return cls._open(source.load(), source, progress)

    @classmethod
    def open_for_stop(cls, home: Path) -> Self:
        """Connect to the private server of a home without a language model, whatever is stored for it."""
        return cls._open(load_unstored_settings(home=home, model=""))

    @classmethod
    def _open(
        cls,
        chosen: Settings,
        source: _SettingsSource | None = None,
        progress: Callable[[int, int, str], None] | None = None,
    ) -> Self:
        _check_strategy(chosen)
        from hopline.embeddings.loader import load_embedder
        from hopline.flow.services import Services
        from hopline.learned.registry import ModelRegistry
        from hopline.llm.client import load_llm
        from hopline.store.graph import Store

        embedder = load_embedder(chosen)
        with ExitStack() as unfinished:
            unfinished.callback(embedder.close)
            store = Store.open(chosen, embedder=embedder.name, dimension=embedder.known_dimension, progress=progress)
            unfinished.callback(store.close)
            llm = load_llm(chosen)
            if llm is not None:
                unfinished.callback(llm.close)
            models = ModelRegistry(chosen.weights, reader=chosen.reader)
            services = Services(store, embedder, llm, _get_price(chosen), models)
            connections = cls(chosen, store, services, llm, embedder, source=source)
            unfinished.pop_all()
        return connections

    def close(self) -> None:
        """Close the connections. The private server and the worker keep running for other processes."""
        with ExitStack() as closing:  # closes each, even if another one raises
            closing.callback(self.store.close)
            for model in (self.language_model, self.embedder):
                if model is not None:
                    closing.callback(model.close)

    def create_uncached(self) -> Connections:
        """Return the same connections with a language model that uses no cached reply (`LlmClient.create_uncached`)."""
        if self.language_model is None:
            return self
        llm = self.language_model.create_uncached()
        return Connections(self.settings, self.store, replace(self.services, language_model=llm), llm)

    def reload_model(self) -> Connections:
        """Return connections with the language model that is stored now: these if nothing was stored since.

        Database, embedder and trained models are shared. The earlier language model is not closed, since questions may
        use it.

        Raises:
            SettingsError: the stored settings cannot be used.
        """
        if self._source is None or read_file_version(self.settings.home) == self._source.file_version:
            return self
        from hopline.llm.client import load_llm

        source = _find_source(self._source.arguments)
        chosen = source.load()
        llm = load_llm(chosen)
        services = replace(self.services, language_model=llm, price=_get_price(chosen))
        return Connections(chosen, self.store, services, llm, self.embedder, source=source)

    def list_models(self) -> tuple[ModelState, ...]:
        """List the embedder and the reader, with whether they are in memory."""
        from hopline.documents.status import ModelState
        from hopline.learned.registry import ModelRegistry

        models, embedder = self.services.models, self.embedder
        return (
            ModelState("embedder", self.settings.embedder, loaded=embedder is not None and embedder.is_loaded),
            ModelState(
                "reader",
                self.settings.reader,
                loaded=isinstance(models, ModelRegistry) and models.has_loaded_reader,
            ),
        )

    @cached_property
    def collections(self) -> CollectionCatalog:
        """The catalog of collections by name."""
        from hopline.store.collection_catalog import CollectionCatalog

        return CollectionCatalog(self.store)

    @cached_property
    def workers(self) -> WorkerSupervisor:
        """The supervisor of the worker process that ingests documents."""
        from hopline.documents.worker_process import WorkerSupervisor

        return WorkerSupervisor(self.settings, self.store, self.services.embedder.name)

    def resolve_scope(self, collection: str, documents: Sequence[str] = (), filter: str = "") -> Scope:
        """Resolve a collection, documents and a filter to a scope (`CollectionCatalog.resolve_scope`)."""
        return self.collections.resolve_scope(collection, documents, filter)

    def create_budget(self) -> Budget:
        """Create a budget with the limits of the settings on model calls, tokens, seconds and cost."""
        from hopline.flow.budget import Budget

        caps = self.settings
        return Budget(calls=caps.max_calls, tokens=caps.max_tokens, seconds=caps.max_seconds, cost=caps.max_cost)

    def run(
        self, flow: Flow[T], scope: Scope, *, on_step: StepCallback | None = None, record: bool = False
    ) -> Outcome[T]:
        """Run a flow within a scope and a new budget."""
        from hopline.flow.run import run

        return run(flow, self.services, scope, budget=self.create_budget(), on_step=on_step, record=record)


def _find_source(arguments: Mapping[str, Any]) -> _SettingsSource:
    """Find the version of the file before it is read, so that a change meanwhile is read the next time."""
    return _SettingsSource(arguments, read_file_version(load_unstored_settings(**arguments).home))


def _get_price(settings: Settings) -> Price:
    from hopline.flow.services import Price

    return Price(settings.price_in, settings.price_out)


def _check_strategy(settings: Settings) -> None:
    from hopline.strategies import check_strategy

    try:
        check_strategy(settings.strategy)
    except UsageError as error:
        raise SettingsError(f"strategy: {error} (got {settings.strategy!r})") from error
