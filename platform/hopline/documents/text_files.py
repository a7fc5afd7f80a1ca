"""Texts as files: a text, or several parts of one document, as the rows of a small ``.jsonl`` file.

Such a file is stored, parsed again, exported and imported like any other. Its name is that of the document, with
`SUFFIX`, so that it replaces no file of the user.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from hopline.documents.foreign_metadata import clean_metadata
from hopline.documents.memory_files import MemoryFiles, NamedBytes
from hopline.documents.progress import Failure
from hopline.errors import DocumentError, UsageError
from hopline.text_encoding import clean_name, normalize_text

SUFFIX: Final = ".text.jsonl"
MAX_NAME: Final = 200  # characters
MAX_ROW: Final = 500_000  # characters; a line of a .jsonl file has at most 4 MB


@dataclass(frozen=True, slots=True)
class TextPart:
    """A text, or a part of one: ``key`` identifies the document that it belongs to, ``title`` is shown for it.

    ``id`` becomes the ``source_id`` of its evidence.
    """

    text: str
    key: str
    title: str = ""
    id: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)


def build_text_files(
    texts: Sequence[str], titles: Sequence[str | None] | None, metadata: Sequence[Mapping[str, Any]] | None
) -> MemoryFiles:
    """Build a file for each text, named after its title, or after a hash of the text if it has none.

    A text that is repeated with its title is one file.

    Raises:
        UsageError: an argument is no sequence, or they have different lengths.
    """
    _check_lengths(texts, titles=titles, metadata=metadata)
    files: dict[NamedBytes, None] = {}
    failures = []
    for number, text in enumerate(texts):
        title = titles[number] if titles is not None else ""
        try:
            part = _build_part(text, title, metadata[number] if metadata is not None else {})
        except DocumentError as error:
            name = clean_name(title).strip() if isinstance(title, str) else ""
            failures.append(Failure(f"texts[{number}]{f' ({name})' if name else ''}", str(error)))
        else:
            files[build_file([part])] = None
    return MemoryFiles(tuple(files), tuple(failures))


def _check_lengths(texts: Sequence[str], **others: Sequence[Any] | None) -> None:
    for name, values in {"texts": texts, **others}.items():
        if values is None:
            continue
        if isinstance(values, str | bytes | Mapping) or not isinstance(values, Sequence):
            raise UsageError(f"{name} must be a list, one item for each text; got {values!r:.80}")
        if len(values) != len(texts):
            raise UsageError(f"{name} must have an item for each of the {len(texts)} texts; got {len(values)}")


def _build_part(text: object, title: object, metadata: object) -> TextPart:
    if not isinstance(title, str | None):
        raise DocumentError(f"its title must be a text, or None; got {title!r:.80}")
    if not isinstance(metadata, Mapping | None):
        raise DocumentError(f"its metadata must be a mapping such as {{'year': 2024}}; got {metadata!r:.80}")
    checked, name = check_text(text), clean_name(title or "").strip()
    key = name or compute_key(checked)
    return TextPart(checked, key, name, key, clean_metadata(metadata or {}))


def check_text(text: object) -> str:
    """Return a text that is no blank one.

    Raises:
        DocumentError: it is blank, or no text.
    """
    if not isinstance(text, str):
        raise DocumentError(f"must be a text; got {text!r:.80}, of type {type(text).__name__}")
    if not text.strip():
        raise DocumentError("has no text")
    return normalize_text(text)


def compute_key(text: str) -> str:
    """Return the name of a text without a title: a hash, which is always the same."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def build_file(parts: Sequence[TextPart]) -> NamedBytes:
    """Build the file of a document from its parts, in their order; its key and title are those of the first one."""
    first = parts[0]
    rows = [
        {"id": part.id or first.key, "title": first.title, "text": text, "split": True, "metadata": part.metadata}
        for part in parts
        for text in _split_text(part.text)
    ]
    lines = [json.dumps({name: value for name, value in row.items() if value}, ensure_ascii=False) for row in rows]
    return NamedBytes(_shorten_name(first.key) + SUFFIX, "".join(f"{line}\n" for line in lines).encode())


def _shorten_name(name: str) -> str:
    cleaned = clean_name(name).strip()
    return cleaned if len(cleaned) <= MAX_NAME else f"{cleaned[:MAX_NAME].rstrip()} {compute_key(cleaned)}"


def _split_text(text: str) -> Iterator[str]:
    """Yield a text in parts of at most `MAX_ROW` characters, which end at a paragraph, a line or a word if possible."""
    while len(text) > MAX_ROW:
        ends = (text.rfind(mark, MAX_ROW // 2, MAX_ROW) for mark in ("\n\n", "\n", " "))
        end = next((end for end in ends if end > 0), MAX_ROW)
        yield text[:end]
        text = text[end:].lstrip()
    if text:
        yield text


def group_parts(parts: Iterable[TextPart]) -> list[NamedBytes]:
    """Build a file for each key; the parts of one key form one document, in their order."""
    groups: dict[str, list[TextPart]] = {}
    for part in parts:
        groups.setdefault(part.key, []).append(part)
    return [build_file(group) for group in groups.values()]
