from dataclasses import replace

import pytest

from hopline_ingest.formats.pdf.assembly.document import assemble_document
from hopline_ingest.formats.pdf.page_content import PageContent, TableCell, TableContent

BODY = "This is running text that fills its line to the end of it"


def page(number, *lines, tables=()):
    return PageContent(number, 600.0, 800.0, tuple(lines), tuple(tables))


def prose(line, text, y, **more):
    return line(text, y=y, width=300, **more)


def test_a_sentence_across_a_page_break_has_both_pages_and_boxes(line):
    pages = [
        page(1, prose(line, "Some text stands here. The composite was then", 700)),
        page(2, prose(line, "washed by dis-", 60), prose(line, "tilled water.", 74)),
    ]
    (passage,) = assemble_document(pages, name="a.pdf").passages
    assert passage.text == "Some text stands here. The composite was then washed by distilled water."
    assert passage.pages == (1, 2)
    assert [box.page for box in passage.boxes] == [1, 2, 2]
    assert [passage.text[a:b] for a, b in passage.lines] == [
        "Some text stands here. The composite was then",
        "washed by dis",
        "tilled water.",
    ]
    assert [passage.text[a:b] for a, b in passage.sentences] == [
        "Some text stands here.",
        "The composite was then washed by distilled water.",
    ]


def test_headings_become_the_section_and_not_the_text(line):
    lines = [
        line("2 Methods", y=100, size=14, bold=True),
        *[prose(line, f"{BODY} {n}.", 130 + 12 * n) for n in range(3)],
        line("2.1 Experiments", y=200, size=12, bold=True, block=1),
        prose(line, BODY + ".", 230, block=2),
    ]
    first, second = assemble_document([page(1, *lines)], name="a.pdf").passages
    assert first.section == ("2 Methods",)
    assert second.section == ("2 Methods", "2.1 Experiments")
    assert "Methods" not in first.text


def test_a_heading_with_nothing_under_it_is_not_lost(line):
    lines = [prose(line, BODY + ".", 100), line("Thank you", y=400, size=24, block=1)]
    texts = [passage.text for passage in assemble_document([page(1, *lines)], name="a.pdf").passages]
    assert texts == [BODY + ".", "Thank you"]


def test_headings_that_the_next_one_ends_are_kept_as_text(line):
    first = [prose(line, f"{BODY} {n}.", 40 + 12 * n) for n in range(4)]
    second = [
        line("North Carolina", y=200, size=14, bold=True, block=1),
        line("700 Anderson Hill Road", y=230, size=14, bold=True, block=2),
        line("Item 2 Results", y=260, size=14, bold=True, block=3),
        prose(line, BODY + " too.", 300, block=4),
    ]
    _, cover, last = assemble_document([page(1, *first), page(2, *second)], name="a.pdf", title=BODY).passages
    assert cover.text == "North Carolina 700 Anderson Hill Road"
    assert cover.section == ()
    assert last.section == ("Item 2 Results",)


def test_the_title_is_the_largest_text_on_the_first_page(line):
    lines = [line("Solubility of water", y=60, size=20), *[prose(line, BODY, 120 + 12 * n) for n in range(5)]]
    document = assemble_document([page(1, *lines)], name="scan_01.pdf")
    assert document.title == "Solubility of water"
    assert document.passages[0].section == ()


def test_without_any_title_the_files_name_is_it(line):
    assert assemble_document([page(1, prose(line, BODY, 100))], name="annual_report.pdf").title == "annual report"


def test_a_caption_interrupts_no_paragraph_and_is_its_own_passage(line):
    pages = [
        page(1, prose(line, "It begins here and", 700), line("Figure 1. A map", y=740, role="caption", block=1)),
        page(2, prose(line, "ends there.", 60)),
    ]
    assert [passage.text for passage in assemble_document(pages, name="a.pdf").passages] == [
        "Figure 1. A map",
        "It begins here and ends there.",
    ]


def test_a_table_has_its_section_and_continues_on_the_next_page_with_its_caption(line, make_cells):
    cells = make_cells((("Year", "Ships"), ("2023", "40")))
    start = TableContent((50, 200, 500, 700), cells, "Table 2. Ships by year", block=2)
    continuation = TableContent((50, 60, 500, 300), cells, block=0)
    separate = TableContent((50, 400, 500, 500), cells, block=5)
    heading = line("3 Trade", y=100, size=16, bold=True)
    text = prose(line, BODY + ".", 130, block=1)
    after = prose(line, BODY + ".", 330, block=1)
    first, second, third = assemble_document(
        [page(1, heading, text, tables=[start]), page(2, after, tables=[continuation, separate])], name="a"
    ).tables
    assert (first.number, first.section, first.page) == ("2", ("3 Trade",), 1)
    assert first.markdown.startswith("| Year | Ships |")
    assert first.boxes[0].y1 == 700
    assert (second.caption, second.number) == ("Table 2. Ships by year", "2")
    assert third.caption == ""


def test_each_cell_of_a_table_has_its_box_and_the_span_of_the_text_that_it_shows():
    rects = [(50, 100, 90, 110), (150, 100, 190, 110), None, (150, 114, 190, 124)]
    year, ships, empty, number = map(TableCell, ("Year", "Ships", "", "4|0"), rects)
    content = TableContent((50, 90, 200, 130), ((year, ships), (empty, number)), "Table 2. Ships")
    (table,) = assemble_document([page(1, tables=[content])], name="a").tables
    shown = [table.text[start:end] for start, end in table.lines]
    assert shown == ["Year", "Ships", "4\\|0"]
    assert [(box.x0, box.y0) for box in table.boxes] == [(50, 100), (150, 100), (150, 114)]


def test_every_page_is_listed_and_failed_pages_have_a_warning(line):
    bad = PageContent(2, 0.0, 0.0, warnings=("page 2 could not be parsed: damaged",), read=False)
    document = assemble_document([page(1, prose(line, BODY, 100)), bad], name="a.pdf")
    assert [(shown.number, shown.width) for shown in document.pages] == [(1, 600.0), (2, 0.0)]
    assert document.warnings == ("page 2 could not be parsed: damaged",)


def test_words_of_a_figure_are_kept_and_the_numbers_of_its_axes_are_not(line):
    words = ["Plan ahead", "Make contracts", "Build ships", "Sail north"]
    figure = [line(text, y=100 + 30 * n, role="figure") for n, text in enumerate(words)]
    axis = [line(text, y=300 + 20 * n, role="figure", block=1) for n, text in enumerate(["0.5", "1.0", "t (min)"])]
    parsed = assemble_document([page(1, *figure, *axis)], name="a.pdf")
    assert [passage.text for passage in parsed.passages] == ["Plan ahead\nMake contracts\nBuild ships\nSail north"]
    assert parsed.left_out == ("labels of a figure: 0.5 1.0 t (min)",)


def test_chinese_words_of_a_figure_are_kept(line):
    figure = [line("姓名：王小明", y=100, role="figure"), line("出生年月 电话号码", y=120, role="figure")]
    (passage,) = assemble_document([page(1, *figure)], name="a.pdf").passages
    assert passage.text == "姓名：王小明\n出生年月 电话号码"


def make_table(*rows, y=100):
    return TableContent((50, y, 300, y + 100), tuple(tuple(TableCell(text) for text in row) for row in rows))


def test_a_table_that_goes_on_without_its_header_gets_that_of_the_page_before():
    first = make_table(("Vessel", "Built"), ("Ship 1", "1901"), ("Ship 2", "1902"))
    parsed = assemble_document(
        [page(1, tables=[first]), page(2, tables=[make_table(("Ship 3", "1903"), ("Ship 4", "1904"))])], name="a.pdf"
    )
    assert [table.cells for table in parsed.tables] == [
        (("Vessel", "Built"), ("Ship 1", "1901"), ("Ship 2", "1902")),
        (("Vessel", "Built"), ("Ship 3", "1903"), ("Ship 4", "1904")),
    ]


@pytest.mark.parametrize("rows", [(("Port", "Depth"), ("Marl", "9")), (("Marl", "9", "x"), ("Oxby", "7", "y"))])
def test_another_table_on_the_next_page_keeps_its_own_header(rows):
    first = make_table(("Vessel", "Built"), ("Ship 1", "1901"))
    parsed = assemble_document([page(1, tables=[first]), page(2, tables=[make_table(*rows)])], name="a.pdf")
    assert parsed.tables[1].cells == rows


def test_text_of_a_page_that_is_in_no_passage_is_a_warning(line):
    shown = replace(page(1, prose(line, "The ship sails.", 100)), source=("The ship sails.", "The crew is stable."))
    (warning,) = assemble_document([shown], name="a.pdf").warnings
    assert warning == "about 44 % of the text could not be read, for example: The crew is stable."
