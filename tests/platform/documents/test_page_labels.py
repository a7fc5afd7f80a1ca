"""Printed page numbers of a document that the real worker has processed: in questions, citations and JSON."""

import pytest
from reportlab.pdfgen.canvas import Canvas

from hopline.results import Answer
from hopline.results.labels import describe_location

COLLECTION = "printed numbers"
TEXTS = (
    "The preface thanks Ada Vale.",
    "The preface ends here.",
    "Alder is a port.",
    "Brack has two quays.",
    "Cove is small.",
)


@pytest.fixture(scope="module")
def report(hop, tmp_path_factory):
    """A PDF of five pages that are numbered i, ii, 1, 2 and A-3, and one without labels."""
    folder = tmp_path_factory.mktemp("labels")
    for name in ("labelled.pdf", "plain.pdf"):
        canvas = Canvas(str(folder / name))
        for number, text in enumerate(TEXTS, 1):
            canvas.setFont("Helvetica-Bold", 18)
            canvas.drawString(72, 600, f"{number} Section of the report")
            canvas.setFont("Helvetica", 11)
            canvas.drawString(72, 500, text)
            canvas.showPage()
        if name == "labelled.pdf":
            canvas.addPageLabel(0, "ROMAN_LOWER", 1)
            canvas.addPageLabel(2, "ARABIC", 1)
            canvas.addPageLabel(4, "ARABIC", 3, "A-")
        canvas.save()
        assert hop.add(folder / name, f"{COLLECTION} {name}").wait(timeout=240).failures == ()


@pytest.mark.parametrize(
    ("question", "text", "location"),
    [
        ("What does page ii say?", TEXTS[1], "labelled.pdf · p. 2 (printed ii)"),
        ("What does page 2 say?", TEXTS[3], "labelled.pdf · p. 4 (printed 2)"),  # the printed one, not the second page
        ("What does page A-3 say?", TEXTS[4], "labelled.pdf · p. 5 (printed A-3)"),
        ("What does the last page say?", TEXTS[4], "labelled.pdf · p. 5 (printed A-3)"),
    ],
)
def test_a_question_names_a_page_by_its_printed_number(hop, report, question, text, location):
    answer = hop.ask(question, collection=f"{COLLECTION} labelled.pdf")
    [citation] = answer.sentences[0].citations
    assert citation.quote == text
    assert describe_location(citation.evidence, citation.page).startswith(f"{location} · ")
    data = answer.to_dict()
    assert data["answer"][0]["citations"][0]["label"] == location.split("printed ")[1].rstrip(")")
    assert Answer.from_dict(data).sentences[0].citations[0].label == citation.label
    assert citation.path.steps[0].source.name == location.replace(" · ", " ")


def test_a_document_without_labels_is_cited_by_the_pages_of_its_file(hop, report):
    answer = hop.ask("What does page iv say?", collection=f"{COLLECTION} plain.pdf")
    [citation] = answer.sentences[0].citations
    assert (citation.quote, citation.label) == (TEXTS[3], "")
    assert describe_location(citation.evidence, citation.page).startswith("plain.pdf · p. 4 · ")
    assert "label" not in answer.to_dict()["answer"][0]["citations"][0]


@pytest.mark.parametrize(("text", "pages"), [("2", (2, 4)), ("II", (2,)), (" a-3 ", (5,)), ("9", ())])
def test_a_page_is_found_by_its_number_and_by_its_printed_number(hop, report, text, pages):
    [document] = hop.documents.list(f"{COLLECTION} labelled.pdf")
    assert hop.documents.find_pages(document.id, text) == pages
    assert [hop.documents.read_page(document.id, page).label for page in pages] == [
        {2: "ii", 4: "2", 5: "A-3"}[page] for page in pages
    ]
