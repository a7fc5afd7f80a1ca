"""Constraints and indexes, made once; the vector indexes once an embedder."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from hopline.errors import StatementError
from hopline.store.statements import statement
from hopline_cypher.loader import statement_names

if TYPE_CHECKING:
    from neo4j import Driver

_NAME: Final = re.compile(r"^[a-z][a-z0-9_]{0,62}$")
VECTOR_INDEXES: Final = ("evidence", "table", "entity", "triple")


def vector_property(embedder: str) -> str:
    """The property that holds the vectors of an embedder: ``vector_minilm``.

    Raises:
        StatementError: the name cannot be one of a property.
    """
    name = f"vector_{embedder}"
    if not _NAME.match(name):
        raise StatementError(f"an embedder's name must match {_NAME.pattern} after 'vector_' (got {embedder!r})")
    return name


def ensure_schema(driver: Driver, database: str, embedder: str, dimension: int) -> None:
    """Constraints, property and full-text indexes, and the vector indexes of one embedder beside others'.

    What was made is marked in the graph, so that an open graph costs one look.
    """
    made = _statements(embedder)
    mark = f"schema {embedder}"
    seal = sha256("\n".join([str(dimension), *made]).encode()).hexdigest()
    with driver.session(database=database) as session:
        found = session.run(statement("schema/mark").text, name=mark).single()
        if found is not None and found["value"] == seal:
            return
        for text in made:
            session.run(text, dimension=dimension).consume()
        session.run(statement("schema/await").text, seconds=120).consume()
        session.run(statement("ingest/turn_ledger").text, name=mark, value=seal).consume()


def ensure_vectors(driver: Driver, database: str, name: str, dimension: int) -> None:
    """The vector index of one more property of evidence, waited for where it is new.

    Raises:
        StatementError: the name cannot be one of a property.
    """
    if not _NAME.match(name):
        raise StatementError(f"a vector property must match {_NAME.pattern} (got {name!r})")
    text = statement("schema/vector_evidence").text.replace("<embedding>", name)
    with driver.session(database=database) as session:
        if session.run(text, dimension=dimension).consume().counters.indexes_added:
            session.run(statement("schema/await").text, seconds=120).consume()


def _statements(embedder: str) -> list[str]:
    """Every statement of the schema, constraints first."""
    once = ("schema/constraint_", "schema/index_", "schema/text_")
    texts = [statement(name).text for kind in once for name in statement_names() if name.startswith(kind)]
    vectors = [statement(f"schema/vector_{kind}").text for kind in VECTOR_INDEXES]
    return texts + [text.replace("<embedding>", vector_property(embedder)) for text in vectors]
