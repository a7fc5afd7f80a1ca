"""Constraints and indexes, made once; the vector indexes once an embedder."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from hopline.errors import StatementError
from hopline_cypher.loader import load_statement, statement_names

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


def create_schema(driver: Driver, database: str) -> None:
    """Constraints, property indexes and full-text indexes; nothing happens where they exist."""
    with driver.session(database=database) as session:
        for name in statement_names():
            if name.startswith(("schema/constraint_", "schema/index_", "schema/text_")):
                session.run(load_statement(name).text).consume()  # type: ignore[arg-type]
        session.run(load_statement("schema/await").text, seconds=120).consume()  # type: ignore[arg-type]


def create_vector_indexes(driver: Driver, database: str, embedder: str, dimension: int) -> None:
    """The vector indexes of one embedder, beside those of others."""
    placeholder = vector_property(embedder)
    with driver.session(database=database) as session:
        for kind in VECTOR_INDEXES:
            text = load_statement(f"schema/vector_{kind}").text.replace("<embedding>", placeholder)
            session.run(text, dimension=dimension).consume()  # type: ignore[arg-type]
        session.run(load_statement("schema/await").text, seconds=120).consume()  # type: ignore[arg-type]
