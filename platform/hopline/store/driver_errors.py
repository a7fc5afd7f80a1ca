"""The driver's errors as Hopline's, and those after which the same work is tried again."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, TypeVar

from hopline.errors import EngineError, EngineRefused, EngineUnavailable, HoplineError, StatementError

if TYPE_CHECKING:
    from hopline.neo4j_server import Connection

T = TypeVar("T")

_CONFLICTS: Final = (
    "Neo.ClientError.Statement.EntityNotFound",  # another transaction deleted a node that this one used
    "Neo.ClientError.Schema.ConstraintValidationFailed",  # … made the same node, or an edge to one that is deleted
)
_TEMPORARY: Final = "Neo.TransientError."

# The first prefix that a code has decides. {0} is the server's message, {c} the connection.
_MEANINGS: Final[tuple[tuple[str, type[EngineError], str], ...]] = (
    (
        "Neo.ClientError.Security.Forbidden",
        EngineRefused,
        "{c.uri} denies {c.user!r} a right: {0}; grant it, or set NEO4J_USER to one who may write and make indexes",
    ),
    (
        "Neo.ClientError.Security.",
        EngineRefused,
        "Neo4j at {c.uri} refused {c.user!r}: {0}; set NEO4J_USER and NEO4J_PASSWORD to what that server knows",
    ),
    (
        "Neo.ClientError.Database.DatabaseNotFound",
        EngineRefused,
        "{c.uri} has no database {c.database!r}; set NEO4J_DATABASE to one that it has",
    ),
    (
        "Neo.ClientError.General.ForbiddenOnReadOnlyDatabase",
        EngineRefused,
        "database {c.database!r} at {c.uri} cannot be written: {0}; make it writable, or set NEO4J_DATABASE to another",
    ),
    *(
        (
            code,
            EngineError,
            "other writers changed the same nodes each time that this was tried: {0}; run it again when they are done",
        )
        for code in _CONFLICTS
    ),
    *(
        (
            code,
            EngineRefused,
            "{c.database!r} at {c.uri} has data or a schema of another program: {0}; set NEO4J_DATABASE to another",
        )
        for code in ("Neo.ClientError.Schema.", "Neo.DatabaseError.Schema.")
    ),
    (
        "Neo.TransientError.General.MemoryPoolOutOfMemoryError",
        EngineError,
        "Neo4j at {c.uri} has too little memory: {0}; raise HOPLINE_SERVER_HEAP_MB, or the limits of your own server",
    ),
    (
        "Neo.TransientError.General.DatabaseUnavailable",
        EngineUnavailable,
        "database {c.database!r} at {c.uri} is not available: {0}; start it, or try again when it has started",
    ),
    (_TEMPORARY, EngineError, "Neo4j at {c.uri} could not do this now: {0}; try it again"),
    ("Neo.ClientError.", StatementError, "Neo4j refused a statement: {0}"),
    ("", EngineError, "Neo4j at {c.uri} failed: {0}; its log says more"),
)


def to_hopline_error(error: Exception, connection: Connection) -> HoplineError:
    """The error of Hopline's that says what an error of the driver, or of the network, means and what to do."""
    from neo4j.exceptions import Neo4jError, ServiceUnavailable, SessionExpired

    if isinstance(error, Neo4jError):
        said = str(error) if error.args else error.message or ""
        code = error.code or ""
        kind, words = next((kind, words) for prefix, kind, words in _MEANINGS if code.startswith(prefix))
        return kind(words.format(" ".join(said.split()), c=connection))
    said = " ".join(str(error).split())
    if isinstance(error, ServiceUnavailable | SessionExpired | OSError):
        what = "try again and it is started anew" if connection.private else "check that the server runs, and try again"
        return EngineUnavailable(f"Neo4j at {connection.uri} went away: {said}; {what}")
    return EngineError(f"the connection to Neo4j at {connection.uri} failed: {said}; open it again")


@contextmanager
def translated_errors(connection: Connection) -> Iterator[None]:
    """Raise what the driver raises within this block as an error of Hopline's."""
    from neo4j.exceptions import DriverError, Neo4jError

    try:
        yield
    except (Neo4jError, DriverError, OSError) as error:
        raise to_hopline_error(error, connection) from error


def is_conflict(error: Exception) -> bool:
    """Whether a transaction failed because another one deleted or made what it was using.

    A statement behind the one that failed only says that an earlier result has failed: its cause counts.
    """
    causes = (error, error.__cause__, error.__context__)
    return any(getattr(one, "code", None) in _CONFLICTS for one in causes)


def is_outdated_read(error: Exception) -> bool:
    """Whether a read failed because somebody wrote what it was reading."""
    from neo4j.exceptions import TransientError

    return isinstance(error, TransientError) or is_conflict(error)


def retry(work: Callable[[], T], passes: Callable[[Exception], bool], pauses: Sequence[float]) -> T:
    """What ``work`` gives; it is done again from its start after an error that ``passes``, once a pause (seconds)."""
    from neo4j.exceptions import DriverError, Neo4jError

    for pause in pauses:
        try:
            return work()
        except (Neo4jError, DriverError) as error:
            if not passes(error):
                raise
            time.sleep(pause)
    return work()
