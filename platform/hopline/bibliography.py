"""What documents state about themselves: its form in the graph, and as a layer of metadata."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Final, get_args

from hopline.metadata.filter_expression import FIXED_FIELDS
from hopline.metadata.values import MAX_ITEMS, MAX_KEY, MAX_KEYS, MAX_TEXT, MetadataValue, Scalar, parse_scalar
from hopline.records import BibliographicEntry, BibliographicKey, Box

KEYS: Final[tuple[BibliographicKey, ...]] = get_args(BibliographicKey)
LABELS: Final[dict[BibliographicKey, str]] = {
    "title": "Title",
    "authors": "Authors",
    "date": "Date",
    "organisation": "Organisation",
    "abstract": "Abstract",
    "doi": "DOI",
    "arxiv": "arXiv",
    "isbn": "ISBN",
    "issn": "ISSN",
    "docket": "Docket number",
    "report_number": "Report number",
    "language": "Language",
    "field": "Field",
}
_NOT_METADATA: Final = frozenset({"title", "abstract"})  # a field of every document; longer than metadata may be
_LISTS: Final = frozenset({"authors", "isbn", "issn"})
_MAX_FIELDS: Final = MAX_KEYS // 2  # the rest is left to the metadata of the user


def encode_bibliography(entries: Iterable[BibliographicEntry]) -> str:
    """Return entries as JSON text; "" if there is none."""
    rows = [asdict(entry) for entry in entries]
    return json.dumps(rows, ensure_ascii=False, separators=(",", ":")) if rows else ""


def decode_bibliography(text: str | None) -> tuple[BibliographicEntry, ...]:
    """Return the entries of a JSON text that `encode_bibliography` made."""
    rows = json.loads(text) if text else []
    return tuple(
        BibliographicEntry(**row | {"boxes": tuple(Box(**box) for box in row["boxes"])})
        for row in rows
        if row["key"] in KEYS
    )


def select_entries(entries: Iterable[BibliographicEntry], key: BibliographicKey) -> list[BibliographicEntry]:
    """Return the entries of a key, in their order."""
    return [entry for entry in entries if entry.key == key]


def convert_to_metadata(entries: Sequence[BibliographicEntry]) -> dict[str, MetadataValue]:
    """Convert entries to a layer of metadata, without title and abstract; authors, ISBN and ISSN are lists.

    The key of a field is its label: "Invoice number" becomes ``invoice_number``. Fields of one label are a list.
    """
    layer: dict[str, MetadataValue] = {}
    for key in KEYS:
        if key == "field":
            continue
        values = tuple(entry.value[:MAX_TEXT] for entry in select_entries(entries, key))[:MAX_ITEMS]
        if values and key not in _NOT_METADATA:
            layer[key] = values if key in _LISTS else values[0]
    return _convert_fields(entries) | layer


def _convert_fields(entries: Iterable[BibliographicEntry]) -> dict[str, MetadataValue]:
    values: dict[str, list[Scalar]] = {}
    for entry in select_entries(entries, "field"):
        key = re.sub(r"\W+", "_", entry.label.casefold()).strip("_")[:MAX_KEY]
        if key and key not in FIXED_FIELDS and (key in values or len(values) < _MAX_FIELDS):
            values.setdefault(key, []).append(parse_scalar(entry.value[:MAX_TEXT]))
    return {key: tuple(items[:MAX_ITEMS]) if len(items) > 1 else items[0] for key, items in values.items()}


@dataclass(frozen=True, slots=True)
class CardLine:
    """A line of the card of a document: a label, its values, and the page that they are read from.

    ``page`` is 0 for values of the properties of the file, and for a language, which is computed from the text.
    """

    key: BibliographicKey
    label: str
    text: str
    page: int


def build_card(entries: Sequence[BibliographicEntry]) -> list[CardLine]:
    """Build the lines of a document's card, in the order of `KEYS`; several values of a key are one line.

    Each field of a form or letter is a line, with its own label.
    """
    lines = []
    for key in KEYS:
        own = select_entries(entries, key)
        if key == "field":
            lines += [CardLine(key, entry.label, entry.value, entry.page) for entry in own]
        elif own:
            lines.append(CardLine(key, LABELS[key], ", ".join(entry.value for entry in own), own[0].page))
    return lines


def describe_source(line: CardLine) -> str:
    """Describe where the values of a line are from: "p. 1", "file properties", or "text" for a language."""
    if line.page:
        return f"p. {line.page}"
    return "text" if line.key == "language" else "file properties"
