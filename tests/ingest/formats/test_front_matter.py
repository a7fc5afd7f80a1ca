"""What the first pages of a document state about it: authors, dates, organisations, identifiers, abstract, language."""

import io
from email.message import EmailMessage

import docx
import pytest

from hopline.bibliography import convert_to_metadata, decode_bibliography, encode_bibliography
from hopline.records import BibliographicEntry
from hopline_ingest.formats.front_matter.bibliography import detect_document_language, read_bibliography
from hopline_ingest.formats.front_matter.front_line import list_page_lines
from hopline_ingest.formats.front_matter.names import is_organisation, parse_names, parse_person
from hopline_ingest.formats.office import parse_office_file
from hopline_ingest.formats.pdf.page_content import PageContent
from hopline_ingest.formats.text import parse_plain_text

TEXT = "The tide was measured at four points of the sound and the results are given for each of them in a table."
ABSTRACT = (
    "We measured the salt of the sound at four points, and found that it did not rise",
    "in the winter of any year.",
)


def read(line, *texts, title="", declared=None, more=()):
    """Read the bibliography of a first page with these lines, of which the title is larger; ``more``: of a second."""
    pages = [
        PageContent(number, 600.0, 800.0, tuple(
            line(text, y=40 + 20 * row, size=18 if text == title else 10, block=row) for row, text in enumerate(shown)
        ))
        for number, shown in enumerate([texts, more] if more else [texts], 1)
    ]  # fmt: skip
    return read_bibliography(list_page_lines(pages), title, [*texts, TEXT], declared)


def values(entries, key):
    return [entry.value for entry in entries if entry.key == key]


@pytest.fixture
def parse_bytes(tmp_path):
    """Parse a file of this name with these bytes."""

    def parse(name, data):
        path = tmp_path / name
        path.write_bytes(data)
        return parse_office_file(str(path), name)

    return parse


def test_authors_stand_between_the_title_and_the_abstract(line):
    names = "Ada Byron1,∗, Peter M.E. van Tollan2 and Jürgen Groß"
    entries = read(
        line, "Salt of the Sound", names, "1 University of Tarn", "Abstract", *ABSTRACT, title="Salt of the Sound"
    )
    assert values(entries, "authors") == ["Ada Byron", "Peter M.E. van Tollan", "Jürgen Groß"]
    first = entries[1]
    assert (first.text, first.page, len(first.boxes)) == ("Ada Byron", 1, 1)
    assert first.boxes[0].x1 < entries[2].boxes[0].x0  # each has the box of its own name
    assert values(entries, "abstract") == [" ".join(ABSTRACT)]


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["Report on Tides", "By Ada Byron and Charles Babbage", TEXT], ["Ada Byron", "Charles Babbage"]),
        (["Report on Tides", "Author: Byron Lovelace (ada@example.org)", TEXT], ["Byron Lovelace"]),
        (["Report on Tides", "Prepared by", "Ada Byron", "Grace Hopper", TEXT], ["Ada Byron", "Grace Hopper"]),
        (["Dear Mr Vale,", TEXT, "Yours sincerely,", "Ada Byron", "Harbour master"], ["Ada Byron"]),
        (["Report on Tides", "By the harbour of Orre", TEXT], []),
        (["Report on Tides", "[author: Ada Byron (AB), time: 2026]: a comment", TEXT], []),
        (["Report on Tides", "New Jersey", "Annual Review", TEXT], []),
        (["Members", "Ada Byron", "Grace Hopper", TEXT], []),  # a list of names without an abstract or a cover
        (["Report on Tides", "Prepared for Ada Byron", TEXT], []),
    ],
)
def test_other_names_are_authors_only_where_the_text_says_so(line, texts, expected):
    assert values(read(line, *texts, title=texts[0]), "authors") == expected


def test_names_on_a_cover_are_authors(line):
    cover = ["Manual of Sails", "for version 2, 18 August 2022", "Ada Byron", "Grace Hopper (grace@example.org)"]
    entries = read(line, *cover, title="Manual of Sails", more=[TEXT])
    assert values(entries, "authors") == ["Ada Byron", "Grace Hopper"]
    assert values(entries, "date") == ["2022-08-18"]


def test_an_author_of_the_properties_counts_only_if_a_line_has_the_name(line):
    declared = {"creator": ["Byron, Ada"]}
    entries = read(line, "Tides", "Notes of Ada Byron", TEXT, title="Tides", declared=declared)
    assert [(entry.value, entry.text, entry.page) for entry in entries if entry.key == "authors"] == [
        ("Ada Byron", "Ada Byron", 1)
    ]
    assert values(read(line, "Tides", TEXT, title="Tides", declared=declared), "authors") == []


def test_an_author_in_another_script_is_no_organisation(line):
    declared = {"creator": ["คณิต มงคลพิทักษ์สุข"]}
    entries = read(line, "Tides", "คณิต มงคลพิทักษ์สุข", TEXT, title="Tides", declared=declared)
    assert (values(entries, "authors"), values(entries, "organisation")) == ([], [])


def test_an_organisation_of_the_properties_is_none_of_the_authors(line):
    declared = {"creator": ["Orre Harbour Authority"]}
    entries = read(line, "Orre Harbour Authority", "Tides", TEXT, title="Tides", declared=declared)
    assert (values(entries, "authors"), values(entries, "organisation")) == ([], ["Orre Harbour Authority"])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Received: 11 June 2023 / Accepted: 26 October 2023 / Published online: 24 November 2023", ["2023-11-24"]),
        ("Orre, 3 May 1990", ["1990-05-03"]),
        ("March 2025", ["2025-03"]),
        ("Adopted by the council of Orre on 12 November 2024", ["2024-11-12"]),
        ("Date: May 3, 2023", ["2023-05-03"]),
        ("© 2021 Orre Press", ["2021"]),
        ("Las Orres, Nevada, February 8, 2023 – The port of Orre today reported its results", ["2023-02-08"]),
        ("For the fiscal year ended December 2, 2022", []),
        ("Received 2 May 2022", []),
        ("1 May 2020 - 3 June 2021", []),
        ("1403/09/19", []),  # of the Persian calendar
    ],
)
def test_the_date_is_that_of_publication(line, text, expected):
    assert values(read(line, "Tides of Orre", text, TEXT, title="Tides of Orre"), "date") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("© 2022 The Author(s). Published by Orre Tidal B.V. This is an open access article", ["Orre Tidal B.V."]),
        ("Copyright 2020 Orre Foundation, Inc.", ["Orre Foundation"]),
        ("Orre Tidal Institute, Port Ansel, April 2025", ["Orre Tidal Institute"]),
        ("© 2022 Ada Byron", []),
        ("which was published by Google engineers in the year before, and then read by many others", []),
        ("The institute of Orre is run by the council, and it has measured the tide since 1972.", []),
    ],
)
def test_the_organisation_is_the_publisher(line, text, expected):
    assert values(read(line, "Tides of Orre", text, TEXT, title="Tides of Orre"), "organisation") == expected


def test_the_registrant_of_a_filing_is_its_organisation(line):
    above = ["UNITED STATES", "SECURITIES AND EXCHANGE COMMISSION", "FORM 8-K", "Orre Tidal, Inc."]
    entries = read(line, *above, "(Exact name of registrant as specified in its charter)", TEXT)
    assert values(entries, "organisation") == ["Orre Tidal, Inc."]


@pytest.mark.parametrize(
    ("text", "key", "expected"),
    [
        ("https://doi.org/10.1007/s13201-023-02046-6.", "doi", ["10.1007/s13201-023-02046-6"]),
        ("See 10.1000/one and 10.1000/two for the data that were used", "doi", []),
        ("arXiv:2206.01062v1 [cs.CV] 2 Jun 2022", "arxiv", ["2206.01062"]),
        ("ISBN 978-3-16-148410-0", "isbn", ["9783161484100"]),
        ("ISBN 978-3-16-148410-1", "isbn", []),  # its check digit is wrong
        ("Working Papers ISSN 1535-6078", "issn", ["1535-6078"]),
        ("Docket No. 50-293-LR", "docket", ["50-293-LR"]),
        ("Case No. 1:20-cv-01234", "docket", ["1:20-cv-01234"]),
        ("Report No. NTSB/MAR-24/01", "report_number", ["NTSB/MAR-24/01"]),
        ("The committee compared it with what it had said in report no. 5 of the year before", "report_number", []),
    ],
)
def test_identifiers_are_those_of_the_document(line, text, key, expected):
    assert values(read(line, "Tides of Orre", text, TEXT, title="Tides of Orre"), key) == expected


def test_names_are_recognised_by_their_form():
    assert [name for name, _ in parse_names("LAWRENCE LESSIG", ())] == ["Lawrence Lessig"]
    assert [name for name, _ in parse_names("Dr. Ada Byron, Ph.D., J. de la Cruz", ())] == [
        "Ada Byron",
        "J. de la Cruz",
    ]
    assert parse_names("Water Sound", {"water", "sound"}) == []  # words of the text
    assert parse_names("Annual Report, Ada Byron", ()) == []
    assert parse_names("Column A", ()) == []
    assert (parse_person("Byron, Ada"), parse_person("anonymous")) == ("Ada Byron", "")
    assert [is_organisation(text) for text in ("University of Tarn", "The university said so", "Ada Byron")] == [
        True, False, False,
    ]  # fmt: skip


def test_the_language_of_a_document_is_detected_if_it_is_sure():
    german = "Die Flut wurde an vier Stellen gemessen und die Ergebnisse sind für jede von ihnen in einer Tabelle zu finden. "
    assert [detect_document_language(text) for text in (TEXT * 3, german * 3, "潮汐是在四个地点测量的")] == [
        "en",
        "de",
        "zh",
    ]
    assert [detect_document_language(text) for text in ("The tide", "Voda tekla dolů kopcem " * 20)] == ["", ""]


def test_a_web_page_declares_its_authors_and_date(parse_bytes):
    head = (
        '<title>Tides</title><meta name="citation_author" content="Byron, Ada"><meta name="author" content="admin">'
        '<meta property="article:published_time" content="2024-03-01T08:00:00Z"><meta property="og:site_name" content="Orre News">'
    )
    html = f"<html><head>{head}</head><body><h1>Tides</h1><p>{TEXT}</p></body></html>"
    page = parse_bytes("page.html", html.encode())
    assert [(entry.key, entry.value, entry.page) for entry in page.bibliography] == [
        ("title", "Tides", 1), ("authors", "Ada Byron", 0), ("date", "2024-03-01", 0), ("organisation", "Orre News", 0),
    ]  # fmt: skip


def test_an_email_has_its_sender_and_date(parse_bytes):
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "Ada Byron <ada@example.org>", "vale@example.org", "Tides"
    message["Date"] = "Tue, 14 May 2024 08:00:00 +0200"
    message.set_content(TEXT)
    entries = parse_bytes("mail.eml", message.as_bytes()).bibliography
    assert [(entry.key, entry.value, entry.text) for entry in entries if entry.key in {"authors", "date"}] == [
        ("authors", "Ada Byron", "Ada Byron"), ("date", "2024-05-14", "2024-05-14"),
    ]  # fmt: skip


def test_a_word_document_has_its_authors_and_the_properties_of_its_file(parse_bytes):
    document = docx.Document()
    document.core_properties.author = "Some Typist"
    document.add_heading("Salt of the Sound", 0)
    document.add_paragraph("Ada Byron, Grace Hopper")
    document.add_paragraph("University of Tarn, 3 May 2024")
    document.add_heading("Abstract", 1)
    document.add_paragraph(" ".join(ABSTRACT))
    buffer = io.BytesIO()
    document.save(buffer)
    parsed = parse_bytes("salt.docx", buffer.getvalue())
    assert dict(parsed.metadata)["author"] == "Some Typist"
    assert values(parsed.bibliography, "authors") == ["Ada Byron", "Grace Hopper"]
    assert values(parsed.bibliography, "date") == ["2024-05-03"]
    assert values(parsed.bibliography, "abstract") == [" ".join(ABSTRACT)]


def test_a_text_file_has_its_byline():
    parsed = parse_plain_text(f"Tides of Orre\n\nBy Ada Byron\n\n{TEXT}\n".encode(), "tides.txt")
    assert values(parsed.bibliography, "authors") == ["Ada Byron"]


def test_entries_survive_json_and_become_metadata(line):
    entries = read(line, "Tides of Orre", "By Ada Byron", "March 2025", TEXT, title="Tides of Orre")
    assert decode_bibliography(encode_bibliography(entries)) == entries
    assert convert_to_metadata(entries) == {"authors": ("Ada Byron",), "date": "2025-03", "language": "en"}


def fields(entries):
    return {entry.label: entry.value for entry in entries if entry.key == "field"}


def test_fields_of_a_form_have_labels_values_and_boxes(line):
    entries = read(
        line, "Stock check", "Check ID: OX-2031-77", "Date: Friday, 9 March 2031", "Store manager: Ada Byron",
        "Wants power: ☐", "Has insurance: ☒", "Remarks:", title="Stock check",
    )  # fmt: skip
    assert fields(entries) == {
        "Check ID": "OX-2031-77",
        "Date": "2031-03-09",
        "Store manager": "Ada Byron",
        "Wants power": "no",
        "Has insurance": "yes",
    }
    manager = next(entry for entry in entries if entry.label == "Store manager")
    assert (manager.text, manager.page) == ("Ada Byron", 1)
    assert manager.boxes[0].x0 > line("Store manager:", y=0).rect[2]  # the box is that of the value


def test_fields_are_separated_and_found_below_and_beside_their_labels(line):
    pages = [
        PageContent(1, 600.0, 800.0, (
            line("Received: 11 June 2023 / Accepted: 26 October 2023 © The Authors", y=100, block=0),
            line("Supplier:", x=50, y=140, block=1),
            line("Nordvik Marine", x=200, y=140, block=2),
            line("Delivery address", x=50, y=180, block=3),
            line("Contact:", x=50, y=200, block=4),
            line("Maud Kerrigan", x=50, y=215, block=5),
            line("Gender:   Female   Male", x=50, y=240, block=6),
            line("Published: 3 May 2024", x=50, y=260, block=7),
            line("© The Authors", x=50, y=272, block=7),
        ))
    ]  # fmt: skip
    entries = read_bibliography(list_page_lines(pages), "", [TEXT])
    assert fields(entries) == {
        "Received": "2023-06-11",
        "Accepted": "2023-10-26",
        "Supplier": "Nordvik Marine",
        "Contact": "Maud Kerrigan",
        "Published": "2024-05-03",
    }


@pytest.mark.parametrize(
    "texts",
    [
        ("Owner: Hedda Lunn", TEXT),  # alone
        ("Figure 3: The sound in winter", "Table 2: Salt by month"),
        ("MR. HALE: Yes.", "MS. LORNE: Where?", "MR. HALE: Here.", "MS. LORNE: Now?", "MR. HALE: No.", "MS. LORNE: I see."),
        ("Background: We measured the salt of the sound at four points in each", "Aim: we wanted to know whether the salt of the sound rose in the winter"),
        ("Name: ______", "Signature: ......"),
        ("The four points were the following: the pier, the bar, the ferry and the", "mouth of the river. One question was open: how much salt is there in it"),
    ],
)  # fmt: skip
def test_captions_sentences_and_speakers_are_no_fields(line, texts):
    assert fields(read(line, *texts)) == {}


def test_fields_are_metadata_under_their_labels():
    entries = [
        BibliographicEntry("date", "2031"),
        BibliographicEntry("field", "4711", label="Invoice number"),
        BibliographicEntry("field", "2031-03-09", label="Date"),
        BibliographicEntry("field", "Hedda Lunn", label="Cc"),
        BibliographicEntry("field", "Nils Bohr", label="cc"),
        BibliographicEntry("field", "Report", label="Type"),
    ]
    assert convert_to_metadata(entries) == {"invoice_number": 4711, "cc": ("Hedda Lunn", "Nils Bohr"), "date": "2031"}
    assert decode_bibliography(encode_bibliography(entries)) == tuple(entries)
