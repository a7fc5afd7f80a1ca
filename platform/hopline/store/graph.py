"""The graph in Neo4j: reading and writing named statements, searching within a scope."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

from hopline.errors import EngineError, EngineUnavailable, StatementError
from hopline.flow.requests import Hits, Search, Vector
from hopline.flow.world import Columns, Graph, Scope
from hopline.store.schema import ensure_schema, ensure_vectors, vector_property
from hopline.store.search import search_graph
from hopline.store.server import Connection, connect, open_driver, touch
from hopline_cypher.loader import MalformedStatement, NoSuchStatement, Statement, load_statement

if TYPE_CHECKING:
    from neo4j import Driver, ManagedTransaction, Result

    from hopline.config import Settings

T = TypeVar("T")
Write = tuple[str, Mapping[str, Any]]  # a statement's name and its parameters

_SIZE_SECONDS: Final = 5.0
_PAUSES: Final = (0.02, 0.1, 0.5)  # seconds, between tries of a read that met a write
_TOUCH_SECONDS: Final = 30.0


class Store(Graph):
    """One Neo4j server as a `hopline.flow.world.Graph`, and the way to write to it.

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
            EngineRefused: wrong password, too old a server, data of a newer one.
        """
        connection = connect(settings, progress=progress)
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
        return self._alive(lambda driver: _persisting(lambda: self._columns(driver, name, parameters or {})))

    def _columns(self, driver: Driver, name: str, parameters: Mapping[str, Any]) -> Columns:
        from neo4j import READ_ACCESS

        statement = _load(name)
        given = {key: value for key, value in parameters.items() if key in statement.parameters}
        lacking = statement.parameters - given.keys()
        if lacking:
            raise StatementError(f"{name}.cypher wants ${', $'.join(sorted(lacking))}; got {sorted(parameters)}")
        with driver.session(
            database=self.connection.database, default_access_mode=READ_ACCESS, bookmark_manager=self._bookmarks
        ) as session:
            return _table(statement, session.run(statement.text, given))

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
        """Run statements in one transaction, in order; all or none. Retried by the driver where that helps."""
        return self._alive(lambda driver: self._write(driver, writes))

    def _write(self, driver: Driver, writes: Sequence[Write]) -> list[Columns]:
        with driver.session(database=self.connection.database, bookmark_manager=self._bookmarks) as session:
            return session.execute_write(_run_all, writes)

    def ensure_vectors(self, name: str, dimension: int) -> None:
        """See `hopline.store.schema`."""
        self._alive(lambda driver: ensure_vectors(driver, self.connection.database, name, dimension))

    # -- staying alive

    def _alive(self, work: Callable[[Driver], T]) -> T:
        from neo4j.exceptions import ClientError, DriverError, Neo4jError, ServiceUnavailable, SessionExpired

        self._keep_awake()
        driver = self.driver
        try:
            try:
                return work(driver)
            except (ServiceUnavailable, SessionExpired):
                return work(self._reconnect(driver))
        except (ServiceUnavailable, SessionExpired) as error:
            raise EngineUnavailable(f"Neo4j at {self.connection.uri} went away: {error}") from error
        except ClientError as error:
            raise StatementError(f"Neo4j refused a statement: {error.message}") from error
        except (Neo4jError, DriverError) as error:
            raise EngineError(f"Neo4j failed: {error}") from error

    def _reconnect(self, broken: Driver) -> Driver:
        with self._lock:
            if self.driver is broken:
                self.connection = connect(self.settings)
                self.driver = open_driver(self.connection)
                self._bookmarks = _bookmark_manager()
                broken.close()
            return self.driver

    def _keep_awake(self) -> None:
        now = time.monotonic()
        if self.connection.private and now - self._touched > _TOUCH_SECONDS:
            self._touched = now
            touch(self.settings)


def _persisting(read: Callable[[], T]) -> T:
    """What a read gives, tried again where somebody wrote what it was just reading."""
    from neo4j.exceptions import TransientError

    for pause in _PAUSES:
        try:
            return read()
        except TransientError:
            time.sleep(pause)
    return read()


def _run_all(transaction: ManagedTransaction, writes: Sequence[Write]) -> list[Columns]:
    answers = []
    for name, parameters in writes:
        statement = _load(name)
        if statement.parameters != parameters.keys():
            wanted, got = sorted(statement.parameters), sorted(parameters)
            raise StatementError(f"{name}.cypher wants the parameters {wanted}, got {got}")
        answers.append(_table(statement, transaction.run(statement.text, dict(parameters))))
    return answers


def _table(statement: Statement, result: Result) -> Columns:
    """The rows of a result by column, which must be those that the statement declares."""
    keys = tuple(result.keys())
    if statement.returns and keys != (("rows",) if statement.packed else statement.returns):
        raise StatementError(f"{statement.name}.cypher:1: declares {statement.returns}, returns {keys}")
    rows = result.single(strict=True)["rows"] if statement.packed else [record.values() for record in result]
    by_column: list[Any] = list(zip(*rows, strict=True)) if rows else [()] * len(statement.returns)
    return {key: list(column) for key, column in zip(statement.returns, by_column, strict=True)}


def _load(name: str) -> Statement:
    try:
        return load_statement(name)
    except (MalformedStatement, NoSuchStatement) as error:
        raise StatementError(str(error)) from error


def _bookmark_manager() -> Any:
    from neo4j import GraphDatabase

    return GraphDatabase.bookmark_manager()
