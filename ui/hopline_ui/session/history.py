"""What was asked before, kept in the home folder and apart for each browser; it outlives a reload and the page."""

from __future__ import annotations

import json
import re
import secrets
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import streamlit as st

from hopline_ui.session.questions import Asked

KEPT = 500  # questions of one visitor
COOKIE = "hopline_visitor"
YEAR = 365 * 24 * 3600
_TABLE = """CREATE TABLE IF NOT EXISTS asked
    (visitor TEXT, asked TEXT, said TEXT, at REAL, PRIMARY KEY (visitor, asked)) WITHOUT ROWID"""
_OURS = re.compile(r"[\w-]{16,64}")


@dataclass(frozen=True, slots=True)
class Entry:
    """A question that was asked, what was answered in short, and when (seconds since 1970)."""

    asked: Asked
    said: str
    at: float


class History:
    """A small database in ``folder``. Safe to use from several threads: each call opens it anew."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "history.sqlite"

    def add(self, visitor: str, asked: Asked, said: str) -> None:
        """Keeps a question, the same one only once, and of the others the latest."""
        with self._open() as base:
            base.execute(
                "INSERT OR REPLACE INTO asked VALUES (?, ?, ?, ?)", (visitor, _written(asked), said, time.time())
            )
            base.execute(
                "DELETE FROM asked WHERE visitor = ? AND at < (SELECT min(at) FROM "
                "(SELECT at FROM asked WHERE visitor = ? ORDER BY at DESC LIMIT ?))",
                (visitor, visitor, KEPT),
            )

    def latest(self, visitor: str, limit: int = 50) -> list[Entry]:
        """The latest questions, the newest first."""
        with self._open() as base:
            rows = base.execute(
                "SELECT asked, said, at FROM asked WHERE visitor = ? ORDER BY at DESC LIMIT ?", (visitor, limit)
            ).fetchall()
        return [Entry(asked, said, at) for text, said, at in rows if (asked := _read(text)) is not None]

    def forget(self, visitor: str) -> None:
        """Forgets all that a visitor asked."""
        with self._open() as base:
            base.execute("DELETE FROM asked WHERE visitor = ?", (visitor,))

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(self._path, timeout=10)) as base, base:
            base.execute("PRAGMA journal_mode = WAL")
            base.execute(_TABLE)
            yield base


def visitor() -> str:
    """Who looks at the page: the name in this browser's cookie, which is set at the first visit."""
    known = st.context.cookies.get(COOKIE, "")
    if _OURS.fullmatch(known):
        return known
    if "visitor" not in st.session_state:
        st.session_state["visitor"] = secrets.token_urlsafe(18)
    name: str = st.session_state["visitor"]
    cookie = f"{COOKIE}={name}; path=/; max-age={YEAR}; SameSite=Strict"
    st.html(f"<script>document.cookie = {json.dumps(cookie)}</script>", unsafe_allow_javascript=True)
    return name


def _written(asked: Asked) -> str:
    return json.dumps(asdict(asked), ensure_ascii=False, sort_keys=True)


def _read(text: str) -> Asked | None:
    """A question as it was kept; None where another version kept it otherwise."""
    try:
        found = json.loads(text)
        return Asked(**found | {"documents": tuple(found["documents"])})
    except (ValueError, TypeError, KeyError):
        return None
