"""Grouping of a file's rows by title on disk, since a file may exceed memory and have its titles in any order."""

from __future__ import annotations

import pickle
import sqlite3
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hopline.metadata.values import Metadata, unite_metadata
from hopline_ingest.formats.jsonl import JsonlRow, read_rows
from hopline_ingest.formats.parsed_document import ParsedPassage

_MAX_PROBLEMS: Final = 1000  # reported individually


@dataclass(frozen=True, slots=True)
class RowDocument:
    """The passages of the rows of one title, and their metadata; different values of a key are a list."""

    title: str
    passages: list[ParsedPassage]
    metadata: Metadata


class JsonlSpool:
    """A temporary SQLite database of the rows of a ``file``, by its name in the collection; `close` deletes it."""

    def __init__(self, file: str) -> None:
        self._file = file
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
    def document_count(self) -> int:
        """Number of documents, that is of distinct titles."""
        return int(self._rows.execute("SELECT count(*) FROM titles").fetchone()[0])

    def load(self, path: Path, *, max_mb: int) -> None:
        """Load the rows of a file; invalid ones are reported in ``problems``.

        Raises:
            DocumentError: the file cannot be read, or is larger than ``max_mb`` megabytes when decompressed.
        """
        bad = 0
        for row in read_rows(path, max_mb=max_mb):
            if isinstance(row, JsonlRow):
                self._add(row)
                continue
            bad += 1
            if bad <= _MAX_PROBLEMS:
                self.problems.append(f"line {row.line} {row.reason}")
        if bad > _MAX_PROBLEMS:
            self.problems.append(f"has {bad - _MAX_PROBLEMS:,} more invalid lines")
        self._rows.execute("CREATE INDEX by_title ON rows (title, line)")

    def iter_documents(self, size: int) -> Iterator[list[RowDocument]]:
        """Yield documents in the order of the file, in lists of ``size`` passages or more."""
        batch: list[RowDocument] = []
        count = 0
        for number, title in self._rows.execute("SELECT number, title FROM titles ORDER BY number"):
            selected = self._rows.execute("SELECT row FROM rows WHERE title = ? ORDER BY line", (number,))
            rows = [pickle.loads(pickled) for (pickled,) in selected]  # noqa: S301 — written above
            passages = [passage for row in rows for passage in row.to_passages(self._file)]
            batch.append(RowDocument(title, passages, unite_metadata([row.metadata for row in rows])))
            count += len(passages)
            if count >= size:
                yield batch
                batch, count = [], 0
        if batch:
            yield batch

    def _add(self, row: JsonlRow) -> None:
        title = row.title or f"row {row.id or row.line}"
        self._rows.execute("INSERT OR IGNORE INTO titles (title) VALUES (?)", (title,))
        pickled = pickle.dumps(row, protocol=pickle.HIGHEST_PROTOCOL)
        self._rows.execute(
            "INSERT INTO rows SELECT number, ?, ? FROM titles WHERE title = ?", (row.line, pickled, title)
        )
