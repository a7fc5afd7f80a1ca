"""Correction of a passage on the page: the form, the mark, the original, undo."""

from __future__ import annotations

from dataclasses import replace

import pytest
from nordvik import FACTS, QUESTION, change_answers

from hopline.errors import UsageError
from hopline.graph_explorer import NodeDetails
from hopline.records import Correction, Triple
from hopline.results import Citation, Node, PathStep
from hopline.results.evidence import add_correction
from hopline.tables.grid import render_table
from hopline_ui.session.state import KEY

NORDVIK = {"q": QUESTION, "collection": "nordvik", "strategy": "gnn_ret"}
FACT = FACTS["permit-file.pdf"]


def press(page, key):
    return page.button(key=key).click().run()


@pytest.fixture
def mark_evidence(hop):
    """Marks the first evidence of every answer as corrected, as it is after a correction."""

    def change(answer):
        before = answer.retrieval.evidence[0]
        after = add_correction(before, "k1", "Management <expects> a loss.", "Ada", 1.7e9)
        sentences = tuple(
            replace(
                sentence,
                citations=tuple(
                    replace(item, evidence=after) if item.evidence == before else item for item in sentence.citations
                ),
            )
            for sentence in answer.sentences
        )
        evidence = (after, *answer.retrieval.evidence[1:])
        return replace(answer, sentences=sentences, retrieval=replace(answer.retrieval, evidence=evidence))

    change_answers(hop, change)
    hop.state.corrections = {"k1": None}


def test_a_corrected_text_is_saved_with_the_name_and_the_question_is_asked_again(open_page, hop, page_text):
    page = press(open_page(**NORDVIK), "correct 1")
    text = page.text_area(key="corrected text")
    assert text.value.endswith(FACT)
    assert "As it was read from the document" in [expander.label for expander in page.expander]
    text.set_value("Nordvik Energy AS acquired Halcyon Turbines in 2023.")
    page.text_input(key="correction author").set_value("Ada")
    page = press(page, "save correction")
    [call] = hop.state.calls_of("corrections.correct_passage")
    assert call["text"] == "Nordvik Energy AS acquired Halcyon Turbines in 2023."
    assert call["author"] == "Ada"
    assert page.session_state[KEY].author == "Ada"
    page.run()
    assert len(hop.state.calls_of("ask")) == 2, "the answer quoted the earlier text"


def test_an_error_is_shown_in_the_form(open_page, hop, page_text):
    page = press(open_page(**NORDVIK), "correct 1")
    hop.state.error = UsageError("the document is being parsed again")
    page = press(page, "save correction")
    assert page.session_state[KEY].correction_error == "the document is being parsed again"


def test_a_corrected_place_has_a_mark_the_original_and_undo(open_page, hop, page_text, mark_evidence):
    page = open_page(**NORDVIK)
    assert "Corrected by Ada, 2023-11-1" in page_text(page)
    assert "permit\\-file\\.pdf · p\\. 1 · Holdings · corrected" in page_text(page)
    assert "a loss" not in page_text(page)
    page.toggle(key="original 1").set_value(True).run()
    assert "Management &lt;expects&gt; a loss." in page_text(page)
    press(page, "undo correction 1")
    assert [call["correction"] for call in hop.state.calls_of("corrections.undo")] == ["k1"]
    assert len(hop.state.calls_of("ask")) == 2


def test_a_source_that_was_not_corrected_has_no_mark(open_page, page_text, mark_evidence):
    page = open_page(**NORDVIK, source="2")
    assert "Corrected by" not in page_text(page)
    assert page.button(key="correct 2").label == "Correct"


def test_a_passage_of_the_graph_can_be_corrected(open_page, hop):
    page = open_page("explore", node="p1")
    [button] = [button for button in page.button if str(button.key).startswith("correct 0")]
    page = button.click().run()
    page.text_area(key="corrected text").set_value("New.")
    press(page, "save correction")
    assert hop.state.calls_of("corrections.correct_passage")


@pytest.fixture
def with_table(hop):
    """Makes the first evidence of every answer a table, which all its citations quote."""
    cells = (("Port", "Output"), ("Halm", "l2"), ("Orre", "7"))
    text = f"Table 1: Ports\n{render_table(cells)[0]}"

    def change(answer):
        first = answer.retrieval.evidence[0]
        table = replace(first, kind="table", caption="Table 1: Ports", cells=cells, text=text, lines=(), sentences=())
        citation = Citation(table, "l2", text.index("l2"), text.index("l2") + 2)
        sentences = (replace(answer.sentences[0], citations=(citation,)),)
        evidence = (table, *answer.retrieval.evidence[1:])
        return replace(answer, sentences=sentences, retrieval=replace(answer.retrieval, evidence=evidence))

    change_answers(hop, change)
    return cells


def test_the_caption_and_the_header_of_a_table_are_corrected_with_its_cells(open_page, hop, with_table):
    page = press(open_page(**NORDVIK), "correct 1")
    assert page.text_input(key="corrected caption").value == "Table 1: Ports"
    assert page.number_input(key="corrected header rows").value == 1
    page.text_input(key="corrected caption").set_value("Table 2: Ports")
    page.number_input(key="corrected header rows").set_value(2)
    press(page, "save correction")
    [call] = hop.state.calls_of("corrections.correct_table")
    assert (call["caption"], call["header_rows"]) == ("Table 2: Ports", 2)
    assert call["cells"] == [[*row] for row in with_table]


def test_the_name_and_the_type_of_an_entity_are_corrected_in_its_details(open_page, hop):
    page = press(open_page("explore", node="halcyon"), "correct entity")
    assert page.text_input(key="corrected name").value == "Halcyon Turbines"
    assert page.selectbox(key="corrected type").value == "organisation"
    page.text_input(key="corrected name").set_value("Halcyon Turbines AS")
    page.selectbox(key="corrected type").set_value("product")
    page.text_input(key="correction author").set_value("Ada")
    page = press(page, "save correction")
    [call] = hop.state.calls_of("corrections.correct_entity")
    assert call == {"entity": "halcyon", "name": "Halcyon Turbines AS", "type": "product", "author": "Ada"}
    assert page.query_params["node"] in ("halcyon", ["halcyon"]), "its details stay open"


def test_a_corrected_entity_has_a_mark_and_undo(open_page, hop, page_text):
    show_details = hop.state.details
    corrected = Correction(
        "k1", "entity", "", "Halcyon <T> (place)", "Halcyon", author="Ada", at=1.7e9, entity="halcyon"
    )
    hop.state.details = lambda node: replace(show_details(node), correction=corrected)
    hop.state.corrections = {"k1": corrected}
    page = open_page("explore", node="halcyon")
    assert "Corrected by Ada, 2023-11-1" in page_text(page)
    assert "it was Halcyon &lt;T&gt; (place)" in page_text(page)
    press(page, "undo entity correction")
    assert hop.state.corrections == {}


def test_a_wrong_statement_is_left_out_with_all_triples_that_state_it(open_page, hop):
    page = press(open_page("explore", node="halcyon"), "reject t1")
    page.text_input(key="correction author").set_value("Ada")
    page = press(page, "save rejection")
    assert not page.exception
    assert hop.state.calls_of("corrections.reject_triple") == [
        {"triple": "t1", "author": "Ada"},
        {"triple": "t2", "author": "Ada"},
    ]
    assert "You can undo it" in page.toast[0].value
    assert page.query_params["node"] in ("halcyon", ["halcyon"]), "its details stay open"


def test_a_wrong_statement_of_an_evidence_path_is_left_out(open_page, hop, page_text):
    triple = Triple("t1", "Nordvik <b>", "acquired", "Halcyon", "p1")
    node = Node("t1", "triple", "Nordvik acquired Halcyon")
    hop.state.details = lambda id: NodeDetails(replace(node, id=id), triples=(triple,))

    def change(answer):
        path = answer.retrieval.paths[0]
        step = PathStep(path.seed, "STATES", node)
        changed = replace(path, steps=(step, PathStep(node, "SUBJECT", Node("halcyon", "entity", "Halcyon"))))
        citation = replace(answer.sentences[0].citations[0], path=changed)
        sentence = replace(answer.sentences[0], citations=(citation,))
        retrieval = replace(answer.retrieval, paths=(changed, *answer.retrieval.paths[1:]))
        return replace(answer, sentences=(sentence,), retrieval=retrieval)

    change_answers(hop, change)
    page = open_page("ask", **NORDVIK)
    page.session_state["evidence path"] = {"selected": "t1"}
    page = press(page.run(), "reject node t1")
    assert "<b>Nordvik &lt;b&gt;</b> acquired <b>Halcyon</b>" in page_text(page)
    questions = len(hop.state.calls_of("ask"))
    page = press(page, "save rejection")
    assert not page.exception
    assert [call["triple"] for call in hop.state.calls_of("corrections.reject_triple")] == ["t1"]
    assert len(hop.state.calls_of("ask")) == questions + 1, "the question is asked again"


def test_the_corrections_of_a_document_are_listed_in_its_view_with_those_that_no_longer_apply(
    open_page, hop, page_text
):
    document = next(item for item in hop.state.documents["nordvik"] if item.name == "permit-file.pdf")
    lost = Correction(
        "k1", "passage", "", "A <loss>", "A gain", document.name, document.id, (2,), author="Ada", at=1.7e9
    )
    wrong = Correction("k2", "triple", "p", "Halm owns Orre", "", document.name, document.id, (1,), at=1.7e9)
    hop.state.corrections = {"k1": lost, "k2": wrong}
    page = open_page("documents")
    [button] = [item for item in page.button if item.label == "Open" and document.id in str(item.key)]
    page = button.click().run()
    text = page_text(page)
    assert "p\\. 2 · Corrected by Ada\\, 2023\\-11\\-1" in text
    assert "no longer applies" in text
    assert "A &lt;loss&gt;" in text
    assert "<b>Wrong statement, left out:</b> Halm owns Orre" in text
    page = press(page, "undo listed k1")
    press(page, "undo listed k2")
    assert hop.state.corrections == {}
