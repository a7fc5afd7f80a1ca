"""A page of a document with its evidence and entities, and search within a document."""

from __future__ import annotations

from typing import Any

import pytest

from hopline.documents.pages import MAX_EVIDENCE, find_text, match_texts, order_evidence, read_page
from hopline.errors import UnknownName
from hopline.ids import document_id
from hopline.records import Box
from hopline.results import Evidence


def test_tables_and_figures_are_behind_the_passages_of_their_section() -> None:
    rows = [
        ["p1", "passage", ["1 Output"]],
        ["p2", "passage", ["1 Output"]],
        ["p3", "passage", ["2 Costs"]],
        ["t1", "table", ["1 Output"]],
        ["t2", "table", ["3 Notes"]],
        ["f1", "figure", ["1 Output"]],
    ]
    assert order_evidence(rows) == ["p1", "p2", "t1", "f1", "p3", "t2"]


def test_a_page_has_its_evidence_and_the_entities_of_it(tiny: Any) -> None:
    graph = tiny()
    graph.passage("a", "Ingrid Vale drew it.", [1, 0, 0, 0], "plan.pdf", 2, 3)
    graph.table("t", "2", "Vale 7", [0, 0, 1, 0], "plan.pdf", 2, 3)
    graph.passage("b", "Ingrid Vale left.", [1, 0, 0, 0], "plan.pdf", 3, 3)
    graph.passage("x", "Ingrid Vale sang.", [1, 0, 0, 0], "other.pdf", 2, 3)
    graph.entity("Ingrid Vale", "a", "b", "x", spans=(0, 11))
    document = document_id(graph.collection, "plan.pdf")
    page = read_page(graph.store, document, 2)
    assert graph.keys([item.id for item in page.evidence]) == ["a", "t"]
    [mention] = page.mentions
    assert (mention.evidence, mention.name, mention.type, mention.spans) == (
        graph.id("a"),
        "Ingrid Vale",
        "person",
        ((0, 11),),
    )
    with pytest.raises(UnknownName, match="page"):
        read_page(graph.store, document, 4)


def test_a_long_page_is_read_in_parts(tiny: Any) -> None:
    graph = tiny()
    for n in range(MAX_EVIDENCE + 3):
        graph.passage(f"p{n:03}", f"Line {n}.", [1, 0, 0, 0], "long.txt")
    document = document_id(graph.collection, "long.txt")
    first = read_page(graph.store, document, 1)
    assert (len(first.evidence), first.start, first.total) == (MAX_EVIDENCE, 0, MAX_EVIDENCE + 3)
    last = read_page(graph.store, document, 1, around=graph.id("p041"))
    assert graph.keys([item.id for item in last.evidence]) == ["p040", "p041", "p042"]
    assert last.start == MAX_EVIDENCE
    assert read_page(graph.store, document, 1, around=graph.id("p000")) == first


def test_a_text_is_found_in_one_document_whatever_its_case_and_accents(tiny: Any) -> None:
    graph = tiny()
    graph.passage("b", "On page two, ZURICH is large.", [1, 0, 0, 0], "plan.pdf", 2, 3)
    graph.passage("a", "The road to\nZürich is long, Zürich is far.", [1, 0, 0, 0], "plan.pdf", 1, 3)
    graph.passage("x", "Zürich.", [1, 0, 0, 0], "other.pdf")
    document = document_id(graph.collection, "plan.pdf")
    matches = find_text(graph.store, document, "zurich", 10)
    assert [(match.page, match.text) for match in matches] == [(1, "Zürich"), (1, "Zürich"), (2, "ZURICH")]
    assert (matches[0].before, matches[0].after) == ("The road to ", " is long, Zürich is far.")
    assert len(find_text(graph.store, document, "zurich", 2)) == 2
    assert find_text(graph.store, document, "to zurich", 10)[0].text == "to\nZürich"
    for text in (" ", ".*", "(", "\\", "rome"):
        assert find_text(graph.store, document, text, 10) == ()


def test_the_line_around_a_match_in_a_table_has_no_markup() -> None:
    text = "| Port | Ships |\n| --- | --- |\n| Halm | 12 |\n| Orre | 9 |"
    [match] = match_texts([Evidence("t", "table", 0.0, text)], "halm", 9)
    assert (match.before, match.text, match.after) == (" · Port · Ships · ", "Halm", " · 12 · Orre · 9 · ")


def test_a_match_is_on_the_page_of_its_line() -> None:
    boxes = (Box(4, 0, 700, 90, 710), Box(5, 0, 70, 90, 80))
    text = "First line\nsecond line"
    evidence = Evidence(
        "e", "passage", 0.0, text, pages=(4, 5), boxes=boxes, lines=((0, 10), (11, 22)), page_labels=("ii", "iii")
    )
    assert [(match.page, match.label) for match in match_texts([evidence], "line", 9)] == [(4, "ii"), (5, "iii")]
