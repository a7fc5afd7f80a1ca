"""A cache of model replies on disk, by the hash of the prompt, so that no paid call is made twice."""

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
from hopline.llm.provider import Completion

log = logging.getLogger(__name__)

TABLE = """CREATE TABLE IF NOT EXISTS replies
    (key TEXT PRIMARY KEY, text TEXT NOT NULL, tokens_in INTEGER, tokens_out INTEGER, made REAL) WITHOUT ROWID"""
READ = """SELECT key, text, tokens_in, tokens_out FROM replies
    WHERE key IN (SELECT value FROM json_each(?))"""
WRITE = "INSERT OR REPLACE INTO replies VALUES (?, ?, ?, ?, ?)"
KEYS_PER_QUERY = 500
LOCK_TIMEOUT = 30.0  # seconds


def compute_reply_key(model: str, endpoint: str, prompt: Prompt) -> str:
    """Hash everything that determines a reply: model, endpoint, prompt, system message, schema, maximum length."""
    schema = json.dumps(prompt.schema, sort_keys=True) if prompt.schema is not None else ""
    payload = json.dumps([model, endpoint, prompt.text, prompt.system, schema, prompt.max_tokens])
    return blake2b(payload.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


class ReplyCache:
    """A cache in one SQLite file. Safe across threads and processes; opened at the first use.

    A cache that cannot be used (disk full, no write permission, a damaged file) is a warning in
    the log, never an error: the prompt is sent to the model again.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = Lock()
        self._database: sqlite3.Connection | None = None
        self._process = 0

    def read(self, keys: Iterable[str]) -> dict[str, Completion]:
        """Return the cached replies, by key."""
        unique = list(dict.fromkeys(keys))
        replies: dict[str, Completion] = {}
        try:
            with self._lock:
                for start in range(0, len(unique), KEYS_PER_QUERY):
                    batch = json.dumps(unique[start : start + KEYS_PER_QUERY])
                    replies |= {
                        key: Completion(text, i, o) for key, text, i, o in self._connection().execute(READ, (batch,))
                    }
        except (sqlite3.Error, OSError) as error:
            log.warning("the cache of model replies %s cannot be read: %s", self._path, error)
        return replies

    def write(self, key: str, completion: Completion) -> None:
        """Store a reply; it is on disk when this returns."""
        row = (key, completion.text, completion.tokens_in, completion.tokens_out, time.time())
        try:
            with self._lock, self._connection() as transaction:
                transaction.execute(WRITE, row)
        except (sqlite3.Error, OSError, UnicodeEncodeError) as error:
            log.warning("the cache of model replies %s cannot be written: %s", self._path, error)

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        with self._lock:
            if self._database is not None and self._process == os.getpid():
                self._database.close()
            self._database = None

    def _connection(self) -> sqlite3.Connection:
        """Return the connection of this process: one opened before a fork must not be used after it."""
        if self._database is None or self._process != os.getpid():
            self._path.parent.mkdir(parents=True, exist_ok=True)
            database = sqlite3.connect(self._path, timeout=LOCK_TIMEOUT, check_same_thread=False)
            try:
                _create_table(database)
            except sqlite3.Error:
                database.close()
                raise
            self._database, self._process = database, os.getpid()
        return self._database


def _create_table(database: sqlite3.Connection) -> None:
    """Create the table; other processes may do the same at the same time.

    SQLite waits for a lock by itself, but not for the one that changes the journal mode: two processes
    that change it would wait for each other, so that both get "locked" at once.
    """
    deadline = time.monotonic() + LOCK_TIMEOUT
    while True:
        try:
            database.execute("PRAGMA journal_mode = WAL")
            database.execute(TABLE)
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.02)
        else:
            return
