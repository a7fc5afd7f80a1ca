import io
import zipfile
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import docx
import pptx
import pytest
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import parse_xml
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from hopline.errors import DocumentError
from hopline_ingest.formats.office import parse_office_file


@pytest.fixture
def save_file(tmp_path):
    def save(name, data):
        path = tmp_path / name
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return parse_office_file(str(path), name)

    return save


def passages_of(document):
    return [(passage.section, passage.text) for passage in document.passages]


def test_a_word_document_has_sections_lists_and_captioned_tables(save_file):
    document = docx.Document()
    document.core_properties.title = "Harbour report"
    document.add_heading("Harbour report", 0)
    document.add_heading("Trade", 1)
    document.add_paragraph("Ships carried grain.")
    document.add_heading("Grain", 2)
    document.add_paragraph("Grain rose.")
    document.add_paragraph("rye", style="List Bullet")
    document.add_paragraph("Table 1. Ships by year")
    table = document.add_table(2, 2)
    for cell, text in zip(table._cells, ["Year", "Ships", "2024", "52"], strict=True):
        cell.text = text
    document.add_heading("People", 1)
    document.add_paragraph("Anna Berg leads.")
    buffer = io.BytesIO()
    document.save(buffer)
    parsed = save_file("report.docx", buffer.getvalue())
    assert parsed.title == "Harbour report"
    assert passages_of(parsed) == [
        (("Trade",), "Ships carried grain."),
        (("Trade", "Grain"), "Grain rose.\nrye"),
        (("People",), "Anna Berg leads."),
    ]
    (shown,) = parsed.tables
    assert (shown.caption, shown.number, shown.section) == ("Table 1. Ships by year", "1", ("Trade", "Grain"))
    assert shown.cells == (("Year", "Ships"), ("2024", "52"))


def test_slides_are_pages_with_places_in_points(save_file):
    deck = pptx.Presentation()
    first = deck.slides.add_slide(deck.slide_layouts[0])
    first.shapes.title.text, first.placeholders[1].text = "Harbour", "A subtitle"
    second = deck.slides.add_slide(deck.slide_layouts[1])
    second.shapes.title.text, second.placeholders[1].text = "Growth", "Grain rose"
    second.notes_slide.notes_text_frame.text = "Say it slowly"
    buffer = io.BytesIO()
    deck.save(buffer)
    parsed = save_file("slides.pptx", buffer.getvalue())
    assert parsed.title == "Harbour"
    assert [(page.number, page.width, page.height) for page in parsed.pages] == [(1, 720, 540), (2, 720, 540)]
    assert passages_of(parsed) == [((), "A subtitle"), (("Growth",), "Grain rose\nSay it slowly")]
    passage = parsed.passages[1]
    assert passage.pages == (2,)
    assert passage.text[slice(*passage.lines[0])] == "Grain rose"
    assert 0 < passage.boxes[0].x0 < passage.boxes[0].x1 < 720


def test_a_web_page_loses_its_navigation_and_keeps_its_title(save_file):
    parsed = save_file(
        "page.html",
        "<html><head><title>The port</title><script>alert(1)</script></head><body><nav>Home</nav><h1>Harbour</h1>"
        "<p>Ships &amp; <b>grain</b>.</p><h2>Trade</h2><ul><li>rye</li></ul><table><caption>Table 2. Ships</caption>"
        "<tr><th>Year</th><th>Ships</th></tr><tr><td>2023</td><td>40</td></tr></table></body></html>",
    )
    assert parsed.title == "The port"
    assert passages_of(parsed) == [(("Harbour",), "Ships & grain."), (("Harbour", "Trade"), "rye")]
    assert parsed.tables[0].number == "2"


def test_markdown_in_any_encoding_with_front_matter(save_file):
    text = "---\ntitle: 'Café notes'\n---\n# Harbour\n\nSome **bold** text, and `code`.\n\n## Trade\n\n- rye\n"
    for encoding in ("utf-8", "utf-16", "cp1252"):
        parsed = save_file("notes.md", text.encode(encoding))
        assert parsed.title == "Café notes"
        assert passages_of(parsed) == [(("Harbour",), "Some bold text, and code."), (("Harbour", "Trade"), "rye")]


def test_a_web_page_keeps_the_text_before_its_first_heading_and_its_dashes_and_quotes(save_file):
    parsed = save_file(
        "page.html",
        "<title>Tarn – a bridge</title><p>It opened in 1931 – “at last”.</p><table><tr><th>Span<td>212 m</table>"
        "<figure><img src=a.png><figcaption>The bridge.</figcaption></figure><h2>History</h2><p>It was repainted.</p>",
    )
    assert parsed.title == "Tarn – a bridge"
    assert passages_of(parsed) == [
        ((), "It opened in 1931 – “at last”."),
        (("History",), "It was repainted."),
    ]
    assert [figure.caption for figure in parsed.figures] == ["The bridge."]
    assert parsed.tables[0].cells == (("Span", "212 m"),)
    assert parsed.warnings == parsed.left_out == ()


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.html", "<h1>Closed until 4 May</h1>"),
        ("a.md", "# Closed until 4 May"),
        ("a.html", "<title>Closed until 4 May</title>"),
    ],
)
def test_a_file_with_nothing_but_a_heading_or_title_has_it_as_text(save_file, name, data):
    assert passages_of(save_file(name, data)) == [((), "Closed until 4 May")]


@pytest.mark.parametrize("name", ["a.html", "a.md"])
def test_formatting_within_a_word_and_accents_are_composed(save_file, name):
    text = "<b>W</b>ater, Cafe\u0301" if name == "a.html" else "**W**ater, Cafe\u0301"
    assert passages_of(save_file(name, f"<p>{text}</p>" if name == "a.html" else text)) == [((), "Water, Café")]


def test_lists_of_markdown_keep_their_numbers(save_file):
    parsed = save_file("a.md", "1. Lower it.\n2. Lock it.\n\nWait.\n\n3. Open it.\n")
    assert passages_of(parsed) == [((), "1. Lower it.\n2. Lock it.\nWait.\n3. Open it.")]


def test_values_and_notes_of_a_slide_with_a_chart_are_read(save_file):
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "Catch"
    data = CategoryChartData()
    data.categories = ["2019", "2020"]
    data.add_series("Cod", (12.5, 13))
    slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, Inches(1), Inches(2), Inches(5), Inches(4), data)
    slide.notes_slide.notes_text_frame.text = "Counted by Tilda Moss."
    buffer = io.BytesIO()
    deck.save(buffer)
    parsed = save_file("catch.pptx", buffer.getvalue())
    assert [table.cells for table in parsed.tables] == [(("", "Cod"), ("2019", "12.5"), ("2020", "13"))]
    assert passages_of(parsed) == [((), "Counted by Tilda Moss.")]
    assert parsed.warnings == ()


def test_an_email_has_its_subject_as_title_and_sender_addressee_and_date_as_text(save_file):
    parsed = save_file(
        "mail.eml",
        "From: Hedda Lunn <h@x.no>\nTo: Bo Lind <b@x.no>\nSubject: Berth 7\nDate: Mon, 3 May 2021 10:00:00 +0200\n"
        "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\nThe berth is free.\n",
    )
    assert parsed.title == "Berth 7"
    [passage] = parsed.passages
    for text in ("From: Hedda Lunn", "To: Bo Lind", "2021-05-03", "The berth is free."):
        assert text in passage.text


EMAIL_HEADERS = {
    "From": "Hedda Lunn <h@x.no>",
    "To": "Bo Lind <b@x.no>",
    "Cc": "Tilda Orre <t@x.no>",
    "Subject": "Berth 7",
}


def build_email(plain="", page=""):
    message = EmailMessage()
    for name, value in EMAIL_HEADERS.items():
        message[name] = value
    if plain:
        message.set_content(plain)
    if page:
        (message.add_alternative if plain else message.set_content)(page, subtype="html")
    return message


@pytest.mark.parametrize("body", [{"plain": "The berth is free."}, {"page": "<p>The ber<b>th</b> is free.</p>"}])
def test_an_email_has_its_copies_and_its_body_whole_and_its_attachments_are_left_out(save_file, body):
    message = build_email(**body)
    message.add_attachment(b"costs", maintype="application", subtype="pdf", filename="costs.pdf")
    parsed = save_file("mail.eml", bytes(message))
    text = " ".join(passage.text for passage in parsed.passages)
    assert "Cc: Tilda Orre <t@x.no>" in text
    assert "The berth is free." in text
    assert parsed.left_out == ("attachment: costs.pdf",)
    assert parsed.warnings == ()


def test_hidden_text_and_navigation_of_an_email_are_left_out(save_file):
    page = "<p hidden>View in browser</p><nav>Berths Prices</nav><p>The berth is free.</p>"
    parsed = save_file("mail.eml", bytes(build_email(page=page)))
    assert "browser" not in "".join(passage.text for passage in parsed.passages)
    assert parsed.left_out == ("hidden text: View in browser", "navigation: Berths Prices")


def test_an_html_body_is_read_as_html_files_are(save_file):
    page = (
        "<p>Hello,</p><table><tr><td>Gate</td><td>Guard</td></tr><tr><td>G4</td><td>Pavel Horn</td></tr></table>"
        "<h2>Keys</h2><ul><li>Key 12 is with Mona.</li><li>Key 15 is lost.</li></ul>"
    )
    parsed = save_file("mail.eml", bytes(build_email(page=page)))
    assert passages_of(parsed)[1] == (("Keys",), "Key 12 is with Mona.\nKey 15 is lost.")
    assert parsed.tables[0].cells == (("Gate", "Guard"), ("G4", "Pavel Horn"))
    assert parsed.warnings == ()


def test_both_bodies_of_an_email_are_used_where_they_differ(save_file):
    message = build_email(
        "The berth is free.\n\nThe key is with Mona.", "<p>The <b>berth</b> is free.</p><p>It costs 40.</p>"
    )
    parsed = save_file("mail.eml", bytes(message))
    text = parsed.passages[0].text
    assert text.endswith("The berth is free.\nIt costs 40.\nThe key is with Mona.")
    assert text.count("berth") == 1
    assert parsed.warnings == ()


def test_attached_messages_texts_and_invitations_are_read(save_file):
    message = build_email("See below.")
    message.add_attachment("Crane 4 is out of order.\n", filename="notes.txt")
    invitation = (
        "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:Launch of the Tern\\, berth 7\r\nDTSTART;TZID=Europe/Oslo:20240514T080500\r\n"
        "LOCATION:North\r\n  pier\r\nORGANIZER;CN=Bo Lind:mailto:b@x.no\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    )
    message.add_attachment(invitation, subtype="calendar", filename="launch.ics")
    forwarded = build_email("The mast is broken.")
    del forwarded["Subject"]
    forwarded["Subject"] = "Mast"
    forwarded.add_attachment(b"jpeg", maintype="image", subtype="jpeg", filename="mast.jpg")
    message.add_attachment(forwarded)
    parsed = save_file("mail.eml", bytes(message))
    texts = dict(passages_of(parsed))
    assert texts["notes.txt",].startswith("Crane 4 is out of order.")
    assert (
        "Event: Launch of the Tern, berth 7\nBegins: 2024-05-14 08:05\nPlace: North pier\nOrganizer: Bo Lind <b@x.no>"
        in "\n".join(texts.values())
    )
    assert "From: Hedda Lunn <h@x.no>" in texts["Mast",]
    assert texts["Mast",].endswith("The mast is broken.")
    assert parsed.left_out == ("attachment: mast.jpg",)
    assert parsed.warnings == ()


@pytest.mark.parametrize("charset", ["utf-16", "utf-16-be"])
def test_an_email_in_utf_16_is_read(save_file, charset):
    parsed = save_file("mail.eml", build_email("The berth is free.").as_string().encode(charset))
    assert parsed.title == "Berth 7"
    assert "The berth is free." in parsed.passages[0].text


@pytest.mark.parametrize("charset", ["no-such-charset", "utf-8"])
def test_damaged_emails_are_read_as_far_as_possible(save_file, charset):
    head = f"Subject: Berth 7\nContent-Type: text/plain; charset={charset}\nContent-Transfer-Encoding: base64\n\n"
    assert save_file("mail.eml", (head + "VGhlIGJlcnRo===\n").encode()).title == "Berth 7"


PARTS = (
    b"--B\nContent-Type: text/plain\n\nThe berth is free.\n--B\nContent-Type: text/plain\n\nIt costs 5 euros.\n--B--\n"
)


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        (b"\n\nSubject: Berth\n\nThe berth is free.\n", ["The berth is free."]),
        (b"Subject: B\nContent-Type: multipart/mixed\n\n" + PARTS, ["The berth is free.\nIt costs 5 euros."]),
        (b"Subject: B\nContent-Type: multipart/mixed\n\nThe berth is free.\n", ["The berth is free."]),
        (
            b"Subject: Gr\xfc\xdfe\nFrom: J\xf6rg\n\nDer K\xf6nig kommt an.\n",
            ["From: J\u00f6rg\nDer K\u00f6nig kommt an."],
        ),
        (
            "Content-Type: text/plain; charset=windows-1255\n\nDer K\u00f6nig kommt an.\n".encode(),
            ["Der K\u00f6nig kommt an."],
        ),
        (
            "Content-Type: text/html; charset=windows-1255\n\n<html><head><meta charset=windows-1255></head>"
            "<body><p>Der K\u00f6nig kommt an.</p></body></html>".encode(),
            ["Der K\u00f6nig kommt an."],
        ),
        (
            (
                b"Content-Type: multipart/mixed; boundary=B\n\n--B\nContent-Type: message/rfc822\n"
                b"Content-Transfer-Encoding: base64\n\nU3ViamVjdDogUHJpY2UKClRoZSBwcmljZSBpcyA0NCBldXJvcy4K\n--B--\n"
            ),
            ["The price is 44 euros."],
        ),
        (
            (
                b"Content-Type: multipart/report; boundary=B\n\n--B\nContent-Type: message/delivery-status\n\n"
                b"Reporting-MTA: dns; mx.x.no\n\nAction: failed\n--B--\n"
            ),
            ["Reporting-MTA: dns; mx.x.no\nAction: failed"],
        ),
        (
            (
                b"Content-Type: text/calendar\n\nBEGIN:VEVENT\nBEGIN:VALARM\nDESCRIPTION:Soon\nEND:VALARM\n"
                b"SUMMARY:Launch\nEND:VEVENT\n"
            ),
            ["Event: Launch"],
        ),
    ],
)
def test_emails_that_break_the_standards_are_read_whole(save_file, data, shown):
    parsed = save_file("mail.eml", data)
    assert [passage.text for passage in parsed.passages] == shown
    assert (parsed.left_out, parsed.warnings) == ((), ())


def test_an_open_element_or_comment_of_an_email_does_not_end_it(save_file):
    parts = [
        b"<p>First.</p><table><tr><td>cell <!-- open",
        b"<p>Second.</p><script>open",
        b"<title>none</title><p>Third.</p>",
    ]
    data = b"".join(b"--B\nContent-Type: text/html; name=a\n\n%s\n" % part for part in parts)
    parsed = save_file("mail.eml", b"Content-Type: multipart/mixed; boundary=B\n\n" + data + b"--B--\n")
    assert [text for _, text in passages_of(parsed)] == ["First.\ncell\nSecond.\nThird."]


def test_elements_that_are_never_closed_are_read_and_absurd_depth_is_refused(save_file):
    page = "".join(f"<div>Berth {n} is <b>free</b>.\n" for n in range(1800))
    texts = [text for _, text in passages_of(save_file("open.html", f"<html><body>{page}</body></html>"))]
    assert [f"Berth {n} is free." in "\n".join(texts) for n in (0, 199, 200, 1799)] == [True] * 4
    with pytest.raises(DocumentError, match="nested too deeply"):
        save_file("deep.html", "<div>" * 5000 + "text")


def test_an_email_of_a_thousand_nested_parts_is_refused(save_file):
    parts = b"".join(b"Content-Type: multipart/mixed; boundary=B%d\n\n--B%d\n" % (n, n) for n in range(1500))
    with pytest.raises(DocumentError, match="nested too deeply"):
        save_file("mail.eml", parts)


def test_an_open_document_text_has_words_notes_and_tables_whole(save_file):
    names = {"office": "office", "text": "text", "table": "table"}
    declared = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{kind}:1.0"' for name, kind in names.items()
    )
    cell = "<table:table-cell><text:p>{}</text:p></table:table-cell>"
    rows = "".join(
        f"<table:table-row>{cell.format(a)}{cell.format(b)}</table:table-row>"
        for a, b in (("Boat", "Berth"), ("Tern", "4"))
    )
    content = (
        f"<office:document-content {declared}><office:body><office:text><text:h text:outline-level='1'>Boats</text:h>"
        "<text:p>H<text:span>2</text:span>O<text:note text:note-class='footnote'><text:note-citation>1</text:note-citation>"
        "<text:note-body><text:p>Measured by Tilda.</text:p></text:note-body></text:note>.</text:p>"
        f"<table:table>{rows}</table:table></office:text></office:body></office:document-content>"
    )
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.text")
        archive.writestr("content.xml", content)
    parsed = save_file("boats.odt", buffer.getvalue())
    assert passages_of(parsed) == [(("Boats",), "H2O.\nMeasured by Tilda.")]
    assert parsed.tables[0].cells == (("Boat", "Berth"), ("Tern", "4"))
    assert parsed.warnings == ()


def test_headings_without_content_are_text_in_their_order(save_file):
    parsed = save_file("a.html", "<h1>Log</h1><h2>Monday</h2><h2>Tuesday</h2><p>Calm.</p><h3>Night</h3><h2>End</h2>")
    assert passages_of(parsed) == [((), "Monday"), (("Tuesday",), "Calm."), (("Tuesday",), "Night"), ((), "End")]


def test_ids_and_classes_of_a_page_do_not_change_what_is_read(save_file):
    parsed = save_file(
        "a.html",
        '<h1>Form</h1><div class="form_region"><div class="field"><div id="key1_marker">1</div><span id="key1">Owner</span> '
        '<span id="key1_value1">Hedda Lunn</span></div></div>',
    )
    assert passages_of(parsed) == [((), "1\nOwner Hedda Lunn")]


def test_tables_within_the_cells_of_a_table_follow_it(save_file):
    def fill(table, *texts):
        for cell, text in zip(table._cells, texts, strict=True):
            cell.text = text
        return table.cell(1, 1)

    document = docx.Document()
    cell = fill(document.add_table(2, 2), "Owner", "Boats", "Ada", "two")
    inner = fill(cell.add_table(2, 2), "Boat", "Engine", "Tern", "diesel")
    fill(inner.add_table(2, 2), "Part", "Age", "pump", "57")
    buffer = io.BytesIO()
    document.save(buffer)
    parsed = save_file("a.docx", buffer.getvalue())
    assert [table.cells[1] for table in parsed.tables] == [("Ada", "two"), ("Tern", "diesel"), ("pump", "57")]
    assert parsed.warnings == ()


def test_formulas_and_numbers_of_the_layout_are_no_loss(save_file):
    document = docx.Document()
    math = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
    document.add_paragraph("The area is ")._p.append(
        parse_xml(f"<m:oMath {math}><m:r><m:t>aaabbbcccdddeee</m:t></m:r></m:oMath>")
    )
    buffer = io.BytesIO()
    document.save(buffer)
    assert save_file("a.docx", buffer.getvalue()).warnings == ()


def test_text_that_docling_loses_is_a_warning(save_file, monkeypatch):
    monkeypatch.setattr("hopline_ingest.formats.docling_tree._TreeWalker._add_picture", lambda *_: None)
    parsed = save_file(
        "a.html", "<p>Ships.</p><figure><img src=a.png><figcaption>Tern and Petrel in 1931</figcaption></figure>"
    )
    assert parsed.warnings == ("about 79 % of the text could not be read, for example: Tern and Petrel in 1931",)


def test_chapters_of_an_ebook_are_sections(save_file):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as book:
        book.writestr("mimetype", "application/epub+zip")
        book.writestr(
            "META-INF/container.xml",
            '<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
            '<rootfile full-path="c.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
        )
        book.writestr(
            "c.opf",
            '<package version="3.0" xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">'
            "<dc:title>The harbour book</dc:title></metadata><manifest>"
            '<item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>',
        )
        book.writestr("a.xhtml", "<html><body><h1>Chapter one</h1><p>First text.</p></body></html>")
    parsed = save_file("book.epub", buffer.getvalue())
    assert parsed.title == "The harbour book"
    assert passages_of(parsed) == [(("Chapter one",), "First text.")]


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("a.docx", b"PK\x03\x04 and then nothing", "the DOCX file is damaged"),
        ("a.pptx", b"\xd0\xcf\x11\xe0" + b"0" * 100, "password-protected or in an old format"),
        ("a.epub", b"hello", "the file is not a valid EPUB"),
        ("a.html", bytes(range(32)) * 50, "not a text file"),
    ],
)
def test_a_file_that_cannot_be_opened_raises_an_error_with_the_reason(save_file, name, data, reason):
    with pytest.raises(DocumentError, match=reason):
        save_file(name, data)


@pytest.fixture
def requests_made():
    """The paths that were requested from a local server, and its address."""
    paths = []

    class Recorder(BaseHTTPRequestHandler):
        def do_GET(self):
            paths.append(self.path)
            self.send_response(404)
            self.end_headers()

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Recorder)
    Thread(target=server.serve_forever, daemon=True).start()
    yield paths, f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("name", ["page.html", "page.md"])
def test_references_in_a_document_are_not_followed(save_file, requests_made, tmp_path, name):
    paths, address = requests_made
    secret = tmp_path / "secret.txt"
    secret.write_text("the code is 4711")
    markup = (
        f'<link rel="stylesheet" href="{address}/style.css"><script src="{address}/code.js"></script>'
        f'<img src="{address}/image.png"><img src="{secret.as_uri()}"><iframe src="{address}/frame"></iframe>'
        f'<object data="{secret.as_uri()}"></object>'
    )
    if name.endswith(".html"):
        text = f"<html><body>{markup}<p>Ships carried grain.</p></body></html>"
    else:
        text = f"![image]({address}/image.png)\n\n![file]({secret.as_uri()})\n\n{markup}\n\nShips carried grain.\n"
    parsed = save_file(name, text)
    assert "Ships carried grain." in " ".join(text for _, text in passages_of(parsed))
    assert "4711" not in repr(parsed)
    assert not paths


@pytest.mark.parametrize(
    ("name", "text", "shown"),
    [
        ("a.md", "See [Annex B](https://club.example/annex-b.pdf).", "See Annex B (https://club.example/annex-b.pdf)."),
        ("a.md", "Ask <https://ask.example>.", "Ask https://ask.example."),
        ("a.html", '<p>Write to <a href="mailto:b%20l@x.no">Bo <b>Lind</b></a>.</p>', "Write to Bo Lind (b l@x.no)."),
        ("a.html", '<p>Get <a href="forms/lease.docx">the lease</a>.</p>', "Get the lease (forms/lease.docx)."),
        ("a.html", '<p>See <a href="#top">above</a> and <a href="/wiki/Tern">Tern</a>.</p>', "See above and Tern."),
        ("a.html", '<base href="http://[x"><p>See <a href="http://[x">this</a>.</p>', "See this."),
        (
            "a.html",
            '<head><link rel="canonical" href="https://en.x.no/Gull"></head><body><p>The <a href="https://en.x.no/Tern">tern</a>.</p>',
            "The tern.",
        ),
    ],
)
def test_links_to_files_and_other_sites_have_their_addresses(save_file, name, text, shown):
    [passage] = save_file(name, text).passages
    assert passage.text == shown


def test_addresses_of_a_paragraph_with_many_links_are_listed_as_left_out(save_file):
    links = ", ".join(f'<a href="https://x.no/{name}">{name}</a>' for name in ("Tern", "Gull", "Auk", "Eider"))
    parsed = save_file("a.html", f"<p>Birds: {links}.</p>")
    assert parsed.passages[0].text == "Birds: Tern, Gull, Auk, Eider."
    assert parsed.left_out[0] == "address of a link: Tern → https://x.no/Tern"
    assert len(parsed.left_out) == 4


def test_links_of_a_word_document_have_their_addresses(save_file):
    document = docx.Document()
    paragraph = document.add_paragraph("See ")
    address = document.part.relate_to("https://club.example/annex-b.pdf", RELATIONSHIP_TYPE.HYPERLINK, is_external=True)
    names = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    ids = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
    paragraph._p.append(
        parse_xml(f'<w:hyperlink {names} {ids} r:id="{address}"><w:r><w:t>Annex B</w:t></w:r></w:hyperlink>')
    )
    paragraph.add_run(".")
    buffer = io.BytesIO()
    document.save(buffer)
    assert passages_of(save_file("a.docx", buffer.getvalue())) == [
        ((), "See Annex B (https://club.example/annex-b.pdf).")
    ]


CODE = "def load(path):\n    return open(path)"


@pytest.mark.parametrize(
    "text",
    [
        "1. Run this:\n\n   ```python\n   def load(path):\n       return open(path)\n   ```\n\n2. Stop.\n",
        "- Run this:\n\n      def load(path):\n          return open(path)\n\n- Stop.\n",
        "- a\n  - Run this:\n    ```\n    def load(path):\n        return open(path)\n    ```\n- Stop.\n",
        "> Run this:\n>\n> ```\n> def load(path):\n>     return open(path)\n> ```\n>\n> Stop.\n",
    ],
)
def test_program_code_of_a_list_keeps_its_lines_and_indentation(save_file, text):
    [passage] = save_file("a.md", text).passages
    sentences = [passage.text[slice(*span)] for span in passage.sentences]
    assert CODE in sentences
    assert sentences[sentences.index(CODE) + 1].endswith("Stop.")


def test_program_code_of_html_lists_and_tables_keeps_its_lines(save_file):
    html = f"<ul><li>Run <pre>{CODE}</pre> now</li></ul><table><tr><td>x</td><td><pre>{CODE}</pre></td></tr></table>"
    [passage] = save_file("a.html", html).passages
    assert passage.text == f"Run\n{CODE}\nnow\nx\n{CODE}"


def test_program_code_in_the_cells_of_a_table_is_repeated_behind_it_with_its_lines(save_file):
    rows = "".join(f"<tr><td>{n}</td><td><pre>run {n}\n  now</pre></td></tr>" for n in range(2))
    parsed = save_file("a.html", f"<table><tr><th>n</th><th>code</th></tr>{rows}</table><p>The end.</p>")
    assert parsed.tables[0].cells == (("n", "code"), ("0", "run 0 now"), ("1", "run 1 now"))
    assert [passage.text for passage in parsed.passages] == ["run 0\n  now\nrun 1\n  now\nThe end."]


def test_words_that_hard_wraps_of_markdown_break_are_whole(save_file):
    [passage] = save_file("a.md", "The repre-\nsentative of a non-\nresident\nowner, *in-*\n*deed*.\n").passages
    assert passage.text == "The representative of a non-resident owner, in- deed."


def test_program_code_of_a_page_keeps_its_lines_and_indentation(save_file):
    code = "def load(path):\n    return open(path)"
    [passage] = save_file("a.md", f"Run this:\n\n```python\n{code}\n```\n").passages
    assert passage.text == f"Run this:\n{code}"


def test_lists_of_markdown_are_read_to_their_deepest_level(save_file):
    parsed = save_file("deep.md", "".join(f"{'  ' * level}- level {level}\n" for level in range(25)))
    assert parsed.passages[-1].text.endswith("level 24")
