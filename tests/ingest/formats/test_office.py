import io
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import docx
import pptx
import pytest

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
    made = docx.Document()
    made.core_properties.title = "Harbour report"
    made.add_heading("Harbour report", 0)
    made.add_heading("Trade", 1)
    made.add_paragraph("Ships carried grain.")
    made.add_heading("Grain", 2)
    made.add_paragraph("Grain rose.")
    made.add_paragraph("rye", style="List Bullet")
    made.add_paragraph("Table 1. Ships by year")
    table = made.add_table(2, 2)
    for cell, text in zip(table._cells, ["Year", "Ships", "2024", "52"], strict=True):
        cell.text = text
    made.add_heading("People", 1)
    made.add_paragraph("Anna Berg leads.")
    held = io.BytesIO()
    made.save(held)
    found = save_file("report.docx", held.getvalue())
    assert found.title == "Harbour report"
    assert passages_of(found) == [
        (("Trade",), "Ships carried grain."),
        (("Trade", "Grain"), "Grain rose.\nrye"),
        (("People",), "Anna Berg leads."),
    ]
    (shown,) = found.tables
    assert (shown.caption, shown.number, shown.section) == ("Table 1. Ships by year", "1", ("Trade", "Grain"))
    assert shown.cells == (("Year", "Ships"), ("2024", "52"))


def test_slides_are_pages_with_places_in_points(save_file):
    deck = pptx.Presentation()
    first = deck.slides.add_slide(deck.slide_layouts[0])
    first.shapes.title.text, first.placeholders[1].text = "Harbour", "A subtitle"
    second = deck.slides.add_slide(deck.slide_layouts[1])
    second.shapes.title.text, second.placeholders[1].text = "Growth", "Grain rose"
    second.notes_slide.notes_text_frame.text = "Say it slowly"
    held = io.BytesIO()
    deck.save(held)
    found = save_file("slides.pptx", held.getvalue())
    assert found.title == "Harbour"
    assert [(page.number, page.width, page.height) for page in found.pages] == [(1, 720, 540), (2, 720, 540)]
    assert passages_of(found) == [((), "A subtitle"), (("Growth",), "Grain rose\nSay it slowly")]
    passage = found.passages[1]
    assert passage.pages == (2,)
    assert passage.text[slice(*passage.lines[0])] == "Grain rose"
    assert 0 < passage.boxes[0].x0 < passage.boxes[0].x1 < 720


def test_a_web_page_loses_its_navigation_and_keeps_its_title(save_file):
    found = save_file(
        "page.html",
        "<html><head><title>The port</title><script>alert(1)</script></head><body><nav>Home</nav><h1>Harbour</h1>"
        "<p>Ships &amp; <b>grain</b>.</p><h2>Trade</h2><ul><li>rye</li></ul><table><caption>Table 2. Ships</caption>"
        "<tr><th>Year</th><th>Ships</th></tr><tr><td>2023</td><td>40</td></tr></table></body></html>",
    )
    assert found.title == "The port"
    assert passages_of(found) == [(("Harbour",), "Ships & grain."), (("Harbour", "Trade"), "rye")]
    assert found.tables[0].number == "2"


def test_markdown_in_any_encoding_with_front_matter(save_file):
    text = "---\ntitle: 'Café notes'\n---\n# Harbour\n\nSome **bold** text, and `code`.\n\n## Trade\n\n- rye\n"
    for encoding in ("utf-8", "utf-16", "cp1252"):
        found = save_file("notes.md", text.encode(encoding))
        assert found.title == "Café notes"
        assert passages_of(found) == [(("Harbour",), "Some bold text, and code."), (("Harbour", "Trade"), "rye")]


def test_chapters_of_an_ebook_are_sections(save_file):
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as book:
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
    found = save_file("book.epub", held.getvalue())
    assert found.title == "The harbour book"
    assert passages_of(found) == [(("Chapter one",), "First text.")]


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
    found = save_file(name, text)
    assert "Ships carried grain." in " ".join(text for _, text in passages_of(found))
    assert "4711" not in repr(found)
    assert not paths
