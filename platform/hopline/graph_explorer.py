"""The graph as it is explored: find a node, see what stands around it, go from one to another."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, cast

from hopline.entities.linking import UNLINKED
from hopline.errors import UnknownName, UsageError
from hopline.flow.columns import rows_of
from hopline.retrieval.evidence_reader import evidence_rows
from hopline.store.lucene import beginning, terms
from hopline.types import Evidence, Kind, Node, Step, Triple

if TYPE_CHECKING:
    from hopline.store.graph import Store

NAME: Final = 80  # characters of a text that stands for a node's name
SAMPLE: Final = 3000  # evidence that an overview looks at
EACH: Final = 6  # evidence drawn of one name of an overview
WIDER: Final = 4  # how many times the nodes wanted are looked at, to put the best first
LOOKED: Final = 20  # edges looked at for each that is shown
SHOWN: Final = 12  # evidence and triples of one node's details

_KINDS: Final = ("Collection", "Document", "Page", "Passage", "Table", "Entity", "Triple")
_INDEX: Final[Mapping[str, str]] = {
    "entity": "entity_text",
    "passage": "evidence_text",
    "table": "table_text",
    "triple": "triple_text",
}


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """Nodes and edges (source id, edge, target id) around a node; ``total`` counts edges before the limit."""

    nodes: tuple[Node, ...] = ()
    edges: tuple[tuple[str, str, str], ...] = ()
    total: int = 0


@dataclass(frozen=True, slots=True)
class Found:
    """A node that a search found: ``about`` is its document or what sort of name it is, ``size`` its edges."""

    node: Node
    about: str = ""
    size: int = 0


@dataclass(frozen=True, slots=True)
class Detail:
    """One node in full.

    ``sort`` is the kind of an entity (spaCy's labels, or NOUN). ``evidence`` is the node itself, what mentions it or
    is about it, what states it, or what stands on it; ``spans`` says where each text names an entity. ``triples`` are
    those that it states or is an end of. Of both at most `SHOWN`.
    """

    node: Node
    document: str = ""
    sort: str = ""
    aliases: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    spans: Mapping[str, tuple[tuple[int, int], ...]] = field(default_factory=dict)
    triples: tuple[Triple, ...] = ()


class Explorer:
    """Looking around in the graph; nothing is ranked for a question."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def find(self, text: str, collection: str, kinds: Sequence[Kind], limit: int) -> list[Found]:
        """The nodes of these kinds that ``text`` names or occurs in, names that begin with it first."""
        words = terms(text)
        if not words:
            return []
        found: list[Found] = []
        for kind in kinds:
            if kind == "document":
                given = {"words": words, "limit": limit, "collection": collection}
                columns = self._store.columns("explore/found_documents", given)
            elif kind in _INDEX:
                query = beginning(text, collection)
                given = {"index": _INDEX[kind], "query": query, "limit": WIDER * limit}
                columns = self._store.columns("explore/found", given)
            else:
                raise UsageError(f"only documents, {', '.join(_INDEX)} can be searched for (got {kind!r})")
            rows = [row for row in rows_of(columns) if _kind(row["kind"]) == kind]
            found += _best_named([_found(row) for row in rows], text)[:limit]
        return found

    def overview(self, collection: str, limit: int) -> Neighbourhood:
        """The names that evidence of a collection shares most, with what mentions them; at most ``limit`` nodes.

        Of a large collection a sample of the evidence is looked at; ``total`` counts all nodes of the collection.
        """
        given = {"sample": SAMPLE, "names": limit, "each": EACH, "unlinked": list(UNLINKED), "collection": collection}
        rows = rows_of(self._store.columns("explore/overview", given))
        nodes: dict[str, Node] = {}
        edges: dict[tuple[str, str, str], None] = {}
        for row in rows:
            ends = _ends(row)
            if len(nodes) + sum(end.id not in nodes for end in ends) > limit:
                continue
            nodes |= {end.id: end for end in ends}
            edges[row["source"], row["edge"], row["target"]] = None
        total = sum(values[0] for values in self._store.columns("explore/size", {"collection": collection}).values())
        return Neighbourhood(tuple(nodes.values()), tuple(edges), total)

    def around(self, node: str, hops: int, limit: int) -> Neighbourhood:
        """What stands around a node: at most ``limit`` edges; a triple comes with both its ends."""
        nodes: dict[str, Node] = {}
        edges: dict[tuple[str, str, str], None] = {}
        frontier = [node]
        for _ in range(hops):
            columns = self._store.columns("explore/neighbours", {"ids": frontier, "limit": LOOKED * limit})
            for row in self._with_ends(rows_of(columns)):
                edges[row["source"], row["edge"], row["target"]] = None
                nodes |= {end.id: end for end in _ends(row)}
            frontier = [id for id in nodes if id not in frontier]
        if node not in nodes:
            nodes[node] = self.detail(node).node  # nothing stands around it, or it is not there
        kept = tuple(edges)[:limit]
        shown = {id for source, _, target in kept for id in (source, target)} | {node}
        return Neighbourhood(tuple(nodes[id] for id in nodes if id in shown), kept, len(edges))

    def _with_ends(self, rows: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """Edges, each edge of a triple followed by those to both its ends."""
        triples = {end.id for row in rows for end in _ends(row) if end.kind == "triple"}
        ends: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
        for row in rows_of(self._store.columns("explore/ends", {"ids": sorted(triples)})) if triples else ():
            ends[row["source"]].append(row)
        for row in rows:
            yield row
            for end in (row["source"], row["target"]):
                yield from ends.pop(end, ())

    def between(self, source: str, target: str, limit: int) -> list[tuple[Step, ...]]:
        """The shortest ways between two nodes, at most ``limit``; none where they are more than 8 edges apart."""
        if source == target:
            return []
        given = {"source": source, "target": target, "limit": limit, "unlinked": list(UNLINKED)}
        ways = []
        for row in rows_of(self._store.columns("explore/between", given)):
            nodes = [Node(id, _kind(kinds), name[:NAME]) for id, kinds, name in row["nodes"]]
            pairs = zip(nodes, row["edges"], nodes[1:], strict=False)
            ways.append(tuple(Step(one, edge, other) for one, edge, other in pairs))
        return ways

    def detail(self, id: str) -> Detail:
        """One node with its texts and triples."""
        rows = rows_of(self._store.columns("explore/node", {"id": id}))
        if not rows:
            raise UnknownName("node", id, ())
        [row] = rows
        node = Node(id, _kind(row["kind"]), row["name"][:NAME])
        spans = {}
        if node.kind == "entity":
            shown = rows_of(self._store.columns("explore/mentioning", {"id": id, "limit": SHOWN}))
            spans = {one["id"]: tuple(zip(one["spans"][::2], one["spans"][1::2], strict=True)) for one in shown}
            ids = list(spans)
        elif node.kind == "page":
            around = self.around(id, 1, SHOWN * 2)
            ids = [one.id for one in around.nodes if one.kind in {"passage", "table"}]
        else:
            ids = [id] if node.kind in {"passage", "table"} else [row["evidence"]] if row["evidence"] else []
        return Detail(
            node, row["document"], row["sort"], tuple(row["aliases"]), self._evidence(ids), spans, self._triples(node)
        )

    def _evidence(self, ids: Sequence[str]) -> tuple[Evidence, ...]:
        found = evidence_rows(self._store.columns("read/evidence", {"ids": list(ids)})) if ids else ()
        return tuple(found)

    def _triples(self, node: Node) -> tuple[Triple, ...]:
        if node.kind == "triple":
            columns = self._store.columns("read/triples", {"ids": [node.id]})
        else:
            columns = self._store.columns("explore/stated", {"id": node.id, "limit": SHOWN})
        named = ("id", "subject", "predicate", "object", "evidence")
        return tuple(Triple(*(row[name] for name in named)) for row in rows_of(columns))


def _found(row: Mapping[str, Any]) -> Found:
    return Found(Node(row["id"], _kind(row["kind"]), row["name"][:NAME]), row["about"], row["size"])


def _best_named(found: Iterable[Found], text: str) -> list[Found]:
    """Names that are the text first, then those that begin with it, that hold its words; large before small."""
    said = " ".join(terms(text))

    def order(one: Found) -> tuple[bool, bool, bool, int]:
        name = " ".join(terms(one.node.name))
        return (name != said, not name.startswith(said), not set(terms(text)) <= set(terms(name)), -one.size)

    return sorted(found, key=order)


def _ends(row: Mapping[str, Any]) -> tuple[Node, Node]:
    return (
        Node(row["source"], _kind(row["source_kind"]), row["source_name"][:NAME]),
        Node(row["target"], _kind(row["target_kind"]), row["target_name"][:NAME]),
    )


def _kind(labels: Sequence[str]) -> Kind:
    return cast("Kind", next(label for label in _KINDS if label in labels).lower())
