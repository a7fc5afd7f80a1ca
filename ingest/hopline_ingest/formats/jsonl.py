"""Rows of a `.jsonl` or `.jsonl.gz` file, each of which is one passage unless it is to be split."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, Any

from hopline.errors import DocumentError, UsageError
from hopline.metadata.values import Metadata, check_metadata, combine_layers
from hopline.text.sentences import split_sentences
from hopline.text_encoding import clean_texts_in
from hopline_ingest.chunking import LIMIT, count_tokens, split_passages
from hopline_ingest.formats.block import Block
from hopline_ingest.formats.parsed_document import GivenFacts, ParsedPassage

_MAX_LINE_BYTES = 4_000_000


@dataclass(frozen=True, slots=True)
class JsonlRow:
    """One row: a passage of the document with this title.

    ``line`` is its line number in the file, from 1; ``id`` is "" if the row has none. ``split``: a longer text becomes
    several passages. ``metadata`` are those of the document.
    """

    line: int
    id: str
    title: str
    text: str
    facts: GivenFacts | None = None
    split: bool = False
    metadata: Metadata = field(default_factory=dict)

    def to_passages(self, file: str) -> list[ParsedPassage]:
        """Convert the row into a passage, whatever its length, or into several of at most `LIMIT` tokens.

        Their source id is the id of the row or, without one, the name of the ``file`` and the line: "rows.jsonl:3". A
        row with its own facts is not split, since they may be of any part of it.
        """
        source_id = self.id or f"{file}:{self.line}"
        if self.split and self.facts is None and count_tokens(self.text) > LIMIT:
            parts = split_passages([Block(self.text, pages=())])
            return [replace(part, title=self.title, source_id=source_id) for part in parts]
        sentences = tuple(split_sentences(self.text))
        return [ParsedPassage(self.text, title=self.title, source_id=source_id, facts=self.facts, sentences=sentences)]


@dataclass(frozen=True, slots=True)
class InvalidRow:
    """A line that is not a valid row, with the reason as a message for the user."""

    line: int
    reason: str


def read_rows(path: Path, *, max_mb: int) -> Iterator[JsonlRow | InvalidRow]:
    """Yield the rows of a file in order, invalid lines as `InvalidRow`; empty lines are skipped.

    Raises:
        DocumentError: the file cannot be opened or decompressed, or has more than ``max_mb`` megabytes of
            decompressed content; raised as soon as that is known.
    """
    try:
        with path.open("rb") as plain:
            is_gzip = plain.read(2) == b"\x1f\x8b"
        with gzip.open(path, "rb") if is_gzip else path.open("rb") as file:
            yield from _read_lines(file, max_mb)
    except (OSError, EOFError, zlib.error) as error:
        raise DocumentError(f"the file cannot be opened or decompressed: {error}") from error


def _read_lines(file: IO[bytes] | gzip.GzipFile, max_mb: int) -> Iterator[JsonlRow | InvalidRow]:
    line = 0
    while data := file.readline(_MAX_LINE_BYTES):
        line += 1
        if file.tell() > max_mb * 2**20:
            raise DocumentError(
                f"the file has more than {max_mb:,} MB of decompressed content; the limit is HOPLINE_MAX_FILE_MB"
            )
        if not data.endswith(b"\n") and len(data) == _MAX_LINE_BYTES:
            yield InvalidRow(line, f"is longer than {_MAX_LINE_BYTES:,} bytes")
            while data and not data.endswith(b"\n") and file.tell() <= max_mb * 2**20:
                data = file.readline(_MAX_LINE_BYTES)
        elif data.strip():
            yield _parse_line(line, data.removeprefix(b"\xef\xbb\xbf") if line == 1 else data)


def _parse_line(line: int, data: bytes) -> JsonlRow | InvalidRow:
    try:
        row = clean_texts_in(json.loads(data))
    except (ValueError, RecursionError) as error:
        return InvalidRow(line, f"is not valid JSON: {error}")
    if not isinstance(row, dict):
        return InvalidRow(line, f"is a {type(row).__name__}; expected an object with id, title and text")
    body = row.get("text")
    if not isinstance(body, str) or not body.strip():
        blank = not body or isinstance(body, str)
        return InvalidRow(
            line, "has no text" if blank else f"has a text of type {type(body).__name__}; expected a string"
        )
    try:
        facts = _parse_facts(row)
        metadata = combine_layers(check_metadata(row.get("metadata") or {}, source="metadata"))
    except ValueError as error:
        prefix = "has invalid " if isinstance(error, UsageError) else ""
        return InvalidRow(line, f"{prefix}{error}")
    identity, title, split = row.get("id"), row.get("title"), row.get("split", False)
    if not isinstance(split, bool):
        return InvalidRow(line, f"has {split!r:.20} for split; expected true or false")
    return JsonlRow(line, "" if identity is None else str(identity), str(title or ""), body, facts, split, metadata)


def _parse_facts(row: dict[str, Any]) -> GivenFacts | None:
    entities, triples = row.get("entities"), row.get("triples")
    if entities is None and triples is None:
        return None
    if entities is not None and not _is_text_list(entities):
        raise ValueError("has entities that are not a list of strings")
    if triples is not None and not (
        isinstance(triples, list) and all(_is_text_list(triple) and len(triple) == 3 for triple in triples)
    ):
        raise ValueError("has triples that are not a list of [subject, predicate, object]")
    return GivenFacts(
        None if entities is None else tuple(entities),
        None if triples is None else tuple((s, p, o) for s, p, o in triples),
    )


def _is_text_list(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)
