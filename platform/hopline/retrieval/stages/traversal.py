"""Stage that adds the passages on paths over a graph of passages, chosen by a guide: the traversal of KGP."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hopline.errors import BudgetSpent
from hopline.flow.requests import Flow
from hopline.results import PathStep
from hopline.retrieval.agent.llm_session import LlmExhausted, LlmSession
from hopline.retrieval.agent.passage_guides import Guide, PathCandidates, rank_candidates
from hopline.retrieval.candidates import Candidates, ParentLink
from hopline.retrieval.evidence_texts import fetch_evidence, format_evidence
from hopline.retrieval.passage_graph import NeighbourPath, PassageGraph
from hopline.retrieval.ranking import build_steps


@dataclass(frozen=True, slots=True)
class PassagePath:
    """A path of passages; ``fit`` scores how well the last one continues it."""

    ids: tuple[str, ...]
    steps: tuple[PathStep, ...] = ()
    fit: float = 0.0


@dataclass(frozen=True, slots=True)
class Traversal:
    """How a graph of passages is traversed: ``seeds`` first passages, and a guide that selects their successors.

    Each path is extended by ``branching`` neighbours of its end, to ``hops`` passages. There are at most ``paths``
    paths of each length: the best continuation of every path comes before the second best of any.
    """

    graph: PassageGraph
    guide: Guide = "text"
    seeds: int = 10
    branching: int = 3
    hops: int = 2
    paths: int = 30

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the passages after the seeds, by the number of the passage on its path."""
        return tuple(f"hop_{number}" for number in range(2, self.hops + 1))


def traverse_passages(candidates: Candidates, traversal: Traversal, session: LlmSession) -> Flow[Candidates]:
    """Add the passages on paths that start at the first candidates (KGP, algorithm 1).

    The traversal ends early if the budget of a language model is spent. Columns: those of `Traversal.columns`, how well
    a passage continues its best path; missing for evidence that no path of this length ends at; and ``path``, 1 / rank
    of the passages of all paths, read path by path, the longest first; missing for evidence that is on none. The path
    to a new passage is the best of the shortest ones.
    """
    known = set(candidates.ids)
    frontier = [PassagePath((id,)) for id in candidates.ids[: traversal.seeds]]
    paths = list(frontier)
    for column in traversal.columns:
        frontier = frontier[: -(-traversal.paths // traversal.branching)]
        if not frontier:
            break
        try:
            longer = yield from _extend_paths(candidates, frontier, traversal, session)
        except (LlmExhausted, BudgetSpent):
            break
        frontier = longer[: traversal.paths]
        paths = frontier + paths
        best: dict[str, PassagePath] = {}
        for path in sorted(frontier, key=lambda path: (-path.fit, path.ids)):
            best.setdefault(path.ids[-1], path)
        links = (ParentLink(path.ids[0], id, path.steps) for id, path in best.items() if id not in known)
        candidates = candidates.with_scores(column, {id: path.fit for id, path in best.items()}).with_links(links)
    on_paths = dict.fromkeys(id for path in paths for id in path.ids)
    return candidates.with_scores("path", {id: 1.0 / rank for rank, id in enumerate(on_paths, 1)})


def _extend_paths(
    candidates: Candidates, paths: Sequence[PassagePath], traversal: Traversal, session: LlmSession
) -> Flow[list[PassagePath]]:
    """Extend every path by each of its ``branching`` best neighbours; first by the best of each path.

    Raises:
        LlmExhausted: as `LlmSession.ask`.
    """
    ends = list(dict.fromkeys(path.ids[-1] for path in paths))
    neighbours = yield from traversal.graph.fetch_neighbours(ends, candidates.vector)
    on_paths = [id for path in paths for id in path.ids]
    wanted = dict.fromkeys(on_paths + [id for connections in neighbours.values() for id in connections])
    texts = {item.id: format_evidence(item) for item in (yield from fetch_evidence(list(wanted)))}
    successors = [_list_successors(path, neighbours.get(path.ids[-1], {}), texts) for path in paths]
    rankings = yield from rank_candidates(traversal.guide, session, candidates.question, successors, texts)
    longer: list[PassagePath] = []
    for rank in range(traversal.branching):
        for path, ranked in zip(paths, rankings, strict=True):
            for id, fit in ranked[rank : rank + 1]:
                steps = build_steps(path.ids[-1], id, neighbours[path.ids[-1]][id])
                longer.append(PassagePath((*path.ids, id), (*path.steps, *steps), fit))
    return longer


def _list_successors(
    path: PassagePath, neighbours: Mapping[str, NeighbourPath], texts: Mapping[str, str]
) -> PathCandidates:
    """Return the texts of a path, and the neighbours of its end that are not on it."""
    successors = [id for id in neighbours if id not in path.ids and id in texts]
    return [texts[id] for id in path.ids if id in texts], successors
