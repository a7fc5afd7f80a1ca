"""How a Neo4j is reached, and the driver that is known to work with it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hopline.errors import EngineRefused, EngineUnavailable, SettingsError
from hopline.neo4j_server.driver import import_driver

if TYPE_CHECKING:
    from neo4j import Driver

OLDEST = (5, 26)
CONNECT_SECONDS = 15.0
_ADDRESS = re.compile(r"(bolt|neo4j)(\+s|\+ssc)?://[^/?#\s]+")


@dataclass(frozen=True, slots=True)
class Connection:
    """Address and credentials of one database. ``private``: it is the server that Hopline runs itself."""

    uri: str
    user: str
    password: str = field(repr=False)
    database: str
    private: bool


def open_driver(connection: Connection) -> Driver:
    """A driver that has run a statement on the database; whoever asked for it closes it.

    Raises:
        EngineUnavailable: nothing answers at the address.
        EngineRefused: wrong password, no such database, or a server older than 5.26.
        SettingsError: an address that is none.
    """
    import_driver()
    from neo4j import GraphDatabase, NotificationMinimumSeverity

    if not _ADDRESS.match(connection.uri):
        raise _no_address(connection, "no such scheme, or no host")
    with driver_errors(connection):
        driver = GraphDatabase.driver(
            connection.uri,
            auth=(connection.user, connection.password),
            connection_timeout=CONNECT_SECONDS,
            notifications_min_severity=NotificationMinimumSeverity.OFF,
            telemetry_disabled=True,
        )
    try:
        with driver_errors(connection):
            check_version(driver)
            driver.execute_query("RETURN 1", database_=connection.database)
    except BaseException:
        driver.close()
        raise
    return driver


def check_version(driver: Driver) -> str:
    """The server's version, such as ``5.26.28``.

    Raises:
        EngineRefused: it is older than 5.26, or no Neo4j.
    """
    return accepted_version(driver.get_server_info().agent)


def accepted_version(agent: str) -> str:
    """The version in what a server calls itself (``Neo4j/5.26.28``, ``Neo4j/5.27-aura``).

    Raises:
        EngineRefused: it is older than 5.26, or no Neo4j.
    """
    oldest = ".".join(map(str, OLDEST))
    found = re.match(r"Neo4j/((\d+)\.(\d+)[\w.-]*)$", agent)
    if found is None:
        raise EngineRefused(f"the server calls itself {agent!r}; Hopline needs Neo4j {oldest} or newer")
    if (int(found[2]), int(found[3])) < OLDEST:
        raise EngineRefused(
            f"the server is Neo4j {found[1]}; Hopline needs {oldest} or newer: upgrade it, or unset NEO4J_URI "
            "and Hopline runs a server of its own"
        )
    return found[1]


@contextmanager
def driver_errors(connection: Connection) -> Iterator[None]:
    """Turn the driver's errors on credentials and reachability within this block into Hopline's."""
    from neo4j import exceptions

    try:
        yield
    except (exceptions.AuthError, exceptions.TokenExpired) as error:
        raise _denied(connection) from error
    except exceptions.UnsupportedServerProduct as error:
        raise EngineRefused(f"{connection.uri} is no Neo4j that Hopline can use: {error}") from error
    except (exceptions.ServiceUnavailable, exceptions.SessionExpired, OSError) as error:
        raise _unreachable(connection, error) from error
    except (exceptions.ConfigurationError, ValueError) as error:
        raise _no_address(connection, str(error)) from error
    except exceptions.Neo4jError as error:
        if (error.code or "").startswith("Neo.ClientError.Security."):
            raise _denied(connection) from error
        if error.code == "Neo.ClientError.Database.DatabaseNotFound":
            message = f"{connection.uri} has no database {connection.database!r}; set NEO4J_DATABASE to one that it has"
            raise EngineRefused(message) from error
        raise


def _no_address(connection: Connection, why: str) -> SettingsError:
    return SettingsError(
        f"NEO4J_URI {connection.uri!r} cannot be used ({why}); it looks like bolt://host:7687 or neo4j+s://host"
    )


def _denied(connection: Connection) -> EngineRefused:
    if connection.private:
        what = "the password file beside its data is not the one that the data was made with: put the old one back"
    else:
        what = "set NEO4J_USER and NEO4J_PASSWORD to what that server knows"
    return EngineRefused(f"{connection.uri} refused user {connection.user!r} with the password given; {what}")


def _unreachable(connection: Connection, error: Exception) -> EngineUnavailable:
    what = "connect again and it is started anew" if connection.private else "check NEO4J_URI and that the server runs"
    why = " ".join(str(error).split())  # the driver breaks its lines
    return EngineUnavailable(f"no Neo4j answers at {connection.uri} ({why}); {what}")
