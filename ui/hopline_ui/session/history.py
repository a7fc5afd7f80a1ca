"""The history of questions per browser, stored in the home folder."""

from __future__ import annotations

import json
import re
import secrets
import sqlite3
import time
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from pathlib import Path

import streamlit as st

from hopline_ui.session.questions import SessionQuestion
from hopline_ui.session.sqlite_file import open_database
from hopline_ui.session.state import get_state

MAX_ENTRIES = 500  # per visitor
COOKIE = "hopline_visitor"
YEAR = 365 * 24 * 3600
_TABLE = """CREATE TABLE IF NOT EXISTS asked
    (visitor TEXT, asked TEXT, said TEXT, at REAL, PRIMARY KEY (visitor, asked)) WITHOUT ROWID"""
_VISITOR_ID = re.compile(r"[\w-]{16,64}")


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """A question, its answer in short, and the time in seconds since 1970."""

    question: SessionQuestion
    answer: str
    at: float


class History:
    """An SQLite database in ``folder``. Thread-safe: each call opens its own connection."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "history.sqlite"

    def add(self, visitor: str, question: SessionQuestion, answer: str) -> None:
        """Store a question, replacing an equal one; entries beyond `MAX_ENTRIES` are deleted, oldest first."""
        with self._open() as database:
            database.execute(
                "INSERT OR REPLACE INTO asked VALUES (?, ?, ?, ?)",
                (visitor, encode_question(question), answer, time.time()),
            )
            database.execute(
                "DELETE FROM asked WHERE visitor = ? AND at < (SELECT min(at) FROM "
                "(SELECT at FROM asked WHERE visitor = ? ORDER BY at DESC LIMIT ?))",
                (visitor, visitor, MAX_ENTRIES),
            )

    def list_latest(self, visitor: str, limit: int = 50) -> list[HistoryEntry]:
        """Return the latest entries, newest first."""
        with self._open() as database:
            rows = database.execute(
                "SELECT asked, said, at FROM asked WHERE visitor = ? ORDER BY at DESC LIMIT ?", (visitor, limit)
            ).fetchall()
        return [
            HistoryEntry(question, answer, at)
            for text, answer, at in rows
            if (question := decode_question(text)) is not None
        ]

    def clear(self, visitor: str) -> None:
        """Delete all entries of a visitor."""
        with self._open() as database:
            database.execute("DELETE FROM asked WHERE visitor = ?", (visitor,))

    def _open(self) -> AbstractContextManager[sqlite3.Connection]:
        return open_database(self._path, _TABLE)


def get_visitor() -> str:
    """Return the visitor id in this browser's cookie; sets the cookie at the first visit."""
    known = st.context.cookies.get(COOKIE, "")
    if _VISITOR_ID.fullmatch(known):
        return known
    state = get_state()
    state.visitor = visitor = state.visitor or secrets.token_urlsafe(18)
    cookie = f"{COOKIE}={visitor}; path=/; max-age={YEAR}; SameSite=Strict"
    st.html(f"<script>document.cookie = {json.dumps(cookie)}</script>", unsafe_allow_javascript=True)
    return visitor


def encode_question(question: SessionQuestion) -> str:
    """Return a question as JSON, to be stored."""
    row = asdict(question)
    row["meant"] = row.pop("rewritten")  # the name in the stored rows
    return json.dumps(row, ensure_ascii=False, sort_keys=True)


def decode_question(text: str) -> SessionQuestion | None:
    """Return a stored question; None where another version stored it in another format."""
    try:
        row = json.loads(text)
        row["rewritten"] = row.pop("meant", "")
        return SessionQuestion(**row | {"documents": tuple(row["documents"])})
    except (ValueError, TypeError, KeyError):
        return None
