"""Configuration of the private server as text: ``neo4j.conf``, Java arguments, initial password."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path

MAIN_CLASS = "org.neo4j.server.CommunityEntryPoint"
ADMIN_CLASS = "org.neo4j.cli.AdminTool"
OPENED_PACKAGES = (
    "java.nio",
    "java.io",
    "sun.nio.ch",
    "java.util.concurrent",
)  # without java.nio vector indexes never finish
JAR_WITH_CLASS_PATH = "jaxb-runtime-"
USER = "neo4j"
DATABASE = "neo4j"


def build_neo4j_conf(*, port: int, pagecache_mb: int) -> str:
    """Build the text of ``neo4j.conf``: Bolt on one loopback port, no other listeners, no usage reports."""
    address = f"127.0.0.1:{port}"
    return "".join(
        f"{name}={value}\n"
        for name, value in {
            "server.default_listen_address": "127.0.0.1",
            "server.bolt.listen_address": address,
            "server.bolt.advertised_address": address,
            "server.http.enabled": "false",
            "server.https.enabled": "false",
            "server.memory.pagecache.size": f"{pagecache_mb}m",
            "dbms.usage_report.enabled": "false",
            "dbms.security.allow_csv_import_from_file_urls": "false",
            "db.logs.query.enabled": "OFF",
            # Planning takes up to half a second. By default Neo4j plans a statement again every ten seconds while the
            # graph grows, and once for each order of magnitude of the rows in its parameters.
            "dbms.cypher.min_replan_interval": "60s",
            "internal.cypher.use_parameter_size": "false",
            "db.tx_log.preallocate": "false",
            "db.transaction.timeout": "120s",
            "db.memory.transaction.max": "512m",
            "internal.dbms.bolt.netty_server_shutdown_quiet_period": "0",  # else a clean stop takes ten seconds
        }.items()
    )


def build_java_arguments(home: Path, jars: Iterable[Path], *, heap_mb: int) -> list[str]:
    """Build the command-line arguments of ``java``; the order of the class path is that of `order_class_path`."""
    return [
        f"-Xmx{heap_mb}m",
        "-XX:+UseSerialGC",
        "-XX:+ExitOnOutOfMemoryError",
        "-Dfile.encoding=UTF-8",
        *(f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in OPENED_PACKAGES),
        "-cp",
        os.pathsep.join(map(str, order_class_path(jars))),
        MAIN_CLASS,
        f"--home-dir={home}",
        f"--config-dir={home / 'conf'}",
        "--console-mode",
    ]


def build_import_arguments(jars: Iterable[Path], *, heap_mb: int, arguments: Iterable[str]) -> list[str]:
    """Build the command-line arguments of ``java`` for an import into an empty database (``neo4j-admin``)."""
    return [
        f"-Xmx{heap_mb}m",
        "-Dfile.encoding=UTF-8",
        *(f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in OPENED_PACKAGES),
        "-cp",
        os.pathsep.join(map(str, order_class_path(jars))),
        ADMIN_CLASS,
        *("database", "import", "full", DATABASE, "--overwrite-destination=true"),
        *("--bad-tolerance=0", "--skip-bad-relationships=false", "--skip-duplicate-nodes=false"),
        *arguments,
    ]


def order_class_path(jars: Iterable[Path]) -> list[Path]:
    """Return the jars with the one last whose manifest names further jars.

    Java rejects a class archive if such a jar precedes others in the class path.
    """
    return sorted(jars, key=lambda jar: jar.name.startswith(JAR_WITH_CLASS_PATH))


def format_argument_file(arguments: Iterable[str]) -> str:
    """Format arguments for ``java @file``: one per line, quoted."""
    return "".join('"' + argument.replace("\\", "\\\\").replace('"', '\\"') + '"\n' for argument in arguments)


def format_initial_password(password: str, salt: bytes, *, rounds: int = 1024) -> str:
    """Format the line that ``neo4j-admin dbms set-initial-password`` writes to ``data/dbms/auth.ini``.

    That command is not run because it starts a second Java process, which takes three seconds and shows the password
    among its arguments.
    """
    digest = hashlib.sha256(salt + password.encode()).digest()
    for _ in range(rounds - 1):
        digest = hashlib.sha256(digest).digest()
    return f"{USER}:SHA-256,{digest.hex()},{salt.hex()},{rounds}:\n"
