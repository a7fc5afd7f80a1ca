"""The evidence that one step of extraction reads: whole documents, so that an alias means the same all through one."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

from hopline.flow.columns import rows_of
from hopline.store.graph import Store
from hopline_ingest.extraction.llm.extractor import MODEL_EXTRACTOR
from hopline_ingest.extraction.records import Extraction, Readable
from hopline_ingest.writing.entity_rows import Aliases, Place, aliases_of

_MODEL: Final = MODEL_EXTRACTOR.partition("-")[0]
AliasPairs = tuple[tuple[str, str], ...]  # (alias, name)


@dataclass(frozen=True, slots=True)
class Window:
    """Evidence that waits to be read.

    ``rows`` has what the graph holds of it, by id, in reading order; ``stored`` the alias pairs that evidence of
    the same documents gave when it was read before, by document and evidence.
    """

    rows: Mapping[str, Mapping[str, Any]]
    readables: tuple[Readable, ...]
    stored: Mapping[str, Mapping[str, AliasPairs]]

    @classmethod
    def fetch(cls, store: Store, limit: int, by_model: int) -> Self:
        """At least ``limit`` evidence where there is so much, ``by_model`` of it for models; documents are whole."""
        rows = _limited(rows_of(store.columns("ingest/unread", {"limit": limit})), by_model)
        stored: dict[str, dict[str, AliasPairs]] = {}
        documents = sorted({row["document"] for row in rows.values()})
        for row in rows_of(store.columns("ingest/alias_pairs", {"documents": documents})) if documents else ():
            flat = row["pairs"]
            stored.setdefault(row["document"], {})[row["id"]] = tuple(zip(flat[::2], flat[1::2], strict=True))
        return cls(rows, tuple(_readable(row) for row in rows.values()), stored)

    def place(self, id: str) -> Place:
        """Where an evidence stands."""
        row = self.rows[id]
        return Place(row["collection"], row["document"], row["kind"] == "table")

    def was_read_by_model(self, id: str) -> bool:
        """Whether a model has read this evidence before: what it found is not given up for what rules find."""
        row = self.rows[id]
        return bool(row["model"] and row["extractor"].startswith(_MODEL))

    def documents_of(self, extractions: Iterable[Extraction]) -> list[str]:
        """Ids of the documents of some extractions, sorted."""
        return sorted({self.rows[one.id]["document"] for one in extractions})

    def aliases(self, extractions: Sequence[Extraction]) -> tuple[Aliases, list[str]]:
        """What aliases stand for in the documents of these extractions, and in which of them that is new."""
        read = {one.id: one.aliases for one in extractions}
        documents = self.documents_of(extractions)
        before = {document: dict(self.stored.get(document, {})) for document in documents}
        now = {document: dict(pairs) for document, pairs in before.items()}
        for id, pairs in read.items():
            now[self.rows[id]["document"]][id] = pairs
        changed = [one for one in documents if _counted({one: before[one]}) != _counted({one: now[one]})]
        return _counted(now), changed

    def whole_documents(self, parts: Iterable[list[Extraction]], size: int) -> Iterator[list[Extraction]]:
        """Extractions as they come, each document whole and in reading order, in lists of ``size`` or more."""
        order = {id: place for place, id in enumerate(self.rows)}
        left = Counter(row["document"] for row in self.rows.values())
        held: dict[str, list[Extraction]] = {}
        ready: list[Extraction] = []
        for extraction in (one for part in parts for one in part):
            document = self.rows[extraction.id]["document"]
            held.setdefault(document, []).append(extraction)
            left[document] -= 1
            if not left[document]:
                ready += sorted(held.pop(document), key=lambda one: order[one.id])
            if len(ready) >= size:
                yield ready
                ready = []
        if ready:
            yield ready


def _limited(rows: Sequence[dict[str, Any]], by_model: int) -> dict[str, dict[str, Any]]:
    """The rows by id; of those that a model reads whole documents, until there are ``by_model`` of them."""
    kept: dict[str, dict[str, Any]] = {}
    asked, last = 0, ""
    for row in rows:
        if row["model"]:
            if asked >= by_model and row["document"] != last:
                continue
            asked, last = asked + 1, row["document"]
        kept[row["id"]] = row
    return kept


def _counted(documents: Mapping[str, Mapping[str, AliasPairs]]) -> Aliases:
    return aliases_of(
        (document, alias, name)
        for document, evidence in documents.items()
        for pairs in evidence.values()
        for alias, name in pairs
    )


def _readable(row: Mapping[str, Any]) -> Readable:
    given = json.loads(row["given"]) if row["given"] else {}
    entities, triples = given.get("entities"), given.get("triples")
    flat = row["sentences"]
    return Readable(
        row["id"],
        row["kind"],
        row["text"],
        title=row["title"],
        section=tuple(row["section"]),
        caption=row["caption"],
        sentences=tuple(zip(flat[::2], flat[1::2], strict=True)),
        given_entities=None if entities is None else tuple(entities),
        given_triples=None if triples is None else tuple((s, p, o) for s, p, o in triples),
    )
