"""Rows of a `.jsonl` or `.jsonl.gz`: each is a passage as it stands."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hopline.errors import DocumentError
from hopline_ingest.parse.parsed import Given, ParsedPassage
from hopline_ingest.split import sentences

_LONGEST_LINE = 4_000_000  # characters


@dataclass(frozen=True, slots=True)
class Row:
    """One row: a passage of the document called ``title``. ``line`` is its number in the file, from 1."""

    line: int
    id: str
    title: str
    text: str
    given: Given | None = None

    def passage(self) -> ParsedPassage:
        """The row as a passage, however long it is."""
        return ParsedPassage(
            self.text, title=self.title, source_id=self.id, given=self.given, sentences=tuple(sentences(self.text))
        )


@dataclass(frozen=True, slots=True)
class BadRow:
    """A line that is no row, and why, in words for the user."""

    line: int
    reason: str


def rows(path: Path) -> Iterator[Row | BadRow]:
    """The rows of a file in order; lines that cannot be one are told, empty ones skipped.

    Raises:
        DocumentError: the file cannot be opened or unpacked.
    """
    try:
        with _opened(path) as file:
            line = 0
            while text := file.readline(_LONGEST_LINE):
                line += 1
                if text.strip():
                    yield _row(line, text)
    except (OSError, EOFError) as error:
        raise DocumentError(f"the file cannot be read: {error}") from error


def _opened(path: Path) -> io.TextIOBase:
    with path.open("rb") as file:
        packed = file.read(2) == b"\x1f\x8b"
    opened = gzip.open(path, "rt", encoding="utf-8-sig", errors="replace") if packed else None
    return opened or path.open("rt", encoding="utf-8-sig", errors="replace")  # type: ignore[return-value]


def _row(line: int, text: str) -> Row | BadRow:
    try:
        found = json.loads(text)
    except ValueError as error:
        return BadRow(line, f"is no JSON: {error}")
    if not isinstance(found, dict):
        return BadRow(line, f"is a {type(found).__name__}; wanted an object with id, title and text")
    body = found.get("text")
    if not isinstance(body, str) or not body.strip():
        return BadRow(line, "has no text" if not body else f"has a text that is a {type(body).__name__}")
    try:
        given = _given(found)
    except ValueError as error:
        return BadRow(line, str(error))
    identity, title = found.get("id"), found.get("title")
    return Row(line, str(line if identity is None else identity), str(title or ""), body, given)


def _given(found: dict[str, Any]) -> Given | None:
    entities, triples = found.get("entities"), found.get("triples")
    if entities is None and triples is None:
        return None
    if entities is not None and not _texts(entities):
        raise ValueError("has entities that are no list of texts")
    if triples is not None and not (
        isinstance(triples, list) and all(_texts(triple) and len(triple) == 3 for triple in triples)
    ):
        raise ValueError("has triples that are no list of [subject, predicate, object]")
    return Given(
        None if entities is None else tuple(entities),
        None if triples is None else tuple((s, p, o) for s, p, o in triples),
    )


def _texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)
