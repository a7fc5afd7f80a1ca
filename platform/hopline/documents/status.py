"""Status of the system: the database, the worker, and counts over all collections."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from hopline.documents.lease_holder import is_worker_running
from hopline.documents.upgrade import count_outdated_documents
from hopline.neo4j_server import get_status
from hopline.records import Collection

if TYPE_CHECKING:
    from hopline.config import Settings
    from hopline.store.collection_catalog import CollectionCatalog
    from hopline.store.graph import Store


@dataclass(frozen=True, slots=True)
class ModelState:
    """A model that runs beside the language model: what it is for, its name, and whether it is in memory.

    ``name`` is that of the settings. A model is loaded at its first use.
    """

    kind: Literal["embedder", "reader"]
    name: str
    loaded: bool = False


@dataclass(frozen=True, slots=True)
class Status:
    """State of the database server (a JSON-compatible dict), of the worker, and counts over all collections.

    ``outdated`` documents were parsed by an older version; `hopline upgrade` parses them again. While a private server
    is stopped (``engine["running"]`` is False), nothing is counted.
    """

    engine: dict[str, Any] = field(default_factory=dict)
    collections: tuple[Collection, ...] = ()
    waiting: int = 0
    failed: int = 0
    outdated: int = 0
    passages: int = 0
    tables: int = 0
    entities: int = 0
    triples: int = 0
    worker: bool = False
    embedder: str = ""
    model: str = ""
    models: tuple[ModelState, ...] = ()


def read_system_status(
    store: Store,
    settings: Settings,
    collections: CollectionCatalog,
    embedder: str,
    models: tuple[ModelState, ...] = (),
) -> Status:
    """Read the state of the database, the worker and the collections; ``embedder`` is the name of the current one."""
    engine: dict[str, Any] = {"uri": store.connection.uri, "private": store.connection.private, "running": True}
    if store.connection.private:
        private = get_status(settings)
        engine |= {
            "pid": private.pid,
            "version": private.version,
            "memory": private.memory,
            "uptime": private.uptime,
            "home": str(private.home),
        }
    row = {name: values[0] for name, values in store.read("documents/totals").items()}
    return Status(
        engine=engine,
        collections=tuple(collections.list_collections()),
        waiting=row["waiting"],
        failed=row["failed"],
        outdated=count_outdated_documents(store),
        passages=row["passages"],
        tables=row["tables"],
        entities=row["entities"],
        triples=row["triples"],
        worker=is_worker_running(store),
        embedder=embedder,
        model=settings.model,
        models=models,
    )
