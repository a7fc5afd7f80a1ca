"""What the private server is told: ``neo4j.conf``, Java's arguments, the first password. Pure text."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path

MAIN = "org.neo4j.server.CommunityEntryPoint"
OPENED = ("java.nio", "java.io", "sun.nio.ch", "java.util.concurrent")  # without java.nio vector indexes never finish
USER = "neo4j"
DATABASE = "neo4j"


def neo4j_conf(*, port: int, pagecache_mb: int) -> str:
    """The text of ``neo4j.conf``: Bolt on one loopback port, nothing else listens, nothing is reported."""
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
            "db.tx_log.preallocate": "false",
            "db.transaction.timeout": "120s",
            "db.memory.transaction.max": "512m",
            "internal.dbms.bolt.netty_server_shutdown_quiet_period": "0",  # else a clean stop takes ten seconds
        }.items()
    )


def java_arguments(home: Path, jars: Iterable[Path], *, heap_mb: int) -> list[str]:
    """Everything that follows ``java``."""
    return [
        f"-Xmx{heap_mb}m",
        "-XX:+UseSerialGC",
        "-XX:+ExitOnOutOfMemoryError",
        "-Dfile.encoding=UTF-8",
        *(f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in OPENED),
        "-cp",
        os.pathsep.join(map(str, jars)),
        MAIN,
        f"--home-dir={home}",
        f"--config-dir={home / 'conf'}",
        "--console-mode",
    ]


def argument_file(arguments: Iterable[str]) -> str:
    """The arguments in the form that ``java @file`` reads: one a line, quoted."""
    return "".join('"' + one.replace("\\", "\\\\").replace('"', '\\"') + '"\n' for one in arguments)


def first_password(password: str, salt: bytes, *, rounds: int = 1024) -> str:
    """The line that ``neo4j-admin dbms set-initial-password`` writes to ``data/dbms/auth.ini``.

    Written here because that command is a second Java: three seconds, and the password among
    the arguments of a process.
    """
    digest = hashlib.sha256(salt + password.encode()).digest()
    for _ in range(rounds - 1):
        digest = hashlib.sha256(digest).digest()
    return f"{USER}:SHA-256,{digest.hex()},{salt.hex()},{rounds}:\n"
