"""Stages that add what the graph links to the best candidates: by entity links, and by message passing of GNN-Ret."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal

from hopline.entities.linking import FAN_OUT_EXPONENT, UNLINKED_KINDS
from hopline.flow.columns import to_rows
from hopline.flow.requests import Flow, fetch
from hopline.retrieval.candidates import Candidates, ParentLink
from hopline.retrieval.entity_links import EntityLink, fetch_entity_links
from hopline.retrieval.ranking import build_steps
from hopline.scoring.gnn import propagate, select_nearest

Edges = Literal["all", "entities", "position"]

HUB: Final = 10  # entities that more evidence mentions pass no messages on


def expand_links(
    candidates: Candidates, *, parents: int, link: float, overlap: float, by: str = "base"
) -> Flow[Candidates]:
    """Add the evidence about entities that the best evidence mentions; it receives part of the score of the best.

    The ``parents`` best by the column ``by`` pass on ``link`` times their score to each evidence, times the weight of
    the link (`fetch_entity_links`), and less the more evidence they link to. Column: ``links``, the score ``by``, or
    the similarity of new evidence, plus the largest part received.
    """
    if not candidates.ids:
        return candidates
    best, scores = candidates.top(parents, by), candidates.scores(by)
    links = yield from fetch_entity_links(
        best, candidates.entities, candidates.question, candidates.vector, overlap=overlap
    )
    received = {id: link * part for id, part in _distribute_scores(links, scores).items()}
    candidates = add_linked_evidence(candidates, [item for item in links if item.target not in best])
    similarity = candidates.scores("similarity")
    before = {**{id: similarity[id] for id in received}, **scores}
    return candidates.with_scores("links", {id: score + received.get(id, 0.0) for id, score in before.items()})


def _distribute_scores(links: Iterable[EntityLink], scores: Mapping[str, float]) -> dict[str, float]:
    """Return the largest part of a score that each target receives from the source of a link."""
    weights: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for item in links:
        weights[item.source][item.target] = max(item.weight, weights[item.source].get(item.target, 0.0))
    received: dict[str, float] = {}
    for source, targets in weights.items():
        for target, weight in targets.items():
            part = scores[source] * len(targets) ** -FAN_OUT_EXPONENT * weight
            received[target] = max(part, received.get(target, 0.0))
    return received


def add_linked_evidence(candidates: Candidates, links: Sequence[EntityLink]) -> Candidates:
    """Add the targets of links with their cosines and paths."""
    candidates = candidates.with_cosines({link.target: link.cosine for link in links})
    return candidates.with_links(ParentLink(link.source, link.target, link.steps) for link in links)


def propagate_distances(
    candidates: Candidates,
    *,
    nodes: int = 5,
    alphas: Sequence[float] = (0.5,),
    hub: int = HUB,
    message: Literal["min", "mean"] = "min",
    edges: Edges = "all",
    by: str = "base",
) -> Flow[Candidates]:
    """Pass messages from the nearest evidence to its neighbours in the graph, which are added: GNN-Ret, eq. 1 and 2.

    A distance is 1 − the score ``by``, or 1 − the similarity of new evidence. ``alphas`` has one α per layer; in each
    the ``nodes`` nearest send messages. Entities that more than ``hub`` evidence mentions are no neighbourhood.
    ``message`` is that of `hopline.scoring.gnn.propagate`. ``edges`` chooses the neighbours: those that share an entity
    with a sender, the adjacent ones (position), or all. Column: ``gnn``, 1 − the distance after the last layer.
    Evidence whose distance fell gets a path from the nearest of its senders.
    """
    if not candidates.ids:
        return candidates
    distances = {id: 1.0 - score for id, score in candidates.scores(by).items()}
    for alpha in alphas:
        senders = select_nearest(distances, nodes)
        vector = candidates.vector.tolist()
        columns = yield fetch(
            "gnn_ret/neighbours",
            seeds=senders,
            hub=hub,
            by_entity=edges != "position",
            by_position=edges != "entities",
            unlinked=list(UNLINKED_KINDS),
            vector=vector,
        )
        rows = to_rows(columns)
        candidates = candidates.with_cosines({row["id"]: row["score"] for row in rows})
        similarity = candidates.scores("similarity")
        before = {**{row["id"]: 1.0 - similarity[row["id"]] for row in rows}, **distances}
        pairs = [(sender, row["id"]) for row in rows for sender, *_ in row["links"]]
        distances = propagate(before, pairs, alpha, message)
        nearer = [row for row in rows if row["id"] not in senders and distances[row["id"]] < before[row["id"]]]
        candidates = candidates.with_links(_list_sender_links(nearer, before))
    return candidates.with_scores("gnn", {id: 1.0 - distance for id, distance in distances.items()})


def _list_sender_links(rows: Iterable[Mapping[str, Any]], distances: Mapping[str, float]) -> Iterator[ParentLink]:
    """Return the link to each row of ``gnn_ret/neighbours`` from the nearest of its senders."""
    for row in rows:
        sender, *connection = min(row["links"], key=lambda link: (distances[link[0]], *link))
        yield ParentLink(sender, row["id"], build_steps(sender, row["id"], connection))
