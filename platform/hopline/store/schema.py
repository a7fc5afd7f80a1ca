"""Constraints and indexes, created once per database; the vector indexes once per embedder, with its first vector."""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from hopline.config import hide_credentials
from hopline.errors import StatementError
from hopline.store import graph_version
from hopline.store.statements import get_statement
from hopline_cypher.loader import statement_names

if TYPE_CHECKING:
    from neo4j import Driver, Session

    from hopline.neo4j_server import Connection

_NAME: Final = re.compile(r"^[a-z][a-z0-9_]{0,62}$")
VECTOR_INDEXES: Final = ("evidence", "table", "entity", "triple")


def get_vector_property(embedder: str) -> str:
    """Return the name of the property that holds the vectors of an embedder: ``vector_minilm``.

    Raises:
        StatementError: the name is not valid for a property.
    """
    name = f"vector_{embedder}"
    if not _NAME.match(name):
        raise StatementError(f"an embedder's name must match {_NAME.pattern} after 'vector_' (got {embedder!r})")
    return name


def ensure_schema(driver: Driver, connection: Connection) -> None:
    """Create constraints, and property and full-text indexes, and migrate a graph of an older version.

    A hash of the statements and the version of the graph are stored in it, so that opening an existing graph takes one
    read.

    Raises:
        EngineRefused: the graph has a newer version.
    """
    once = ("schema/constraint_", "schema/index_", "schema/text_")
    texts = [get_statement(name).text for kind in once for name in statement_names() if name.startswith(kind)]
    with driver.session(database=connection.database) as session:
        marks = _read_marks(session, "schema", graph_version.MARK)
        address = f"{hide_credentials(connection.uri)} (database {connection.database})"
        graph_version.migrate_graph(session, marks.get(graph_version.MARK), address)
        _run_once(session, "schema", marks, texts)


def ensure_vector_indexes(driver: Driver, database: str, embedder: str, dimension: int) -> None:
    """Create the vector indexes of one embedder; those of other embedders stay."""
    name, mark = get_vector_property(embedder), f"schema {embedder}"
    texts = [get_statement(f"schema/vector_{kind}").text.replace("<embedding>", name) for kind in VECTOR_INDEXES]
    with driver.session(database=database) as session:
        _run_once(session, mark, _read_marks(session, mark), texts, dimension=dimension)


def _read_marks(session: Session, *names: str) -> dict[str, str]:
    """Read the marks of the graph that have these names."""
    return {row["name"]: row["value"] for row in session.run(get_statement("schema/marks").text, names=list(names))}


def _run_once(session: Session, mark: str, marks: dict[str, str], texts: Sequence[str], **parameters: int) -> None:
    """Run statements that create indexes, and wait for these, unless the graph has the mark of the same statements."""
    fingerprint = sha256("\n".join([*map(str, parameters.values()), *texts]).encode()).hexdigest()
    if marks.get(mark) == fingerprint:
        return
    for text in texts:
        session.run(text, parameters).consume()
    session.run(get_statement("schema/await_indexes").text, seconds=120).consume()
    session.run(get_statement("schema/set_mark").text, name=mark, value=fingerprint).consume()


def ensure_vector_index(driver: Driver, database: str, name: str, dimension: int) -> None:
    """Create the vector index of another property of evidence, and wait until a new index is online.

    Raises:
        StatementError: the name is not valid for a property.
    """
    if not _NAME.match(name):
        raise StatementError(f"a vector property must match {_NAME.pattern} (got {name!r})")
    text = get_statement("schema/vector_evidence").text.replace("<embedding>", name)
    with driver.session(database=database) as session:
        if session.run(text, dimension=dimension).consume().counters.indexes_added:
            session.run(get_statement("schema/await_indexes").text, seconds=120).consume()
