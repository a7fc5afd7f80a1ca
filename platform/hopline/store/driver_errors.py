"""Translation of the driver's errors into Hopline's, and retries of work that failed because of a conflict."""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, TypeVar

from hopline.errors import EngineError, EngineRefused, EngineUnavailable, HoplineError, ResourceError, StatementError

if TYPE_CHECKING:
    from hopline.neo4j_server import Connection

T = TypeVar("T")
log = logging.getLogger(__name__)

_CONFLICTS: Final = (
    "Neo.ClientError.Statement.EntityNotFound",  # another transaction deleted a node that this one used
    "Neo.ClientError.Schema.ConstraintValidationFailed",  # … created the same node, or an edge to a deleted one
)
_TOO_LITTLE_MEMORY: Final = (
    "Neo.TransientError.General.MemoryPoolOutOfMemoryError",
    "Neo.TransientError.General.TransactionOutOfMemoryError",
    "Neo.TransientError.General.TransactionMemoryLimit",
    "Neo.TransientError.General.OutOfMemoryError",
)
_TRANSACTION_LIMIT: Final = "db.memory.transaction.max"  # in the message, where it is not memory that others use
_RANDOM: Final = random.SystemRandom()
_TEMPORARY: Final = "Neo.TransientError."

# The first prefix that matches the code applies. {0} is the server's message, {c} the connection.
_TRANSLATIONS: Final[tuple[tuple[str, type[EngineError], str], ...]] = (
    (
        "Neo.ClientError.Security.Forbidden",
        EngineRefused,
        "{c.uri} denies {c.user!r} a privilege: {0}; grant it, or set NEO4J_USER to one with write and index rights",
    ),
    (
        "Neo.ClientError.Security.",
        EngineRefused,
        "Neo4j at {c.uri} refused {c.user!r}: {0}; set NEO4J_USER and NEO4J_PASSWORD to credentials that it accepts",
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
            "other transactions changed the same nodes at every attempt: {0}; try again when they have finished",
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
    *(
        (
            code,
            ResourceError,
            "Neo4j at {c.uri} has too little memory: {0}; raise HOPLINE_SERVER_HEAP_MB, or the limits of your server",
        )
        for code in _TOO_LITTLE_MEMORY
    ),
    (
        "Neo.ClientError.Transaction.TransactionTimedOut",
        ResourceError,
        "a transaction took longer than Neo4j at {c.uri} allows: {0}; raise its limit db.transaction.timeout",
    ),
    (
        "Neo.TransientError.General.DatabaseUnavailable",
        EngineUnavailable,
        "database {c.database!r} at {c.uri} is not available: {0}; start it, or try again when it has started",
    ),
    (_TEMPORARY, EngineError, "Neo4j at {c.uri} failed temporarily: {0}; try again"),
    ("Neo.ClientError.", StatementError, "Neo4j refused a statement: {0}"),
    ("Neo.DatabaseError.Statement.", StatementError, "Neo4j failed to run a statement: {0}; see its log"),
    ("", EngineError, "Neo4j at {c.uri} failed: {0}; see its log"),
)


def to_hopline_error(error: Exception, connection: Connection) -> HoplineError:
    """Convert an error of the driver or of the network to Hopline's error, whose message says what to do."""
    from neo4j.exceptions import Neo4jError, ServiceUnavailable, SessionExpired

    if isinstance(error, Neo4jError):
        message = str(error) if error.args else error.message or ""
        code = error.code or ""
        kind, template = next((kind, template) for prefix, kind, template in _TRANSLATIONS if code.startswith(prefix))
        return kind(template.format(" ".join(message.split()), c=connection))
    message = " ".join(str(error).split())
    if isinstance(error, ServiceUnavailable | SessionExpired | OSError):
        advice = "try again and it is restarted" if connection.private else "check that the server runs, and try again"
        return EngineUnavailable(f"the connection to Neo4j at {connection.uri} was lost: {message}; {advice}")
    return EngineError(f"the connection to Neo4j at {connection.uri} failed: {message}; open it again")


@contextmanager
def translate_errors(connection: Connection) -> Iterator[None]:
    """Translate the driver's errors within this block to Hopline's, after `raise_interruption`."""
    from neo4j.exceptions import DriverError, Neo4jError

    try:
        yield
    except (Neo4jError, DriverError, OSError) as error:
        raise_interruption(error)
        raise to_hopline_error(error, connection) from error


def raise_interruption(error: Exception) -> None:
    """Raise the interruption, such as KeyboardInterrupt, that ``error`` has replaced, if there is one.

    When a statement is interrupted, the driver rolls back, and an error of the rollback replaces the interruption. As
    an error of a statement it would only fail one document, and the process would continue.
    """
    context = error.__context__
    while context is not None:
        if not isinstance(context, Exception | GeneratorExit):
            raise context from None
        context = context.__context__


def is_conflict(error: Exception) -> bool:
    """Whether a transaction failed because another one deleted or created what it was using.

    The error of a statement after the one that failed only says that an earlier result failed, so its causes are
    checked too.
    """
    causes = (error, error.__cause__, error.__context__)
    return any(getattr(cause, "code", None) in _CONFLICTS for cause in causes)


def is_temporary(error: Exception) -> bool:
    """Whether a transaction may succeed when it is repeated, as after a deadlock.

    One that needs more memory than a transaction is granted fails at every attempt.
    """
    from neo4j.exceptions import DriverError, Neo4jError

    if getattr(error, "code", None) in _TOO_LITTLE_MEMORY and _TRANSACTION_LIMIT in str(error):
        return False
    return isinstance(error, DriverError | Neo4jError) and error.is_retryable()


def is_outdated_read(error: Exception) -> bool:
    """Whether a read failed because of a concurrent write, so that it can be retried."""
    from neo4j.exceptions import TransientError

    return isinstance(error, TransientError) or is_conflict(error)


def retry(work: Callable[[], T], is_retryable: Callable[[Exception], bool], pauses: Sequence[float]) -> T:
    """Return the result of ``work``, retried once per pause (seconds, ±20 %) after an error that ``is_retryable``."""
    from neo4j.exceptions import DriverError, Neo4jError

    for pause in pauses:
        try:
            return work()
        except (Neo4jError, DriverError) as error:
            raise_interruption(error)
            if not is_retryable(error):
                raise
            delay = pause * _RANDOM.uniform(0.8, 1.2)
            log.info("retrying in %.2f s after an error of the database: %s", delay, error)
            time.sleep(delay)
    return work()
