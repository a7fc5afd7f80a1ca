"""Conversations with their answers, stored in the home folder by ids that only their address has."""

from __future__ import annotations

import json
import secrets
import sqlite3
import time
import zlib
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from hopline.errors import UsageError
from hopline.results import Answer
from hopline_ui.session.history import decode_question, encode_question
from hopline_ui.session.questions import MAX_ANSWERS, SessionQuestion, TimedAnswer
from hopline_ui.session.sqlite_file import open_database

MAX_CONVERSATIONS: Final = 500  # in a home folder
ID_BYTES: Final = 24  # of chance: an id cannot be guessed
_TABLE: Final = """CREATE TABLE IF NOT EXISTS turns
    (conversation TEXT, question TEXT, collection TEXT, answer BLOB, seconds REAL, at REAL,
     PRIMARY KEY (conversation, question)) WITHOUT ROWID"""


@dataclass(frozen=True, slots=True)
class StoredTurn:
    """A question of a stored conversation and its answer."""

    question: SessionQuestion
    answer: TimedAnswer


class ConversationStore:
    """An SQLite database in ``folder``. Thread-safe: each call opens its own connection."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "conversations.sqlite"

    def add(self, conversation: str, question: SessionQuestion, timed: TimedAnswer) -> None:
        """Store a question with its answer as the newest one of a conversation; an equal question is replaced.

        A conversation has at most `MAX_ANSWERS` questions, and there are at most `MAX_CONVERSATIONS`: those that were
        continued last.
        """
        answer = zlib.compress(json.dumps(timed.answer.to_dict()).encode())
        row = (conversation, encode_question(question), question.collection, answer, timed.seconds, time.time())
        with self._open() as database:
            database.execute("INSERT OR REPLACE INTO turns VALUES (?, ?, ?, ?, ?, ?)", row)
            database.execute(
                "DELETE FROM turns WHERE conversation = ? AND question NOT IN "
                "(SELECT question FROM turns WHERE conversation = ? ORDER BY at DESC LIMIT ?)",
                (conversation, conversation, MAX_ANSWERS),
            )
            database.execute(
                "DELETE FROM turns WHERE conversation NOT IN "
                "(SELECT conversation FROM turns GROUP BY conversation ORDER BY max(at) DESC LIMIT ?)",
                (MAX_CONVERSATIONS,),
            )

    def load(self, conversation: str) -> list[StoredTurn]:
        """Return the questions of a conversation with their answers, oldest first; empty if none has this id."""
        if not self._path.exists():
            return []
        with self._open() as database:
            rows = database.execute(
                "SELECT question, collection, answer, seconds, at FROM turns WHERE conversation = ? ORDER BY at",
                (conversation,),
            ).fetchall()
        turns = []
        for text, collection, content, seconds, at in rows:
            question, answer = decode_question(text), _decode_answer(content, collection)
            if question is not None and answer is not None:
                timed = TimedAnswer(answer, seconds, at)
                turns.append(StoredTurn(replace(question, collection=collection), timed))
        return turns

    def delete_collection(self, name: str) -> None:
        """Delete the questions about a collection, with their answers."""
        with self._open() as database:
            database.execute("DELETE FROM turns WHERE collection = ?", (name,))

    def rename_collection(self, name: str, to: str) -> None:
        """Store another name of a collection with the questions about it."""
        with self._open() as database:
            database.execute("UPDATE turns SET collection = ? WHERE collection = ?", (to, name))

    def _open(self) -> AbstractContextManager[sqlite3.Connection]:
        return open_database(self._path, _TABLE)


def create_id() -> str:
    """Return the id of a new conversation."""
    return secrets.token_urlsafe(ID_BYTES)


def _decode_answer(content: bytes, collection: str) -> Answer | None:
    """Return a stored answer; None where another version stored it in another format."""
    try:
        return Answer.from_dict({**json.loads(zlib.decompress(content)), "collection": collection})
    except (ValueError, zlib.error, UsageError):
        return None
