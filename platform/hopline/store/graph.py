"""The graph store: reads and writes with named Cypher statements, and searches within a scope."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

from hopline.errors import EngineUnavailable, ResourceError, StatementError
from hopline.flow.requests import Hits, Search, Vector
from hopline.flow.services import Columns, Graph, Scope
from hopline.neo4j_server import Connection, connect, open_driver, touch
from hopline.store.driver_errors import (
    is_conflict,
    is_outdated_read,
    is_temporary,
    retry,
    translate_errors,
)
from hopline.store.graph_version import check_home, record_home_version
from hopline.store.read_only_query import QueryLimits, QueryResult, run_read_only_query
from hopline.store.schema import ensure_schema, ensure_vector_index, ensure_vector_indexes, get_vector_property
from hopline.store.search import search_graph
from hopline.store.statements import get_statement
from hopline_cypher.loader import Statement

if TYPE_CHECKING:
    from neo4j import Driver, Result, Session, Transaction

    from hopline.config import Settings

T = TypeVar("T")
Write = tuple[str, Mapping[str, Any]]  # a statement's name and its parameters

_SIZE_SECONDS: Final = 5.0
_SIZE_SHARE: Final = 100.0  # times the duration of a count
_READ_PAUSES: Final = (0.02, 0.1, 0.5)  # seconds between attempts of a read that conflicts with a write
_WRITE_PAUSES: Final = (0.02, 0.05, 0.1, 0.2, 0.4)  # … of a write that conflicts with another
_TRANSACTION_PAUSES: Final = (0.5, 1.0, 2.0, 4.0, 8.0, 15.0)  # … of a transaction that failed temporarily
_TOUCH_SECONDS: Final = 30.0


class Store(Graph):
    """A Neo4j server as a `hopline.flow.services.Graph` that can also be written to.

    Safe to share between threads. A private server that was killed is restarted, at most once per call.
    """

    def __init__(self, driver: Driver, connection: Connection, settings: Settings, embedder: str) -> None:
        self.driver = driver
        self.connection = connection
        self.settings = settings
        self.embedding = get_vector_property(embedder)
        self._embedder = embedder
        self._has_vector_indexes = False
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
        dimension: int | None = None,
        progress: Callable[[int, int, str], None] | None = None,
    ) -> Self:
        """Open the store that the settings configure, create its schema, and migrate a graph of an older version.

        ``dimension`` is that of the embedder's vectors. None: the vector indexes are created with the first vector that
        is written or searched for, so that no remote embedder is asked. Neo4j then plans all statements again.

        Raises:
            EngineUnavailable: no server could be reached or started.
            EngineRefused: wrong password, a missing privilege, a server that is too old, or data of a newer version
                of Neo4j or Hopline, or of another program.
        """
        check_home(settings.home)
        try:
            connection, driver = _connect(settings, progress)
        except EngineUnavailable:
            if settings.neo4j_uri:
                raise
            # the private server ended after it was found running; connecting again restarts it
            connection, driver = _connect(settings, progress)
        record_home_version(settings.home)
        store = cls(driver, connection, settings, embedder)
        try:
            if dimension is not None:
                store.ensure_vector_indexes(dimension)
        except BaseException:
            store.close()
            raise
        return store

    def reopen(self) -> None:
        """Connect again after the data of the private server was replaced, and create the schema.

        Raises:
            EngineError: as for `open`.
        """
        with self._lock:
            self.driver.close()
            self.connection, self.driver = _connect(self.settings, None)
            self._bookmarks = _bookmark_manager()
            self._has_vector_indexes = False
            self._sizes.clear()

    def close(self) -> None:
        """Close the driver; the private server keeps running for other processes."""
        self.driver.close()

    # -- reading

    def read(self, name: str, parameters: Mapping[str, Any] | None = None) -> Columns:
        """Run one statement and return its rows as named columns of equal length.

        Documents that are being removed are left out: every statement that reads evidence has the parameter
        ``$excluded``, which is their ids unless it is given.

        Raises:
            EngineError: the statement or the connection failed, or a parameter is missing.
        """
        return self._with_driver(
            lambda driver: retry(lambda: self._read(driver, name, parameters or {}), is_outdated_read, _READ_PAUSES)
        )

    def _read(self, driver: Driver, name: str, parameters: Mapping[str, Any]) -> Columns:
        from neo4j import READ_ACCESS

        statement = get_statement(name)
        used = {key: value for key, value in parameters.items() if key in statement.parameters}
        if "excluded" in statement.parameters - used.keys():
            used["excluded"] = self._read(driver, "documents/removed_documents", {})["id"]
        missing = statement.parameters - used.keys()
        if missing:
            raise StatementError(f"{name}.cypher needs ${', $'.join(sorted(missing))}; got {sorted(parameters)}")
        with driver.session(
            database=self.connection.database, default_access_mode=READ_ACCESS, bookmark_manager=self._bookmarks
        ) as session:
            return _to_columns(statement, _run(session, statement, used))

    def fetch(self, name: str, parameters: Mapping[str, Any], scope: Scope) -> Columns:
        """Run one statement with the scope and ``$embedding`` added; return its columns.

        The scope is ``$collection``, ``$documents`` and ``$excluded``.
        """
        added = {
            "collection": scope.collection,
            "documents": list(scope.documents),
            "excluded": list(scope.excluded),
            "embedding": self.embedding,
        }
        return self.read(name, {**parameters, **added})

    def search(self, request: Search, scope: Scope, vector: Vector | None) -> Hits:
        """Search within a scope; see `hopline.store.search`."""
        if vector is not None:
            self.ensure_vector_indexes(len(vector))
        return search_graph(self, request, scope, vector)

    def count_evidence(self, collection: str) -> tuple[int, int]:
        """Count the evidence of a collection and of the whole graph.

        The counts are used for 5 s, or for a hundred times as long as counting took, which grows with the collection.
        """
        started = time.monotonic()
        known = self._sizes.get(collection)
        if known is None or started > known[0]:
            row = self.read("search/evidence_counts", {"collection": collection})
            ended = time.monotonic()
            valid = max(_SIZE_SECONDS, _SIZE_SHARE * (ended - started))
            known = self._sizes[collection] = (ended + valid, row["inside"][0], row["total"][0])
        return known[1], known[2]

    def query(self, query: str, parameters: Mapping[str, Any] | None, limits: QueryLimits) -> QueryResult:
        """Run a query of the user that only reads; see `hopline.store.read_only_query`."""
        return self._with_driver(
            lambda driver: run_read_only_query(driver, self.connection.database, query, parameters, limits)
        )

    # -- writing

    def write(self, *writes: Write) -> list[Columns]:
        """Run statements in one transaction, in order; all or none.

        Retried after a temporary failure, such as a deadlock, and after a conflict with another writer that deleted or
        created a node that was in use.
        """
        return self._with_driver(lambda driver: retry(lambda: self._write(driver, writes), is_conflict, _WRITE_PAUSES))

    def _write(self, driver: Driver, writes: Sequence[Write]) -> list[Columns]:
        with driver.session(database=self.connection.database, bookmark_manager=self._bookmarks) as session:
            return retry(lambda: _run_transaction(session, writes), self._can_be_repeated, _TRANSACTION_PAUSES)

    def _can_be_repeated(self, error: Exception) -> bool:
        """Whether a failed transaction may succeed with the same driver.

        A lost connection to the private server has to be replaced: the server is restarted at another port.
        """
        from neo4j.exceptions import ServiceUnavailable, SessionExpired

        lost = isinstance(error, ServiceUnavailable | SessionExpired)
        return is_temporary(error) and not (lost and self.connection.private)

    def write_until_done(
        self, name: str, parameters: Mapping[str, Any], *, limit: int, column: str, before: Sequence[Write] = ()
    ) -> int:
        """Run a statement that processes at most ``$limit`` nodes until its ``column`` is 0; return the sum of these.

        ``before`` are statements that run first in every transaction. The limit is halved where a transaction fails
        because it needs too much memory or time.

        Raises:
            ResourceError: one node alone needs too much.
        """
        total = 0
        while True:
            try:
                *_, deleted = self.write(*before, (name, {**parameters, "limit": limit}))
            except ResourceError:
                if limit == 1:
                    raise
                limit //= 2
                continue
            count = sum(deleted[column])
            if not count:
                return total
            total += count

    def ensure_vector_indexes(self, dimension: int) -> None:
        """Create the vector indexes of the embedder unless they exist; read from the graph once per store."""
        if not self._has_vector_indexes:
            self._with_driver(
                lambda driver: ensure_vector_indexes(driver, self.connection.database, self._embedder, dimension)
            )
            self._has_vector_indexes = True

    def ensure_vector_index(self, name: str, dimension: int) -> None:
        """Create the vector index of a property; see `hopline.store.schema`."""
        self._with_driver(lambda driver: ensure_vector_index(driver, self.connection.database, name, dimension))

    # -- reconnecting

    def _with_driver(self, work: Callable[[Driver], T]) -> T:
        from neo4j.exceptions import DriverError, ServiceUnavailable, SessionExpired

        self._touch_server()
        driver = self.driver
        with translate_errors(self.connection):
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

    def _touch_server(self) -> None:
        now = time.monotonic()
        if self.connection.private and now - self._touched > _TOUCH_SECONDS:
            self._touched = now
            touch(self.settings)


def _connect(settings: Settings, progress: Callable[[int, int, str], None] | None) -> tuple[Connection, Driver]:
    connection = connect(settings, progress=progress)
    with translate_errors(connection):
        driver = open_driver(connection)
        try:
            ensure_schema(driver, connection)
        except BaseException:
            driver.close()
            raise
    return connection, driver


def _run_transaction(session: Session, writes: Sequence[Write]) -> list[Columns]:
    with session.begin_transaction() as transaction:
        results = _run_writes(transaction, writes)
        transaction.commit()
    return results


def _run_writes(transaction: Transaction, writes: Sequence[Write]) -> list[Columns]:
    results = []
    for name, parameters in writes:
        statement = get_statement(name)
        if statement.parameters != parameters.keys():
            wanted, got = sorted(statement.parameters), sorted(parameters)
            raise StatementError(f"{name}.cypher needs the parameters {wanted}; got {got}")
        results.append(_to_columns(statement, _run(transaction, statement, parameters)))
    return results


def _to_columns(statement: Statement, result: Result) -> Columns:
    """Convert a result to columns, which must be those that the statement declares."""
    keys = tuple(result.keys())
    if statement.returns and keys != (("rows",) if statement.packed else statement.returns):
        raise StatementError(f"{statement.name}.cypher:1: declares {statement.returns}, returns {keys}")
    rows = result.single(strict=True)["rows"] if statement.packed else [record.values() for record in result]
    by_column: list[Any] = list(zip(*rows, strict=True)) if rows else [()] * len(statement.returns)
    return {key: list(column) for key, column in zip(statement.returns, by_column, strict=True)}


def _run(runner: Session | Transaction, statement: Statement, parameters: Mapping[str, Any]) -> Result:
    try:
        return runner.run(statement.text, dict(parameters))
    except (TypeError, ValueError, OverflowError) as error:  # the driver serializes them before it sends anything
        raise StatementError(f"{statement.name}.cypher: a parameter cannot be sent to Neo4j: {error}") from error


def _bookmark_manager() -> Any:
    from neo4j import GraphDatabase

    return GraphDatabase.bookmark_manager()
