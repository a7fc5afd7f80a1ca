"""Constraints and indexes, created once per database; the vector indexes once per embedder."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from hopline.config import hide_credentials
from hopline.errors import StatementError
from hopline.store import graph_version
from hopline.store.statements import get_statement
from hopline_cypher.loader import statement_names

if TYPE_CHECKING:
    from neo4j import Driver

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


def ensure_schema(driver: Driver, connection: Connection, embedder: str, dimension: int) -> None:
    """Create constraints, property and full-text indexes, and the vector indexes of one embedder; migrate the graph.

    The vector indexes of other embedders stay. A hash of the statements and the version of the graph are stored in it,
    so that opening an existing graph takes one read.

    Raises:
        EngineRefused: the graph has a newer version.
    """
    statements = _list_statements(embedder)
    mark = f"schema {embedder}"
    fingerprint = sha256("\n".join([str(dimension), *statements]).encode()).hexdigest()
    with driver.session(database=connection.database) as session:
        marks = session.run(get_statement("schema/marks").text, names=[mark, graph_version.MARK])
        stored = {row["name"]: row["value"] for row in marks}
        address = f"{hide_credentials(connection.uri)} (database {connection.database})"
        graph_version.migrate_graph(session, stored.get(graph_version.MARK), address)
        if stored.get(mark) == fingerprint:
            return
        for text in statements:
            session.run(text, dimension=dimension).consume()
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


def _list_statements(embedder: str) -> list[str]:
    """List the text of every statement of the schema, constraints first."""
    once = ("schema/constraint_", "schema/index_", "schema/text_")
    texts = [get_statement(name).text for kind in once for name in statement_names() if name.startswith(kind)]
    vectors = [get_statement(f"schema/vector_{kind}").text for kind in VECTOR_INDEXES]
    return texts + [text.replace("<embedding>", get_vector_property(embedder)) for text in vectors]
