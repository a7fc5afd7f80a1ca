"""Parsing of real documents: papers, filings, a book, a form, a scan, and malicious files."""

import threading
import time
import unicodedata
from collections import Counter
from difflib import SequenceMatcher
from itertools import combinations
from multiprocessing import active_children

import psutil
import pypdfium2
import pytest

from hopline.config import Settings
from hopline.errors import DocumentError
from hopline_ingest.chunking import LIMIT, count_tokens
from hopline_ingest.formats.coverage import MAX_LOSS, measure_loss
from hopline_ingest.sandbox.document_parser import DocumentParser

pytestmark = pytest.mark.shared

PAPER, LETTER = "dv01_water_science_2col.pdf", "dv02_earth_planetary_2col.pdf"
BOOK = "dv06_freeculture_352pages.pdf"


@pytest.fixture(scope="module")
def parser(tmp_path_factory):
    with DocumentParser(Settings(home=tmp_path_factory.mktemp("home")), processes=2) as document_parser:
        yield document_parser


@pytest.fixture(scope="module")
def read(parser, real_data):
    """Parses a real document by its name; each is parsed once."""
    documents = {}

    def parse_once(name):
        if name not in documents:
            documents[name] = parser.parse(real_data / "pdfs" / name, name)
        return documents[name]

    return parse_once


def copy_pages(source, numbers, target):
    """Write pages of a PDF, counted from 1, to a file of its own; returns its path."""
    with pypdfium2.PdfDocument(source) as document, pypdfium2.PdfDocument.new() as part:
        part.import_pages(document, [number - 1 for number in numbers])
        part.save(str(target))
    return target


def letters(text):
    """Letters and digits alone, as hyphens, blanks and ligatures differ between readers."""
    return "".join(c for c in unicodedata.normalize("NFKC", text) if c.isalnum())


@pytest.mark.parametrize(
    ("name", "pages"),
    [
        (PAPER, {str(n + 1): page for n, page in enumerate([4, 6, 8, 10, 11, 13, 13, 14, 16])}),
        (LETTER, {"1": 3, "2": 7}),
        ("dv03_education_multi_tables.pdf", {"A-1": 2, "A-2": 3, "A-3": 4, "A-4": 4}),
        (
            "dv04_eu_market_report.pdf",
            {f"6.{n + 1}": p for n, p in enumerate([2, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 14])},
        ),
    ],
)
def test_every_numbered_table_is_found_on_its_page(read, name, pages):
    assert {table.number: table.page for table in read(name).tables} == pages


def test_a_ligature_that_its_file_misnames_is_whole(read):
    text = " ".join(passage.text for passage in read("dv03_education_multi_tables.pdf").passages)
    assert "The mean absolute percentage error (MAPE) is one way" in text
    assert "This measure expresses" in text


def test_cells_of_tables_with_rules_without_and_sideways(read):
    sixth = {table.number: table for table in read(PAPER).tables}["6"]
    assert sixth.caption.startswith("Table 6 Optimum conditions for achieving maximum adsorption efficiency")
    assert ("Experimental removal percentage at optimal conditions", "95.14") in sixth.cells
    first = {table.number: table for table in read("dv04_eu_market_report.pdf").tables}["6.1"]
    assert ("Germany", "27.5", "81.9", "415.3", "196", "373", "898") in first.cells
    sideways = {table.number: table for table in read(LETTER).tables}["1"]
    row = next(row for row in sideways.cells if row[0] == "Per-4")
    assert row[1:5] == ("2197 ± 59", "60", "3.46", "9.88E-07")
    for table in (sixth, first, sideways):
        texts = [cell.replace("|", "\\|") for row in table.cells for cell in row if cell]
        assert [table.text[start:end] for start, end in table.lines] == texts
        assert len(table.boxes) == len(texts)
        assert all(0 <= box.x0 < box.x1 and 0 <= box.y0 < box.y1 for box in table.boxes)


def test_a_statement_of_a_filing_has_its_numbers(parser, real_data, tmp_path):
    filing = real_data / "data" / "financebench" / "pdfs" / "ADOBE_2022_10K.pdf"
    parsed = parser.parse(copy_pages(filing, [54], tmp_path / "income.pdf"), "income.pdf")
    (table,) = parsed.tables
    rows = {row[0].strip(): (row[1:], item.path) for row, item in zip(table.cells, table.structure.rows, strict=True)}
    assert rows["Total revenue"] == (("17,606", "15,785", "12,868"), ("Revenue:", "Total revenue"))
    assert rows["Net income"] == (("$4,756", "$4,822", "$5,260"), ("Net income",))
    assert rows["Product"][1] == ("Cost of revenue:", "Product")
    assert table.structure.columns[1].path == ("Years Ended", "December 2, 2022")
    assert "CONSOLIDATED STATEMENTS OF INCOME" in table.caption


def test_one_table_over_many_pages_is_a_table_a_page(parser, real_data, tmp_path):
    source = real_data / "pdfs" / "dv05_warn_multipage_table.pdf"
    parsed = parser.parse(copy_pages(source, [2], tmp_path / "warn.pdf"), "warn.pdf")
    assert parsed.tables[0].cells[0][:6] == (
        "07/17/2015",
        "09/18/2015",
        "07/21/2015",
        "Boeing Company",
        "Huntington Beach",
        "65",
    )
    assert len(parsed.tables[0].cells) > 30


def test_titles_sections_and_columns_of_a_paper(read):
    paper = read(PAPER)
    assert paper.title.startswith("Synthesis of a nanocomposite with holocellulose extracted from barley straw")
    sections = list(dict.fromkeys(passage.section for passage in paper.passages))
    order = [sections.index((name,)) for name in ("Abstract", "Introduction", "Material and methods", "Conclusions")]
    assert order == sorted(order)
    assert ("Material and methods", "Adsorption isotherms") in sections
    text = " ".join(passage.text for passage in paper.passages).replace("\n", " ")
    assert "Removal of environmental pollutants such as dyes from wastewater is a challenging issue." in text
    assert "Applied Water Science (2023) 13:243" not in text[2000:]


@pytest.mark.parametrize("name", [PAPER, LETTER, "dv04_eu_market_report.pdf", "dv11_arabic_rtl.pdf"])
def test_every_line_is_what_the_page_shows_in_its_box(read, real_data, name):
    document = pypdfium2.PdfDocument(real_data / "pdfs" / name)
    pages = [(document[n], document[n].get_textpage()) for n in range(len(document))]
    good = total = 0
    for passage in read(name).passages:
        assert len(passage.lines) == len(passage.boxes)
        for (start, end), box in zip(passage.lines, passage.boxes, strict=True):
            page, textpage = pages[box.page - 1]
            left, _, _, top = page.get_bbox()
            shown = textpage.get_text_bounded(left + box.x0, top - box.y1 + 1, left + box.x1, top - box.y0 - 1)
            matcher = SequenceMatcher(None, letters(passage.text[start:end]), letters(shown), autojunk=False)
            good += matcher.ratio() >= 0.85
            total += 1
    for _, textpage in pages:
        textpage.close()
    document.close()
    assert good >= 0.98 * total


@pytest.mark.parametrize("name", [PAPER, LETTER])
def test_no_words_of_a_page_are_lost(read, real_data, name):
    parsed = read(name)
    parsed_letters = Counter()
    for passage in parsed.passages:
        parsed_letters.update(letters(" ".join((passage.text, *passage.section))))
    for table in parsed.tables:
        parsed_letters.update(letters(table.caption + "".join(map("".join, table.cells))))
    document = pypdfium2.PdfDocument(real_data / "pdfs" / name)
    shown = Counter()
    for page in document:
        shown.update(letters(page.get_textpage().get_text_bounded()))
    document.close()
    assert (shown - parsed_letters).total() < 0.1 * shown.total()


@pytest.mark.parametrize("name", [PAPER, LETTER, "dv10_form_f1040.pdf", "dv11_arabic_rtl.pdf"])
def test_passages_are_within_their_bounds(read, name):
    parsed = read(name)
    assert parsed.passages
    for passage in parsed.passages:
        assert 0 < count_tokens(passage.text) <= LIMIT
        assert "".join(passage.text.split()) == "".join(
            "".join(passage.text[a:b] for a, b in passage.sentences).split()
        )
        assert {box.page for box in passage.boxes} == set(passage.pages)
        for box in passage.boxes:
            page = parsed.pages[box.page - 1]
            assert -3 <= box.x0 <= box.x1 <= page.width + 3
            assert -3 <= box.y0 <= box.y1 <= page.height + 3


def test_a_script_that_is_read_leftwards_keeps_its_order(read):
    first = read("dv11_arabic_rtl.pdf").passages[0]
    assert first.section[0].startswith("تحسين")
    assert first.section[0].endswith("Python")
    assert first.text.startswith("تعتبر البرمجة بلغة R و Python")


def test_a_rotated_scan_is_recognised(read):
    text = " ".join(passage.text.replace("\n", " ") for passage in read("dv13_scanned_rotated90.pdf").passages)
    assert text == "Docling bundles PDF document conversion to JSON and Markdown in an easy self contained package"


@pytest.mark.soak
def test_a_book_is_parsed_within_two_gigabytes(parser, real_data, soak, tmp_path):
    path, last_page, last_chapter = real_data / "pdfs" / BOOK, 352, "CHAPTER EIGHT: Transformers"
    if not soak:
        last_page, last_chapter = 80, "CHAPTER FIVE: “Piracy”"
        path = copy_pages(path, range(1, last_page + 1), tmp_path / BOOK)
    before = psutil.Process().memory_info().rss  # what other tests left in this process is not the parser's
    peak = [0]
    ended = threading.Event()

    def watch():
        while not ended.is_set():
            processes = [psutil.Process(), *(psutil.Process(child.pid) for child in active_children())]
            peak[0] = max(peak[0], sum(process.memory_info().rss for process in processes) - before)
            time.sleep(0.2)

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        book = parser.parse(path, BOOK)
    finally:
        ended.set()
        watcher.join()
    assert (len(book.pages), book.warnings) == (last_page, ())
    assert len(book.passages) > 2 * last_page
    assert any(section[-1] == last_chapter for passage in book.passages if (section := passage.section))
    if soak:
        assert book.title == "Free Culture"  # of the metadata, which a copy of pages lacks
    assert peak[0] < 2 * 2**30


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("dv07_password_openpassword.pdf", "the PDF is password-protected"),
        ("dv08_corrupt_redhat.pdf", "the PDF is damaged"),
        ("hostile/truncated_tracemonkey.pdf", "the PDF is damaged"),
        ("hostile/zero_pages.pdf", "the PDF has no pages"),
        ("hostile/pages200k.pdf", "the PDF has 200,000 pages; the limit is 2,000"),
        ("hostile/flate_nested2g.pdf", "no page of the PDF could be parsed; the first page: ran out of memory"),
    ],
)
def test_a_file_that_cannot_be_parsed_raises_an_error_with_the_reason(parser, real_data, name, reason):
    before = psutil.Process().memory_info().rss
    with pytest.raises(DocumentError, match=reason):
        parser.parse(real_data / "pdfs" / name, name.rpartition("/")[2])
    assert psutil.Process().memory_info().rss - before < 50 * 2**20


@pytest.mark.parametrize(
    ("name", "pages", "warning"),
    [
        ("js.pdf", 1, ""),
        ("hugebox.pdf", 1, ""),
        ("loop.pdf", 2, "page 2 could not be parsed"),
        ("flate1g_spaces.pdf", 1, ""),
        ("text100m.pdf", 1, ""),
    ],
)
def test_a_malicious_file_does_no_harm(parser, real_data, name, pages, warning):
    before = psutil.Process().memory_info().rss
    parsed = parser.parse(real_data / "pdfs" / "hostile" / name, name)
    assert len(parsed.pages) == pages
    assert warning in " ".join(parsed.warnings)
    assert bool(parsed.warnings) == bool(warning)
    assert psutil.Process().memory_info().rss - before < 100 * 2**20


@pytest.mark.parametrize(
    "name",
    [
        PAPER,
        LETTER,
        "dv03_education_multi_tables.pdf",
        "dv04_eu_market_report.pdf",
        "dv05_warn_multipage_table.pdf",
        "dv10_form_f1040.pdf",
    ],
)
def test_text_of_a_document_is_stored_or_listed_as_left_out(read, real_data, name):
    document = pypdfium2.PdfDocument(real_data / "pdfs" / name)
    source = [text for page in document for text in page.get_textpage().get_text_bounded().splitlines()]
    document.close()
    loss, examples = measure_loss(read(name), source)
    assert loss <= MAX_LOSS, examples[:20]


@pytest.mark.parametrize("name", [PAPER, LETTER])
def test_no_sentence_goes_back_and_forth_between_two_columns(read, name):
    """A sentence may go on at the top of the next column, which may be level with its last line: once, not twice."""
    spliced = []
    for passage in read(name).passages:
        for start, end in passage.sentences:
            lines = zip(passage.lines, passage.boxes, strict=True)
            boxes = [box for (a, b), box in lines if a < end and b > start and b - a >= 20]  # not those of formulas
            if sum(are_beside(*pair) for pair in combinations(boxes, 2)) > 1:
                spliced.append(passage.text[start:end])
    assert spliced == []


def are_beside(first, second):
    """Whether two boxes are at the same height of one page, and a gutter apart."""
    height = min(first.y1, second.y1) - max(first.y0, second.y0)
    gap = max(first.x0, second.x0) - min(first.x1, second.x1)
    return first.page == second.page and height > 0.5 * min(first.y1 - first.y0, second.y1 - second.y0) and gap > 8
