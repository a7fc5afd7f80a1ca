"""The parser on small PDFs made here: what is read, what is reported, and what a bad page costs."""

import zlib
from array import array
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import active_children

import psutil
import pypdfium2
import pytest
from PIL import Image, ImageDraw, ImageFont
from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from hopline.config import Settings
from hopline.errors import DocumentError
from hopline_ingest.formats.pdf.page_content import Line, PageContent
from hopline_ingest.sandbox import document_parser
from hopline_ingest.sandbox.document_parser import DocumentParser
from hopline_ingest.sandbox.parser_processes import ParsingStopped
from hopline_ingest.sandbox.pdf_job import PdfJob, split_page_ranges

SENTENCES = [f"Sentence number {n} tells that ship {n} carried grain to the port of Lund." for n in range(1, 9)]


@pytest.fixture(scope="module")
def parser(tmp_path_factory):
    with DocumentParser(
        Settings(home=tmp_path_factory.mktemp("home"), parse_memory_mb=768), processes=2
    ) as document_parser:
        yield document_parser


@pytest.fixture
def draw_pdf(tmp_path):
    """Makes a PDF; each argument draws one page on a canvas."""

    def make(*pages, name="made.pdf", title=None, encrypt=None):
        path = tmp_path / name
        canvas = Canvas(str(path), pagesize=A4, encrypt=encrypt)
        if title:
            canvas.setTitle(title)
        for page in pages:
            page(canvas)
            canvas.showPage()
        canvas.save()
        return path

    return make


def text_page(lines, *, heading="", x=72, top=760):
    def draw(canvas):
        y = top
        if heading:
            canvas.setFont("Helvetica-Bold", 16)
            canvas.drawString(x, y, heading)
            y -= 30
        canvas.setFont("Times-Roman", 11)
        for line in lines:
            canvas.drawString(x, y, line)
            y -= 14

    return draw


def two_columns(canvas):
    canvas.setFont("Helvetica-Bold", 18)
    canvas.drawString(72, 780, "Ships of the northern harbours")
    canvas.setFont("Times-Roman", 10)
    for row in range(40):
        canvas.drawString(60, 740 - 13 * row, f"Left line {row} of a column that is as wide as it is.")
        canvas.drawString(310, 740 - 13 * row, f"Right line {row} of a column that is as wide as it.")


def with_table(canvas):
    text_page(["Trade grew in the year. The table shows how many ships came."], heading="Trade")(canvas)
    canvas.drawString(72, 660, "Table 3. Ships and grain by harbour")
    rows = [("Harbour", "Ships", "Grain"), ("Lund", "40", "1,200"), ("Visby", "52", "900"), ("Malmö", "7", "80")]
    for n, row in enumerate(rows):
        for column, cell in enumerate(row):
            canvas.drawString(72 + 120 * column, 635 - 18 * n, cell)
    for n in range(len(rows) + 1):
        canvas.line(66, 648 - 18 * n, 400, 648 - 18 * n)
    for x in (66, 186, 306, 400):
        canvas.line(x, 648, x, 648 - 18 * len(rows))


def make_scan(turn):
    """Return the drawing of a page that is an image of three lines, turned clockwise by degrees."""
    image = Image.new("L", (1240, 1754), 255)
    pen = ImageDraw.Draw(image)
    font = ImageFont.load_default(size=40)
    for n, line in enumerate(["The lighthouse was built in 1927.", "Its lamp is seen 18 miles away.", "It was sold."]):
        pen.text((120, 200 + 70 * n), line, font=font, fill=0)
    image = image.rotate(-turn, expand=True)

    def draw(canvas):
        width, height = (A4[0], A4[1]) if turn in {0, 180} else (A4[1], A4[0])
        canvas.setPageSize((width, height))
        canvas.drawImage(ImageReader(image), 0, 0, width, height)

    return draw


def test_columns_are_parsed_one_after_the_other(parser, draw_pdf):
    parsed = parser.parse(draw_pdf(two_columns), "ships.pdf")
    text = " ".join(passage.text for passage in parsed.passages)
    assert parsed.title == "Ships of the northern harbours"
    assert text.index("Left line 39") < text.index("Right line 0")


def test_a_table_has_cells_caption_number_section_and_box(parser, draw_pdf):
    parsed = parser.parse(draw_pdf(with_table), "trade.pdf")
    (table,) = parsed.tables
    assert table.cells == (
        ("Harbour", "Ships", "Grain"),
        ("Lund", "40", "1,200"),
        ("Visby", "52", "900"),
        ("Malmö", "7", "80"),
    )
    assert (table.caption, table.number, table.section) == ("Table 3. Ships and grain by harbour", "3", ("Trade",))
    box = table.boxes[0]
    assert (box.page, round(box.x0) in range(55, 75)) == (1, True)
    assert not any("Visby" in passage.text for passage in parsed.passages)


@pytest.mark.parametrize("turn", [0, 90])
def test_a_scanned_page_is_recognised_at_every_rotation(parser, draw_pdf, turn):
    parsed = parser.parse(draw_pdf(make_scan(turn)), "scan.pdf")
    text = " ".join(passage.text.replace("\n", " ") for passage in parsed.passages)
    assert text == "The lighthouse was built in 1927. Its lamp is seen 18 miles away. It was sold."
    first = parsed.passages[0].boxes[0]
    across, down = first.x1 - first.x0, first.y1 - first.y0
    assert (across > down) == (turn == 0)
    assert abs((first.y0 if turn == 0 else A4[1] - first.x1) - 200 / 1754 * A4[1]) < 12


def test_running_heads_and_page_numbers_are_dropped(parser, draw_pdf):
    def make_numbered_page(n):
        def draw(canvas):
            text_page([SENTENCES[n]], top=600)(canvas)
            canvas.drawString(72, 810, "The harbour review")
            canvas.drawString(290, 30, str(n + 1))

        return draw

    parsed = parser.parse(draw_pdf(*[make_numbered_page(n) for n in range(5)]), "review.pdf")
    assert [passage.text.split("\n") for passage in parsed.passages] == [SENTENCES[:5]]
    assert parsed.passages[0].pages == (1, 2, 3, 4, 5)


def test_progress_is_reported_after_every_page(parser, draw_pdf):
    path = draw_pdf(*[text_page([sentence]) for sentence in SENTENCES])
    reported = []
    parser.parse(path, "eight.pdf", on_page=lambda done, total: reported.append((done, total)))
    assert reported == [(n, 8) for n in range(1, 9)]


def test_several_threads_can_parse_concurrently(parser, draw_pdf):
    paths = [draw_pdf(text_page([sentence]), name=f"{n}.pdf") for n, sentence in enumerate(SENTENCES)]
    with ThreadPoolExecutor(4) as threads:
        documents = list(threads.map(lambda path: parser.parse(path, path.name), paths))
    assert [document.passages[0].text for document in documents] == SENTENCES


def test_parsing_the_same_file_twice_gives_the_same_document(parser, draw_pdf):
    path = draw_pdf(two_columns, with_table, text_page(SENTENCES))
    assert parser.parse(path, "a.pdf") == parser.parse(path, "a.pdf")


def test_boxes_of_a_rotated_page_are_relative_to_the_displayed_page(parser, draw_pdf, tmp_path):
    document = pypdfium2.PdfDocument(draw_pdf(text_page(SENTENCES)))
    document[0].set_rotation(90)
    document.save(str(tmp_path / "turned.pdf"))
    document.close()
    parsed = parser.parse(tmp_path / "turned.pdf", "turned.pdf")
    assert (round(parsed.pages[0].width), round(parsed.pages[0].height)) == (842, 595)
    assert parsed.passages[0].text.split("\n")[0].startswith("Sentence number 1")
    assert all(0 <= box.x0 < box.x1 <= 842 and 0 <= box.y0 < box.y1 <= 595 for box in parsed.passages[0].boxes)


def test_a_file_without_text_has_pages_and_no_passages(parser, draw_pdf):
    parsed = parser.parse(draw_pdf(lambda canvas: None), "blank.pdf")
    assert (len(parsed.pages), parsed.passages, parsed.title) == (1, (), "blank")


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("a.pdf", b"", "the file is empty"),
        ("a.pdf", b"hello", "not a valid PDF"),
        ("a.pdf", b"%PDF-1.4 and then nothing", "damaged"),
        ("a.xyz", b"hello", r"\.xyz files are not supported"),
        ("a.jsonl", b"{}", "is a JSONL file"),
    ],
)
def test_a_file_that_cannot_be_parsed_raises_an_error_with_the_reason(parser, tmp_path, name, data, reason):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(DocumentError, match=reason):
        parser.parse(tmp_path / name, name)


def test_a_password_protected_file_raises_an_error(parser, draw_pdf):
    with pytest.raises(DocumentError, match="password-protected"):
        parser.parse(draw_pdf(text_page(SENTENCES), encrypt="secret"), "locked.pdf")


def test_too_many_pages_raise_an_error(draw_pdf, tmp_path):
    with (
        DocumentParser(Settings(home=tmp_path, max_pages=2), processes=1) as small,
        pytest.raises(DocumentError, match=r"3 pages; the limit is 2 \(HOPLINE_MAX_PAGES\)"),
    ):
        small.parse(draw_pdf(*[text_page(SENTENCES)] * 3), "three.pdf")


def bomb(megabytes):
    """Return a stream of blanks, compressed twice: some kilobytes, but many megabytes when decompressed."""

    def compress(chunks):
        packer = zlib.compressobj(9)
        for chunk in chunks:
            yield packer.compress(chunk)
        yield packer.flush()

    return b"".join(compress(compress(b" " * 2**20 for _ in range(megabytes))))


def with_bomb(path, megabytes):
    """Three pages, of which the second has a bomb for its content."""
    stream = bomb(megabytes)
    parts = ["<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R 4 0 R 5 0 R]/Count 3>>"]
    parts += [
        f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents {n} 0 R/Resources<</Font<</F 9 0 R>>>>>>"
        for n in (6, 7, 8)
    ]
    words = [
        b"BT /F 12 Tf 72 700 Td (The first page is sound.) Tj ET",
        b"BT /F 12 Tf 72 700 Td (So is the third.) Tj ET",
    ]
    objects = [part.encode() for part in parts]
    objects += [
        b"<</Length %d>>stream\n%s\nendstream" % (len(words[0]), words[0]),
        b"<</Length %d/Filter[/FlateDecode/FlateDecode]>>stream\n%s\nendstream" % (len(stream), stream),
        b"<</Length %d>>stream\n%s\nendstream" % (len(words[1]), words[1]),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    data = b"%PDF-1.4\n" + b"".join(b"%d 0 obj\n%s\nendobj\n" % (n + 1, body) for n, body in enumerate(objects))
    path.write_bytes(data + b"trailer<</Root 1 0 R/Size 10>>\n%%EOF")
    return path


def test_a_page_that_needs_too_much_memory_does_not_affect_other_pages(parser, tmp_path):
    parsed = parser.parse(with_bomb(tmp_path / "bomb.pdf", 1200), "bomb.pdf")
    assert [passage.text for passage in parsed.passages] == ["The first page is sound.\nSo is the third."]
    assert parsed.warnings == ("page 2 could not be parsed: ran out of memory",)
    assert len(parsed.pages) == 3


def build_page(text):
    """A page of one line, without the positions of its characters."""
    return PageContent(1, 595, 842, lines=(Line(text, (50, 100, 500, 110), array("f"), array("f"), size=10.0),))


def replace_pages(monkeypatch, page):
    """Let every range of pages be parsed as this page."""
    monkeypatch.setattr(PdfJob, "parse_pages", lambda job, numbers: [page])


def test_a_document_whose_assembly_needs_too_much_memory_fails_alone(draw_pdf, tmp_path, monkeypatch):
    path = draw_pdf(text_page(SENTENCES))
    with DocumentParser(Settings(home=tmp_path, parse_memory_mb=512), processes=1) as small:
        with monkeypatch.context() as patched:
            replace_pages(patched, build_page("grain " * 12_000_000))
            with pytest.raises(DocumentError, match="the pages of the PDF cannot be assembled: ran out of memory"):
                small.parse(path, "large.pdf")
        assert small.parse(path, "next.pdf").passages[0].text.startswith(SENTENCES[0])


def test_a_document_whose_assembly_takes_too_long_fails_alone(parser, draw_pdf, monkeypatch):
    path = draw_pdf(text_page(SENTENCES))
    with monkeypatch.context() as patched:
        patched.setattr(document_parser, "ASSEMBLY_SECONDS", 0.01)
        replace_pages(patched, build_page("grain " * 100_000))
        with pytest.raises(DocumentError, match="the pages of the PDF cannot be assembled: timed out"):
            parser.parse(path, "slow.pdf")
    assert parser.parse(path, "next.pdf").passages[0].text.startswith(SENTENCES[0])


def test_an_error_of_the_assembly_is_the_reason_of_the_document(parser, draw_pdf, monkeypatch):
    replace_pages(monkeypatch, PageContent(1, 595, 842, lines=(None,)))  # type: ignore[arg-type]
    with pytest.raises(DocumentError, match="the pages of the PDF cannot be assembled: AttributeError: "):
        parser.parse(draw_pdf(text_page(SENTENCES)), "faulty.pdf")


def test_a_killed_process_is_replaced_and_no_page_is_lost(parser, draw_pdf):
    path = draw_pdf(*[text_page(SENTENCES, heading=f"Chapter {n}") for n in range(40)])
    killed = []

    def kill_once(done, total):
        if not killed:
            killed.append([child.kill() for child in active_children()])

    parsed = parser.parse(path, "forty.pdf", on_page=kill_once)
    assert killed
    assert len(parsed.passages) == 40
    assert parsed.warnings == ()


def test_closing_stops_parsing_and_terminates_the_processes(draw_pdf, tmp_path):
    path = draw_pdf(*[text_page(SENTENCES) for _ in range(200)])
    closing = DocumentParser(Settings(home=tmp_path), processes=2)
    with ThreadPoolExecutor(1) as threads:
        stopping = []

        def close_once(done, total):
            if not stopping:
                stopping.append(threads.submit(closing.close))

        with pytest.raises(ParsingStopped):
            closing.parse(path, "long.pdf", on_page=close_once)
        stopping[0].result(timeout=60)
    with pytest.raises(ParsingStopped):
        closing.parse(path, "long.pdf")


def test_a_parser_process_never_loads_torch_and_has_limits(parser, draw_pdf):
    parser.parse(draw_pdf(with_table, make_scan(0)), "both.pdf")
    processes = [psutil.Process(child.pid) for child in active_children()]
    assert processes
    for child in processes:
        assert not any("libtorch" in mapped.path for mapped in child.memory_maps())
        if hasattr(child, "rlimit"):
            assert child.rlimit(psutil.RLIMIT_AS)[0] < child.memory_info().vms + 1.5 * 768 * 2**20
            assert 0 < child.rlimit(psutil.RLIMIT_CPU)[0] < 10_000


def test_ranges_cover_every_page_once_and_share_them_out():
    assert split_page_ranges(1, 2) == [(1,)]
    assert split_page_ranges(8, 2) == [(1, 2), (3, 4), (5, 6), (7, 8)]
    assert [number for page_range in split_page_ranges(352, 2) for number in page_range] == list(range(1, 353))
    assert max(map(len, split_page_ranges(2000, 2))) <= 12
