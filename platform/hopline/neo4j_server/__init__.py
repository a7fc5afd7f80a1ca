"""The private Neo4j server: downloaded once, started on demand, shared by the user's processes, stopped when idle.

connect(settings)        -> Connection     the server of NEO4J_URI, or the private one, started if need be
open_driver(connection)  -> neo4j.Driver   connected, its version checked
touch(settings)                            records that the private server is in use, so that it does not stop
stop(settings), get_status(settings)       implement `hopline stop` and `hopline status`
"""

from __future__ import annotations

from hopline.neo4j_server.connection import Connection, DatabaseAccess, check_version, open_driver
from hopline.neo4j_server.shared_server import ServerStatus, connect, describe_access, get_status, stop, touch

__all__ = [
    "Connection",
    "DatabaseAccess",
    "ServerStatus",
    "check_version",
    "connect",
    "describe_access",
    "get_status",
    "open_driver",
    "stop",
    "touch",
]
