"""Connections to a Neo4j server, and drivers that were tested on it."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hopline.config import hide_credentials
from hopline.errors import EngineRefused, EngineUnavailable, SettingsError

if TYPE_CHECKING:
    from neo4j import Driver

MIN_VERSION = (5, 26)
CONNECT_SECONDS = 15.0
_ADDRESS = re.compile(r"(bolt|neo4j)(\+s|\+ssc)?://[^/?#\s]+")


@dataclass(frozen=True, slots=True)
class Connection:
    """Address and credentials of one database. ``private``: on the server that Hopline runs itself."""

    uri: str
    user: str
    password: str = field(repr=False)
    database: str
    private: bool


@dataclass(frozen=True, slots=True)
class DatabaseAccess:
    """How another client opens the database; ``password_source`` says where the password is."""

    address: str
    database: str
    user: str
    password: str = field(repr=False)
    password_source: str


def import_driver() -> None:
    """Import the Neo4j driver without pandas and PyArrow, which it imports where they are installed.

    Both take longer to import than the driver, and 80 MB. The driver needs them only for parameters and results of
    their types, so this is for processes that run nothing but Hopline, such as the command and the worker.
    """
    absent = [name for name in ("pandas", "pyarrow") if name not in sys.modules]
    sys.modules.update(dict.fromkeys(absent))  # type: ignore[arg-type] # None: an import raises ImportError
    try:
        import neo4j  # noqa: F401
    finally:
        for name in absent:
            del sys.modules[name]


def open_driver(connection: Connection) -> Driver:
    """Open a driver and test it by a statement on the database; the caller closes it.

    Raises:
        EngineUnavailable: no server answers at the address.
        EngineRefused: wrong password, no such database, or a server older than 5.26.
        SettingsError: the address is not valid.
    """
    from neo4j import GraphDatabase, NotificationMinimumSeverity

    if not _ADDRESS.match(connection.uri):
        raise _build_address_error(connection, "unknown scheme, or no host")
    with translate_driver_errors(connection):
        driver = GraphDatabase.driver(
            connection.uri,
            auth=(connection.user, connection.password),
            connection_timeout=CONNECT_SECONDS,
            notifications_min_severity=NotificationMinimumSeverity.OFF,
            telemetry_disabled=True,
        )
    try:
        with translate_driver_errors(connection):
            check_version(driver)
            driver.execute_query("RETURN 1", database_=connection.database)
    except BaseException:
        driver.close()
        raise
    return driver


def check_version(driver: Driver) -> str:
    """Return the version of the server, such as ``5.26.28``.

    Raises:
        EngineRefused: the server is older than 5.26, or is not Neo4j.
    """
    return parse_server_version(driver.get_server_info().agent)


def parse_server_version(agent: str) -> str:
    """Parse the version from the agent string of a server (``Neo4j/5.26.28``, ``Neo4j/5.27-aura``).

    Raises:
        EngineRefused: the server is older than 5.26, or is not Neo4j.
    """
    minimum = ".".join(map(str, MIN_VERSION))
    match = re.match(r"Neo4j/((\d+)\.(\d+)[\w.-]*)$", agent)
    if match is None:
        raise EngineRefused(f"the server identifies itself as {agent!r}; Hopline needs Neo4j {minimum} or newer")
    if (int(match[2]), int(match[3])) < MIN_VERSION:
        raise EngineRefused(
            f"the server is Neo4j {match[1]}; Hopline needs {minimum} or newer: upgrade it, or unset NEO4J_URI "
            "to use the private server of Hopline"
        )
    return match[1]


@contextmanager
def translate_driver_errors(connection: Connection) -> Iterator[None]:
    """Translate the driver's errors about credentials and reachability within this block to Hopline's."""
    from neo4j import exceptions

    try:
        yield
    except (exceptions.AuthError, exceptions.TokenExpired) as error:
        raise _build_credentials_error(connection) from error
    except exceptions.UnsupportedServerProduct as error:
        raise EngineRefused(f"{connection.uri} is not a Neo4j server that Hopline can use: {error}") from error
    except (exceptions.ServiceUnavailable, exceptions.SessionExpired, OSError) as error:
        raise _build_unavailable_error(connection, error) from error
    except (exceptions.ConfigurationError, ValueError) as error:
        raise _build_address_error(connection, str(error)) from error
    except exceptions.Neo4jError as error:
        if (error.code or "").startswith("Neo.ClientError.Security."):
            raise _build_credentials_error(connection) from error
        if error.code == "Neo.ClientError.Database.DatabaseNotFound":
            message = f"{connection.uri} has no database {connection.database!r}; set NEO4J_DATABASE to one that it has"
            raise EngineRefused(message) from error
        raise


def _build_address_error(connection: Connection, reason: str) -> SettingsError:
    address = hide_credentials(connection.uri)
    reason = reason.replace(connection.uri, address)
    return SettingsError(
        f"NEO4J_URI {address!r} cannot be used ({reason}); it looks like bolt://host:7687 or neo4j+s://host, with user "
        "and password in NEO4J_USER and NEO4J_PASSWORD"
    )


def _build_credentials_error(connection: Connection) -> EngineRefused:
    if connection.private:
        advice = "its password file is not the one with which the data was created: restore the old file"
    else:
        advice = "set NEO4J_USER and NEO4J_PASSWORD to credentials that it accepts"
    return EngineRefused(f"{connection.uri} refused user {connection.user!r} with the password given; {advice}")


def _build_unavailable_error(connection: Connection, error: Exception) -> EngineUnavailable:
    advice = "connect again and it is restarted" if connection.private else "check NEO4J_URI and that the server runs"
    reason = " ".join(str(error).split())  # the driver's messages contain line breaks
    return EngineUnavailable(f"no Neo4j answers at {connection.uri} ({reason}); {advice}")
