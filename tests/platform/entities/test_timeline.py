"""The timeline of an entity: which dates count, their order, and what states them."""

from __future__ import annotations

import pytest

from hopline.entities.timeline import build_timeline
from hopline.graph_explorer import GraphExplorer
from hopline.records import Triple
from hopline.results import Evidence
from hopline.store.collection_catalog import CollectionCatalog


def make_passage(*sentences, id="p"):
    spans, text = [], ""
    for sentence in sentences:
        start = len(text) + bool(text)
        text = f"{text} {sentence}".strip()
        spans.append((start, len(text)))
    return Evidence(id, "passage", 0.0, text, sentences=tuple(spans))


def read(*sentences, triples=()):
    passage = make_passage(*sentences)
    starts = [
        passage.text.index("Petrel", start) for start, end in passage.sentences if "Petrel" in passage.text[start:end]
    ]
    mentions = {"p": [(start, start + 6) for start in starts]}
    return build_timeline([passage], mentions, triples, limit=40)


def dates(*sentences, triples=()):
    return [statement.date for statement in read(*sentences, triples=triples)]


def test_sentences_that_mention_the_entity_are_ordered_by_their_dates():
    assert dates(
        "The Petrel sank on 3 May 1931.",
        "It was raised in 1930.",
        "The Petrel was built in 1911.",
        "In May 1931 the Petrel left.",
        "Petrel stones were set in 44 BC.",
    ) == ["44 BC", "1911", "1931-05", "1931-05-03"]


@pytest.mark.parametrize(
    "sentence",
    [
        "The Petrel carries 1500 boxes.",
        "The Plan 2030 names the Petrel.",
        "The Petrel costs $1931.",
        "The Petrel sails on 5 May.",
        "The Petrel has 1,931 seats.",
    ],
)
def test_a_number_or_a_name_is_no_date(sentence):
    assert dates(sentence) == []


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The Petrel served from 1911 to 1931.", ["1911", "1931"]),
        ("The Petrel (1911–1931) was a ferry.", ["1911", "1931"]),
        ("The Petrel was rebuilt in the spring of 1920.", ["1920"]),
        ("Signed 05/12/2019 aboard the Petrel.", ["2019"]),
        ("The Petrel, built in 1911, was painted in 1911.", ["1911"]),
    ],
)
def test_years_beside_words_of_time_are_dates(sentence, expected):
    assert dates(sentence) == expected


def test_the_span_marks_the_date():
    [statement] = read("The  Petrel\nwas built in\n1911.")
    assert statement.text == "The Petrel was built in 1911."
    assert statement.text[slice(*statement.span)] == "1911"
    assert (statement.evidence, statement.triple) == ("p", "")


def test_triples_are_dated_by_predicate_and_object_unless_their_sentence_is_there():
    triples = [
        Triple("t1", "Petrel", "was built in", "1911", "p"),
        Triple("t2", "Petrel", "2022", "104,900", "t"),
        Triple("t3", "Petrel", "Built", "1911", "t"),
        Triple("t4", "Petrel", "Passengers", "1950", "t"),
        Triple("t5", "Plan of 1999", "names", "Petrel", "t"),
    ]
    statements = read("The Petrel was built in 1911.", triples=triples)
    assert [(statement.date, statement.triple) for statement in statements] == [
        ("1911", "t3"),
        ("1911", ""),
        ("2022", "t2"),
    ]
    assert statements[-1].text[slice(*statements[-1].span)] == "2022"


def test_a_sentence_of_two_overlapping_passages_is_there_once():
    passages = [make_passage("The Petrel was built in 1911.", id=id) for id in ("p", "q")]
    mentions = {"p": [(4, 10)], "q": [(4, 10)]}
    assert len(build_timeline(passages, mentions, (), limit=40)) == 1
    assert build_timeline(passages, mentions, (), limit=0) == ()


def test_the_details_of_an_entity_have_documents_timeline_and_sources(tiny):
    graph = tiny()
    text = "The Petrel was built in 1911."
    graph.passage("a", text, [1, 0, 0, 0])
    graph.passage("b", "The Petrel is blue.", [1, 0, 0, 0], "two.pdf")
    graph.table("t", "1", "Petrel | 104,900", [0, 0, 0, 1], "two.pdf")
    petrel = graph.entity_at("Petrel", {"a": [4, 10], "b": [4, 10], "t": [0, 6]})
    graph.triple("t", "Petrel", "2022", "104,900", [1, 0, 0, 0])
    explorer = GraphExplorer(graph.store, CollectionCatalog(graph.store))
    details = explorer.get_node(petrel)
    assert [(document.name, document.passages) for document in details.documents] == [("two.pdf", 2), ("one.pdf", 1)]
    assert [(item.date, item.evidence) for item in details.timeline] == [
        ("1911", graph.id("a")),
        ("2022", graph.id("t")),
    ]
    assert {item.id for item in details.sources} == {graph.id("a"), graph.id("t")}
    graph.remove("one.pdf")
    left = explorer.get_node(petrel)
    assert [document.name for document in left.documents] == ["two.pdf"]
    assert [item.date for item in left.timeline] == ["2022"]
    passage = explorer.get_node(graph.id("b"))
    assert (passage.documents, passage.timeline, passage.sources) == ((), (), ())
