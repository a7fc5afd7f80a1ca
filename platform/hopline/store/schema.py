"""Constraints and indexes, created once per database; the vector indexes once per embedder, with its first vector."""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from hopline.errors import StatementError
from hopline.store.statements import get_statement
from hopline_cypher.loader import statement_names

if TYPE_CHECKING:
    from neo4j import Driver

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


def ensure_schema(driver: Driver, database: str) -> None:
    """Create constraints, and property and full-text indexes.

    A hash of the statements is stored in the graph, so that opening an existing graph takes one read.
    """
    once = ("schema/constraint_", "schema/index_", "schema/text_")
    texts = [get_statement(name).text for kind in once for name in statement_names() if name.startswith(kind)]
    _run_once(driver, database, "schema", texts)


def ensure_vector_indexes(driver: Driver, database: str, embedder: str, dimension: int) -> None:
    """Create the vector indexes of one embedder; those of other embedders stay."""
    name = get_vector_property(embedder)
    texts = [get_statement(f"schema/vector_{kind}").text.replace("<embedding>", name) for kind in VECTOR_INDEXES]
    _run_once(driver, database, f"schema {embedder}", texts, dimension=dimension)


def _run_once(driver: Driver, database: str, mark: str, texts: Sequence[str], **parameters: int) -> None:
    """Run statements that create indexes, and wait for these, unless the graph has the mark of the same statements."""
    fingerprint = sha256("\n".join([*map(str, parameters.values()), *texts]).encode()).hexdigest()
    with driver.session(database=database) as session:
        stored = session.run(get_statement("schema/mark").text, name=mark).single()
        if stored is not None and stored["value"] == fingerprint:
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
