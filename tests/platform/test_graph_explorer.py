"""Exploration of a graph of four passages and a table in three documents."""

from typing import Any

import pytest

from hopline.errors import UnknownName, UsageError
from hopline.graph_explorer import GraphExplorer
from hopline.ids import document_id, page_id
from hopline.store.collection_catalog import CollectionCatalog


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
    return GraphExplorer(graph.store, CollectionCatalog(graph.store))


def names(matches):
    return [match.node.name for match in matches]


def test_a_name_is_found_by_its_prefix_before_names_that_contain_it(graph, explorer):
    assert names(explorer.find("kerr", collection=graph.name, kinds=["entity"], limit=10)) == [
        "Kerrigan Ltd",
        "Maud Kerrigan",
    ]
    assert (
        names(explorer.find("maud kerrigan", collection=graph.name, kinds=["entity"], limit=10))[0] == "Maud Kerrigan"
    )
    assert names(explorer.find("Tidewell", collection=graph.name, kinds=["entity"], limit=1)) == ["Tidewell Utilities"]


def test_every_kind_is_found_in_its_collection_only(graph, explorer, tiny):
    matches = explorer.find("kerrigan", collection=graph.name, kinds=["entity", "passage", "table", "triple"], limit=10)
    assert {match.node.kind for match in matches} == {"entity", "passage", "table", "triple"}
    assert [match.about for match in matches if match.node.kind == "passage"] == ["two.pdf"]
    assert names(explorer.find("TWO", collection=graph.name, kinds=["document"], limit=10)) == ["two.pdf"]
    assert explorer.find("kerrigan", collection=tiny().name, kinds=["entity", "document"], limit=10) == []


def test_a_name_is_found_whatever_its_case_accents_and_punctuation(tiny):
    graph = tiny()
    graph.passage("a", "Zürich and the A.B.C. met in Łódź.", [1, 0, 0, 0], "Übersicht_Zürich.pdf")
    for name in ("Zürich", "A.B.C.", "NATO", "O'Brien", "Co-op", "Łódź", "Zurich Airport"):
        graph.entity(name, "a")
    explorer = GraphExplorer(graph.store, CollectionCatalog(graph.store))

    def first(text, kind="entity"):
        return names(explorer.find(text, collection=graph.name, kinds=[kind], limit=3))[:1]

    for text in ("Zurich", "ZÜRICH", "zürich"):
        assert first(text) == ["Zürich"], text
    for text in ("ABC", "A.B.C", "a.b.c.", "abc"):
        assert first(text) == ["A.B.C."], text
    assert [first("N.A.T.O."), first("O'BRIEN"), first("o’brien"), first("lodz")] == [
        ["NATO"],
        ["O'Brien"],
        ["O'Brien"],
        ["Łódź"],
    ]
    assert first("co-op") == ["Co-op"]
    for text in ("zurich", "UBERSICHT", "Übersicht Zürich", "ubersichtzurich"):
        assert first(text, "document") == ["Übersicht_Zürich.pdf"], text


def test_figures_are_found_by_default(graph, explorer):
    graph.figure("f", "1", "Figure 1: The pumps of Tidewell", [0, 0, 0, 1])
    matches = explorer.find("pumps", collection=graph.name)
    assert [match.node.kind for match in matches] == ["figure"]
    assert matches[0].about == "one.pdf"


@pytest.mark.parametrize("text", ["", "  ", '"(*', "AND", "a" * 5000, "ד״ר 🙂"])
def test_every_text_is_a_valid_query(graph, explorer, text):
    assert isinstance(
        explorer.find(text, collection=graph.name, kinds=["entity", "document", "passage"], limit=5), list
    )


def test_pages_cannot_be_searched(graph, explorer):
    with pytest.raises(UsageError, match="documents, entity"):
        explorer.find("one", collection=graph.name, kinds=["page"], limit=5)


def test_the_overview_has_shared_entities_and_no_dates(graph, explorer):
    seen = explorer.get_overview(graph.name, limit=100)
    assert {node.name for node in seen.nodes if node.kind == "entity"} == {"Tidewell Utilities", "Maud Kerrigan"}
    assert set(seen.edges) == {
        (graph.id("a"), "MENTIONS", graph.entity("Tidewell Utilities")),
        (graph.id("b"), "MENTIONS", graph.entity("Tidewell Utilities")),
        (graph.id("b"), "MENTIONS", graph.entity("Maud Kerrigan")),
        (graph.id("b"), "ABOUT", graph.entity("Maud Kerrigan")),
        (graph.id("t"), "MENTIONS", graph.entity("Maud Kerrigan")),
    }
    assert seen.total == 3 + 4 + 5 + 4 + 1  # documents, pages, evidence, entities, triples
    assert len(explorer.get_overview(graph.name, limit=3).nodes) == 3


def test_entities_are_ranked_by_the_passages_that_mention_them(graph, explorer):
    graph.entity("Brackwater", "a", kind="GPE")
    ranked = explorer.list_entities(graph.name)
    assert [(entity.node.name, entity.passages, entity.documents) for entity in ranked] == [
        ("2024", 2, 2),
        ("Tidewell Utilities", 2, 2),
        ("Maud Kerrigan", 2, 1),
        ("Brackwater", 1, 1),
        ("Kerrigan Ltd", 1, 1),
    ]
    [town] = explorer.list_entities(graph.name, types=["place"])
    assert (town.node.name, town.type) == ("Brackwater", "place")
    with pytest.raises(UnknownName, match="there are: event, law"):
        explorer.list_entities(graph.name, types=["planet"])
    first = document_id(graph.collection, "one.pdf")
    mentioned = explorer.list_entities(graph.name, documents=[first], limit=1)
    assert [(entity.node.name, entity.passages) for entity in mentioned] == [("Brackwater", 1)]


def test_the_shortest_paths_use_entities_triples_and_pages(graph, explorer):
    paths = explorer.find_paths(graph.id("a"), graph.id("t"), limit=3)
    tidewell, maud = graph.entity("Tidewell Utilities"), graph.entity("Maud Kerrigan")
    [triple] = explorer.get_node(graph.id("b")).triples
    assert {(path[0].source.id, *(step.target.id for step in path)) for path in paths} == {
        (graph.id("a"), tidewell, graph.id("b"), maud, graph.id("t")),
        (graph.id("a"), tidewell, triple.id, maud, graph.id("t")),
        (graph.id("a"), tidewell, graph.id("b"), page_id(document_id(graph.collection, "two.pdf"), 1), graph.id("t")),
    }
    assert {tuple(step.edge for step in path) for path in paths} == {
        ("MENTIONS", "MENTIONS", "ABOUT", "MENTIONS"),
        ("MENTIONS", "OBJECT", "SUBJECT", "MENTIONS"),
        ("MENTIONS", "MENTIONS", "HAS_PASSAGE", "HAS_TABLE"),
    }


def test_paths_of_equal_length_are_returned_together(graph, explorer):
    graph.entity("Brackwater", "a", "b")
    assert len(explorer.find_paths(graph.id("a"), graph.id("b"), limit=9)) == 2
    assert len(explorer.find_paths(graph.id("a"), graph.id("b"), limit=1)) == 1


def test_no_path_uses_a_date_unless_it_ends_there(graph, explorer):
    assert explorer.find_paths(graph.id("c"), graph.id("d"), limit=3) == []
    assert len(explorer.find_paths(graph.id("c"), graph.entity("2024"), limit=3)) == 1
    assert explorer.find_paths(graph.id("c"), graph.id("c"), limit=3) == []
    assert explorer.find_paths(graph.id("c"), "nothing", limit=3) == []


def test_the_details_of_an_entity(graph, explorer):
    detail = explorer.get_node(graph.entity("Maud Kerrigan"))
    assert (detail.node.kind, detail.entity_kind) == ("entity", "PERSON")
    assert {evidence.id for evidence in detail.evidence} == {graph.id("b"), graph.id("t")}
    assert next(iter(detail.spans)) == graph.id("b"), "evidence about the entity is first"
    assert detail.spans[graph.id("t")] == ((0, 1),)
    assert [triple.predicate for triple in detail.triples] == ["founded"]


def test_the_details_of_passages_tables_triples_pages_and_documents(graph, explorer):
    passage = explorer.get_node(graph.id("b"))
    assert (passage.evidence[0].text, passage.triples[0].object) == (
        "Tidewell was founded by Maud Kerrigan.",
        "Tidewell Utilities",
    )
    assert explorer.get_node(graph.id("t")).node.kind == "table"
    triple = explorer.get_node(passage.triples[0].id)
    assert [evidence.id for evidence in triple.evidence] == [graph.id("b")]
    document = document_id(graph.collection, "two.pdf")
    page = explorer.get_node(page_id(document, 1))
    assert {evidence.id for evidence in page.evidence} == {graph.id("b"), graph.id("t")}
    assert explorer.get_node(document).node.name == "two.pdf"
    with pytest.raises(UnknownName, match="no node called 'nothing'; pass the id of a node"):
        explorer.get_node("nothing")


@pytest.fixture
def chain(tiny):
    """Four entities in a chain, each pair in one passage: A-1-B-2-C-3-D."""
    graph = tiny()
    for number, (first, second) in enumerate(["AB", "BC", "CD"], 1):
        graph.passage(str(number), f"Passage {number}", [1, 0, 0, 0], f"{number}.pdf")
        for name in (first, second):
            graph.entity(f"Person {name}", str(number))
    return graph


class CountingStore:
    """A store that notes the ids whose edges are read."""

    def __init__(self, store):
        self.store = store
        self.expanded = []

    def read(self, name, parameters=None):
        if name == "explore/neighbours":
            self.expanded.append(list(parameters["ids"]))
        return self.store.read(name, parameters)


def test_more_hops_reach_farther_and_read_the_edges_of_each_node_once(chain):
    store: Any = CountingStore(chain.store)
    explorer = GraphExplorer(store, CollectionCatalog(chain.store))
    near = explorer.get_neighbourhood(chain.entity("Person A"), 1)
    assert [node.name for node in near.nodes] == ["Passage 1", "Person A"]
    store.expanded.clear()
    far = explorer.get_neighbourhood(chain.entity("Person A"), 5)
    assert {"Person B", "Person C", "Passage 3"} <= {node.name for node in far.nodes}
    assert "Person D" not in {node.name for node in explorer.get_neighbourhood(chain.entity("Person A"), 4).nodes}
    ids = [id for frontier in store.expanded[:5] for id in frontier]
    assert len(store.expanded[:5]) == 5
    assert len(ids) == len(set(ids))


def test_a_limited_neighbourhood_counts_all_edges_and_is_the_same_each_time(tiny):
    graph = tiny()
    keys = [f"p{number}" for number in range(45)]
    for key in keys:
        graph.passage(key, f"Text of {key}", [1, 0, 0, 0])
    harbour = graph.entity("Harbour", *keys)
    graph.about("p44", "Harbour")
    explorer = GraphExplorer(graph.store, CollectionCatalog(graph.store))
    whole = explorer.get_neighbourhood(harbour, limit=300)
    assert whole.total == len(whole.edges) == 46
    for limit in (1, 2, 10):
        part = explorer.get_neighbourhood(harbour, limit=limit)
        assert part.edges == whole.edges[:limit]
        assert part.total == 46, f"all edges count, also for the limit {limit}"
    assert whole.edges[0] == (graph.id("p44"), "ABOUT", harbour), "evidence about the entity is first"
    assert list(whole.edges[1:]) == sorted(whole.edges[1:]), "then by id"


def test_as_many_passages_are_found_as_there_are_although_more_tables_match(tiny):
    graph = tiny()
    for number in range(30):
        graph.table(f"t{number:02}", str(number), "tonnage tonnage tonnage", [0, 0, 0, 1])
    for number in range(3):
        graph.passage(f"p{number}", f"The tonnage of the long ferry number {number} is high.", [1, 0, 0, 0])
    explorer = GraphExplorer(graph.store, CollectionCatalog(graph.store))
    matches = explorer.find("tonnage", collection=graph.name, kinds=["passage"], limit=3)
    assert {match.node.id for match in matches} == {graph.id(f"p{number}") for number in range(3)}


def test_uncertain_triples_are_shown_if_they_are_asked_for(tiny):
    graph = tiny()
    graph.passage("a", "Vale built the bridge. Of Orre, a lamp.", [1, 0, 0, 0])
    vale = graph.entity("Ingrid Vale", "a")
    certain = graph.triple("a", "Ingrid Vale", "built", "Skarv Bridge", [1, 0, 0, 0], 0.9)
    uncertain = graph.triple("a", "Ingrid Vale", "is", "Orre", [1, 0, 0, 0], 0.2)
    explorer = GraphExplorer(graph.store, CollectionCatalog(graph.store))

    def list_triples(**options):
        around = explorer.get_neighbourhood(vale, 2, **options)
        assert around.total == len(around.edges)
        return {node.id for node in around.nodes if node.kind == "triple"}

    assert list_triples() == {certain}
    assert list_triples(uncertain=True) == {certain, uncertain}
    assert [(triple.id, triple.confidence) for triple in explorer.get_node(vale).triples] == [
        (certain, 0.9),
        (uncertain, 0.2),
    ]
    assert {node.id for node in explorer.get_neighbourhood(uncertain).nodes} >= {uncertain, vale}
