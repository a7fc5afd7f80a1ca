"""Read-only queries of users, written in Cypher (``hop.graph.cypher``, ``hopline cypher``)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from hopline.errors import ResourceError, UsageError
from hopline.store.plain_values import to_plain_value
from hopline.store.query_check import check_query_plan, check_query_text

if TYPE_CHECKING:
    from neo4j import Driver, Transaction


@dataclass(frozen=True, slots=True)
class QueryResult:
    """Rows of a query as dictionaries of JSON-compatible values, by column; ``truncated``: there are more rows."""

    columns: tuple[str, ...] = ()
    rows: tuple[dict[str, Any], ...] = ()
    truncated: bool = False

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)


@dataclass(frozen=True, slots=True)
class QueryLimits:
    """Limits of a query: the number of rows, and seconds on the server; ``vectors``: nodes have theirs."""

    rows: int = 1000
    seconds: float = 30.0
    vectors: bool = False


def run_read_only_query(
    driver: Driver, database: str, query: str, parameters: Mapping[str, Any] | None, limits: QueryLimits
) -> QueryResult:
    """Run a query that only reads, in a transaction that is rolled back; return at most ``limits.rows`` rows.

    The server explains the query first, and its plan is checked (`hopline.store.query_check`).

    Raises:
        UsageError: the query does not only read, is not valid, or lacks a parameter; or a limit is not positive.
        ResourceError: it took longer than ``limits.seconds``, or needed too much memory.
    """
    from neo4j import READ_ACCESS

    check_query_text(query)
    _check_arguments(parameters, limits)
    with (
        _translate_query_errors(limits),
        driver.session(database=database, default_access_mode=READ_ACCESS, fetch_size=limits.rows + 1) as session,
        session.begin_transaction(timeout=limits.seconds) as transaction,
    ):
        summary = transaction.run(f"EXPLAIN {query}", dict(parameters or {})).consume()
        check_query_plan(summary.query_type, summary.plan)
        result = _read_rows(transaction, query, parameters or {}, limits)
        transaction.rollback()
    return result


def _check_arguments(parameters: Mapping[str, Any] | None, limits: QueryLimits) -> None:
    if parameters is not None and not isinstance(parameters, Mapping):
        raise UsageError(f"parameters are a dictionary by name, without the $ (got {parameters!r:.80})")
    if isinstance(limits.rows, bool) or not isinstance(limits.rows, int) or limits.rows < 1:
        raise UsageError(f"limit must be at least 1, a whole number of rows (got {limits.rows!r})")
    if not limits.seconds > 0:
        raise UsageError(f"timeout must be above 0 seconds (got {limits.seconds!r})")
    try:
        json.dumps(dict(parameters or {}))
    except (TypeError, ValueError) as error:
        raise UsageError(f"parameters must be values that JSON has: {error}") from error


def _read_rows(transaction: Transaction, query: str, parameters: Mapping[str, Any], limits: QueryLimits) -> QueryResult:
    result = transaction.run(query, dict(parameters))
    columns = tuple(result.keys())
    records = [record.values() for record in islice(result, limits.rows + 1)]
    rows = tuple(
        {column: to_plain_value(value, vectors=limits.vectors) for column, value in zip(columns, values, strict=True)}
        for values in records[: limits.rows]
    )
    return QueryResult(columns, rows, len(records) > limits.rows)


@contextmanager
def _translate_query_errors(limits: QueryLimits) -> Iterator[None]:
    """Translate errors that the user can correct; the others are those of the database."""
    from neo4j.exceptions import ClientError, Neo4jError

    try:
        yield
    except Neo4jError as error:
        code = error.code or ""
        message = " ".join((error.message or str(error)).split())
        if code.startswith("Neo.ClientError.Transaction.TransactionTimedOut"):
            raise ResourceError(
                f"the query took longer than {limits.seconds:g} s: restrict it, or give it more time (timeout)"
            ) from error
        if isinstance(error, ClientError) and code.startswith(
            ("Neo.ClientError.Statement.", "Neo.ClientError.Procedure.")
        ):
            raise UsageError(f"Neo4j cannot run this query: {message.replace('EXPLAIN ', '', 1)}") from error
        raise
