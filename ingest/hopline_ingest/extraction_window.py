"""The evidence of one extraction step: whole documents, so that an alias has one meaning within a document."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

from hopline.flow.columns import to_rows
from hopline.store.graph import Store
from hopline_ingest.extraction.llm.extractor import MODEL_EXTRACTOR
from hopline_ingest.extraction.records import Extraction, ExtractionInput
from hopline_ingest.formats.titles import title_from_name
from hopline_ingest.writing.entity_rows import Aliases, EvidenceLocation, resolve_aliases

_MODEL: Final = MODEL_EXTRACTOR.partition("-")[0]
AliasPairs = tuple[tuple[str, str], ...]  # (alias, name)


@dataclass(frozen=True, slots=True)
class ExtractionWindow:
    """A batch of evidence to extract.

    ``rows`` holds the evidence's properties in the graph by id, in reading order; ``stored`` the alias pairs of
    evidence of the same documents that was extracted before, by document and evidence.
    """

    rows: Mapping[str, Mapping[str, Any]]
    inputs: tuple[ExtractionInput, ...]
    stored: Mapping[str, Mapping[str, AliasPairs]]

    @classmethod
    def fetch(cls, store: Store, limit: int, by_model: int) -> Self:
        """Fetch at least ``limit`` evidence if available, ``by_model`` of it for models; documents are whole."""
        rows = _limit_model_rows(to_rows(store.read("ingest/unextracted_evidence", {"limit": limit})), by_model)
        stored: dict[str, dict[str, AliasPairs]] = {}
        documents = sorted({row["document"] for row in rows.values()})
        for row in to_rows(store.read("ingest/alias_pairs", {"documents": documents})) if documents else ():
            values = row["pairs"]
            stored.setdefault(row["document"], {})[row["id"]] = tuple(zip(values[::2], values[1::2], strict=True))
        return cls(rows, tuple(_to_input(row) for row in rows.values()), stored)

    def location(self, id: str) -> EvidenceLocation:
        """Return the location of an evidence."""
        row = self.rows[id]
        return EvidenceLocation(row["collection"], row["document"], row["kind"] == "table", row["corrected_at"])

    def was_extracted_by_llm(self, id: str) -> bool:
        """Whether a language model extracted this evidence before; its result is not replaced by that of the rules."""
        row = self.rows[id]
        return bool(row["model"] and row["extractor"].startswith(_MODEL))

    def document_ids(self, extractions: Iterable[Extraction]) -> list[str]:
        """Return the sorted ids of the documents of the extractions."""
        return sorted({self.rows[item.id]["document"] for item in extractions})

    def resolve_aliases(self, extractions: Sequence[Extraction]) -> tuple[Aliases, list[str]]:
        """Return the meaning of each alias in the extractions' documents, and the documents where it changed."""
        new = {item.id: item.aliases for item in extractions}
        documents = self.document_ids(extractions)
        before = {document: dict(self.stored.get(document, {})) for document in documents}
        now = {document: dict(pairs) for document, pairs in before.items()}
        for id, pairs in new.items():
            now[self.rows[id]["document"]][id] = pairs
        changed = [
            id
            for id in documents
            if _resolve_document_aliases({id: before[id]}) != _resolve_document_aliases({id: now[id]})
        ]
        return _resolve_document_aliases(now), changed

    def batch_by_document(self, parts: Iterable[list[Extraction]], size: int) -> Iterator[list[Extraction]]:
        """Group extractions into lists of ``size`` or more, with whole documents in reading order, as they complete."""
        order = {id: index for index, id in enumerate(self.rows)}
        remaining = Counter(row["document"] for row in self.rows.values())
        pending: dict[str, list[Extraction]] = {}
        ready: list[Extraction] = []
        for extraction in (item for part in parts for item in part):
            document = self.rows[extraction.id]["document"]
            pending.setdefault(document, []).append(extraction)
            remaining[document] -= 1
            if not remaining[document]:
                ready += sorted(pending.pop(document), key=lambda item: order[item.id])
            if len(ready) >= size:
                yield ready
                ready = []
        if ready:
            yield ready


def _limit_model_rows(rows: Sequence[dict[str, Any]], by_model: int) -> dict[str, dict[str, Any]]:
    """Return the rows by id; those for a language model are limited to ``by_model``, rounded up to whole documents."""
    limited: dict[str, dict[str, Any]] = {}
    count, last = 0, ""
    for row in rows:
        if row["model"]:
            if count >= by_model and row["document"] != last:
                continue
            count, last = count + 1, row["document"]
        limited[row["id"]] = row
    return limited


def _resolve_document_aliases(documents: Mapping[str, Mapping[str, AliasPairs]]) -> Aliases:
    return resolve_aliases(
        (document, alias, name)
        for document, evidence in documents.items()
        for pairs in evidence.values()
        for alias, name in pairs
    )


def _to_input(row: Mapping[str, Any]) -> ExtractionInput:
    facts = json.loads(row["given"]) if row["given"] else {}
    entities, triples = facts.get("entities"), facts.get("triples")
    values = row["sentences"]
    return ExtractionInput(
        row["id"],
        row["kind"],
        row["text"],
        title="" if row["title"] == title_from_name(row["name"]) else row["title"],  # the name of a file is no entity
        section=tuple(row["section"]),
        caption=row["caption"],
        sentences=tuple(zip(values[::2], values[1::2], strict=True)),
        given_entities=None if entities is None else tuple(entities),
        given_triples=None if triples is None else tuple((s, p, o) for s, p, o in triples),
        cells=tuple(tuple(texts) for texts in json.loads(row["cells"] or "[]")),
    )
