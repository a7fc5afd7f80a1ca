"""The graph, the entities, the corrections, the feedback and the topics of a service."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any
from urllib.parse import quote

from hopline.entities.communities import CommunityGraph
from hopline.entities.ranking import RankedEntity
from hopline.entities.resolution import MergeDecision, MergeSuggestion
from hopline.errors import UnknownName
from hopline.graph_explorer import COMMUNITY_ADVICE, NODE_ADVICE, Neighbourhood, NodeDetails, NodeMatch
from hopline.records import Correction, Feedback, FeedbackVerdict, GoldCitation
from hopline.remote.transport import Transport, decode
from hopline.results import NodeKind, PathStep
from hopline.store.read_only_query import QueryResult
from hopline.topics.collection_topics import CollectionTopics


class RemoteGraphExplorer:
    """The graph of a service; as `hopline.graph_explorer.GraphExplorer`."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def find(
        self,
        text: str,
        *,
        collection: str = "default",
        kinds: Sequence[NodeKind] = ("entity", "document", "table", "figure", "passage"),
        limit: int = 10,
    ) -> list[NodeMatch]:
        """Find nodes by name or text, kind by kind; names that begin with ``text`` first."""
        data = self._transport.get("/nodes", text=text, collection=collection, kinds=list(kinds), limit=limit)
        return decode(list[NodeMatch], data)

    def list_entities(
        self,
        collection: str = "default",
        *,
        types: Sequence[str] = (),
        documents: Sequence[str] = (),
        limit: int = 50,
    ) -> list[RankedEntity]:
        """List the entities that most passages and tables mention, at most ``limit``."""
        parameters = {"types": list(types), "documents": list(documents), "limit": limit}
        return decode(list[RankedEntity], self._transport.get("/entities", collection=collection, **parameters))

    def list_communities(self, collection: str = "default", *, limit: int = 24) -> CommunityGraph:
        """List the communities of entities, those that most passages mention first, and the links between them."""
        return decode(CommunityGraph, self._transport.get("/communities", collection=collection, limit=limit))

    def get_community(self, id: str, collection: str = "default", *, limit: int = 300) -> Neighbourhood:
        """Get the entities of a community, by its id, with what connects them: at most ``limit`` nodes."""
        path = f"/communities/{_quote_id(id, 'community', COMMUNITY_ADVICE)}"
        return decode(Neighbourhood, self._transport.get(path, collection=collection, limit=limit))

    def get_overview(self, collection: str = "default", *, limit: int = 300) -> Neighbourhood:
        """Get the entities that most evidence of a collection shares, with that evidence."""
        return decode(Neighbourhood, self._transport.get("/overview", collection=collection, limit=limit))

    def get_neighbourhood(
        self, node: str, hops: int = 1, *, limit: int = 300, uncertain: bool = False
    ) -> Neighbourhood:
        """Get the nodes within ``hops`` of a node, by its id: at most ``limit`` edges."""
        data = self._transport.get(f"/nodes/{_quote_id(node)}/neighbours", hops=hops, limit=limit, uncertain=uncertain)
        return decode(Neighbourhood, data)

    def find_paths(self, source: str, target: str, *, limit: int = 3) -> list[tuple[PathStep, ...]]:
        """Find shortest paths between two nodes by their ids, of equal length; none if longer than 8 edges."""
        data = self._transport.get("/paths", source=source, target=target, limit=limit)
        return decode(list[tuple[PathStep, ...]], data)

    def get_node(self, id: str) -> NodeDetails:
        """Get the details of a node, by its id: its texts, the spans that mention it, and its triples."""
        return decode(NodeDetails, self._transport.get(f"/nodes/{_quote_id(id)}"))

    def get_collection(self, node: str) -> str:
        """Return the name of the collection that a node, or a decision about entities, belongs to, by its id."""
        return str(self._transport.get(f"/nodes/{_quote_id(node)}/collection"))

    def cypher(
        self,
        query: str,
        parameters: Mapping[str, Any] | None = None,
        limit: int = 1000,
        timeout: float = 30,
        *,
        vectors: bool = False,
    ) -> QueryResult:
        """Run a Cypher query that only reads; returns at most ``limit`` rows, as dictionaries by column."""
        body = {"query": query, "parameters": dict(parameters or {}), "limit": limit, "timeout": timeout}
        data = self._transport.post("/cypher", {**body, "vectors": vectors}, repeatable=True)
        return decode(QueryResult, data)


class RemoteEntityResolution:
    """The entities of a service; as `hopline.entities.resolution.EntityResolution`."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def similar_names(self, collection: str = "default", *, limit: int = 20) -> list[MergeSuggestion]:
        """Return pairs of entities with similar names, most certain first, without pairs that were decided."""
        data = self._transport.get("/entities/similar", collection=collection, limit=limit)
        return decode(list[MergeSuggestion], data)

    def merge(self, source: str, target: str) -> None:
        """Merge one entity into another, by their ids; `undo` restores both exactly."""
        self._transport.post("/entities/merge", {"source": source, "target": target})

    def reject(self, first: str, second: str) -> None:
        """Record that two entities, by their ids, are not the same: they are not suggested again."""
        self._transport.post("/entities/reject", {"source": first, "target": second})

    def decisions(self, collection: str = "default") -> list[MergeDecision]:
        """Return the merged and the rejected pairs of a collection, newest first."""
        return decode(list[MergeDecision], self._transport.get("/entities/decisions", collection=collection))

    def undo(self, decision: str) -> None:
        """Undo a decision, given by its id; a merged entity gets back its edges and its name."""
        self._transport.post("/entities/undo", {"decision": decision})


class RemoteCorrectionService:
    """The corrections of a service; as `hopline.corrections.service.CorrectionService`."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, collection: str = "default", *, document: str | None = None) -> tuple[Correction, ...]:
        """Return the corrections of a collection, or of one document by its name or id, newest first."""
        parameters = {"document": document} if document is not None else {}
        data = self._transport.get("/corrections", collection=collection, **parameters)
        return decode(tuple[Correction, ...], data)

    def correct_passage(self, evidence: str, text: str, *, author: str = "") -> Correction:
        """Replace the text of a passage, by its id; without ``author``, the name of the API key is stored."""
        body = {"evidence": evidence, "text": text, "author": author}
        return decode(Correction, self._transport.post("/corrections/passage", body))

    def correct_table(
        self,
        evidence: str,
        *,
        cells: Sequence[Sequence[str]] | None = None,
        header_rows: int | None = None,
        caption: str | None = None,
        author: str = "",
    ) -> Correction:
        """Replace the cells, the number of header rows or the caption of a table, by its id; None: as it is."""
        body = {"evidence": evidence, "cells": cells, "header_rows": header_rows, "caption": caption, "author": author}
        return decode(Correction, self._transport.post("/corrections/table", body))

    def correct_entity(
        self, entity: str, *, name: str | None = None, type: str | None = None, author: str = ""
    ) -> Correction:
        """Replace the name or the type of an entity, by its id, in every document; None: as it is."""
        body = {"entity": entity, "name": name, "type": type, "author": author}
        return decode(Correction, self._transport.post("/corrections/entity", body))

    def reject_triple(self, triple: str, *, author: str = "") -> Correction:
        """Leave out a triple that is wrong, by its id; `undo` restores it."""
        return decode(Correction, self._transport.post("/corrections/triple", {"triple": triple, "author": author}))

    def undo(self, correction: str) -> None:
        """Undo a correction, by its id: what it applies to is again as it was read from the document."""
        self._transport.post("/corrections/undo", {"correction": correction})


class RemoteFeedbackService:
    """The feedback on answers of a service; as `hopline.feedback.service.FeedbackService`."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def add(
        self,
        question: str,
        verdict: FeedbackVerdict,
        *,
        collection: str = "default",
        answer: str = "",
        better: str = "",
        citations: Sequence[GoldCitation] = (),
        documents: Sequence[str] = (),
        filter: str = "",
        author: str = "",
    ) -> Feedback:
        """Store whether an answer is "right" or "wrong"; without ``author``, the name of the API key is stored."""
        body = {
            "question": question,
            "verdict": verdict,
            "collection": collection,
            "answer": answer,
            "better": better,
            "citations": [asdict(citation) for citation in citations],
            "documents": [*documents],
            "filter": filter,
            "author": author,
        }
        return decode(Feedback, self._transport.post("/feedback", body))

    def list(self, collection: str = "default") -> tuple[Feedback, ...]:
        """Return the feedback on answers of a collection, newest first."""
        return decode(tuple[Feedback, ...], self._transport.get("/feedback", collection=collection))

    def delete(self, feedback: str) -> None:
        """Delete feedback, by its id."""
        self._transport.post("/feedback/delete", {"feedback": feedback})


class RemoteTopicService:
    """The topics of a service; as `hopline.topics.service.TopicService`."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, collection: str = "default") -> CollectionTopics:
        """Return the topics of a collection with the amount of evidence of each."""
        return decode(CollectionTopics, self._transport.get("/topics", collection=collection))

    def assign(self, name: str, collection: str = "default") -> None:
        """Assign a trained topic set to a collection; the name "" removes its topics."""
        self._transport.send("PUT", "/topics", {}, json={"name": name, "collection": collection})


def _quote_id(id: str, kind: str = "node", advice: str = NODE_ADVICE) -> str:
    """Return an id as a part of a path.

    Raises:
        UnknownName: nothing can have this id.
    """
    if not isinstance(id, str) or not id or "/" in id:
        raise UnknownName(kind, str(id), advice=advice)
    return quote(id, safe="")
