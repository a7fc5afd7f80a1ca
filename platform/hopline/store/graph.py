"""The graph in Neo4j: reading and writing named statements, searching within a scope."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

from hopline.errors import StatementError
from hopline.flow.requests import Hits, Search, Vector
from hopline.flow.services import Columns, Graph, Scope
from hopline.neo4j_server import Connection, connect, open_driver, touch
from hopline.store.driver_errors import is_conflict, is_outdated_read, retry, translated_errors
from hopline.store.schema import ensure_schema, ensure_vectors, vector_property
from hopline.store.search import search_graph
from hopline.store.statements import statement as _load
from hopline_cypher.loader import Statement

if TYPE_CHECKING:
    from neo4j import Driver, ManagedTransaction, Result, Session

    from hopline.config import Settings

T = TypeVar("T")
Write = tuple[str, Mapping[str, Any]]  # a statement's name and its parameters

_SIZE_SECONDS: Final = 5.0
_READ_PAUSES: Final = (0.02, 0.1, 0.5)  # seconds, between tries of a read that met a write
_WRITE_PAUSES: Final = (0.02, 0.05, 0.1, 0.2, 0.4)  # … of a write that met another
_TOUCH_SECONDS: Final = 30.0


class Store(Graph):
    """One Neo4j server as a `hopline.flow.services.Graph`, and the way to write to it.

    Safe to share between threads. A private server that was killed is started again, once a
    call.
    """

    def __init__(self, driver: Driver, connection: Connection, settings: Settings, embedder: str) -> None:
        self.driver = driver
        self.connection = connection
        self.settings = settings
        self.embedding = vector_property(embedder)
        self._bookmarks = _bookmark_manager()
        self._lock = threading.Lock()
        self._sizes: dict[str, tuple[float, int, int]] = {}
        self._touched = time.monotonic()

    @classmethod
    def open(
        cls,
        settings: Settings,
        *,
        embedder: str,
        dimension: int,
        progress: Callable[[int, int, str], None] | None = None,
    ) -> Self:
        """The store of these settings, its schema made.

        Raises:
            EngineUnavailable: no server could be reached or started.
            EngineRefused: wrong password, a right that is missing, too old a server, data of a newer one or of another
                program.
        """
        connection = connect(settings, progress=progress)
        with translated_errors(connection):
            driver = open_driver(connection)
            try:
                ensure_schema(driver, connection.database, embedder, dimension)
            except BaseException:
                driver.close()
                raise
        return cls(driver, connection, settings, embedder)

    def close(self) -> None:
        """Close the driver; the private server goes on for others."""
        self.driver.close()

    # -- reading

    def columns(self, name: str, parameters: Mapping[str, Any] | None = None) -> Columns:
        """The rows of one statement as named columns of equal length."""
        return self._alive(
            lambda driver: retry(lambda: self._columns(driver, name, parameters or {}), is_outdated_read, _READ_PAUSES)
        )

    def _columns(self, driver: Driver, name: str, parameters: Mapping[str, Any]) -> Columns:
        from neo4j import READ_ACCESS

        found = _load(name)
        given = {key: value for key, value in parameters.items() if key in found.parameters}
        lacking = found.parameters - given.keys()
        if lacking:
            raise StatementError(f"{name}.cypher wants ${', $'.join(sorted(lacking))}; got {sorted(parameters)}")
        with driver.session(
            database=self.connection.database, default_access_mode=READ_ACCESS, bookmark_manager=self._bookmarks
        ) as session:
            return _table(found, _run(session, found, given))

    def fetch(self, name: str, parameters: Mapping[str, Any], scope: Scope) -> Columns:
        """The rows of one statement, with ``$collection``, ``$documents`` and ``$embedding`` added."""
        added = {"collection": scope.collection, "documents": list(scope.documents), "embedding": self.embedding}
        return self.columns(name, {**parameters, **added})

    def search(self, request: Search, scope: Scope, vector: Vector | None) -> Hits:
        """See `hopline.store.search`."""
        return search_graph(self, request, scope, vector)

    def size(self, collection: str) -> tuple[int, int]:
        """How much evidence a collection has, and the whole graph; at most 5 s old."""
        now = time.monotonic()
        known = self._sizes.get(collection)
        if known is None or now - known[0] > _SIZE_SECONDS:
            row = self.columns("search/size", {"collection": collection})
            known = self._sizes[collection] = (now, row["inside"][0], row["total"][0])
        return known[1], known[2]

    # -- writing

    def write(self, *writes: Write) -> list[Columns]:
        """Run statements in one transaction, in order; all or none.

        Tried again where it met another writer: by the driver after a deadlock, here where that writer deleted or
        made a node that was in use.
        """
        return self._alive(lambda driver: retry(lambda: self._write(driver, writes), is_conflict, _WRITE_PAUSES))

    def _write(self, driver: Driver, writes: Sequence[Write]) -> list[Columns]:
        with driver.session(database=self.connection.database, bookmark_manager=self._bookmarks) as session:
            return session.execute_write(_run_all, writes)

    def ensure_vectors(self, name: str, dimension: int) -> None:
        """See `hopline.store.schema`."""
        self._alive(lambda driver: ensure_vectors(driver, self.connection.database, name, dimension))

    # -- staying alive

    def _alive(self, work: Callable[[Driver], T]) -> T:
        from neo4j.exceptions import DriverError, ServiceUnavailable, SessionExpired

        self._keep_awake()
        driver = self.driver
        with translated_errors(self.connection):
            try:
                return work(driver)
            except (ServiceUnavailable, SessionExpired):
                return work(self._reconnect(driver))
            except DriverError:
                if self.driver is driver:
                    raise
                return work(self.driver)  # another thread has reconnected, and closed the driver used here

    def _reconnect(self, broken: Driver) -> Driver:
        from neo4j.exceptions import DriverError

        with self._lock:
            if self.driver is broken:
                self.connection = connect(self.settings)
                self.driver = open_driver(self.connection)
                self._bookmarks = _bookmark_manager()
                with suppress(DriverError, OSError):
                    broken.close()
            return self.driver

    def _keep_awake(self) -> None:
        now = time.monotonic()
        if self.connection.private and now - self._touched > _TOUCH_SECONDS:
            self._touched = now
            touch(self.settings)


def _run_all(transaction: ManagedTransaction, writes: Sequence[Write]) -> list[Columns]:
    answers = []
    for name, parameters in writes:
        found = _load(name)
        if found.parameters != parameters.keys():
            wanted, got = sorted(found.parameters), sorted(parameters)
            raise StatementError(f"{name}.cypher wants the parameters {wanted}, got {got}")
        answers.append(_table(found, _run(transaction, found, parameters)))
    return answers


def _table(found: Statement, result: Result) -> Columns:
    """The rows of a result by column, which must be those that the statement declares."""
    keys = tuple(result.keys())
    if found.returns and keys != (("rows",) if found.packed else found.returns):
        raise StatementError(f"{found.name}.cypher:1: declares {found.returns}, returns {keys}")
    rows = result.single(strict=True)["rows"] if found.packed else [record.values() for record in result]
    by_column: list[Any] = list(zip(*rows, strict=True)) if rows else [()] * len(found.returns)
    return {key: list(column) for key, column in zip(found.returns, by_column, strict=True)}


def _run(runner: Session | ManagedTransaction, found: Statement, parameters: Mapping[str, Any]) -> Result:
    try:
        return runner.run(found.text, dict(parameters))
    except (TypeError, ValueError, OverflowError) as error:  # the driver packs them before it sends anything
        raise StatementError(f"{found.name}.cypher: a parameter cannot be sent to Neo4j: {error}") from error


def _bookmark_manager() -> Any:
    from neo4j import GraphDatabase

    return GraphDatabase.bookmark_manager()
