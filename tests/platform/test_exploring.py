"""A graph of four passages in two documents, explored."""

import pytest

from hopline.errors import UnknownName, UsageError
from hopline.graph_explorer import Explorer
from hopline.ids import document_id, page_id


@pytest.fixture
def graph(tiny):
    graph = tiny()
    graph.passage("a", "Tidewell runs the plant at Brackwater.", [1, 0, 0, 0])
    graph.passage("b", "Tidewell was founded by Maud Kerrigan.", [0, 1, 0, 0], "two.pdf")
    graph.passage("c", "It rained in 2024.", [0, 0, 1, 0], "two.pdf", page=2, pages=2)
    graph.passage("d", "It snowed in 2024.", [0, 0, 1, 0], "three.pdf")
    graph.table("t", "1", "Kerrigan | 1987", [0, 0, 0, 1], "two.pdf", pages=2)
    graph.entity("Tidewell Utilities", "a", "b")
    graph.entity("Maud Kerrigan", "b", "t")
    graph.entity("Kerrigan Ltd", "t")
    graph.entity("2024", "c", "d", kind="DATE")
    graph.about("b", "Maud Kerrigan")
    graph.triple("b", "Maud Kerrigan", "founded", "Tidewell Utilities", [0, 1, 0, 0])
    return graph


@pytest.fixture
def explorer(graph):
    return Explorer(graph.store)


def names(found):
    return [one.node.name for one in found]


def test_a_name_is_found_by_its_beginning_and_stands_before_names_that_hold_it(graph, explorer):
    assert names(explorer.find("kerr", graph.collection, ["entity"], 10)) == ["Kerrigan Ltd", "Maud Kerrigan"]
    assert names(explorer.find("maud kerrigan", graph.collection, ["entity"], 10))[0] == "Maud Kerrigan"
    assert names(explorer.find("Tidewell", graph.collection, ["entity"], 1)) == ["Tidewell Utilities"]


def test_every_kind_is_found_in_its_own_collection_only(graph, explorer, tiny):
    found = explorer.find("kerrigan", graph.collection, ["entity", "passage", "table", "triple"], 10)
    assert {one.node.kind for one in found} == {"entity", "passage", "table", "triple"}
    assert [one.about for one in found if one.node.kind == "passage"] == ["two.pdf"]
    assert names(explorer.find("TWO", graph.collection, ["document"], 10)) == ["two.pdf"]
    assert explorer.find("kerrigan", tiny().collection, ["entity", "document"], 10) == []


@pytest.mark.parametrize("text", ["", "  ", '"(*', "AND", "a" * 5000, "ד״ר 🙂"])
def test_whatever_is_typed_finds_something_or_nothing(graph, explorer, text):
    assert isinstance(explorer.find(text, graph.collection, ["entity", "document", "passage"], 5), list)


def test_pages_cannot_be_searched_for(graph, explorer):
    with pytest.raises(UsageError, match="documents, entity"):
        explorer.find("one", graph.collection, ["page"], 5)


def test_the_overview_has_the_names_that_join_and_no_dates(graph, explorer):
    seen = explorer.overview(graph.collection, 100)
    assert {node.name for node in seen.nodes if node.kind == "entity"} == {"Tidewell Utilities", "Maud Kerrigan"}
    assert set(seen.edges) == {
        (graph.id("a"), "MENTIONS", graph.entity("Tidewell Utilities")),
        (graph.id("b"), "MENTIONS", graph.entity("Tidewell Utilities")),
        (graph.id("b"), "MENTIONS", graph.entity("Maud Kerrigan")),
        (graph.id("b"), "ABOUT", graph.entity("Maud Kerrigan")),
        (graph.id("t"), "MENTIONS", graph.entity("Maud Kerrigan")),
    }
    assert seen.total == 3 + 4 + 5 + 4 + 1  # documents, pages, evidence, entities, triples
    assert len(explorer.overview(graph.collection, 3).nodes) == 3


def test_the_shortest_ways_go_over_names_triples_and_pages(graph, explorer):
    ways = explorer.between(graph.id("a"), graph.id("t"), 3)
    tidewell, maud = graph.entity("Tidewell Utilities"), graph.entity("Maud Kerrigan")
    [triple] = explorer.detail(graph.id("b")).triples
    assert {(way[0].source.id, *(step.target.id for step in way)) for way in ways} == {
        (graph.id("a"), tidewell, graph.id("b"), maud, graph.id("t")),
        (graph.id("a"), tidewell, triple.id, maud, graph.id("t")),
        (graph.id("a"), tidewell, graph.id("b"), page_id(document_id(graph.collection, "two.pdf"), 1), graph.id("t")),
    }
    assert {tuple(step.edge for step in way) for way in ways} == {
        ("MENTIONS", "MENTIONS", "ABOUT", "MENTIONS"),
        ("MENTIONS", "OBJECT", "SUBJECT", "MENTIONS"),
        ("MENTIONS", "MENTIONS", "HAS_PASSAGE", "HAS_TABLE"),
    }


def test_ways_of_equal_length_come_together(graph, explorer):
    graph.entity("Brackwater", "a", "b")
    assert len(explorer.between(graph.id("a"), graph.id("b"), 9)) == 2
    assert len(explorer.between(graph.id("a"), graph.id("b"), 1)) == 1


def test_no_way_goes_over_a_date_unless_it_ends_there(graph, explorer):
    assert explorer.between(graph.id("c"), graph.id("d"), 3) == []
    assert len(explorer.between(graph.id("c"), graph.entity("2024"), 3)) == 1
    assert explorer.between(graph.id("c"), graph.id("c"), 3) == []
    assert explorer.between(graph.id("c"), "nothing", 3) == []


def test_an_entity_in_full(graph, explorer):
    detail = explorer.detail(graph.entity("Maud Kerrigan"))
    assert (detail.node.kind, detail.sort) == ("entity", "PERSON")
    assert {one.id for one in detail.evidence} == {graph.id("b"), graph.id("t")}
    assert next(iter(detail.spans)) == graph.id("b"), "what is about it comes first"
    assert detail.spans[graph.id("t")] == ((0, 1),)
    assert [one.predicate for one in detail.triples] == ["founded"]


def test_passages_tables_triples_pages_and_documents_in_full(graph, explorer):
    passage = explorer.detail(graph.id("b"))
    assert (passage.evidence[0].text, passage.triples[0].object) == (
        "Tidewell was founded by Maud Kerrigan.",
        "Tidewell Utilities",
    )
    assert explorer.detail(graph.id("t")).node.kind == "table"
    triple = explorer.detail(passage.triples[0].id)
    assert [one.id for one in triple.evidence] == [graph.id("b")]
    document = document_id(graph.collection, "two.pdf")
    page = explorer.detail(page_id(document, 1))
    assert {one.id for one in page.evidence} == {graph.id("b"), graph.id("t")}
    assert explorer.detail(document).node.name == "two.pdf"
    with pytest.raises(UnknownName):
        explorer.detail("nothing")
