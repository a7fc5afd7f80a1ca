"""The graph: find nodes, their neighbourhoods and details, paths between them, entities, Cypher."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query

from hopline.api.access import Authorized
from hopline.api.bodies import CypherRequest, DecisionReference, EntityPair, Identifier
from hopline.api.client import PREFIX, Client
from hopline.api.routes.collections import InCollection
from hopline.entities.communities import CommunityGraph
from hopline.entities.ranking import RankedEntity
from hopline.entities.resolution import MergeDecision, MergeSuggestion
from hopline.graph_explorer import Neighbourhood, NodeDetails, NodeMatch
from hopline.results import NodeKind, PathStep
from hopline.store.read_only_query import QueryResult

router = APIRouter(prefix=PREFIX, tags=["graph"])

EdgeLimit = Annotated[int, Query(ge=1, le=10_000)]
_KINDS: list[NodeKind] = ["entity", "document", "table", "figure", "passage"]


@router.get("/nodes", summary="Find nodes")
def find_nodes(
    *,
    hop: Client,
    access: Authorized,
    text: Annotated[str, Query(max_length=1_000, description="A name, or words of a text.")],
    collection: InCollection = "default",
    kinds: Annotated[list[NodeKind], Query(max_length=10)] = _KINDS,
    limit: Annotated[int, Query(ge=1, le=1_000)] = 10,
) -> list[NodeMatch]:
    """Find nodes by name or text, kind by kind; names that begin with the text first."""
    access.check("read", collection)
    return hop.graph.find(text, collection=collection, kinds=kinds, limit=limit)


@router.get("/overview", summary="Overview of the graph")
def get_overview(
    hop: Client, access: Authorized, collection: InCollection = "default", limit: EdgeLimit = 300
) -> Neighbourhood:
    """Get the entities that most evidence of a collection shares, with that evidence."""
    access.check("read", collection)
    return hop.graph.get_overview(collection, limit=limit)


@router.get("/nodes/{node}", summary="Details of a node")
def get_node(hop: Client, access: Authorized, node: str) -> NodeDetails:
    """Get the details of a node: its texts, the spans that mention it, and its triples."""
    _check(hop, access, node)
    return hop.graph.get_node(node)


@router.get("/nodes/{node}/neighbours", summary="Neighbourhood of a node")
def get_neighbourhood(
    hop: Client,
    access: Authorized,
    node: str,
    *,
    hops: Annotated[int, Query(ge=1, le=3)] = 1,
    limit: EdgeLimit = 300,
    uncertain: Annotated[bool, Query(description="With triples of low confidence")] = False,
) -> Neighbourhood:
    """Get the nodes within some hops of a node, with the edges between them."""
    _check(hop, access, node)
    return hop.graph.get_neighbourhood(node, hops, limit=limit, uncertain=uncertain)


@router.get("/nodes/{node}/collection", summary="Collection of a node")
def get_collection(hop: Client, access: Authorized, node: str) -> str:
    """Return the name of the collection that a node belongs to."""
    return _check(hop, access, node)


@router.get("/paths", summary="Paths between two nodes")
def find_paths(
    hop: Client,
    access: Authorized,
    source: Annotated[Identifier, Query()],
    target: Annotated[Identifier, Query()],
    limit: Annotated[int, Query(ge=1, le=100)] = 3,
) -> list[list[PathStep]]:
    """Find shortest paths between two nodes, of equal length; none if longer than 8 edges."""
    for node in (source, target):
        _check(hop, access, node)
    return [list(path) for path in hop.graph.find_paths(source, target, limit=limit)]


@router.get("/entities", summary="Most mentioned entities")
def list_entities(
    *,
    hop: Client,
    access: Authorized,
    collection: InCollection = "default",
    types: Annotated[list[str], Query(max_length=20)] = [],  # noqa: B006 - FastAPI copies defaults
    documents: Annotated[list[Identifier], Query(max_length=1_000)] = [],  # noqa: B006
    limit: Annotated[int, Query(ge=1, le=1_000)] = 50,
) -> list[RankedEntity]:
    """List the entities that most passages and tables mention."""
    access.check("read", collection)
    return hop.graph.list_entities(collection, types=types, documents=documents, limit=limit)


@router.get("/communities", summary="Communities of entities")
def list_communities(
    hop: Client,
    access: Authorized,
    collection: InCollection = "default",
    limit: Annotated[int, Query(ge=1, le=1_000)] = 24,
) -> CommunityGraph:
    """List groups of entities that the same passages mention, and the links between them."""
    access.check("read", collection)
    return hop.graph.list_communities(collection, limit=limit)


@router.get("/communities/{community}", summary="Graph of a community")
def get_community(
    hop: Client, access: Authorized, community: str, collection: InCollection = "default", limit: EdgeLimit = 300
) -> Neighbourhood:
    """Get the entities of a community with the triples and passages that connect them."""
    access.check("read", collection)
    return hop.graph.get_community(community, collection, limit=limit)


@router.get("/entities/similar", summary="Entities that may be the same")
def list_similar_names(
    hop: Client,
    access: Authorized,
    collection: InCollection = "default",
    limit: Annotated[int, Query(ge=1, le=1_000)] = 20,
) -> list[MergeSuggestion]:
    """Return pairs of entities with similar names, most certain first."""
    access.check("read", collection)
    return hop.entities.similar_names(collection, limit=limit)


@router.get("/entities/decisions", summary="Decisions about entities")
def list_decisions(hop: Client, access: Authorized, collection: InCollection = "default") -> list[MergeDecision]:
    """Return the merged and the rejected pairs of a collection, newest first."""
    access.check("read", collection)
    return hop.entities.decisions(collection)


@router.post("/entities/merge", status_code=204, summary="Merge two entities")
def merge_entities(body: EntityPair, hop: Client, access: Authorized) -> None:
    """Merge one entity into another; undoing it restores both exactly."""
    for node in (body.source, body.target):
        _check(hop, access, node, write=True)
    hop.entities.merge(body.source, body.target)


@router.post("/entities/reject", status_code=204, summary="Record that two entities differ")
def reject_merge(body: EntityPair, hop: Client, access: Authorized) -> None:
    """Record that two entities are not the same: they are not suggested again."""
    for node in (body.source, body.target):
        _check(hop, access, node, write=True)
    hop.entities.reject(body.source, body.target)


@router.post("/entities/undo", status_code=204, summary="Undo a decision about entities")
def undo_decision(body: DecisionReference, hop: Client, access: Authorized) -> None:
    """Undo a decision; a merged entity gets back its edges and its name."""
    _check(hop, access, body.decision, write=True)
    hop.entities.undo(body.decision)


@router.post("/cypher", summary="Run a read-only Cypher query")
def run_query(body: CypherRequest, hop: Client, access: Authorized) -> QueryResult:
    """Run a Cypher query that only reads, over all collections; at most `limit` rows."""
    access.check("admin")
    return hop.graph.cypher(body.query, body.parameters, limit=body.limit, timeout=body.timeout, vectors=body.vectors)


def _check(hop: Any, access: Any, node: str, *, write: bool = False) -> str:
    """Check that the key may use the collection of a node, and return its name."""
    collection: str = hop.graph.get_collection(node)
    access.check("write" if write else "read", collection)
    return collection
