"""Answers about documents themselves, which the real worker has processed; each citation is exact."""

import pytest
from reportlab.pdfgen.canvas import Canvas

from hopline.answers.bibliographic import parse_document_question

COLLECTION = "tidal papers"
ABSTRACT = "We measured the salt of the sound at four points in every month of the year, and it did not rise."


def draw_page(path, title, rows, author=""):
    canvas = Canvas(str(path))
    canvas.setAuthor(author)
    canvas.setFont("Helvetica-Bold", 20)
    canvas.drawString(72, 740, title)
    canvas.setFont("Helvetica", 11)
    for row, text in enumerate(rows):
        canvas.drawString(72, 700 - 30 * row, text)
    canvas.save()


@pytest.fixture(scope="module")
def papers(hop, tmp_path_factory):
    """One paper with authors, date, organisation and DOI, and an essay about a play, which names its author."""
    folder = tmp_path_factory.mktemp("papers")
    head = ["Ada Byron, Grace Hopper", "University of Tarn", "Published online: 24 November 2023", "Abstract", ABSTRACT]
    draw_page(
        folder / "salt.pdf",
        "Salt of the Outer Sound",
        [*head, "Published by Orre Tidal Press", "https://doi.org/10.1000/salt.2023"],
    )
    rows = ["The play Hamlet was written by William Shakespeare in 1601 and is played in Orre every year."]
    draw_page(folder / "theatre.pdf", "Theatre in Orre", rows, author="T. Typist")
    for name, files in (
        (COLLECTION, ["salt.pdf", "theatre.pdf"]),
        ("one paper", ["salt.pdf"]),
        ("essay", ["theatre.pdf"]),
    ):
        assert hop.add([folder / file for file in files], name).wait(timeout=240).failures == ()


def check_citations(answer):
    for sentence in answer.claims:
        for citation in sentence.citations:
            assert citation.evidence.text[citation.start : citation.end] == citation.quote


@pytest.mark.parametrize(
    ("question", "short"),
    [
        ("Who wrote this paper?", "Ada Byron and Grace Hopper"),
        ("Who are the authors?", "Ada Byron and Grace Hopper"),
        ("When was it published?", "24 November 2023"),
        ("Which organisation published the paper?", "Orre Tidal Press"),
        ("What is the DOI of this document?", "10.1000/salt.2023"),
    ],
)
def test_a_question_about_the_only_document_is_answered_from_its_first_page(hop, papers, question, short):
    answer = hop.ask(question, collection="one paper")
    assert (answer.status, answer.short) == ("answered", short)
    [citation] = [citation for sentence in answer.sentences for citation in sentence.citations]
    assert (citation.document, citation.page, bool(citation.boxes)) == ("salt.pdf", 1, True)
    check_citations(answer)


def test_of_several_documents_the_title_names_one(hop, papers):
    answer = hop.ask("Who wrote the paper on salt?", collection=COLLECTION)
    assert answer.short == "Ada Byron and Grace Hopper"
    answer = hop.ask("When was Salt of the Outer Sound published?", collection=COLLECTION)
    assert answer.short == "24 November 2023"


def test_a_question_about_something_else_is_not_one_about_the_document(hop, papers):
    answer = hop.ask("Who wrote Hamlet?", collection="essay")
    assert "Shakespeare" in (answer.short or answer.nearest[0].text)
    check_citations(answer)


def test_the_author_of_the_file_is_at_most_possible(hop, papers):
    answer = hop.ask("Who wrote this document?", collection="essay")
    assert (answer.status, answer.short, answer.sentences) == ("possible", "T. Typist", ())
    assert "the properties of the file" in answer.notice


@pytest.mark.parametrize(
    ("question", "key", "is_itself"),
    [
        ("Who wrote this letter?", "authors", True),
        ("Who wrote the letter?", "authors", False),
        ("What is the ISBN of the manual?", "isbn", False),
        ("What is the report number?", "report_number", True),
        ("In which language is the document written?", "language", True),
    ],
)
def test_what_a_question_asks_about_a_document(question, key, is_itself):
    request = parse_document_question(question)
    assert (request.key, request.refers_to_itself) == (key, is_itself)


def test_other_questions_are_left_to_other_answerers():
    for question in (
        "Who drew the bridge?",
        "When was the bridge of Orre built?",
        "What is the fee?",
        "Who wrote to Mr Vale?",
    ):
        request = parse_document_question(question)
        assert request is None or request.words
