"""The view of a document without a browser: pages, contents, search, marks, and the ways to the graph and back."""

from __future__ import annotations

import pytest
from nordvik import FACTS, HOSTILE, QUESTION, evidence_of

from hopline.documents.outline import OutlineItem
from hopline.documents.pages import DocumentPage, EntityMention
from hopline.records import BibliographicEntry, Box
from hopline.results import Evidence
from hopline.testing import make_document
from hopline_ui.document_address import DocumentAddress
from hopline_ui.markup import mark_html
from hopline_ui.page_images import render_document_page
from hopline_ui.page_marks import ENTITY_COLOURS, mark_entities, mark_opened, select_boxes

PERMIT = make_document("nordvik", "permit-file.pdf")
TEXT = make_document("nordvik", HOSTILE)
FACT = FACTS["permit-file.pdf"]
PASSAGE = evidence_of("nordvik", "permit-file.pdf", FACT, score=0.0)


@pytest.fixture
def open_view(open_page):
    """``open_view(PERMIT, page=2)`` opens a document at an address."""
    return lambda document, **query: open_page(
        "documents", document=document.id, **{name: str(value) for name, value in query.items()}
    )


@pytest.fixture(autouse=True)
def _no_cached_pictures():
    render_document_page.clear()


def press(page, key):
    page = page.button(key=key).click().run()
    assert not page.exception
    return page


def read_address(page):
    return {name: value if isinstance(value, str) else value[0] for name, value in page.query_params.items()}


def list_rendered(hop):
    """Return page, boxes and colours of each picture that was rendered."""
    return [
        (call["page"], list(call["boxes"]), list(call["colours"]))
        for call in hop.state.calls_of("documents.render_page")
    ]


@pytest.mark.parametrize(
    ("query", "address"),
    [
        ({"document": "d"}, DocumentAddress("d")),
        ({"document": "d", "page": "3", "passage": "p", "span": "4-9"}, DocumentAddress("d", 3, "p", (4, 9))),
        ({"document": "d", "page": "0", "span": "x", "from": "40"}, DocumentAddress("d", 1, start=40)),
        ({"document": "d", "page": "-2", "span": "3"}, DocumentAddress("d")),
        ({"page": "3"}, None),
    ],
)
def test_an_address_is_read_from_the_query(query, address):
    assert DocumentAddress.from_parameters(query) == address
    if address is not None:
        assert DocumentAddress.from_parameters(address.to_parameters()) == address


def test_a_document_opens_from_the_list_at_its_first_page(open_page, hop):
    page = open_page("documents")
    lists = len(hop.state.calls_of("documents.list"))
    page = press(page, f"open {PERMIT.id}")
    assert read_address(page) == {"document": PERMIT.id, "page": "1"}
    assert page.subheader[0].value == "permit\\-file\\.pdf"
    assert [button.proto.label for button in page.get("download_button")] == ["Download"]
    assert hop.state.calls_of("documents.outline") == [], "the contents are read when they are opened"
    assert len(hop.state.calls_of("documents.list")) == lists, "the list is not read again"
    page = press(page, "all documents")
    assert read_address(page) == {}
    assert page.subheader[0].value == "5 documents"


def test_pages_are_turned_and_found_by_number_and_printed_label(open_view, hop):
    page = open_view(PERMIT)
    assert page.button(key="previous page").disabled
    page = press(page, "next page")
    assert read_address(page)["page"] == "2"
    assert page.button(key="next page").disabled
    assert "of 2 · printed iv" in [caption.value for caption in page.caption]
    page = page.text_input(key="page number").set_value("iii").run()
    assert read_address(page)["page"] == "1"
    page = page.text_input(key="page number").set_value("xx").run()
    assert [toast.value for toast in page.toast] == ["There is no page “xx”."]
    assert read_address(page)["page"] == "1"


def test_a_number_that_is_printed_on_another_page_is_offered(open_view, hop):
    first, second = hop.state.pages[PERMIT.id]
    hop.state.pages[PERMIT.id] = (first, DocumentPage(second.document, 2, "1", has_image=True))
    page = open_view(PERMIT, page=2).text_input(key="page number").set_value("1").run()
    assert read_address(page)["page"] == "1"
    assert page.button(key="printed page 2").label == "Page printed 1"
    page = press(page, "printed page 2")
    assert read_address(page)["page"] == "2"


def test_a_search_lists_its_matches_and_marks_the_one_that_is_selected(open_view, hop, page_text):
    page = open_view(PERMIT, page=2)
    page = page.text_input(key=f"search {PERMIT.id}").set_value("hálcyon TURBINES").run()
    [button] = [item for item in page.button if str(item.key).startswith("match ")]
    assert "p. 1 · " in button.label
    assert "**Halcyon Turbines**" in button.label
    page = press(page, "match 0")
    start = PASSAGE.text.index("Halcyon")
    assert read_address(page) == {
        "document": PERMIT.id, "page": "1", "passage": PASSAGE.id, "span": f"{start}-{start + 16}",
    }  # fmt: skip
    number, [box], colours = list_rendered(hop)[-1]
    assert (number, colours) == (1, [""])
    assert PASSAGE.boxes[1].x0 < box.x0 < box.x1 < PASSAGE.boxes[1].x1, "only these words of the line"
    assert len(hop.state.calls_of("documents.find_text")) == 1, "a click searches nothing again"
    page = page.text_input(key=f"search {PERMIT.id}").set_value("zzz").run()
    assert "Not found in this document." in page_text(page)


def test_the_contents_open_places(open_view, hop):
    figure = OutlineItem("figure", "Figure 1: The *quay*", 2, "1", "f")
    hop.state.outlines[PERMIT.id] = (OutlineItem("section", "2 Permits", 1, evidence=PASSAGE.id, items=(figure,)),)
    page = open_view(PERMIT)
    page.session_state[f"outline {PERMIT.id}"] = True
    page = page.run()
    contents = [button for button in page.button if str(button.key).startswith("contents ")]
    assert [button.label for button in contents] == ["2 Permits · p. 1", "\u2003▨ Figure 1\\: The \\*quay\\* · p. 2"]
    page = press(page, contents[0].key)
    assert read_address(page) == {"document": PERMIT.id, "page": "1", "passage": PASSAGE.id}
    assert list_rendered(hop)[-1] == (1, list(PASSAGE.boxes), ["", ""])
    page = press(page, f"contents 1 {PERMIT.id}")
    assert read_address(page)["page"] == "2"
    assert len(hop.state.calls_of("documents.outline")) == 1


def test_entities_are_marked_in_the_colours_of_their_types(open_view, hop, page_text):
    page = open_view(PERMIT)
    page = page.toggle(key="mark entities").set_value(True).run()
    assert list_rendered(hop)[-1][2] == [ENTITY_COLOURS["organisation"]]
    assert "organisation 1</li>" in page_text(page)
    page.session_state["page entities"] = True
    page = press(page.run(), "entity halcyon")
    assert read_address(page) == {"node": "halcyon"}


def test_the_citations_of_the_conversation_are_marked(open_page, open_view, hop):
    page = open_page("ask", q=QUESTION, collection="nordvik", strategy="gnn_ret")
    page = press(page, "open source 1")
    assert read_address(page)["document"] == PERMIT.id
    assert not page.toggle(key="mark citations").disabled
    page = press(page, "next page").toggle(key="mark citations").set_value(True).run()
    assert list_rendered(hop)[-1] == (2, [], [])
    page = press(page, f"Cited on 1 {PERMIT.id}")
    assert read_address(page)["page"] == "1"
    assert list_rendered(hop)[-2] == (1, [PASSAGE.boxes[1]], [""])
    assert open_view(PERMIT).toggle(key="mark citations").disabled, "another session has no conversation"


def test_the_values_of_the_card_are_marked(open_view, hop):
    box = Box(1, 72.0, 80.0, 200.0, 92.0)
    entry = BibliographicEntry("authors", "Ada Byron", "Ada Byron", 1, (box,))
    documents = hop.state.documents["nordvik"]
    documents[:] = [make_document("nordvik", "permit-file.pdf", bibliography=(entry,)), *documents[1:]]
    page = open_view(PERMIT)
    page.toggle(key=f"mark {PERMIT.id}").set_value(True).run()
    assert list_rendered(hop)[-1] == (1, [box], [""])


def test_a_document_without_pictures_shows_its_text_with_marks(open_view, hop, page_text):
    page = open_view(TEXT, passage="text", span="0-4")
    text = page_text(page)
    assert '<div class="passage text" dir="auto"><mark>Seen</mark> at sea: &lt;script&gt;' in text
    assert '<p class="section" dir="auto">1 &lt;Start&gt;</p>' in text
    assert ">Skagen</td>" in text
    assert list_rendered(hop) == []
    page = page.toggle(key="mark entities").set_value(True).run()
    assert 'class="entity" style="border-color: #2f9e44' in page_text(page)
    page = press(page, "graph text")
    assert read_address(page) == {"node": "text"}
    assert not page.exception


def test_a_long_text_is_shown_in_parts(open_view, hop):
    [page] = hop.state.pages[TEXT.id]
    hop.state.pages[TEXT.id] = (DocumentPage(page.document, 1, evidence=page.evidence, start=40, total=90),)
    view = open_view(TEXT)
    assert "Passages 41–42 of 90" in [caption.value for caption in view.caption]
    view = press(view, "later text")
    assert hop.state.calls_of("documents.read_page")[-1]["start"] == 42
    assert read_address(view)["from"] == "42"


def test_unknown_documents_and_pages_are_reported(open_page, open_view, hop, page_text):
    page = open_page("documents", document="gone")
    assert "it was deleted" in page_text(page)
    assert not page.exception
    assert read_address(press(page, "all documents")) == {}
    assert open_view(PERMIT, page=99).text_input(key="page number").value == "2", "the last page"
    [locked] = [document for document in hop.documents.list("nordvik") if document.state == "failed"]
    assert "protected by a password" in page_text(open_view(locked))


def test_of_overlapping_marks_the_highlighted_text_is_shown():
    marks = [(0, 12, "#112233", "A & B"), (4, 7, "", ""), (20, 25, "#112233", "x")]
    assert mark_html("one <two three> four five", marks) == (
        'one <mark>&lt;tw</mark>o three&gt; four<mark class="entity" style="border-color: #112233; '
        'background-color: #11223333" title="x"> five</mark>'
    )


def test_marks_have_boxes_of_their_page_and_highlights_come_last():
    evidence = Evidence(
        "e", "passage", 0.0, "Halm is old", pages=(3,), boxes=(Box(3, 0, 0, 100, 10),), lines=((0, 11),)
    )
    mention = EntityMention("e", "n", "Halm", "place", ((0, 4),))
    page = DocumentPage("d", 3, evidence=(evidence,), mentions=(mention, EntityMention("other", "m", "Vale")))
    marks = [*mark_opened(page, DocumentAddress("d", 3, "e")), *mark_entities(page)]
    boxes, colours = select_boxes(marks, 3)
    assert colours == [ENTITY_COLOURS["place"], ""]
    assert boxes[1] == evidence.boxes[0]
    assert boxes[0].x1 < 60
    assert select_boxes(marks, 4) == ([], [])
