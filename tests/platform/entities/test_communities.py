"""Communities of entities: weights of links, partitions, and the communities of a small graph."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from hopline.entities.communities import MAX_LINKS, MAX_NAMES, partition, weigh_links
from hopline.errors import UnknownName
from hopline.graph_explorer import GraphExplorer
from hopline.store.collection_catalog import CollectionCatalog


def test_a_passage_with_many_names_counts_less_for_each_pair():
    weights = weigh_links([[0, 1], [0, 1, 2]])
    assert weights == {(0, 1): 1.5, (0, 2): 0.5, (1, 2): 0.5}


def test_the_pairs_of_a_passage_and_the_links_of_an_entity_are_bounded():
    names = list(range(500))
    assert len(weigh_links([names])) == MAX_NAMES * (MAX_NAMES - 1) // 2
    star = weigh_links([[0, name] for name in names[1:]] + [[0, 1]])
    assert len(star) == 499, "each is the strongest link of its other end"
    dense = weigh_links(list(combinations(range(100), 2)))
    assert len(dense) <= 100 * MAX_LINKS


def test_two_groups_with_a_single_link_are_two_communities_each_time():
    groups = [[0, 1], [1, 2], [0, 2], [3, 4], [4, 5], [3, 5]]
    weights = weigh_links([*groups, *groups, [2, 3]])
    assert partition(weights) == [[0, 1, 2], [3, 4, 5]]
    assert all(partition(weights) == partition(dict(weights)) for _ in range(3))
    assert partition({}) == []


@pytest.fixture
def graph(tiny):
    """Two groups of three persons in two documents, one passage that mentions one of each, and a date everywhere."""
    graph = tiny()
    for key, document in [("a", "one.pdf"), ("b", "one.pdf"), ("x", "two.pdf"), ("y", "two.pdf"), ("m", "two.pdf")]:
        graph.passage(key, f"Passage {key}", [1, 0, 0, 0], document)
    for name in ("Ada", "Bert", "Cora"):
        graph.entity(name, "a", "b")
    for name in ("Xaver", "Yngve", "Zoe"):
        graph.entity(name, "x", "y")
    graph.entity("Ada", "m")
    graph.entity("Zoe", "m")
    graph.entity("2024", "a", "b", "x", "y", "m", kind="DATE")
    graph.entity("Lonely", "m", kind="QUANTITY")
    graph.triple("a", "Ada", "met", "Bert", [1, 0, 0, 0])
    return graph


@pytest.fixture
def explorer(graph):
    return GraphExplorer(graph.store, CollectionCatalog(graph.store))


def test_the_communities_of_a_collection_with_their_counts_and_links(graph, explorer):
    result = explorer.list_communities(graph.name)
    first, second = result.communities
    assert {first.name, second.name} == {"Ada · Bert · Cora", "Zoe · Xaver · Yngve"}
    assert {(len(item.entities), item.passages, item.documents) for item in result.communities} == {
        (3, 3, 2),
        (3, 3, 1),
    }
    assert [entity.passages for entity in first.entities] == [3, 2, 2]
    [link] = result.links
    assert {link.source, link.target} == {first.id, second.id}
    assert link.passages == 1
    limited = explorer.list_communities(graph.name, limit=1)
    assert (limited.communities, limited.links, limited.total) == ((first,), (), 2)


def test_the_graph_of_a_community_has_its_entities_and_what_connects_them(graph, explorer):
    ada = next(item for item in explorer.list_communities(graph.name).communities if item.name.startswith("Ada"))
    shown = explorer.get_community(ada.id, graph.name)
    assert {node.name for node in shown.nodes if node.kind == "entity"} == {"Ada", "Bert", "Cora"}
    assert {node.id for node in shown.nodes if node.kind == "passage"} == {graph.id("a"), graph.id("b")}
    assert {edge for _, edge, _ in shown.edges} == {"MENTIONS", "SUBJECT", "OBJECT"}
    assert len(explorer.get_community(ada.id, graph.name, limit=3).nodes) == 3
    with pytest.raises(UnknownName, match="no community called 'gone'; pass the id of a community"):
        explorer.get_community("gone", graph.name)
    with pytest.raises(UnknownName, match="no collection"):
        explorer.list_communities("no such collection")


class CountingStore:
    """A store that notes the names of the statements that are read."""

    def __init__(self, store: Any) -> None:
        self.store = store
        self.names: list[str] = []

    def read(self, name: str, parameters: Any = None) -> Any:
        self.names.append(name)
        return self.store.read(name, parameters)


def test_communities_are_computed_again_only_after_a_change(graph):
    store: Any = CountingStore(graph.store)
    explorer = GraphExplorer(store, CollectionCatalog(graph.store))
    before = explorer.list_communities(graph.name)
    assert explorer.list_communities(graph.name) == before
    assert store.names.count("explore/shared_evidence") == 1
    graph.passage("n", "Passage n", [1, 0, 0, 0], "one.pdf")
    graph.entity("Cora", "n")
    graph.entity("Dora", "n")
    after = explorer.list_communities(graph.name)
    assert store.names.count("explore/shared_evidence") == 2
    assert sum(len(item.entities) for item in after.communities) == 7


def test_a_document_that_is_being_removed_has_no_communities(graph, explorer):
    assert len(explorer.list_communities(graph.name).communities) == 2
    graph.remove("two.pdf")
    [left] = explorer.list_communities(graph.name).communities
    assert (left.name, left.passages, left.documents) == ("Ada · Bert · Cora", 2, 1)
    connected = explorer.get_community(left.id, graph.name)
    assert {node.id for node in connected.nodes if node.kind == "passage"} == {graph.id("a"), graph.id("b")}


def test_an_empty_collection_has_no_communities(tiny):
    graph = tiny()
    graph.passage("a", "Nobody is named here.", [1, 0, 0, 0])
    explorer = GraphExplorer(graph.store, CollectionCatalog(graph.store))
    assert explorer.list_communities(graph.name).communities == ()
