"""Model replies kept on disk by the hash of what was asked, so that no paid call is made twice."""

from __future__ import annotations

import json
import logging
import os
import sqlite3
import time
from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path
from threading import Lock

from hopline.flow.services import Prompt
from hopline.llm.provider import Said

log = logging.getLogger(__name__)

TABLE = """CREATE TABLE IF NOT EXISTS replies
    (key TEXT PRIMARY KEY, text TEXT NOT NULL, tokens_in INTEGER, tokens_out INTEGER, made REAL) WITHOUT ROWID"""
READ = """SELECT key, text, tokens_in, tokens_out FROM replies
    WHERE key IN (SELECT value FROM json_each(?))"""
WRITE = "INSERT OR REPLACE INTO replies VALUES (?, ?, ?, ?, ?)"
AT_ONCE = 500  # keys in one query
PATIENCE = 30.0  # seconds for a lock


def reply_key(model: str, prompt: Prompt) -> str:
    """The hash of all that decides a reply."""
    schema = json.dumps(prompt.schema, sort_keys=True) if prompt.schema is not None else ""
    asked = json.dumps([model, prompt.text, prompt.system, schema, prompt.max_tokens])
    return blake2b(asked.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


class Replies:
    """The cache of one file. Safe across threads and processes; opened when first used.

    A cache that cannot be used (disk full, no right to write, a broken file) is a warning in
    the log, never an error: the model is asked again.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = Lock()
        self._open: sqlite3.Connection | None = None
        self._process = 0

    def read(self, keys: Iterable[str]) -> dict[str, Said]:
        """The replies that are there, by key."""
        wanted = list(dict.fromkeys(keys))
        found: dict[str, Said] = {}
        try:
            with self._lock:
                for start in range(0, len(wanted), AT_ONCE):
                    part = json.dumps(wanted[start : start + AT_ONCE])
                    found |= {key: Said(text, i, o) for key, text, i, o in self._connection().execute(READ, (part,))}
        except (sqlite3.Error, OSError) as error:
            log.warning("the cache of model replies %s cannot be read: %s", self._path, error)
        return found

    def write(self, key: str, said: Said) -> None:
        """Keep a reply; it is on disk when this returns."""
        row = (key, said.text, said.tokens_in, said.tokens_out, time.time())
        try:
            with self._lock, self._connection() as transaction:
                transaction.execute(WRITE, row)
        except (sqlite3.Error, OSError, UnicodeEncodeError) as error:
            log.warning("the cache of model replies %s cannot be written: %s", self._path, error)

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        with self._lock:
            if self._open is not None and self._process == os.getpid():
                self._open.close()
            self._open = None

    def _connection(self) -> sqlite3.Connection:
        """The connection of this process: one made before a fork must not be used after it."""
        if self._open is None or self._process != os.getpid():
            self._path.parent.mkdir(parents=True, exist_ok=True)
            opened = sqlite3.connect(self._path, timeout=PATIENCE, check_same_thread=False)
            try:
                _prepare(opened)
            except sqlite3.Error:
                opened.close()
                raise
            self._open, self._process = opened, os.getpid()
        return self._open


def _prepare(opened: sqlite3.Connection) -> None:
    """Make the table; other processes may be about it at the same time.

    SQLite waits for a lock by itself, but not for the one that turns the journal: two that want to
    turn it would wait for each other, so both are told "locked" at once.
    """
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            opened.execute("PRAGMA journal_mode = WAL")
            opened.execute(TABLE)
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.02)
        else:
            return
