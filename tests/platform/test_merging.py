"""Entities of a graph that is checked by hand, merged and parted again."""

import json

import pytest

from hopline.entities.resolution import Merger
from hopline.errors import UnknownName, UsageError
from hopline.flow.columns import rows_of
from hopline.graph_explorer import Explorer
from hopline.ids import entity_id
from hopline.store.removal import remove_documents, settle_entities


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
def merger(graph):
    return Merger(graph.store)


def edges(graph, *, names=("Kerrigan", "Maud Kerrigan", "M. Kerrigan")):
    """What stands around each of the names: (passage or triple, edge, name)."""
    explorer, found = Explorer(graph.store), set()
    for name in names:
        try:
            around = explorer.around(graph.entity(name), 1, 50)
        except UnknownName:
            continue
        shown = {node.id: node.name for node in around.nodes}
        found |= {(shown[source][:12], edge, shown[target]) for source, edge, target in around.edges}
    return {tie for tie in found if tie[2] in names}


BEFORE = {
    ("Kerrigan run", "MENTIONS", "Kerrigan"),
    ("Maud Kerriga", "MENTIONS", "Kerrigan"),
    ("Maud Kerriga", "MENTIONS", "Maud Kerrigan"),
    ("M. Kerrigan ", "MENTIONS", "M. Kerrigan"),
    ("M. Kerrigan ", "ABOUT", "M. Kerrigan"),
    ("runs", "SUBJECT", "Kerrigan"),
}


def test_what_led_to_the_one_leads_to_the_other_once(graph, merger):
    assert edges(graph) == BEFORE
    merger.merge(graph.entity("Kerrigan"), graph.entity("Maud Kerrigan"))
    found = rows_of(graph.store.columns("answer/mentioning", {
        "entities": [graph.entity("Maud Kerrigan")], "hub": 100, "documents": []}))  # fmt: skip
    assert graph.keys([row["id"] for row in found]) == ["a", "b"]
    around = Explorer(graph.store).around(graph.entity("Maud Kerrigan"), 1, 50)
    assert sorted(edge for _, edge, _ in around.edges) == ["MENTIONS", "MENTIONS", "OBJECT", "SUBJECT"]


def test_the_merged_name_is_found_as_the_other_and_never_on_its_own(graph, merger):
    merger.merge(graph.entity("Kerrigan"), graph.entity("Maud Kerrigan"))
    found = Explorer(graph.store).find("Kerrigan", graph.collection, ["entity"], 10)
    assert {one.node.name for one in found} == {"Maud Kerrigan", "M. Kerrigan"}
    assert Explorer(graph.store).detail(graph.entity("Maud Kerrigan")).aliases == ("Kerrigan",)
    with pytest.raises(UnknownName):
        Explorer(graph.store).detail(graph.entity("Kerrigan"))


def test_undo_gives_back_exactly_what_there_was(graph, merger):
    merger.merge(graph.entity("Kerrigan"), graph.entity("Maud Kerrigan"))
    assert edges(graph) != BEFORE
    merger.undo(graph.entity("Kerrigan"))
    assert edges(graph) == BEFORE
    assert Explorer(graph.store).detail(graph.entity("Maud Kerrigan")).aliases == ()
    assert merger.decisions(graph.collection) == []


def properties(graph, name):
    [row] = rows_of(graph.store.columns("read/named", {"entities": [graph.entity(name)]}))
    return sorted(row["aliases"]), row["kind"]


def test_undo_keeps_the_names_and_the_kind_that_were_its_own_whatever_else_was_merged(graph, merger):
    mention = {"evidence": graph.id("b"), "entity": graph.entity("the founder"), "count": 1, "spans": [0, 1]}
    mention |= {"name": "the founder", "kind": "NOUN", "aliases": ["M. Kerrigan", "founder"]}
    graph.store.write(("ingest/write_mentions", {"mentions": [mention]}))
    settle_entities(graph.store)
    before = properties(graph, "the founder")
    merger.merge(graph.entity("M. Kerrigan"), graph.entity("Kerrigan"))
    merger.merge(graph.entity("Kerrigan"), graph.entity("the founder"))
    assert properties(graph, "the founder")[0] == ["Kerrigan", "M. Kerrigan", "founder"]
    merger.undo(graph.entity("M. Kerrigan"))
    assert properties(graph, "the founder")[0] == ["Kerrigan", "M. Kerrigan", "founder"], "one of them is its own"
    merger.undo(graph.entity("Kerrigan"))
    assert properties(graph, "the founder") == before


def test_what_a_merged_name_is_called_later_leads_to_the_one_that_it_is_now(graph, merger):
    merger.merge(graph.entity("Kerrigan"), graph.entity("Maud Kerrigan"))
    row = {"id": graph.entity("Kerrigan"), "aliases": ["the Captain"]}
    graph.store.write(
        ("merge/write_names", {"entities": [row]}),
        ("merge/settle", {"collection": graph.collection}),
        ("merge/gather", {"ids": [graph.entity("Maud Kerrigan")]}),
    )
    assert properties(graph, "Maud Kerrigan")[0] == ["Kerrigan", "the Captain"]
    merger.undo(graph.entity("Kerrigan"))
    assert (properties(graph, "Kerrigan")[0], properties(graph, "Maud Kerrigan")[0]) == (["the Captain"], [])


def test_ways_go_over_what_a_name_is_now_and_never_over_the_merged_one(graph, merger):
    graph.passage("d", "Kerrigan, that is Maud Kerrigan, retired.", [1, 0, 0, 0], "three.pdf")
    graph.entity("Kerrigan", "d")
    graph.entity("Maud Kerrigan", "d")
    merger.merge(graph.entity("Kerrigan"), graph.entity("Maud Kerrigan"))
    ways = Explorer(graph.store).between(graph.id("b"), graph.id("d"), 5)
    assert [way[0].target.name for way in ways] == ["Maud Kerrigan"]


@pytest.mark.parametrize("order", [("M. Kerrigan", "Kerrigan"), ("Kerrigan", "M. Kerrigan")])
def test_a_chain_of_merges_is_undone_in_any_order(graph, merger, order):
    merger.merge(graph.entity("M. Kerrigan"), graph.entity("Kerrigan"))
    merger.merge(graph.entity("Kerrigan"), graph.entity("Maud Kerrigan"))
    assert {name for _, _, name in edges(graph)} == {"Maud Kerrigan"}
    assert len(edges(graph)) == 5  # one mention of each passage, one subject, one about
    merger.undo(graph.entity(order[0]))
    merger.undo(graph.entity(order[1]))
    assert edges(graph) == BEFORE


def test_two_names_of_one_text_merged_into_a_third_are_one_mention_until_one_is_parted(graph, merger):
    graph.entity("Old Kerrigan", "b")
    merger.merge(graph.entity("Kerrigan"), graph.entity("M. Kerrigan"))
    merger.merge(graph.entity("Old Kerrigan"), graph.entity("M. Kerrigan"))
    mentioned = ("Maud Kerriga", "MENTIONS", "M. Kerrigan")
    assert mentioned in edges(graph)
    merger.undo(graph.entity("Kerrigan"))
    assert mentioned in edges(graph)  # by way of the other
    merger.undo(graph.entity("Old Kerrigan"))
    assert mentioned not in edges(graph)


def test_what_is_read_later_under_the_merged_name_goes_to_the_other(graph, merger):
    merger.merge(graph.entity("Kerrigan"), graph.entity("Maud Kerrigan"))
    graph.passage("d", "Kerrigan retired.", [1, 0, 0, 0], "three.pdf")
    graph.entity("Kerrigan", "d")
    graph.triple("d", "Kerrigan", "left", "Tidewell", [1, 0, 0, 0])
    graph.store.write(("merge/settle", {"collection": graph.collection}))
    there = {name for first, _, name in edges(graph) if first.startswith(("Kerrigan ret", "left"))}
    assert there == {"Maud Kerrigan"}
    merger.undo(graph.entity("Kerrigan"))
    there = {name for first, _, name in edges(graph) if first.startswith(("Kerrigan ret", "left"))}
    assert there == {"Kerrigan"}


def test_a_merge_outlives_the_documents_that_it_was_made_on(graph, merger):
    merger.merge(graph.entity("M. Kerrigan"), graph.entity("Maud Kerrigan"))
    remove_documents(graph.store, graph.scope("one.pdf", "two.pdf").documents)
    graph.passage("e", "M. Kerrigan returned.", [1, 0, 0, 0], "four.pdf")
    graph.entity("M. Kerrigan", "e")
    graph.store.write(("merge/settle", {"collection": graph.collection}))
    assert edges(graph) == {("M. Kerrigan ", "MENTIONS", "Maud Kerrigan")}
    remove_documents(graph.store, graph.scope("four.pdf").documents)
    alone = Explorer(graph.store).around(graph.entity("Maud Kerrigan"), 1, 10)
    assert ([node.name for node in alone.nodes], alone.edges) == (["Maud Kerrigan"], ())
    merger.undo(entity_id(graph.collection, "M. Kerrigan"))
    left = {one.node.name for one in Explorer(graph.store).find("Kerrigan", graph.collection, ["entity"], 10)}
    assert not left & {"M. Kerrigan", "Maud Kerrigan"}


def test_suggestions_leave_out_what_was_decided_until_it_is_undone(graph, merger):
    first = merger.suggestions(graph.collection, 10)
    pairs = {(one.source.name, one.target.name) for one in first}
    assert ("Tidewell", "Maud Kerrigan") not in pairs
    assert pairs
    one = first[0]
    merger.refuse(one.source.id, one.target.id)
    assert (one.source.name, one.target.name) not in {
        (each.source.name, each.target.name) for each in merger.suggestions(graph.collection, 10)
    }
    [refused] = merger.decisions(graph.collection)
    assert (refused.merged, {refused.source, refused.target}) == (False, {one.source.name, one.target.name})
    merger.undo(refused.id)
    assert merger.suggestions(graph.collection, 10) == first


def test_a_pair_that_one_document_mentions_is_surer(graph, merger):
    graph.entity("Ann Vale", "a")
    graph.entity("Vale", "a")
    graph.entity("Bo Orre", "a")
    graph.entity("Orre", "c")
    found = {one.source.name: one for one in merger.suggestions(graph.collection, 10)}
    assert (found["Vale"].together, found["Orre"].together) == (1, 0)
    assert found["Vale"].score > found["Orre"].score


def test_what_cannot_be_merged_is_said(graph, merger, tiny):
    other = tiny()
    other.passage("z", "Kerrigan.", [1, 0, 0, 0])
    with pytest.raises(UsageError, match="two collections"):
        merger.merge(graph.entity("Kerrigan"), other.entity("Kerrigan", "z"))
    with pytest.raises(UsageError, match="itself"):
        merger.merge(graph.entity("Kerrigan"), graph.entity("Kerrigan"))
    with pytest.raises(UnknownName, match="no entity"):
        merger.merge("nowhere", graph.entity("Kerrigan"))
    with pytest.raises(UnknownName, match="no decision"):
        merger.undo("nowhere")
    merger.merge(graph.entity("Kerrigan"), graph.entity("Maud Kerrigan"))
    with pytest.raises(UnknownName, match="no entity"):
        merger.merge(graph.entity("Kerrigan"), graph.entity("M. Kerrigan"))


def test_a_removed_collection_leaves_nothing_that_was_decided(graph, merger, hop):
    merger.merge(graph.entity("Kerrigan"), graph.entity("Maud Kerrigan"))
    merger.refuse(graph.entity("Maud Kerrigan"), graph.entity("M. Kerrigan"))
    hop.remove(collection=graph.name)
    assert merger.decisions(graph.collection) == []
    assert Explorer(graph.store).find("Kerrigan", graph.collection, ["entity"], 10) == []


def test_the_worker_takes_what_it_reads_later_to_the_entity_that_stayed(hop, tmp_path):
    def add(file, title, names):
        row = {"id": title, "title": title, "text": f"{' and '.join(names)} met in Halm.", "entities": names}
        (tmp_path / file).write_text(json.dumps(row))
        hop.add(tmp_path / file, collection="met").wait(timeout=240)

    def mentioned(name):
        [found] = [one for one in hop.find(name, collection="met", kinds=["entity"]) if one.node.name == name]
        around = hop.explore(found.node.id)
        return sorted(node.name.split(" met")[0] for node in around.nodes if node.kind == "passage")

    add("first.jsonl", "One", ["Maud Kerigan", "Ann Vale"])
    add("second.jsonl", "Two", ["Maud Kerrigan", "Bo Orre"])
    [pair] = hop.same_names("met")
    names = {node.name: node.id for node in (pair.source, pair.target)}
    hop.merge(names["Maud Kerigan"], names["Maud Kerrigan"])
    add("third.jsonl", "Three", ["Maud Kerigan", "Cy Dale"])
    both = ["Maud Kerigan and Ann Vale", "Maud Kerigan and Cy Dale", "Maud Kerrigan and Bo Orre"]
    assert mentioned("Maud Kerrigan") == both
    [decision] = hop.decisions("met")
    hop.undo(decision.id)
    assert mentioned("Maud Kerrigan") == both[2:]
    assert mentioned("Maud Kerigan") == both[:2]
