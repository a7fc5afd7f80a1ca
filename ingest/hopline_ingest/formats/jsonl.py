"""Rows of a `.jsonl` or `.jsonl.gz`: each is a passage as it stands."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from hopline.errors import DocumentError
from hopline.surrogates import replace_surrogates_in
from hopline_ingest.chunking import sentences
from hopline_ingest.formats.parsed_document import Given, ParsedPassage

_LONGEST_LINE = 4_000_000  # bytes


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


def rows(path: Path, *, max_mb: int) -> Iterator[Row | BadRow]:
    """The rows of a file in order; lines that cannot be one are told, empty ones skipped.

    Raises:
        DocumentError: the file cannot be opened or unpacked, or holds more than ``max_mb`` megabytes once it is
            unpacked, as soon as that shows.
    """
    try:
        with path.open("rb") as plain:
            packed = plain.read(2) == b"\x1f\x8b"
        with gzip.open(path, "rb") if packed else path.open("rb") as file:
            yield from _rows(file, max_mb)
    except (OSError, EOFError, zlib.error) as error:
        raise DocumentError(f"the file cannot be read: {error}") from error


def _rows(file: IO[bytes] | gzip.GzipFile, max_mb: int) -> Iterator[Row | BadRow]:
    line = 0
    while data := file.readline(_LONGEST_LINE):
        line += 1
        if file.tell() > max_mb * 2**20:
            raise DocumentError(
                f"the file holds more than {max_mb:,} MB of rows; the limit is HOPLINE_MAX_FILE_MB, of what is unpacked"
            )
        if not data.endswith(b"\n") and len(data) == _LONGEST_LINE:
            yield BadRow(line, f"is longer than {_LONGEST_LINE:,} bytes")
            while data and not data.endswith(b"\n") and file.tell() <= max_mb * 2**20:
                data = file.readline(_LONGEST_LINE)
        elif data.strip():
            yield _row(line, data.removeprefix(b"\xef\xbb\xbf") if line == 1 else data)


def _row(line: int, data: bytes) -> Row | BadRow:
    try:
        found = replace_surrogates_in(json.loads(data))
    except (ValueError, RecursionError) as error:
        return BadRow(line, f"is no JSON: {error}")
    if not isinstance(found, dict):
        return BadRow(line, f"is a {type(found).__name__}; wanted an object with id, title and text")
    body = found.get("text")
    if not isinstance(body, str) or not body.strip():
        blank = not body or isinstance(body, str)
        return BadRow(line, "has no text" if blank else f"has a text that is a {type(body).__name__}")
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
