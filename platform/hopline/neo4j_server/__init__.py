"""The private Neo4j: fetched once, started when needed, shared by the user's processes, stopped when idle.

connect(settings)        -> Connection     the server of NEO4J_URI, or the private one, started if need be
open_driver(connection)  -> neo4j.Driver   connected, version checked
touch(settings)                            "it is in use": keeps the private server from stopping
stop(settings), status(settings)           what `hopline stop` and `hopline status` do
"""

from __future__ import annotations

from hopline.neo4j_server.connection import Connection, check_version, open_driver
from hopline.neo4j_server.shared_server import ServerStatus, connect, status, stop, touch

__all__ = ["Connection", "ServerStatus", "check_version", "connect", "open_driver", "status", "stop", "touch"]
