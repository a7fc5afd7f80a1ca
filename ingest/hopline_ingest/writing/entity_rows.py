"""From extractions to the rows of entities, mentions, subjects and triples."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from hopline.ids import normalise, stable_id, triple_id
from hopline.types.entity_kinds import UNNAMED_KINDS
from hopline_ingest.extraction.records import Extraction, Mention, Stated

Row = dict[str, Any]
Aliases = Mapping[tuple[str, str], str]  # (document, normalised alias) -> the name that it stands for there

MOST_TRIPLES: Final = 6  # of a passage
MOST_OF_A_TABLE: Final = 40  # first rows first; the cells are all in the table itself


@dataclass(frozen=True, slots=True)
class Place:
    """Where an evidence stands: ids of its collection and document; and whether it is a table."""

    collection: str
    document: str
    table: bool = False


@dataclass(slots=True)
class GraphRows:
    """Rows of many extractions, one list a statement."""

    entities: list[Row] = field(default_factory=list)
    mentions: list[Row] = field(default_factory=list)
    about: list[Row] = field(default_factory=list)
    triples: list[Row] = field(default_factory=list)
    finished: list[Row] = field(default_factory=list)


def aliases_of(pairs: Iterable[tuple[str, str, str]]) -> dict[tuple[str, str], str]:
    """What each alias stands for, from (document, alias, name): the name it is said of most, ties by the letters."""
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for document, alias, name in pairs:
        if normalise(alias) != normalise(name):
            counts[document, normalise(alias)][name] += 1
    return {alias: min(names, key=lambda name: (-names[name], name)) for alias, names in counts.items()}


def graph_rows(extractions: Iterable[Extraction], places: Mapping[str, Place], aliases: Aliases) -> GraphRows:
    """Rows of extractions; names that are aliases within their document become one entity."""
    names = _Names(aliases)
    rows = GraphRows()
    for extraction in extractions:
        place = places[extraction.id]
        rows.mentions += _mentions(extraction, place, names)
        rows.about += _about(extraction, place, names)
        rows.triples += _triples(extraction, place, names)
        rows.finished.append(_finished(extraction))
    rows.entities = names.rows()
    return rows


def _finished(extraction: Extraction) -> Row:
    aliases = [name for pair in extraction.aliases for name in pair]
    return {
        "id": extraction.id,
        "extractor": extraction.extractor,
        "warning": extraction.warning,
        "aliases": aliases,
    }


class _Names:
    """Names of one batch as entities: alias → name within a document, id by normalised name."""

    def __init__(self, aliases: Aliases) -> None:
        self._meant = aliases
        self._shown: dict[str, Counter[str]] = defaultdict(Counter)
        self._kinds: dict[str, Counter[str]] = defaultdict(Counter)
        self._aliases: dict[str, dict[str, None]] = defaultdict(dict)
        self._collections: dict[str, str] = {}

    def meaning(self, name: str, place: Place) -> str:
        """The name that ``name`` stands for in this document."""
        return self._meant.get((place.document, normalise(name)), name)

    def id_of(self, name: str, place: Place, kind: str = "", aliases: Iterable[str] = ()) -> str:
        """Id of the entity that ``name`` means in this document; remembers what it is called."""
        meant = self.meaning(name, place)
        id = stable_id("entity", place.collection, normalise(meant))
        self._collections[id] = place.collection
        self._shown[id][meant] += 1
        if kind:
            self._kinds[id][kind] += 1
        others = [*aliases, name] if meant != name else aliases
        self._aliases[id] |= dict.fromkeys(alias for alias in others if normalise(alias) != normalise(meant))
        return id

    def rows(self) -> list[Row]:
        """Rows of all entities, sorted by id."""
        return [self._row(id) for id in sorted(self._shown)]

    def _row(self, id: str) -> Row:
        name = min(self._shown[id], key=lambda shown: (-self._shown[id][shown], shown))
        kinds = self._kinds[id]
        kind = min(kinds, key=lambda kind: (-kinds[kind], kind)) if kinds else ""
        aliases = sorted(self._aliases[id])
        search = " ".join([name, *aliases])
        collection = self._collections[id]
        named = kind not in {*UNNAMED_KINDS, ""}
        row = {"id": id, "collection": collection, "name": name, "kind": kind, "named": named}
        return row | {"aliases": aliases, "search": search}


def _mentions(extraction: Extraction, place: Place, names: _Names) -> list[Row]:
    found: dict[str, list[Mention]] = defaultdict(list)
    for mention in extraction.mentions:
        found[names.id_of(mention.name, place, mention.kind, mention.aliases)].append(mention)
    return [_mention(extraction.id, entity, mentions, place, names) for entity, mentions in found.items()]


def _mention(evidence: str, entity: str, mentions: Sequence[Mention], place: Place, names: _Names) -> Row:
    """One edge: what the evidence calls the entity goes by its most frequent mention there."""
    first = min(mentions, key=lambda mention: (-len(mention.spans), mention.name))
    spans = sorted(span for mention in mentions for span in mention.spans)
    name = names.meaning(first.name, place)
    called = {alias for mention in mentions for alias in (*mention.aliases, mention.name)}
    aliases = sorted(alias for alias in called if normalise(alias) != normalise(name))
    return {
        "evidence": evidence,
        "entity": entity,
        "count": max(len(spans), 1),
        "spans": [end for span in spans for end in span],
        "name": name,
        "kind": first.kind or None,
        "aliases": aliases or None,
    }


def _about(extraction: Extraction, place: Place, names: _Names) -> list[Row]:
    best: dict[str, Row] = {}
    for about in extraction.about:
        entity = names.id_of(about.name, place, "NAME")
        if entity not in best or about.score > best[entity]["score"]:
            name = names.meaning(about.name, place)
            row = {"evidence": extraction.id, "entity": entity, "by": about.by, "score": about.score}
            best[entity] = row | {"name": name, "kind": "NAME"}
    return list(best.values())


def kept_triples(extraction: Extraction) -> list[Stated]:
    """The triples of a passage that are worth a node: those with a name at an end, the best first.

    Triples between two common nouns ("issues relate to the environment") join nothing, and every
    triple costs an embedding. Those with a name at both ends come first, then in the order of the
    text; at most `MOST_TRIPLES`. What was given is kept whole.
    """
    if extraction.extractor == "given":
        return list(extraction.triples)
    names = {normalise(m.name) for m in extraction.mentions if m.kind not in UNNAMED_KINDS}
    names |= {normalise(about.name) for about in extraction.about}

    def named(stated: Stated) -> int:
        return (normalise(stated.subject) in names) + (normalise(stated.object) in names)

    worth = [stated for stated in extraction.triples if named(stated)]
    return sorted(worth, key=lambda stated: -named(stated))[:MOST_TRIPLES]


def _triples(extraction: Extraction, place: Place, names: _Names) -> list[Row]:
    rows: dict[str, Row] = {}
    for stated in extraction.triples[:MOST_OF_A_TABLE] if place.table else kept_triples(extraction):
        id = triple_id(extraction.id, stated.subject, stated.predicate, stated.object)
        text = f"{stated.subject} {stated.predicate} {stated.object}"
        properties = {
            "collection": place.collection,
            "document": place.document,
            "evidence": extraction.id,
            "subject": stated.subject,
            "predicate": stated.predicate,
            "object": stated.object,
            "text": text,
            "search": text,
            "start": stated.span[0],
            "end": stated.span[1],
        }
        ends = {
            "subject_id": names.id_of(stated.subject, place),
            "object_id": names.id_of(stated.object, place),
            "subject_name": names.meaning(stated.subject, place),
            "object_name": names.meaning(stated.object, place),
        }
        rows[id] = {"id": id, "evidence": extraction.id, "properties": properties, **ends}
    return list(rows.values())
