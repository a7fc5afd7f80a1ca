"""Evidence paths as nodes and edges, checked by hand on a small graph."""

from __future__ import annotations

from dataclasses import replace

import pytest
from nordvik import QUESTION, look_up_third_source, nordvik

from hopline.graph_explorer import Neighbourhood
from hopline.ids import page_id
from hopline.results import Citation, Evidence, EvidenceGraph, EvidencePath, Node, PathStep
from hopline.results.labels import label_uncertain_triples
from hopline_ui.formatting import describe_path
from hopline_ui.path_graph import add_context, build_graph_drawing, build_path_drawing
from hopline_ui.sources import AnswerSource, count_supported, find_source, list_citations, list_evidence, list_siblings


@pytest.fixture
def answer():
    return nordvik(QUESTION, "gnn_ret", "nordvik")


def names(drawing, ids):
    return [drawing.find_node(id)["name"] for id in ids]


def test_the_path_runs_from_the_question_to_the_cited_passage(answer):
    drawing = build_path_drawing(answer, list_citations(answer)[2])
    assert names(drawing, drawing.path) == [
        "Question", "Passage [1]", "Halcyon Turbines", "Passage [2]", "Skagen Wind Farm", "Passage [3]",
    ]  # fmt: skip
    spine = [(edge["source"], edge["target"]) for edge in drawing.edges]
    assert all(pair in spine for pair in zip(drawing.path, drawing.path[1:], strict=False))


def test_every_passage_of_the_path_has_its_page_and_document(answer):
    source = list_citations(answer)[2]
    drawing = build_path_drawing(answer, source)
    evidence = source.citation.evidence
    page = page_id(evidence.document_id, 1)
    assert drawing.find_node(page)["name"] == "p. 1"
    ends = {(edge["source"], edge["target"]): edge["label"] for edge in drawing.edges}
    assert ends[evidence.id, page] == "is on"
    assert ends[page, evidence.document_id] == "is in"
    assert drawing.find_node(evidence.document_id)["name"] == "loan-agreement.pdf"


def test_every_edge_connects_two_nodes_and_ids_are_unique(answer):
    for source in (*list_citations(answer), *list_evidence(answer.retrieval)):
        drawing = build_path_drawing(answer, source)
        ids = [node["id"] for node in drawing.nodes]
        assert len(ids) == len(set(ids))
        assert {end for edge in drawing.edges for end in (edge["source"], edge["target"])} <= set(ids)


def test_an_uncertain_triple_is_named_only_by_labels_that_are_given(answer):
    source = list_citations(answer)[0]
    evidence = source.citation.evidence
    triple = Node("r1", "triple", "Orre owns it", 0.41)
    path = EvidencePath(evidence.id, triple, (PathStep(triple, "STATES", Node(evidence.id, "passage")),))
    source = replace(source, citation=replace(source.citation, path=path))
    known = label_uncertain_triples(answer.retrieval, [path])
    assert names(build_path_drawing(answer, source), ["r1"]) == ["uncertain statement"]
    assert names(build_path_drawing(answer, source, known), ["r1"]) == ["Orre owns it (uncertain)"]
    assert describe_path(path, {})[0] == "Search found triple “uncertain statement”."


def test_evidence_without_a_path_is_connected_to_the_question(answer):
    drawing = build_path_drawing(answer, list_evidence(answer.retrieval)[3])
    assert drawing.path == ("question", "hostile")
    assert drawing.edges[0] == {"source": "question", "target": "hostile", "label": "found by search"}
    assert drawing.find_node("hostile")["name"] == "Passage, rank 4"


def test_a_path_that_starts_at_an_entity_is_named_by_the_question(answer):
    evidence = list_citations(answer)[2].citation.evidence
    entity, passage = Node("skagen", "entity", "Skagen Wind Farm"), Node(evidence.id, "passage")
    path = EvidencePath(evidence.id, entity, (PathStep(entity, "ABOUT", passage),))
    drawing = build_path_drawing(answer, AnswerSource("9", Citation(evidence, "x", 0, 1, path)))
    assert drawing.edges[0] == {"source": "question", "target": "skagen", "label": "names"}
    assert describe_path(path, {})[0] == "The question names entity “Skagen Wind Farm”."


def test_evidence_of_a_format_without_pages_is_connected_to_its_document(answer):
    evidence = Evidence("x", "passage", 1.0, "text", document="notes.md", document_id="doc")
    drawing = build_path_drawing(answer, AnswerSource("1", Citation(evidence, "text", 0, 4)))
    assert ("x", "doc") in {(edge["source"], edge["target"]) for edge in drawing.edges}
    assert not [node for node in drawing.nodes if node["kind"] == "page"]


def test_a_table_is_named_by_its_number(answer):
    [first, *_] = answer.retrieval.evidence
    table = replace(first, kind="table", number="2")
    drawing = build_path_drawing(answer, AnswerSource("9", Citation(table, "x", 0, 1)))
    assert (drawing.find_node(table.id)["kind"], drawing.find_node(table.id)["name"]) == ("table", "Passage [1]")
    alone = replace(answer, sentences=(), retrieval=replace(answer.retrieval, evidence=(table,)))
    assert build_path_drawing(alone, list_evidence(alone.retrieval)[0]).find_node(table.id)["name"] == "Table 2, rank 1"


def test_the_context_has_the_entities_connected_to_most_of_the_path(answer):
    drawing = build_path_drawing(answer, list_citations(answer)[2])
    first, second, third = (id for id in drawing.path if id in drawing.evidence)
    entities = tuple(Node(f"e{n}", "entity", f"Entity {n}") for n in range(12))
    edges = [(first, "MENTIONS", f"e{n}") for n in range(12)] + [(second, "MENTIONS", "e7"), (third, "ABOUT", "e7")]
    fuller = add_context(drawing, [Neighbourhood(entities, tuple(edges), len(edges))], limit=3)
    added = [node for node in fuller.nodes if node.get("role") == "context"]
    assert [node["name"] for node in added] == ["Entity 7", "Entity 0", "Entity 1"]
    assert fuller.path == drawing.path
    assert {edge["label"] for edge in fuller.edges if edge.get("role")} == {"mentions", "about"}


def test_the_context_excludes_entities_of_the_path(answer):
    drawing = build_path_drawing(answer, list_citations(answer)[2])
    around = Neighbourhood(
        (Node("halcyon", "entity", "Halcyon Turbines"),), ((drawing.path[1], "MENTIONS", "halcyon"),), 1
    )
    assert add_context(drawing, [around]) == drawing


def test_additional_evidence_is_drawn_and_listed_after_retrieved_evidence(answer):
    beside = look_up_third_source(answer)
    assert build_path_drawing(beside, list_citations(beside)[2]) == replace(
        build_path_drawing(answer, list_citations(answer)[2]),
        evidence=build_path_drawing(beside, list_citations(beside)[2]).evidence,
    )
    assert [source.title for source in list_evidence(beside)][-1] == "loan-agreement.pdf · p. 1 · Holdings"
    assert find_source(beside, "e4").citation.path == list_citations(beside)[2].citation.path
    alone = replace(beside, sentences=())
    assert (
        build_path_drawing(alone, list_evidence(alone)[3]).find_node(list_evidence(alone)[3].citation.evidence.id)[
            "name"
        ]
        == "Passage"
    )


def test_sources_are_the_citations_and_every_evidence(answer):
    assert [source.key for source in list_citations(answer)] == ["1", "2", "3"]
    assert [source.key for source in list_evidence(answer.retrieval)] == ["e1", "e2", "e3", "e4"]
    assert find_source(answer, "e2").citation.quote == answer.retrieval.evidence[1].text
    assert find_source(answer, "no such key").key == "1"
    assert [source.key for source in list_siblings(answer, "e2")] == ["e1", "e2", "e3", "e4"]
    assert find_source(replace(answer, sentences=(), retrieval=replace(answer.retrieval, evidence=())), "1") is None


def test_a_statement_without_a_verified_quote_is_not_counted_as_supported(answer):
    assert count_supported(answer) == 2


def test_the_path_of_an_evidence_graph_is_its_longest_chain(answer):
    first, second, third = answer.retrieval.evidence[:3]
    nodes = tuple(Node(evidence.id, evidence.kind) for evidence in (first, second, third))
    edges = (("", first.id), ("", second.id), (second.id, third.id))
    answer = replace(answer, retrieval=replace(answer.retrieval, graph=EvidenceGraph(nodes, edges)))
    drawing = build_graph_drawing(answer)
    assert drawing.path == ("question", second.id, third.id)
    assert {node["id"] for node in drawing.nodes} == {"question", first.id, second.id, third.id}
    labels = {(edge["source"], edge["target"]): edge["label"] for edge in drawing.edges}
    assert labels == {
        ("question", first.id): "asks for", ("question", second.id): "asks for", (second.id, third.id): "leads to",
    }  # fmt: skip
    assert drawing.find_node(third.id)["name"].startswith("Passage")


def test_without_an_evidence_graph_the_drawing_is_empty(answer):
    drawing = build_graph_drawing(answer)
    assert (drawing.nodes, drawing.edges, drawing.path) == ((), (), ())
