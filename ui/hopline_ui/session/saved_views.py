"""Saved views of graphs, stored in the home folder by collection."""

from __future__ import annotations

import json
import sqlite3
import time
from contextlib import AbstractContextManager
from dataclasses import asdict
from pathlib import Path
from typing import Final

from hopline.results import Node
from hopline_ui.explored_graph import GraphCanvas
from hopline_ui.session.sqlite_file import open_database

MAX_NAME: Final = 100  # characters
_TABLE: Final = """CREATE TABLE IF NOT EXISTS views
    (collection TEXT, name TEXT, drawing TEXT, at REAL, PRIMARY KEY (collection, name)) WITHOUT ROWID"""


class SavedViews:
    """An SQLite database in ``folder``. Thread-safe: each call opens its own connection."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "views.sqlite"

    def save(self, collection: str, name: str, canvas: GraphCanvas) -> None:
        """Store what is drawn under a name; a view of the collection with this name is replaced."""
        row = (collection, name, encode_canvas(canvas), time.time())
        with self._open() as database:
            database.execute("INSERT OR REPLACE INTO views VALUES (?, ?, ?, ?)", row)

    def list_names(self, collection: str) -> list[str]:
        """Return the names of the views of a collection, newest first."""
        if not self._path.exists():
            return []
        with self._open() as database:
            query = "SELECT name FROM views WHERE collection = ? ORDER BY at DESC, name"
            return [name for (name,) in database.execute(query, (collection,))]

    def load(self, collection: str, name: str) -> GraphCanvas | None:
        """Return what a view shows; None if there is none of this name, or another version stored it."""
        with self._open() as database:
            query = "SELECT drawing FROM views WHERE collection = ? AND name = ?"
            row = database.execute(query, (collection, name)).fetchone()
        return decode_canvas(row[0]) if row else None

    def delete(self, collection: str, name: str) -> None:
        """Delete a view."""
        with self._open() as database:
            database.execute("DELETE FROM views WHERE collection = ? AND name = ?", (collection, name))

    def delete_collection(self, name: str) -> None:
        """Delete the views of a collection."""
        with self._open() as database:
            database.execute("DELETE FROM views WHERE collection = ?", (name,))

    def rename_collection(self, name: str, to: str) -> None:
        """Store another name of a collection with its views."""
        with self._open() as database:
            database.execute("UPDATE views SET collection = ? WHERE collection = ?", (to, name))

    def _open(self) -> AbstractContextManager[sqlite3.Connection]:
        return open_database(self._path, _TABLE)


def encode_canvas(canvas: GraphCanvas) -> str:
    """Return what is drawn as JSON: nodes, edges, the highlighted path, pinned and hidden nodes."""
    drawing = {
        "nodes": [asdict(node) for node in canvas.nodes.values()],
        "edges": [list(edge) for edge in canvas.edges],
        "path": list(canvas.path),
        "pinned": sorted(canvas.pinned),
        "hidden": sorted(canvas.hidden),
    }
    return json.dumps(drawing, ensure_ascii=False)


def decode_canvas(text: str) -> GraphCanvas | None:
    """Return what `encode_canvas` stored; None where another version stored it in another format."""
    try:
        drawing = json.loads(text)
        nodes = {node["id"]: Node(**node) for node in drawing["nodes"]}
        triples: list[tuple[str, str, str]] = [(source, edge, target) for source, edge, target in drawing["edges"]]
        edges = dict.fromkeys(triples)
        return GraphCanvas(
            nodes, edges, tuple(drawing["path"]), pinned=set(drawing["pinned"]), hidden=set(drawing["hidden"])
        )
    except (ValueError, TypeError, KeyError):
        return None
