"""Conversion of extractions into the rows of entities, mentions, subjects and triples."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from hopline.ids import normalize_name, reference_id, stable_id, triple_id
from hopline.records import UNNAMED_KINDS
from hopline.store.lucene import add_folded_words
from hopline_ingest.extraction.llm.extractor import MODEL_EXTRACTOR
from hopline_ingest.extraction.records import Extraction, ListedReference, Mention, StatedTriple

Row = dict[str, Any]
Aliases = Mapping[tuple[str, str], str]  # (document, normalized alias) -> name that the alias means in the document

# names of parties in contracts and filings, which name nobody unless the document defines them
PARTIES: Final = frozenset({
    "agent", "bank", "board", "board of directors", "borrower", "buyer", "chief executive officer",
    "chief financial officer", "commission", "committee", "company", "corporation", "court", "customer", "department",
    "director", "employee", "employer", "executive", "fund", "group", "guarantor", "issuer", "landlord", "lender",
    "licensee", "licensor", "management", "partnership", "parties", "party", "plan", "president", "purchaser",
    "registrant", "secretary", "seller", "state", "supplier", "tenant", "trust", "trustee", "user", "vendor",
})  # fmt: skip
MAX_TRIPLES: Final = 4  # that the rules made of one passage
MAX_TABLE_TRIPLES: Final = 40  # of a table, from the first rows with a name; all cells are in the table's own node


@dataclass(frozen=True, slots=True)
class EvidenceLocation:
    """Location of an evidence: ids of its collection and document, and whether it is a table.

    ``corrected_at`` is the time of the correction that its text is from, None if it was not corrected.
    """

    collection: str
    document: str
    table: bool = False
    corrected_at: int | None = None


@dataclass(slots=True)
class EntityRows:
    """Rows of many extractions, one list per statement."""

    entities: list[Row] = field(default_factory=list)
    mentions: list[Row] = field(default_factory=list)
    about: list[Row] = field(default_factory=list)
    triples: list[Row] = field(default_factory=list)
    references: list[Row] = field(default_factory=list)
    extractions: list[Row] = field(default_factory=list)


def resolve_aliases(pairs: Iterable[tuple[str, str, str]]) -> dict[tuple[str, str], str]:
    """Return the meaning of each alias from (document, alias, name): the most frequent name, ties alphabetically."""
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for document, alias, name in pairs:
        if normalize_name(alias) != normalize_name(name):
            counts[document, normalize_name(alias)][name] += 1
    return {alias: min(names, key=lambda name: (-names[name], name)) for alias, names in counts.items()}


def build_entity_rows(
    extractions: Iterable[Extraction], locations: Mapping[str, EvidenceLocation], aliases: Aliases
) -> EntityRows:
    """Build the rows of extractions; names that are aliases within their document become one entity.

    Names become entities, and so does everything that was given or that a language model wrote. The common nouns, dates
    and amounts that the rules find do not: they stay the text of the triples that they are subject or object of.
    """
    names = _EntityRegistry(aliases)
    rows = EntityRows()
    for extraction in extractions:
        location = locations[extraction.id]
        rows.mentions += _mention_rows(extraction, location, names)
        rows.about += _about_rows(extraction, location, names)
        rows.triples += _triple_rows(extraction, location, names)
        rows.references += [_reference_row(reference, extraction.id, location) for reference in extraction.references]
        rows.extractions.append(_extraction_row(extraction) | {"corrected_at": location.corrected_at})
    rows.entities = names.rows()
    return rows


def _extraction_row(extraction: Extraction) -> Row:
    aliases = [name for pair in extraction.aliases for name in pair]
    return {
        "id": extraction.id,
        "extractor": extraction.extractor,
        "warning": extraction.warning,
        "aliases": aliases,
        "citations": sorted({key for citation in extraction.citations for key in citation.keys}) or None,
    }


def _reference_row(reference: ListedReference, evidence: str, location: EvidenceLocation) -> Row:
    id = reference_id(evidence, reference.span[0])
    properties = {
        "id": id,
        "collection": location.collection,
        "document": location.document,
        "evidence": evidence,
        "name": reference.title or reference.key,
        "key": reference.key,
        "authors": reference.authors,
        "year": reference.year,
        "start": reference.span[0],
        "end": reference.span[1],
    }
    return {"id": id, "evidence": evidence, "properties": properties}


class _EntityRegistry:
    """Entities of one batch: resolves aliases within a document and identifies entities by normalized name."""

    def __init__(self, aliases: Aliases) -> None:
        self._alias_targets = aliases
        self._names: dict[str, Counter[str]] = defaultdict(Counter)
        self._kinds: dict[str, Counter[str]] = defaultdict(Counter)
        self._aliases: dict[str, dict[str, None]] = defaultdict(dict)
        self._collections: dict[str, str] = {}

    def resolve_alias(self, name: str, location: EvidenceLocation) -> str:
        """Return the full name that ``name`` means in this document."""
        return self._alias_targets.get((location.document, normalize_name(name)), name)

    def register(self, name: str, location: EvidenceLocation, kind: str = "", aliases: Iterable[str] = ()) -> str:
        """Record a name and return the id of the entity that it means in this document."""
        target = self.resolve_alias(name, location)
        id = stable_id("entity", location.collection, normalize_name(target))
        self._collections[id] = location.collection
        self._names[id][target] += 1
        if kind:
            self._kinds[id][kind] += 1
        forms = [*aliases, name] if target != name else aliases
        self._aliases[id] |= dict.fromkeys(alias for alias in forms if normalize_name(alias) != normalize_name(target))
        return id

    def rows(self) -> list[Row]:
        """Return the rows of all entities, sorted by id."""
        return [self._row(id) for id in sorted(self._names)]

    def _row(self, id: str) -> Row:
        name = min(self._names[id], key=lambda form: (-self._names[id][form], form))
        kinds = self._kinds[id]
        kind = min(kinds, key=lambda kind: (-kinds[kind], kind)) if kinds else ""
        aliases = sorted(self._aliases[id])
        search = add_folded_words(" ".join([name, *aliases]))
        collection = self._collections[id]
        named = kind not in {*UNNAMED_KINDS, ""}
        row = {"id": id, "collection": collection, "name": name, "kind": kind, "named": named}
        return row | {"aliases": aliases, "search": search}


def _mention_rows(extraction: Extraction, location: EvidenceLocation, names: _EntityRegistry) -> list[Row]:
    groups: dict[str, list[Mention]] = defaultdict(list)
    for mention in list_entity_mentions(extraction):
        if normalize_name(names.resolve_alias(mention.name, location)) in PARTIES:
            continue
        groups[names.register(mention.name, location, mention.kind, mention.aliases)].append(mention)
    return [_mention_row(extraction.id, entity, mentions, location, names) for entity, mentions in groups.items()]


def _mention_row(
    evidence: str, entity: str, mentions: Sequence[Mention], location: EvidenceLocation, names: _EntityRegistry
) -> Row:
    """Build one MENTIONS edge; the entity's name is that of its most frequent mention in the evidence."""
    first = min(mentions, key=lambda mention: (-len(mention.spans), mention.name))
    spans = sorted(span for mention in mentions for span in mention.spans)
    name = names.resolve_alias(first.name, location)
    forms = {alias for mention in mentions for alias in (*mention.aliases, mention.name)}
    aliases = sorted(alias for alias in forms if normalize_name(alias) != normalize_name(name))
    return {
        "evidence": evidence,
        "entity": entity,
        "count": max(len(spans), 1),
        "spans": [end for span in spans for end in span],
        "name": name,
        "kind": first.kind or None,
        "aliases": aliases or None,
    }


def _about_rows(extraction: Extraction, location: EvidenceLocation, names: _EntityRegistry) -> list[Row]:
    best: dict[str, Row] = {}
    for about in extraction.about:
        entity = names.register(about.name, location, "NAME")
        if entity not in best or about.score > best[entity]["score"]:
            name = names.resolve_alias(about.name, location)
            row = {"evidence": extraction.id, "entity": entity, "by": about.by, "score": about.score}
            best[entity] = row | {"name": name, "kind": "NAME"}
    return list(best.values())


def list_entity_mentions(extraction: Extraction) -> list[Mention]:
    """Return the mentions whose names become entities: all but common nouns, dates and amounts."""
    return [mention for mention in extraction.mentions if mention.kind not in UNNAMED_KINDS]


def list_entity_keys(extraction: Extraction) -> set[str] | None:
    """Return the normalized names of the entities that an extraction by the rules has; None for other extractions."""
    if extraction.extractor in ("given", MODEL_EXTRACTOR):
        return None
    forms = [form for mention in list_entity_mentions(extraction) for form in (mention.name, *mention.aliases)]
    return {normalize_name(form) for form in (*forms, *(about.name for about in extraction.about))} - PARTIES


def select_triples(extraction: Extraction, names: Container[str] | None) -> list[StatedTriple]:
    """Select the triples of a passage to store: all that were given or that a language model wrote (``names`` is None).

    Of the triples that the rules made, those with a named entity as subject or object are selected: triples between two
    common nouns ("issues relate to the environment") connect nothing, and every triple costs an embedding. Those with
    names at both ends come first, then the most probable ones.
    """
    if names is None:
        return list(extraction.triples)

    def count_named_ends(triple: StatedTriple) -> int:
        return (normalize_name(triple.subject) in names) + (normalize_name(triple.object) in names)

    candidates = [triple for triple in extraction.triples if count_named_ends(triple)]
    return sorted(candidates, key=lambda triple: (-count_named_ends(triple), -triple.confidence))


def _triple_rows(extraction: Extraction, location: EvidenceLocation, names: _EntityRegistry) -> list[Row]:
    rows: dict[str, Row] = {}
    entities = list_entity_keys(extraction)
    limit = None if entities is None else MAX_TABLE_TRIPLES if location.table else MAX_TRIPLES
    for triple in select_triples(extraction, entities)[:limit]:
        id = triple_id(extraction.id, triple.subject, triple.predicate, triple.object)
        text = f"{triple.subject} {triple.predicate} {triple.object}"
        properties = {
            "collection": location.collection,
            "document": location.document,
            "evidence": extraction.id,
            "subject": triple.subject,
            "predicate": triple.predicate,
            "object": triple.object,
            "text": text,
            "search": add_folded_words(text),
            "start": triple.span[0],
            "end": triple.span[1],
            "confidence": triple.confidence,
        }
        ends = {
            f"{role}_{part}": value
            for role, name in (("subject", triple.subject), ("object", triple.object))
            if entities is None or normalize_name(name) in entities
            for part, value in (("id", names.register(name, location)), ("name", names.resolve_alias(name, location)))
        }
        rows[id] = {"id": id, "evidence": extraction.id, "properties": properties, **ends}
    return list(rows.values())
