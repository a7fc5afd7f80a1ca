"""The rows of a file by their titles, on disk: a file may be larger than memory, its titles in any order."""

from __future__ import annotations

import pickle
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from hopline_ingest.formats.jsonl import Row, rows
from hopline_ingest.formats.parsed_document import ParsedPassage

_MOST_PROBLEMS: Final = 1000  # that are told one by one


class RowSpool:
    """A temporary database of rows; `close` deletes it."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="hopline-rows-")
        self._rows = sqlite3.connect(Path(self._folder.name) / "rows.sqlite")
        self._rows.execute("PRAGMA journal_mode = OFF")
        self._rows.execute("PRAGMA synchronous = OFF")
        self._rows.execute("CREATE TABLE titles (number INTEGER PRIMARY KEY, title TEXT UNIQUE)")
        self._rows.execute("CREATE TABLE rows (title INTEGER, line INTEGER, row BLOB)")
        self.problems: list[str] = []

    def close(self) -> None:
        """Delete the rows."""
        self._rows.close()
        self._folder.cleanup()

    @property
    def titles(self) -> int:
        """How many documents the rows become."""
        return int(self._rows.execute("SELECT count(*) FROM titles").fetchone()[0])

    def fill(self, path: Path, *, max_mb: int) -> None:
        """Take in the rows of a file; bad ones are told in `problems`.

        Raises:
            DocumentError: the file cannot be read, or is larger than ``max_mb`` megabytes once it is unpacked.
        """
        bad = 0
        for row in rows(path, max_mb=max_mb):
            if isinstance(row, Row):
                self._add(row)
                continue
            bad += 1
            if bad <= _MOST_PROBLEMS:
                self.problems.append(f"line {row.line} {row.reason}")
        if bad > _MOST_PROBLEMS:
            self.problems.append(f"has {bad - _MOST_PROBLEMS:,} more lines that are no rows")
        self._rows.execute("CREATE INDEX by_title ON rows (title, line)")

    def documents(self, size: int) -> Iterator[list[tuple[str, list[ParsedPassage]]]]:
        """Titles with their passages, in the order of the file, in lists of ``size`` passages or more."""
        found: list[tuple[str, list[ParsedPassage]]] = []
        held = 0
        for number, title in self._rows.execute("SELECT number, title FROM titles ORDER BY number"):
            selected = self._rows.execute("SELECT row FROM rows WHERE title = ? ORDER BY line", (number,))
            passages = [pickle.loads(packed).passage() for (packed,) in selected]  # noqa: S301 — written above
            found.append((title, passages))
            held += len(passages)
            if held >= size:
                yield found
                found, held = [], 0
        if found:
            yield found

    def _add(self, row: Row) -> None:
        title = row.title or f"row {row.id}"
        self._rows.execute("INSERT OR IGNORE INTO titles (title) VALUES (?)", (title,))
        packed = pickle.dumps(row, protocol=pickle.HIGHEST_PROTOCOL)
        self._rows.execute(
            "INSERT INTO rows SELECT number, ?, ? FROM titles WHERE title = ?", (row.line, packed, title)
        )
