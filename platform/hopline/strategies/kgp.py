"""Traversal of a passage graph, with a guide that chooses the next passages of each path: KGP.

Knowledge graph prompting (Wang et al. 2024), algorithm 1 and equation 1: ``seeds`` passages by TF-IDF; the last passage
of each path has neighbours in a graph of passages; the guide predicts the next evidence, and the ``branching``
neighbours most similar to it extend the path, until there are ``paths`` paths. Graphs: ``entities`` (shared names),
``keywords`` (shared keywords, the best by TF-IDF), ``similar`` (nearest neighbours of the encoder, KNN-ST), ``mdr``
(the passages that the trained guide predicts after a passage, KNN-MDR). Guides: ``text`` ranks by TF-IDF to the
question (the paper's "w/o LM"), ``encoder`` by the inner product with question and path, ``mdr`` by that of the encoder
of ``hopline train mdr``, ``model`` lets a language model write the next evidence and ranks by TF-IDF to it, ``writer``
does so with the small local model of ``hopline train writer`` (the paper's T5 and LLaMA). Questions about pages and
tables are answered with these (`hopline.retrieval.page_table_references`).

Departures: only the ``neighbours`` neighbours of a passage that are nearest to the question are ranked, where the paper
ranks all; the keyword and the name graph are read from MENTIONS instead of being stored pair by pair, and titles are no
keywords; the seeds and the passages of each hop are joined by reciprocal rank fusion into one ranking, where the paper
reads all paths.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal, get_args

from hopline.entities.linking import UNLINKED_KINDS
from hopline.errors import UnknownName
from hopline.flow.requests import Flow, Vector, embed, fetch
from hopline.retrieval.agent.llm_session import LlmExhausted, LlmSession
from hopline.retrieval.agent.next_passage import encode_next_queries, find_next_passages
from hopline.retrieval.agent.passage_guides import Guide, PathCandidates, rank_candidates
from hopline.retrieval.evidence_texts import fetch_evidence, format_evidence
from hopline.retrieval.page_table_references.lookup import ReferenceParser, prepend_references
from hopline.retrieval.pooling import pool_rankings
from hopline.retrieval.ranking import Ranking, build_steps
from hopline.retrieval.strategy_options import HubDegree, ListSize, Range, SearchDepth
from hopline.strategies import tfidf
from hopline.types import PathStep

PassageGraphName = Literal["entities", "keywords", "similar", "mdr"]
SEEDS_DEPTH: Final = 50  # BM25 hits among which the seeds are chosen
NeighbourPath = tuple[str, str, str, str]  # edge, entity id, entity name, edge from the entity


@dataclass(frozen=True, slots=True)
class PassagePath:
    """A path of passages; ``fit`` scores how well the last one continues it."""

    ids: tuple[str, ...]
    steps: tuple[PathStep, ...] = ()
    fit: float = 0.0


def rank(
    question: str,
    k: int,
    *,
    graph: PassageGraphName = "entities",
    guide: Guide = "text",
    seeds: ListSize = 10,
    branching: ListSize = 3,
    hops: Annotated[int, Range(1, 10)] = 2,
    paths: SearchDepth = 30,
    neighbours: SearchDepth = 50,
    hub: HubDegree = 30,
    keywords: ListSize = 10,
    structure: ReferenceParser = "grammar",
) -> Flow[Ranking]:
    """Return the ``k`` best of seeds and hops; ``hops`` counts the passages of a path, including the seed."""
    extension = PathExtension(PassageGraph(graph, neighbours, hub, keywords), guide, branching)
    content = _rank_content(question, k, extension, seeds=seeds, hops=hops, paths=paths)
    return (yield from prepend_references(question, k, content, parser=structure))


@dataclass(frozen=True, slots=True)
class PassageGraph:
    """A graph of passages, and the limits of what is fetched of it."""

    graph: PassageGraphName
    neighbours: int
    hub: int
    keywords: int

    def fetch_neighbours(self, seeds: Sequence[str], vector: Vector) -> Flow[dict[str, dict[str, NeighbourPath]]]:
        """Fetch the neighbours of each seed, with the connection to each."""
        if self.graph == "mdr":
            return (yield from self._search_neighbours(seeds))
        parameters = self._build_parameters(vector)
        columns = yield fetch(f"kgp/{self.graph}", seeds=list(seeds), limit=self.neighbours, **parameters)
        names = ("seed", "id", "edge", "entity", "name", "second_edge")
        neighbours: dict[str, dict[str, NeighbourPath]] = {}
        for row in zip(*(columns[name] for name in names), strict=True):
            neighbours.setdefault(row[0], {})[row[1]] = row[2:]
        return neighbours

    def _search_neighbours(self, seeds: Sequence[str]) -> Flow[dict[str, dict[str, NeighbourPath]]]:
        """Search for the passages that the trained guide predicts after each seed; these edges are not stored."""
        evidence = yield from fetch_evidence(seeds)
        vectors = yield from encode_next_queries([format_evidence(item) for item in evidence], trained=True)
        neighbours: dict[str, dict[str, NeighbourPath]] = {}
        for item, vector in zip(evidence, vectors, strict=True):
            following = yield from find_next_passages(item.id, vector, self.neighbours)
            neighbours[item.id] = {id: ("SIMILAR", "", "", "") for id, _ in following}
        return neighbours

    def _build_parameters(self, vector: Vector) -> Mapping[str, Any]:
        if self.graph == "similar":
            return {"by": ""}
        if self.graph == "keywords":
            return {"keywords": self.keywords, "hub": self.hub, "vector": vector.tolist()}
        return {"unlinked": list(UNLINKED_KINDS), "hub": self.hub, "vector": vector.tolist()}


@dataclass(frozen=True, slots=True)
class PathExtension:
    """How paths are extended: the graph, the guide, and the number of neighbours per path."""

    graph: PassageGraph
    guide: Guide
    branching: int


def create_passage_graph(graph: str, *, neighbours: int = 50, hub: int = 30, keywords: int = 10) -> PassageGraph:
    """Create a graph by its name.

    Raises:
        UnknownName: no such graph; lists the existing ones.
    """
    known: tuple[PassageGraphName, ...] = get_args(PassageGraphName)
    for name in known:
        if name == graph:
            return PassageGraph(name, neighbours, hub, keywords)
    raise UnknownName("graph of passages", graph, known)


def _rank_content(
    question: str, k: int, extension: PathExtension, *, seeds: int, hops: int, paths: int
) -> Flow[Ranking]:
    first = yield from tfidf.rank(question, max(k, seeds), depth=SEEDS_DEPTH)
    if not first.ids:
        return first
    [vector] = yield embed([question])
    session, levels = LlmSession(), [first]
    frontier, remaining = [PassagePath((id,)) for id in first.ids[:seeds]], paths
    try:
        for _ in range(hops - 1):
            frontier = frontier[: -(-remaining // extension.branching)]
            frontier = (yield from _extend_paths(question, frontier, vector, extension, session))[:remaining]
            remaining -= len(frontier)
            if not frontier:
                break
            levels.append(_rank_level(frontier))
    except LlmExhausted:
        pass
    return pool_rankings(levels, k, "rrf")


def _extend_paths(
    question: str, paths: Sequence[PassagePath], vector: Vector, extension: PathExtension, session: LlmSession
) -> Flow[list[PassagePath]]:
    """Extend every path by each of its ``branching`` best neighbours.

    Raises:
        LlmExhausted: as `LlmSession.ask`.
    """
    ends = list(dict.fromkeys(path.ids[-1] for path in paths))
    neighbours = yield from extension.graph.fetch_neighbours(ends, vector)
    on_paths = [id for path in paths for id in path.ids]
    wanted = dict.fromkeys(on_paths + [id for connections in neighbours.values() for id in connections])
    texts = {item.id: format_evidence(item) for item in (yield from fetch_evidence(list(wanted)))}
    candidates = [_list_candidates(path, neighbours.get(path.ids[-1], {}), texts) for path in paths]
    rankings = yield from rank_candidates(extension.guide, session, question, candidates, texts)
    longer: list[PassagePath] = []
    for path, ranked in zip(paths, rankings, strict=True):
        for id, fit in ranked[: extension.branching]:
            steps = build_steps(path.ids[-1], id, neighbours[path.ids[-1]][id])
            longer.append(PassagePath((*path.ids, id), (*path.steps, *steps), fit))
    return longer


def _list_candidates(
    path: PassagePath, neighbours: Mapping[str, NeighbourPath], texts: Mapping[str, str]
) -> PathCandidates:
    """Return the texts of a path, and the neighbours of its end that are not on it."""
    candidates = [id for id in neighbours if id not in path.ids and id in texts]
    return [texts[id] for id in path.ids if id in texts], candidates


def _rank_level(paths: Sequence[PassagePath]) -> Ranking:
    """Rank the last passages of the paths, best fit first."""
    best = sorted(paths, key=lambda path: (-path.fit, path.ids))
    last = {path.ids[-1]: path for path in reversed(best)}
    fits = {id: path.fit for id, path in last.items()}
    return Ranking.from_scores(fits, len(fits), {id: path.steps for id, path in last.items()})
