"""SQLite files in the home folder that keep what belongs to the page: questions, conversations and views."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path


@contextmanager
def open_database(path: Path, table: str) -> Iterator[sqlite3.Connection]:
    """Open a file for one transaction, and create it with its ``table``, a statement, if it is missing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path, timeout=10)) as database, database:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute(table)
        yield database
