"""Communities of entities: groups of entities that the same passages mention (Louvain; Blondel et al. 2008).

The work does not grow without limit with the collection: it covers the most mentioned entities, a number of passages of
each, a number of names of each passage, and the strongest links of each entity.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

from hopline.entities.linking import UNLINKED_KINDS
from hopline.entities.ranking import RankedEntity, list_ranked_entities
from hopline.ids import stable_id

if TYPE_CHECKING:
    from hopline.store.graph import Store

MAX_ENTITIES: Final = 2000  # the most mentioned ones of a collection
MAX_PASSAGES: Final = 20  # passages of one entity that are read; a passage is read for any of its entities
MAX_NAMES: Final = 16  # entities of one passage that are linked, the most mentioned ones: at most 120 pairs
MAX_LINKS: Final = 30  # strongest links of one entity
NAMES_IN_TITLE: Final = 3
SEED: Final = 0
_KEPT_COLLECTIONS: Final = 4  # whose communities are kept in memory

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Community:
    """Entities that the same passages mention, the most mentioned first; ``name`` has the names of the first three.

    ``passages`` counts the passages and tables that mention any of them, ``documents`` the documents of these.
    """

    id: str
    name: str
    entities: tuple[RankedEntity, ...]
    passages: int
    documents: int


@dataclass(frozen=True, slots=True)
class CommunityLink:
    """Two communities, by their ids, and the number of passages that mention entities of both.

    In a large collection, these are passages of those that were read.
    """

    source: str
    target: str
    passages: int


@dataclass(frozen=True, slots=True)
class CommunityGraph:
    """Communities, those that most passages mention first, and the links between them.

    ``total`` is the number of communities before the limit.
    """

    communities: tuple[Community, ...] = ()
    links: tuple[CommunityLink, ...] = ()
    total: int = 0

    def limit(self, count: int) -> CommunityGraph:
        """Return the first communities with the links between them."""
        first = self.communities[:count]
        ids = {community.id for community in first}
        links = tuple(link for link in self.links if link.source in ids and link.target in ids)
        return CommunityGraph(first, links, self.total)


class CommunityFinder:
    """Finds the communities of a collection; keeps them until what its passages mention changes.

    Safe to share between threads.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[str, tuple[object, CommunityGraph]] = {}

    def find(self, collection: str) -> CommunityGraph:
        """Find the communities of a collection, by its id."""
        state = self._store.read("explore/graph_state", {"collection": collection})
        known = self._known.get(collection)
        if known is not None and known[0] == state:
            return known[1]
        graph = _read_communities(self._store, collection)
        recent = [*self._known.items()][1 - _KEPT_COLLECTIONS :]
        self._known = {**{id: entry for id, entry in recent if id != collection}, collection: (state, graph)}
        return graph


def _read_communities(store: Store, collection: str) -> CommunityGraph:
    entities = list_ranked_entities(store, collection, MAX_ENTITIES, unlinked=UNLINKED_KINDS, candidates=1)
    rank = {entity.node.id: position for position, entity in enumerate(entities)}
    columns = store.read("explore/shared_evidence", {"ids": list(rank), "each": MAX_PASSAGES})
    passages = [sorted(rank[id] for id in ids) for ids in columns["entities"]]
    groups = partition(weigh_links(passages))
    members = [[entities[n] for n in group] for group in groups]
    ids = [[entity.node.id for entity in group] for group in members]
    counts = store.read("explore/mention_counts", {"groups": ids})
    communities = list(map(_build_community, members, counts["passages"], counts["documents"]))
    order = sorted(range(len(groups)), key=lambda n: (-communities[n].passages, groups[n]))
    by_entity = {n: communities[number].id for number, group in enumerate(groups) for n in group}
    links = [CommunityLink(*ends, count) for ends, count in _count_shared_passages(passages, by_entity).most_common()]
    return CommunityGraph(tuple(communities[n] for n in order), tuple(links), len(groups))


def _build_community(entities: Sequence[RankedEntity], passages: int, documents: int) -> Community:
    name = " · ".join(entity.node.name for entity in entities[:NAMES_IN_TITLE])
    return Community(stable_id("community", entities[0].node.id), name, tuple(entities), passages, documents)


def weigh_links(passages: Iterable[Sequence[int]]) -> dict[Pair, float]:
    """Return the weights of the pairs of entities that passages share; each passage has its entities in order of rank.

    A passage with n names adds 1/(n − 1) to each of its pairs, so that an entity has the same weight in each of its
    passages. Only pairs that are among the `MAX_LINKS` heaviest of one of their entities are returned.
    """
    weights: defaultdict[Pair, float] = defaultdict(float)
    for names in passages:
        linked = names[:MAX_NAMES]
        for pair in combinations(linked, 2):
            weights[pair] += 1 / (len(linked) - 1)
    links: defaultdict[int, list[Pair]] = defaultdict(list)
    for pair in sorted(weights, key=lambda pair: (-weights[pair], pair)):
        for end in pair:
            links[end].append(pair)
    strongest = {pair for pairs in links.values() for pair in pairs[:MAX_LINKS]}
    return {pair: weights[pair] for pair in sorted(strongest)}


def partition(weights: Mapping[Pair, float]) -> list[list[int]]:
    """Return the communities of a weighted graph, each sorted; the same ones each time. Unlinked nodes are in none."""
    import networkx as nx

    graph: Any = nx.Graph()
    graph.add_weighted_edges_from((*pair, weight) for pair, weight in weights.items())
    groups = nx.community.louvain_communities(graph, seed=SEED) if weights else []
    return sorted(sorted(group) for group in groups if len(group) > 1)


def _count_shared_passages(
    passages: Iterable[Iterable[int]], communities: Mapping[int, str]
) -> Counter[tuple[str, str]]:
    """Count for each pair of communities the passages that mention entities of both."""
    counts: Counter[tuple[str, str]] = Counter()
    for names in passages:
        ids = sorted({communities[name] for name in names if name in communities})
        counts.update(combinations(ids, 2))
    return counts
