"""Entities of a small graph, merged and restored."""

import json

import pytest

from hopline.entities.resolution import EntityResolution
from hopline.errors import UnknownName, UsageError
from hopline.flow.columns import to_rows
from hopline.graph_explorer import GraphExplorer
from hopline.ids import entity_id
from hopline.store.collection_catalog import CollectionCatalog
from hopline.store.entity_update import update_entities
from hopline.store.removal import remove_collection, remove_documents
from hopline.text_encoding import FOLDED_LETTERS


@pytest.fixture
def graph(tiny):
    graph = tiny()
    graph.passage("a", "Kerrigan runs the plant.", [1, 0, 0, 0])
    graph.passage("b", "Maud Kerrigan founded Tidewell; Kerrigan leads it.", [0, 1, 0, 0])
    graph.passage("c", "M. Kerrigan was born in 1961.", [0, 0, 1, 0], "two.pdf")
    graph.entity("Kerrigan", "a", "b")
    graph.entity("Maud Kerrigan", "b")
    graph.entity("M. Kerrigan", "c")
    graph.entity("Tidewell", "b")
    graph.about("c", "M. Kerrigan")
    graph.triple("a", "Kerrigan", "runs", "Tidewell", [1, 0, 0, 0])
    return graph


@pytest.fixture
def resolution(graph):
    return EntityResolution(graph.store, CollectionCatalog(graph.store), start_worker=lambda: None)


def explorer(graph):
    return GraphExplorer(graph.store, CollectionCatalog(graph.store))


def edges(graph, *, names=("Kerrigan", "Maud Kerrigan", "M. Kerrigan")):
    """Return the edges of each of the names: (passage or triple, edge, name)."""
    ties = set()
    for name in names:
        try:
            around = explorer(graph).get_neighbourhood(graph.entity(name), limit=50)
        except UnknownName:
            continue
        shown = {node.id: node.name for node in around.nodes}
        ties |= {(shown[source][:12], edge, shown[target]) for source, edge, target in around.edges}
    return {tie for tie in ties if tie[2] in names}


BEFORE = {
    ("Kerrigan run", "MENTIONS", "Kerrigan"),
    ("Maud Kerriga", "MENTIONS", "Kerrigan"),
    ("Maud Kerriga", "MENTIONS", "Maud Kerrigan"),
    ("M. Kerrigan ", "MENTIONS", "M. Kerrigan"),
    ("M. Kerrigan ", "ABOUT", "M. Kerrigan"),
    ("runs", "SUBJECT", "Kerrigan"),
}


def test_the_edges_of_a_merged_entity_are_redirected_once(graph, resolution):
    assert edges(graph) == BEFORE
    resolution.merge(graph.entity("Kerrigan"), graph.entity("Maud Kerrigan"))
    rows = to_rows(graph.store.read("answering/evidence_mentioning", {
        "entities": [graph.entity("Maud Kerrigan")], "hub": 100, "documents": []}))  # fmt: skip
    assert graph.keys([row["id"] for row in rows]) == ["a", "b"]
    around = explorer(graph).get_neighbourhood(graph.entity("Maud Kerrigan"), limit=50)
    assert sorted(edge for _, edge, _ in around.edges) == ["MENTIONS", "MENTIONS", "OBJECT", "SUBJECT"]


def test_a_merged_name_is_found_as_an_alias_of_the_other(graph, resolution):
    resolution.merge(graph.entity("Kerrigan"), graph.entity("Maud Kerrigan"))
    matches = explorer(graph).find("Kerrigan", collection=graph.name, kinds=["entity"], limit=10)
    assert {item.node.name for item in matches} == {"Maud Kerrigan", "M. Kerrigan"}
    assert explorer(graph).get_node(graph.entity("Maud Kerrigan")).aliases == ("Kerrigan",)
    with pytest.raises(UnknownName):
        explorer(graph).get_node(graph.entity("Kerrigan"))


def test_undo_restores_the_graph_exactly(graph, resolution):
    resolution.merge(graph.entity("Kerrigan"), graph.entity("Maud Kerrigan"))
    assert edges(graph) != BEFORE
    resolution.undo(graph.entity("Kerrigan"))
    assert edges(graph) == BEFORE
    assert explorer(graph).get_node(graph.entity("Maud Kerrigan")).aliases == ()
    assert resolution.decisions(graph.name) == []


def properties(graph, name):
    [row] = to_rows(graph.store.read("retrieval/entities", {"entities": [graph.entity(name)]}))
    return sorted(row["aliases"]), row["kind"]


def test_undo_restores_names_and_kind_whatever_else_was_merged(graph, resolution):
    mention = {"evidence": graph.id("b"), "entity": graph.entity("the founder"), "count": 1, "spans": [0, 1]}
    mention |= {"name": "the founder", "kind": "NOUN", "aliases": ["M. Kerrigan", "founder"]}
    graph.store.write(("ingest/write_mentions", {"mentions": [mention]}))
    update_entities(graph.store)
    before = properties(graph, "the founder")
    resolution.merge(graph.entity("M. Kerrigan"), graph.entity("Kerrigan"))
    resolution.merge(graph.entity("Kerrigan"), graph.entity("the founder"))
    assert properties(graph, "the founder")[0] == ["Kerrigan", "M. Kerrigan", "founder"]
    resolution.undo(graph.entity("M. Kerrigan"))
    assert properties(graph, "the founder")[0] == ["Kerrigan", "M. Kerrigan", "founder"], "one of them is its own"
    resolution.undo(graph.entity("Kerrigan"))
    assert properties(graph, "the founder") == before


def test_later_aliases_of_a_merged_entity_belong_to_the_other(graph, resolution):
    resolution.merge(graph.entity("Kerrigan"), graph.entity("Maud Kerrigan"))
    row = {"id": graph.entity("Kerrigan"), "aliases": ["the Captain"]}
    graph.store.write(
        ("entities/add_aliases", {"entities": [row]}),
        ("entities/redirect_edges", {"collection": graph.collection}),
        ("entities/update_names", {"ids": [graph.entity("Maud Kerrigan")], "letters": FOLDED_LETTERS}),
    )
    assert properties(graph, "Maud Kerrigan")[0] == ["Kerrigan", "the Captain"]
    resolution.undo(graph.entity("Kerrigan"))
    assert (properties(graph, "Kerrigan")[0], properties(graph, "Maud Kerrigan")[0]) == (["the Captain"], [])


def test_paths_go_over_the_target_of_a_merge(graph, resolution):
    graph.passage("d", "Kerrigan, that is Maud Kerrigan, retired.", [1, 0, 0, 0], "three.pdf")
    graph.entity("Kerrigan", "d")
    graph.entity("Maud Kerrigan", "d")
    resolution.merge(graph.entity("Kerrigan"), graph.entity("Maud Kerrigan"))
    paths = explorer(graph).find_paths(graph.id("b"), graph.id("d"), limit=5)
    assert [path[0].target.name for path in paths] == ["Maud Kerrigan"]


@pytest.mark.parametrize("order", [("M. Kerrigan", "Kerrigan"), ("Kerrigan", "M. Kerrigan")])
def test_a_chain_of_merges_is_undone_in_any_order(graph, resolution, order):
    resolution.merge(graph.entity("M. Kerrigan"), graph.entity("Kerrigan"))
    resolution.merge(graph.entity("Kerrigan"), graph.entity("Maud Kerrigan"))
    assert {name for _, _, name in edges(graph)} == {"Maud Kerrigan"}
    assert len(edges(graph)) == 5  # one mention of each passage, one subject, one about
    resolution.undo(graph.entity(order[0]))
    resolution.undo(graph.entity(order[1]))
    assert edges(graph) == BEFORE


def test_two_entities_of_one_passage_merged_into_a_third_are_one_mention(graph, resolution):
    graph.entity("Old Kerrigan", "b")
    resolution.merge(graph.entity("Kerrigan"), graph.entity("M. Kerrigan"))
    resolution.merge(graph.entity("Old Kerrigan"), graph.entity("M. Kerrigan"))
    mentioned = ("Maud Kerriga", "MENTIONS", "M. Kerrigan")
    assert mentioned in edges(graph)
    resolution.undo(graph.entity("Kerrigan"))
    assert mentioned in edges(graph)  # over the other entity
    resolution.undo(graph.entity("Old Kerrigan"))
    assert mentioned not in edges(graph)


def test_later_mentions_of_a_merged_name_belong_to_the_other(graph, resolution):
    resolution.merge(graph.entity("Kerrigan"), graph.entity("Maud Kerrigan"))
    graph.passage("d", "Kerrigan retired.", [1, 0, 0, 0], "three.pdf")
    graph.entity("Kerrigan", "d")
    graph.triple("d", "Kerrigan", "left", "Tidewell", [1, 0, 0, 0])
    graph.store.write(("entities/redirect_edges", {"collection": graph.collection}))
    names = {name for first, _, name in edges(graph) if first.startswith(("Kerrigan ret", "left"))}
    assert names == {"Maud Kerrigan"}
    resolution.undo(graph.entity("Kerrigan"))
    names = {name for first, _, name in edges(graph) if first.startswith(("Kerrigan ret", "left"))}
    assert names == {"Kerrigan"}


def test_a_merge_survives_the_removal_of_its_documents(graph, resolution):
    resolution.merge(graph.entity("M. Kerrigan"), graph.entity("Maud Kerrigan"))
    remove_documents(graph.store, graph.scope("one.pdf", "two.pdf").documents)
    graph.passage("e", "M. Kerrigan returned.", [1, 0, 0, 0], "four.pdf")
    graph.entity("M. Kerrigan", "e")
    graph.store.write(("entities/redirect_edges", {"collection": graph.collection}))
    assert edges(graph) == {("M. Kerrigan ", "MENTIONS", "Maud Kerrigan")}
    remove_documents(graph.store, graph.scope("four.pdf").documents)
    alone = explorer(graph).get_neighbourhood(graph.entity("Maud Kerrigan"), limit=10)
    assert ([node.name for node in alone.nodes], alone.edges) == (["Maud Kerrigan"], ())
    resolution.undo(entity_id(graph.collection, "M. Kerrigan"))
    left = {
        item.node.name for item in explorer(graph).find("Kerrigan", collection=graph.name, kinds=["entity"], limit=10)
    }
    assert not left & {"M. Kerrigan", "Maud Kerrigan"}


def test_decided_pairs_are_not_suggested_until_they_are_undone(graph, resolution):
    first = resolution.similar_names(graph.name, limit=10)
    pairs = {(item.source.name, item.target.name) for item in first}
    assert ("Tidewell", "Maud Kerrigan") not in pairs
    assert pairs
    item = first[0]
    resolution.reject(item.source.id, item.target.id)
    assert (item.source.name, item.target.name) not in {
        (each.source.name, each.target.name) for each in resolution.similar_names(graph.name, limit=10)
    }
    [rejected] = resolution.decisions(graph.name)
    assert (rejected.merged, {rejected.source, rejected.target}) == (False, {item.source.name, item.target.name})
    resolution.undo(rejected.id)
    assert resolution.similar_names(graph.name, limit=10) == first


def test_a_pair_in_one_document_has_a_higher_score(graph, resolution):
    graph.entity("Ann Vale", "a")
    graph.entity("Vale", "a")
    graph.entity("Bo Orre", "a")
    graph.entity("Orre", "c")
    pairs = {item.source.name: item for item in resolution.similar_names(graph.name, limit=10)}
    assert (pairs["Vale"].together, pairs["Orre"].together) == (1, 0)
    assert pairs["Vale"].score > pairs["Orre"].score


def test_an_invalid_merge_raises(graph, resolution, tiny):
    other = tiny()
    other.passage("z", "Kerrigan.", [1, 0, 0, 0])
    foreign = other.entity("Kerrigan", "z")
    other.write_pending()
    with pytest.raises(UsageError, match="two collections"):
        resolution.merge(graph.entity("Kerrigan"), foreign)
    with pytest.raises(UsageError, match="itself"):
        resolution.merge(graph.entity("Kerrigan"), graph.entity("Kerrigan"))
    with pytest.raises(UnknownName, match="no entity"):
        resolution.merge("nowhere", graph.entity("Kerrigan"))
    with pytest.raises(UnknownName, match="no decision"):
        resolution.undo("nowhere")
    resolution.merge(graph.entity("Kerrigan"), graph.entity("Maud Kerrigan"))
    with pytest.raises(UnknownName, match="no entity"):
        resolution.merge(graph.entity("Kerrigan"), graph.entity("M. Kerrigan"))


def test_a_removed_collection_has_no_decisions(graph, resolution):
    resolution.merge(graph.entity("Kerrigan"), graph.entity("Maud Kerrigan"))
    resolution.reject(graph.entity("Maud Kerrigan"), graph.entity("M. Kerrigan"))
    remove_collection(graph.store, graph.collection)
    with pytest.raises(UnknownName):
        resolution.decisions(graph.name)
    graph.store.write(
        ("ingest/add_documents",
         {"collection": graph.collection, "name": graph.name, "extraction_model": "", "documents": []}),
    )  # fmt: skip
    assert resolution.decisions(graph.name) == []
    assert explorer(graph).find("Kerrigan", collection=graph.name, kinds=["entity"], limit=10) == []


def test_the_worker_adds_later_mentions_to_the_target_of_a_merge(hop, tmp_path):
    def add(file, title, names):
        row = {"id": title, "title": title, "text": f"{' and '.join(names)} met in Halm.", "entities": names}
        (tmp_path / file).write_text(json.dumps(row))
        hop.add(tmp_path / file, collection="met").wait(timeout=240)

    def list_mentions(name):
        [match] = [item for item in hop.graph.find(name, collection="met", kinds=["entity"]) if item.node.name == name]
        around = hop.graph.get_neighbourhood(match.node.id)
        return sorted(node.name.split(" met")[0] for node in around.nodes if node.kind == "passage")

    add("first.jsonl", "One", ["Maud Kerigan", "Ann Vale"])
    add("second.jsonl", "Two", ["Maud Kerrigan", "Bo Orre"])
    [pair] = hop.entities.similar_names("met")
    names = {node.name: node.id for node in (pair.source, pair.target)}
    hop.entities.merge(names["Maud Kerigan"], names["Maud Kerrigan"])
    add("third.jsonl", "Three", ["Maud Kerigan", "Cy Dale"])
    both = ["Maud Kerigan and Ann Vale", "Maud Kerigan and Cy Dale", "Maud Kerrigan and Bo Orre"]
    assert list_mentions("Maud Kerrigan") == both
    [decision] = hop.entities.decisions("met")
    hop.entities.undo(decision.id)
    assert list_mentions("Maud Kerrigan") == both[2:]
    assert list_mentions("Maud Kerigan") == both[:2]
