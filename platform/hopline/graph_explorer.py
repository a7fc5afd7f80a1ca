"""Explore the graph: find nodes, expand their neighbourhood, find paths between them (``hop.graph``)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, cast

from hopline.entities.communities import CommunityFinder, CommunityGraph
from hopline.entities.linking import UNLINKED_KINDS
from hopline.entities.ranking import RankedEntity, list_ranked_entities
from hopline.entities.timeline import PATTERN, DatedStatement, build_timeline
from hopline.errors import UnknownName, UsageError
from hopline.flow.columns import to_rows
from hopline.flow.services import Columns
from hopline.neo4j_server import DatabaseAccess, describe_access
from hopline.records import MIN_CONFIDENCE, Correction, Triple
from hopline.results import Evidence, Node, NodeKind, PathStep
from hopline.retrieval.evidence_retrieval import parse_evidence
from hopline.store.lucene import build_prefix_query, extract_terms
from hopline.store.read_only_query import QueryLimits, QueryResult
from hopline.text_encoding import FOLDED_LETTERS, remove_accents

if TYPE_CHECKING:
    from hopline.store.collection_catalog import CollectionCatalog
    from hopline.store.graph import Store

NAME_LENGTH: Final = 80  # characters of a text used as the name of a node
OVERVIEW_SAMPLE: Final = 3000  # evidence from which an overview is drawn
EVIDENCE_PER_ENTITY: Final = 6  # in an overview
CANDIDATE_FACTOR: Final = 4  # candidates per node wanted, which are then sorted
EDGE_FACTOR: Final = 20  # edges read in each hop, for each that is returned: later hops start at their nodes
EVIDENCE_PER_MEMBER: Final = 200  # of each entity of a community, among which connections are searched
DETAIL_LIMIT: Final = 12  # evidence in the details of a node, and triples of a node that is no entity
TRIPLE_LIMIT: Final = 60  # triples, and documents, in the details of an entity
TIMELINE_LIMIT: Final = 40  # dated statements
DATED_PASSAGES: Final = 60  # of an entity whose sentences are searched for dates …
DATED_SAMPLE: Final = 2000  # … among these

NODE_ADVICE: Final = "pass the id of a node, as `hop.graph.find` returns it or as the evidence of an answer has it"
COMMUNITY_ADVICE: Final = "pass the id of a community, as `hop.graph.list_communities` returns it now"

_LABELS: Final = ("Collection", "Document", "Page", "Passage", "Table", "Figure", "Entity", "Triple", "Reference")
_INDEXES: Final[Mapping[str, str]] = {
    "entity": "entity_text",
    "passage": "evidence_text",
    "table": "table_text",
    "figure": "evidence_text",
    "triple": "triple_text",
}
_MATCH_COLUMNS: Final = ("id", "kind", "name", "about", "size")


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """Nodes and edges (source id, edge, target id) around a node.

    ``total`` counts the edges before the limit: those of the node and of all nodes that were expanded.
    """

    nodes: tuple[Node, ...] = ()
    edges: tuple[tuple[str, str, str], ...] = ()
    total: int = 0


@dataclass(frozen=True, slots=True)
class NodeMatch:
    """A node that a search found; ``about`` is its document or its kind of entity, ``size`` the number of its edges."""

    node: Node
    about: str = ""
    size: int = 0


@dataclass(frozen=True, slots=True)
class MentioningDocument:
    """A document that mentions an entity, by its id, and the number of its passages and tables that do."""

    id: str
    name: str
    passages: int


@dataclass(frozen=True, slots=True)
class NodeDetails:
    """The details of one node.

    ``entity_kind`` is the kind of an entity (a spaCy label, or NOUN). ``evidence`` is the node itself, evidence that
    mentions it, is about it or states it, or the evidence on a page; ``spans`` are those of its mentions in each text.
    ``triples`` are those that it states, or of which it is subject or object, the most probable first. Both have at
    most `DETAIL_LIMIT` items, the triples of an entity `TRIPLE_LIMIT`. Of an entity, ``documents`` mention it, those
    with most passages first; ``timeline`` has the statements about it with a date, in the order of the dates;
    ``sources`` is the evidence of its triples and of its timeline; ``correction`` is that of its name or type, None if
    they are as they were read.
    """

    node: Node
    document: str = ""
    entity_kind: str = ""
    aliases: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    spans: Mapping[str, tuple[tuple[int, int], ...]] = field(default_factory=dict)
    triples: tuple[Triple, ...] = ()
    documents: tuple[MentioningDocument, ...] = ()
    timeline: tuple[DatedStatement, ...] = ()
    sources: tuple[Evidence, ...] = ()
    correction: Correction | None = None


class GraphExplorer:
    """Finds nodes, their neighbourhoods and the paths between them, independent of a question."""

    def __init__(self, store: Store, collections: CollectionCatalog) -> None:
        self._store = store
        self._collections = collections
        self._communities = CommunityFinder(store)

    def find(
        self,
        text: str,
        *,
        collection: str = "default",
        kinds: Sequence[NodeKind] = ("entity", "document", "table", "figure", "passage"),
        limit: int = 10,
    ) -> list[NodeMatch]:
        """Find nodes by name or text, kind by kind, at most ``limit`` of each; names that begin with ``text`` first.

        Case, accents and the points of abbreviations are ignored: "zurich" finds "Zürich", "A.B.C." finds "ABC".

        Raises:
            UnknownName: no such collection.
            UsageError: a kind that cannot be searched.
        """
        id = self._collections.require_id(collection)
        if not (words := extract_terms(text)):
            return []
        matches: list[NodeMatch] = []
        for kind in kinds:
            if kind == "document":
                folded = [remove_accents(word).replace("'", "") for word in words]
                parameters = {"words": folded, "letters": FOLDED_LETTERS, "limit": limit, "collection": id}
                rows = to_rows(self._store.read("explore/search_documents", parameters))
            elif kind in _INDEXES:
                rows = self._search_index(kind, build_prefix_query(text, id), CANDIDATE_FACTOR * limit)
            else:
                raise UsageError(f"only documents, {', '.join(_INDEXES)} can be searched (got {kind!r})")
            matches += _sort_by_name([_to_match(row) for row in rows], text)[:limit]
        return matches

    def _search_index(self, kind: NodeKind, query: str, limit: int) -> list[dict[str, Any]]:
        """Return the ``limit`` best matches of a kind, fewer only where fewer exist: the index also has other kinds."""
        parameters = {"index": _INDEXES[kind], "query": query, "label": kind.capitalize(), "limit": limit}
        width = limit
        while True:
            columns = self._store.read("explore/search_nodes", {**parameters, "width": width})
            [matches], [candidates] = columns["matches"], columns["candidates"]
            if len(matches) >= limit or candidates < width:
                return [dict(zip(_MATCH_COLUMNS, match, strict=True)) for match in matches]
            width *= 2

    def list_entities(
        self,
        collection: str = "default",
        *,
        types: Sequence[str] = (),
        documents: Sequence[str] = (),
        limit: int = 50,
    ) -> list[RankedEntity]:
        """List the entities that most passages and tables mention, at most ``limit``.

        ``types`` limits them to these types (values of `hopline.entities.types.ENTITY_TYPES`), ``documents`` to what
        these documents mention, by their ids.

        Raises:
            UnknownName: no such collection, or no such type.
        """
        id = self._collections.require_id(collection)
        return list_ranked_entities(self._store, id, limit, types=types, documents=documents)

    def list_communities(self, collection: str = "default", *, limit: int = 24) -> CommunityGraph:
        """List the communities of entities, those that most passages mention first, at most ``limit``, and their links.

        A community has entities that the same passages and tables mention. They are found among the 2,000 most
        mentioned entities of the collection, dates, amounts and common nouns excluded, in at most 20 passages of each
        entity. The result is kept until the graph of the collection changes.

        Raises:
            UnknownName: no such collection.
        """
        return self._communities.find(self._collections.require_id(collection)).limit(limit)

    def get_community(self, id: str, collection: str = "default", *, limit: int = 300) -> Neighbourhood:
        """Get the entities of a community, by its id, with what connects them: at most ``limit`` nodes.

        Triples between two of its entities are first, then passages and tables that mention most of them. Triples whose
        confidence is low are left out.

        Raises:
            UnknownName: there is no such collection or community; a community may have changed with its collection.
        """
        graph = self._communities.find(self._collections.require_id(collection))
        members = {community.id: community.entities for community in graph.communities}
        if id not in members:
            raise UnknownName("community", id, advice=COMMUNITY_ADVICE)
        nodes = {entity.node.id: entity.node for entity in members[id][:limit]}
        sizes = {"each": EVIDENCE_PER_MEMBER, "limit": limit}
        parameters = {"ids": list(nodes), "min_confidence": MIN_CONFIDENCE, **sizes}
        edges: dict[tuple[str, str, str], None] = {}
        rows = to_rows(self._store.read("explore/connections", parameters))
        for row in rows:
            source, target = _to_edge_nodes(row)
            if source.id not in nodes and len(nodes) >= limit:
                continue
            nodes[source.id] = source
            edges[source.id, row["edge"], target.id] = None
        return Neighbourhood(tuple(nodes.values()), tuple(edges), len(rows))

    def get_overview(self, collection: str = "default", *, limit: int = 300) -> Neighbourhood:
        """Get the entities that most evidence of a collection shares, with that evidence: at most ``limit`` nodes.

        A large collection is sampled; ``total`` counts all nodes of the collection.

        Raises:
            UnknownName: no such collection.
        """
        id = self._collections.require_id(collection)
        sizes = {"sample": OVERVIEW_SAMPLE, "names": limit, "each": EVIDENCE_PER_ENTITY}
        parameters = {**sizes, "unlinked": list(UNLINKED_KINDS), "collection": id}
        nodes: dict[str, Node] = {}
        edges: dict[tuple[str, str, str], None] = {}
        for row in to_rows(self._store.read("explore/overview", parameters)):
            ends = _to_edge_nodes(row)
            if len(nodes) + sum(end.id not in nodes for end in ends) > limit:
                continue
            nodes |= {end.id: end for end in ends}
            edges[row["source"], row["edge"], row["target"]] = None
        total = sum(values[0] for values in self._store.read("explore/counts", {"collection": id}).values())
        return Neighbourhood(tuple(nodes.values()), tuple(edges), total)

    def get_neighbourhood(
        self, node: str, hops: int = 1, *, limit: int = 300, uncertain: bool = False
    ) -> Neighbourhood:
        """Get the nodes within ``hops`` of a node, by its id: at most ``limit`` edges.

        Each triple comes with the edges to its subject and object. Triples whose confidence is below
        `hopline.records.MIN_CONFIDENCE` only come with ``uncertain``.

        Raises:
            UnknownName: there is no node with this id.
        """
        nodes: dict[str, Node] = {}
        edges: dict[tuple[str, str, str], None] = {}
        expanded: dict[str, None] = {}
        frontier, unread = [node], 0
        for _ in range(hops):
            rows, left_out = self._read_edges(frontier, list(expanded), EDGE_FACTOR * limit, uncertain=uncertain)
            unread += left_out
            for row in self._add_triple_edges(rows):
                edges[row["source"], row["edge"], row["target"]] = None
                nodes |= {end.id: end for end in _to_edge_nodes(row)}
            expanded |= dict.fromkeys(frontier)
            frontier = [id for id in nodes if id not in expanded]
        if node not in nodes:
            nodes[node] = self.get_node(node).node  # it has no edges, or does not exist
        returned = tuple(edges)[:limit]
        shown = {id for source, _, target in returned for id in (source, target)} | {node}
        return Neighbourhood(tuple(nodes[id] for id in nodes if id in shown), returned, len(edges) + unread)

    def _read_edges(
        self, ids: Sequence[str], expanded: Sequence[str], limit: int, *, uncertain: bool
    ) -> tuple[list[dict[str, Any]], int]:
        """Return edges of the nodes, at most ``limit``, and how many more there are; none to an expanded node."""
        if not ids:
            return [], 0
        parameters = {"ids": ids, "expanded": expanded, "min_confidence": 0.0 if uncertain else MIN_CONFIDENCE}
        rows = to_rows(self._store.read("explore/neighbours", {**parameters, "limit": limit}))
        if len(rows) < limit:
            return rows, 0
        [count] = self._store.read("explore/count_neighbours", parameters)["edges"]
        return rows, count - len(rows)

    def _add_triple_edges(self, rows: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """Yield edges, each edge of a triple followed by the edges to its subject and object."""
        triples = {end.id for row in rows for end in _to_edge_nodes(row) if end.kind == "triple"}
        ends: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
        for row in to_rows(self._store.read("explore/triple_entities", {"ids": sorted(triples)})) if triples else ():
            ends[row["source"]].append(row)
        for row in rows:
            yield row
            for end in (row["source"], row["target"]):
                yield from ends.pop(end, ())

    def find_paths(self, source: str, target: str, *, limit: int = 3) -> list[tuple[PathStep, ...]]:
        """Find shortest paths between two nodes by their ids, of equal length; none if longer than 8 edges."""
        if source == target:
            return []
        parameters = {"source": source, "target": target, "limit": limit, "unlinked": list(UNLINKED_KINDS)}
        paths = []
        for row in to_rows(self._store.read("explore/shortest_paths", parameters)):
            nodes = [Node(id, _to_kind(kinds), name[:NAME_LENGTH]) for id, kinds, name in row["nodes"]]
            paths.append(tuple(map(PathStep, nodes, row["edges"], nodes[1:])))
        return paths

    def get_node(self, id: str) -> NodeDetails:
        """Get the details of a node, by its id: its texts, the spans that mention it, and its triples.

        Raises:
            UnknownName: there is no node with this id.
        """
        rows = to_rows(self._store.read("explore/node", {"id": id}))
        if not rows:
            raise UnknownName("node", id, advice=NODE_ADVICE)
        [row] = rows
        node = Node(id, _to_kind(row["kind"]), row["name"][:NAME_LENGTH])
        spans = {}
        if node.kind == "entity":
            spans = _parse_spans(self._store.read("explore/evidence_mentioning", {"id": id, "limit": DETAIL_LIMIT}))
            ids = list(spans)
        elif node.kind == "page":
            around = self.get_neighbourhood(id, limit=DETAIL_LIMIT * 2)
            ids = [neighbour.id for neighbour in around.nodes if neighbour.kind in {"passage", "table", "figure"}]
        else:
            ids = [id] if node.kind in {"passage", "table", "figure"} else [row["evidence"]] if row["evidence"] else []
        details = NodeDetails(
            node,
            row["document"],
            row["entity_kind"],
            tuple(row["aliases"]),
            self._read_evidence(ids),
            spans,
            self._read_triples(node),
        )
        if row["correction"]:
            key, original, corrected, author, at = row["correction"]
            correction = Correction(key, "entity", "", original, corrected, author=author, at=at / 1000.0, entity=id)
            details = replace(details, correction=correction)
        return self._add_entity_details(details) if node.kind == "entity" else details

    def _add_entity_details(self, details: NodeDetails) -> NodeDetails:
        """Add what only entities have: documents, timeline and the sources of statements."""
        id = details.node.id
        rows = to_rows(self._store.read("explore/mentioning_documents", {"id": id, "limit": TRIPLE_LIMIT}))
        parameters = {"id": id, "pattern": PATTERN, "sample": DATED_SAMPLE, "limit": DATED_PASSAGES}
        spans = _parse_spans(self._store.read("explore/matching_mentions", parameters))
        passages = self._read_evidence(list(spans))
        certain = [triple for triple in details.triples if triple.confidence >= MIN_CONFIDENCE]
        timeline = build_timeline(passages, spans, certain, limit=TIMELINE_LIMIT)
        known = {item.id: item for item in (*passages, *details.evidence)}
        stated = [triple.evidence for triple in details.triples]
        used = dict.fromkeys([*stated, *(statement.evidence for statement in timeline)])
        known |= {item.id: item for item in self._read_evidence([source for source in used if source not in known])}
        return replace(
            details,
            documents=tuple(MentioningDocument(row["id"], row["name"], row["passages"]) for row in rows),
            timeline=timeline,
            sources=tuple(known[source] for source in used if source in known),
        )

    def get_collection(self, node: str) -> str:
        """Return the name of the collection that a node, or a decision about entities, belongs to, by its id.

        Raises:
            UnknownName: there is no node with this id.
        """
        names = self._store.read("explore/collection_of_node", {"id": node})["name"]
        if not names:
            raise UnknownName("node", node, advice=NODE_ADVICE)
        return str(names[0])

    def cypher(
        self,
        query: str,
        parameters: Mapping[str, Any] | None = None,
        limit: int = 1000,
        timeout: float = 30,
        *,
        vectors: bool = False,
    ) -> QueryResult:
        """Run a Cypher query that only reads; returns at most ``limit`` rows, as dictionaries by column.

        Nodes and relationships become dictionaries; ``vectors`` includes the vectors of nodes. ``timeout`` is in
        seconds. The query sees the whole database: limit it to a collection by its id, the property ``collection`` of
        the nodes. It runs in a transaction that is rolled back. LOAD CSV, procedures other than those of
        `hopline.store.query_check.PROCEDURES`, and functions of plugins are refused.

        Raises:
            UsageError: the query does not only read, is not valid, or lacks a parameter.
            ResourceError: it took longer than ``timeout``, or needed too much memory.
        """
        return self._store.query(query, parameters, QueryLimits(limit, timeout, vectors))

    def get_access(self) -> DatabaseAccess:
        """Get the address, user and password with which another client, such as Neo4j Browser, opens the database."""
        return describe_access(self._store.settings, self._store.connection)

    def _read_evidence(self, ids: Sequence[str]) -> tuple[Evidence, ...]:
        return (
            tuple(parse_evidence(self._store.read("retrieval/evidence", {"ids": list(ids), "documents": []})))
            if ids
            else ()
        )

    def _read_triples(self, node: Node) -> tuple[Triple, ...]:
        if node.kind == "triple":
            columns = self._store.read("retrieval/triples", {"ids": [node.id]})
        else:
            limit = TRIPLE_LIMIT if node.kind == "entity" else DETAIL_LIMIT
            columns = self._store.read("explore/triples", {"id": node.id, "limit": limit})
        names = ("id", "subject", "predicate", "object", "evidence", "confidence")
        return tuple(Triple(**{name: row[name] for name in names}) for row in to_rows(columns))


def _parse_spans(columns: Columns) -> dict[str, tuple[tuple[int, int], ...]]:
    """Return the spans of the mentions in each evidence."""
    return {row["id"]: tuple(zip(row["spans"][::2], row["spans"][1::2], strict=True)) for row in to_rows(columns)}


def _to_match(row: Mapping[str, Any]) -> NodeMatch:
    return NodeMatch(Node(row["id"], _to_kind(row["kind"]), row["name"][:NAME_LENGTH]), row["about"], row["size"])


def _sort_by_name(matches: Iterable[NodeMatch], text: str) -> list[NodeMatch]:
    """Sort matches: names equal to the text, then names that begin with it, then names with its words; large first.

    Case, accents and punctuation are ignored.
    """
    terms, query = _split_name(text)

    def sort_key(match: NodeMatch) -> tuple[bool, bool, bool, int]:
        words, name = _split_name(match.node.name)
        return name != query, not name.startswith(query), not terms <= words, -match.size

    return sorted(matches, key=sort_key)


def _split_name(name: str) -> tuple[set[str], str]:
    """Return the words of a name, and its letters and digits in one word, in lower case and without accents."""
    plain = remove_accents(" ".join(extract_terms(name)))
    return set(plain.split()), "".join(filter(str.isalnum, plain))


def _to_edge_nodes(row: Mapping[str, Any]) -> tuple[Node, Node]:
    return (
        Node(row["source"], _to_kind(row["source_kind"]), row["source_name"][:NAME_LENGTH]),
        Node(row["target"], _to_kind(row["target_kind"]), row["target_name"][:NAME_LENGTH]),
    )


def _to_kind(labels: Sequence[str]) -> NodeKind:
    return cast("NodeKind", next(label for label in _LABELS if label in labels).lower())
