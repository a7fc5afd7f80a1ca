"""An answer's path as nodes and edges, checked by hand on the canned graph."""

from __future__ import annotations

from dataclasses import replace

import pytest
from canned import QUESTION, looked_up, nordvik

from hopline.client import Neighbourhood
from hopline.ids import page_id
from hopline.types import Citation, Evidence, EvidenceGraph, EvidencePath, Node, Step
from hopline_ui.formatting import path_lines
from hopline_ui.path_graph import add_context, draw_graph, draw_path
from hopline_ui.sources import Source, backed, chosen, cited, family, found


@pytest.fixture
def answer():
    return nordvik(QUESTION, "gnn_ret", "nordvik")


def names(drawing, ids):
    return [drawing.node(id)["name"] for id in ids]


def test_the_path_runs_from_the_question_to_the_cited_passage(answer):
    drawing = draw_path(answer, cited(answer)[2])
    assert names(drawing, drawing.path) == [
        "Question", "Passage [1]", "Halcyon Turbines", "Passage [2]", "Skagen Wind Farm", "Passage [3]",
    ]  # fmt: skip
    spine = [(edge["source"], edge["target"]) for edge in drawing.edges]
    assert all(pair in spine for pair in zip(drawing.path, drawing.path[1:], strict=False))


def test_every_passage_of_the_path_stands_on_its_page_and_document(answer):
    source = cited(answer)[2]
    drawing = draw_path(answer, source)
    evidence = source.citation.evidence
    page = page_id(evidence.document_id, 1)
    assert drawing.node(page)["name"] == "p. 1"
    ends = {(edge["source"], edge["target"]): edge["label"] for edge in drawing.edges}
    assert ends[evidence.id, page] == "is on"
    assert ends[page, evidence.document_id] == "is in"
    assert drawing.node(evidence.document_id)["name"] == "loan-agreement.pdf"


def test_every_edge_joins_two_nodes_that_are_drawn_and_no_id_twice(answer):
    for source in (*cited(answer), *found(answer.retrieval)):
        drawing = draw_path(answer, source)
        ids = [node["id"] for node in drawing.nodes]
        assert len(ids) == len(set(ids))
        assert {end for edge in drawing.edges for end in (edge["source"], edge["target"])} <= set(ids)


def test_evidence_without_a_path_is_drawn_as_found_directly(answer):
    drawing = draw_path(answer, found(answer.retrieval)[3])
    assert drawing.path == ("question", "hostile")
    assert drawing.edges[0] == {"source": "question", "target": "hostile", "label": "found by search"}
    assert drawing.node("hostile")["name"] == "Passage, rank 4"


def test_a_path_that_begins_at_an_entity_says_that_the_question_names_it(answer):
    evidence = cited(answer)[2].citation.evidence
    entity, passage = Node("skagen", "entity", "Skagen Wind Farm"), Node(evidence.id, "passage")
    path = EvidencePath(evidence.id, entity, (Step(entity, "ABOUT", passage),))
    drawing = draw_path(answer, Source("9", Citation(evidence, "x", 0, 1, path)))
    assert drawing.edges[0] == {"source": "question", "target": "skagen", "label": "names"}
    assert path_lines(path, {})[0] == "The question names entity “Skagen Wind Farm”."


def test_evidence_of_a_format_without_pages_stands_on_its_document(answer):
    evidence = Evidence("x", "passage", 1.0, "text", document="notes.md", document_id="doc")
    drawing = draw_path(answer, Source("1", Citation(evidence, "text", 0, 4)))
    assert ("x", "doc") in {(edge["source"], edge["target"]) for edge in drawing.edges}
    assert not [node for node in drawing.nodes if node["kind"] == "page"]


def test_a_table_is_named_by_its_number(answer):
    [first, *_] = answer.retrieval.evidence
    table = replace(first, kind="table", number="2")
    drawing = draw_path(answer, Source("9", Citation(table, "x", 0, 1)))
    assert (drawing.node(table.id)["kind"], drawing.node(table.id)["name"]) == ("table", "Passage [1]")
    alone = replace(answer, sentences=(), retrieval=replace(answer.retrieval, evidence=(table,)))
    assert draw_path(alone, found(alone.retrieval)[0]).node(table.id)["name"] == "Table 2, rank 1"


def test_the_context_is_what_ties_most_of_the_path_together(answer):
    drawing = draw_path(answer, cited(answer)[2])
    one, two, three = (id for id in drawing.path if id in drawing.evidence)
    entities = tuple(Node(f"e{n}", "entity", f"Entity {n}") for n in range(12))
    edges = [(one, "MENTIONS", f"e{n}") for n in range(12)] + [(two, "MENTIONS", "e7"), (three, "ABOUT", "e7")]
    fuller = add_context(drawing, [Neighbourhood(entities, tuple(edges), len(edges))], limit=3)
    added = [node for node in fuller.nodes if node.get("role") == "context"]
    assert [node["name"] for node in added] == ["Entity 7", "Entity 0", "Entity 1"]
    assert fuller.path == drawing.path
    assert {edge["label"] for edge in fuller.edges if edge.get("role")} == {"mentions", "about"}


def test_the_context_does_not_repeat_what_is_on_the_path(answer):
    drawing = draw_path(answer, cited(answer)[2])
    around = Neighbourhood(
        (Node("halcyon", "entity", "Halcyon Turbines"),), ((drawing.path[1], "MENTIONS", "halcyon"),), 1
    )
    assert add_context(drawing, [around]) == drawing


def test_what_was_looked_up_for_an_answer_is_drawn_and_listed_behind_what_was_found(answer):
    beside = looked_up(answer)
    assert draw_path(beside, cited(beside)[2]) == replace(
        draw_path(answer, cited(answer)[2]), evidence=draw_path(beside, cited(beside)[2]).evidence
    )
    assert [source.title for source in found(beside)][-1] == "loan-agreement.pdf · p. 1 · Holdings"
    assert chosen(beside, "e4").citation.path == cited(beside)[2].citation.path
    alone = replace(beside, sentences=())
    assert draw_path(alone, found(alone)[3]).node(found(alone)[3].citation.evidence.id)["name"] == "Passage"


def test_sources_are_the_citations_and_every_evidence(answer):
    assert [source.key for source in cited(answer)] == ["1", "2", "3"]
    assert [source.key for source in found(answer.retrieval)] == ["e1", "e2", "e3", "e4"]
    assert chosen(answer, "e2").citation.quote == answer.retrieval.evidence[1].text
    assert chosen(answer, "no such key").key == "1"
    assert [source.key for source in family(answer, "e2")] == ["e1", "e2", "e3", "e4"]
    assert chosen(replace(answer, sentences=(), retrieval=replace(answer.retrieval, evidence=())), "1") is None


def test_a_statement_without_a_checked_quote_is_not_counted_as_backed(answer):
    assert backed(answer) == 2


def test_an_evidence_graph_has_its_longest_chain_in_a_row(answer):
    first, second, third = answer.retrieval.evidence[:3]
    nodes = tuple(Node(one.id, one.kind) for one in (first, second, third))
    edges = (("", first.id), ("", second.id), (second.id, third.id))
    answer = replace(answer, retrieval=replace(answer.retrieval, graph=EvidenceGraph(nodes, edges)))
    drawing = draw_graph(answer)
    assert drawing.path == ("question", second.id, third.id)
    assert {node["id"] for node in drawing.nodes} == {"question", first.id, second.id, third.id}
    labels = {(edge["source"], edge["target"]): edge["label"] for edge in drawing.edges}
    assert labels == {
        ("question", first.id): "asks for", ("question", second.id): "asks for", (second.id, third.id): "then",
    }  # fmt: skip
    assert drawing.node(third.id)["name"].startswith("Passage")


def test_without_an_evidence_graph_nothing_is_drawn(answer):
    drawing = draw_graph(answer)
    assert (drawing.nodes, drawing.edges, drawing.path) == ((), (), ())
