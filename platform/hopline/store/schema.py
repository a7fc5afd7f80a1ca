"""Constraints and indexes, created once per database; the vector indexes once per embedder, with its first vector."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from hopline.config import hide_credentials
from hopline.errors import EngineRefused, StatementError
from hopline.store import graph_version
from hopline.store.statements import get_statement
from hopline_cypher.loader import statement_names

if TYPE_CHECKING:
    from neo4j import Driver, Session

    from hopline.neo4j_server import Connection

_NAME: Final = re.compile(r"^[a-z][a-z0-9_]{0,62}$")
_LABELS: Final = re.compile(r":(!?[A-Z]\w*(?:[|&]!?[A-Z]\w*)*)")  # "Entity|Merged", "Document&!Removed", "HAS_PAGE"
_PROPERTY: Final = re.compile(r"\b(?!row\.|pair\.)[a-z]\w*\.([a-z]\w*)\b(?![.(])")  # not those of rows of parameters
STALLED_SECONDS: Final = 600.0
MAX_PAUSE: Final = 1.0  # seconds between two looks at unfinished indexes
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
        if _run_once(session, "schema", marks, texts):
            _create_names(session)


def ensure_vector_indexes(driver: Driver, database: str, embedder: str, dimension: int) -> None:
    """Create the vector indexes of one embedder; those of other embedders stay."""
    name, mark = get_vector_property(embedder), f"schema {embedder}"
    texts = [get_statement(f"schema/vector_{kind}").text.replace("<embedding>", name) for kind in VECTOR_INDEXES]
    with driver.session(database=database) as session:
        _run_once(session, mark, _read_marks(session, mark), texts, dimension=dimension)


def _read_marks(session: Session, *names: str) -> dict[str, str]:
    """Read the marks of the graph that have these names."""
    return {row["name"]: row["value"] for row in session.run(get_statement("schema/marks").text, names=list(names))}


def _create_names(session: Session) -> None:
    """Create the labels, relationship types and properties of all statements.

    Neo4j plans a statement again after a name in it has been created: the first document of a new graph would need most
    statements to be planned twice, for 0.1 to 0.5 s each.
    """
    texts = [get_statement(name).text for name in statement_names() if not name.startswith("schema/")]
    labels_and_types = {name for text in texts for match in _LABELS.findall(text) for name in re.findall(r"\w+", match)}
    names = {
        "types": {name for name in labels_and_types if name.isupper()},
        "labels": {name for name in labels_and_types if not name.isupper()},
        "properties": {name for text in texts for name in _PROPERTY.findall(text)},
    }
    for kind, new_names in names.items():
        session.run(get_statement(f"schema/names_{kind}").text, {kind: sorted(new_names)}).consume()


def _run_once(session: Session, mark: str, marks: dict[str, str], texts: Sequence[str], **parameters: int) -> bool:
    """Run statements that create indexes, and wait for these, unless the graph has the mark of the same statements.

    Returns whether they ran.
    """
    fingerprint = sha256("\n".join([*map(str, parameters.values()), *texts]).encode()).hexdigest()
    if marks.get(mark) == fingerprint:
        return False
    for text in texts:
        session.run(text, parameters).consume()
    _await_indexes(session)
    session.run(get_statement("schema/set_mark").text, name=mark, value=fingerprint).consume()
    return True


def _await_indexes(session: Session) -> None:
    """Wait until every index is online: hours for the vectors of a large graph that was imported in bulk.

    Raises:
        EngineRefused: an index failed, or none made progress for `STALLED_SECONDS`.
    """
    pause, before, changed = 0.02, None, time.monotonic()
    while rows := session.run(get_statement("schema/unfinished_indexes").text).data():
        if failed := [row["name"] for row in rows if row["state"] == "FAILED"]:
            raise EngineRefused(
                f"Neo4j could not build the index {failed[0]}; see the log of the server for the reason"
            )
        if rows != before:
            before, changed = rows, time.monotonic()
        elif time.monotonic() - changed > STALLED_SECONDS:
            raise EngineRefused(
                f"Neo4j builds the index {rows[0]['name']} without progress; start the server with more memory, or see "
                "its log for the reason"
            )
        time.sleep(pause)
        pause = min(2 * pause, MAX_PAUSE)


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
            _await_indexes(session)
