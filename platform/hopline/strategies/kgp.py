"""From the passages with the question's words along the graph, a guide choosing the next at each step: KGP.

Knowledge graph prompting (Wang et al. 2024), algorithm 1 and equation 1: ``seeds`` by TF-IDF; each path's last passage
has neighbours in a graph of passages, the guide says what the next evidence should be, and the ``branching`` neighbours
most like it extend the path, until there are ``paths`` paths. Graphs: ``entities`` (shared names), ``keywords`` (shared
keywords, the best by TF-IDF), ``similar`` (nearest neighbours of the encoder, KNN-ST), ``mdr`` (those that the trained
guide puts behind a passage, KNN-MDR). Guides: ``text`` ranks by TF-IDF to the question (the paper's "w/o LM"),
``encoder`` by the inner product with question and path, ``mdr`` by that of the encoder that ``hopline train mdr`` made,
``model`` lets a language model write the next evidence and ranks by TF-IDF to that, ``writer`` a small local one that
``hopline train writer`` taught (the paper's T5 and LLaMA). Questions about pages and tables get these
(`hopline.retrieval.page_table_references`).

Departures: neighbours are looked at ``neighbours`` a passage, the nearest to the question, where the paper ranks all;
its keyword and name graphs are read from MENTIONS instead of stored pair by pair, and titles are no keyword; seeds and
each hop's passages are joined by reciprocal rank fusion into one ranking, where the paper reads all paths.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

from hopline.entities.linking import UNLINKED
from hopline.errors import UnknownName
from hopline.flow.requests import Flow, Vector, embed, fetch
from hopline.retrieval.agent.llm_session import Silence, Talk
from hopline.retrieval.agent.next_passage import behind, next_vectors
from hopline.retrieval.agent.passage_guides import Asked, Guide, chosen
from hopline.retrieval.evidence_texts import read_texts, titled
from hopline.retrieval.page_table_references.lookup import Reader, with_structures
from hopline.retrieval.pooling import pooled
from hopline.retrieval.ranking import Ranking, steps_between
from hopline.strategies import tfidf
from hopline.types import Step

Joins = Literal["entities", "keywords", "similar", "mdr"]
SEEDS_DEPTH: Final = 50  # how deep BM25 is read for the seeds
Way = tuple[str, str, str, str]


@dataclass(frozen=True, slots=True)
class Path:
    """Passages that follow one another, and how well the last one fits."""

    ids: tuple[str, ...]
    steps: tuple[Step, ...] = ()
    fit: float = 0.0


def rank(
    question: str,
    k: int,
    *,
    graph: Joins = "entities",
    guide: Guide = "text",
    seeds: int = 10,
    branching: int = 3,
    hops: int = 2,
    paths: int = 30,
    neighbours: int = 50,
    hub: int = 30,
    keywords: int = 10,
    structure: Reader = "grammar",
) -> Flow[Ranking]:
    """The ``k`` best of seeds and hops; ``hops`` counts passages on a path, the seed included."""
    follow = Following(Joined(graph, neighbours, hub, keywords), guide, branching)
    content = _content(question, k, follow, seeds=seeds, hops=hops, paths=paths)
    return (yield from with_structures(question, k, content, reader=structure))


@dataclass(frozen=True, slots=True)
class Joined:
    """What joins passages, and how much of it is looked at."""

    graph: Joins
    neighbours: int
    hub: int
    keywords: int

    def around(self, seeds: Sequence[str], vector: Vector) -> Flow[dict[str, dict[str, Way]]]:
        """The neighbours of each seed, with the way to each: edge, entity, its name, edge from there."""
        if self.graph == "mdr":
            return (yield from self._behind(seeds))
        columns = yield fetch(f"kgp/{self.graph}", seeds=list(seeds), limit=self.neighbours, **self._own(vector))
        found: dict[str, dict[str, Way]] = {}
        for row in zip(*(columns[name] for name in ("seed", "id", "edge", "entity", "name", "onward")), strict=True):
            found.setdefault(row[0], {})[row[1]] = row[2:]
        return found

    def _behind(self, seeds: Sequence[str]) -> Flow[dict[str, dict[str, Way]]]:
        """The passages that the trained guide puts behind each seed; looked up when they are needed, not stored."""
        evidence = yield from read_texts(seeds)
        vectors = yield from next_vectors([titled(one) for one in evidence], trained=True)
        found: dict[str, dict[str, Way]] = {}
        for one, vector in zip(evidence, vectors, strict=True):
            onward = yield from behind(one.id, vector, self.neighbours)
            found[one.id] = {id: ("SIMILAR", "", "", "") for id, _ in onward}
        return found

    def _own(self, vector: Vector) -> Mapping[str, Any]:
        if self.graph == "similar":
            return {"by": ""}
        if self.graph == "keywords":
            return {"keywords": self.keywords, "hub": self.hub, "vector": vector.tolist()}
        return {"unlinked": list(UNLINKED), "hub": self.hub, "vector": vector.tolist()}


@dataclass(frozen=True, slots=True)
class Following:
    """How a path goes on."""

    graph: Joined
    guide: Guide
    branching: int


def joined(graph: str, *, neighbours: int = 50, hub: int = 30, keywords: int = 10) -> Joined:
    """One of the graphs by its name.

    Raises:
        UnknownName: there is no such graph; lists those there are.
    """
    known: tuple[Joins, ...] = get_args(Joins)
    for name in known:
        if name == graph:
            return Joined(name, neighbours, hub, keywords)
    raise UnknownName("graph of passages", graph, known)


def _content(question: str, k: int, follow: Following, *, seeds: int, hops: int, paths: int) -> Flow[Ranking]:
    first = yield from tfidf.rank(question, max(k, seeds), depth=SEEDS_DEPTH)
    if not first.ids:
        return first
    [vector] = yield embed([question])
    talk, levels = Talk(), [first]
    ahead, room = [Path((id,)) for id in first.ids[:seeds]], paths
    try:
        for _ in range(hops - 1):
            ahead = ahead[: -(-room // follow.branching)]
            ahead = (yield from _extended(question, ahead, vector, follow, talk))[:room]
            room -= len(ahead)
            if not ahead:
                break
            levels.append(_level(ahead))
    except Silence:
        pass
    return pooled(levels, k, "rrf")


def _extended(question: str, paths: Sequence[Path], vector: Vector, follow: Following, talk: Talk) -> Flow[list[Path]]:
    """Every path with its best ``branching`` neighbours behind it.

    Raises:
        Silence: as `Talk.told`.
    """
    around = yield from follow.graph.around(list(dict.fromkeys(path.ids[-1] for path in paths)), vector)
    wanted = dict.fromkeys([id for path in paths for id in path.ids] + [id for some in around.values() for id in some])
    texts = {one.id: titled(one) for one in (yield from read_texts(list(wanted)))}
    asked = [_asked(path, around.get(path.ids[-1], {}), texts) for path in paths]
    fits = yield from chosen(follow.guide, talk, question, asked, texts)
    longer: list[Path] = []
    for path, best in zip(paths, fits, strict=True):
        for id, fit in best[: follow.branching]:
            steps = steps_between(path.ids[-1], id, around[path.ids[-1]][id])
            longer.append(Path((*path.ids, id), (*path.steps, *steps), fit))
    return longer


def _asked(path: Path, around: Mapping[str, Way], texts: Mapping[str, str]) -> Asked:
    """The texts of a path, and the neighbours of its end that are not on it."""
    return [texts[id] for id in path.ids if id in texts], [id for id in around if id not in path.ids and id in texts]


def _level(paths: Sequence[Path]) -> Ranking:
    """The last passages of paths, the best fit first."""
    best = sorted(paths, key=lambda path: (-path.fit, path.ids))
    last = {path.ids[-1]: path for path in reversed(best)}
    fits = {id: path.fit for id, path in last.items()}
    return Ranking.of_scores(fits, len(fits), {id: path.steps for id, path in last.items()})
