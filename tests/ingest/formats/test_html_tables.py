"""Large tables of HTML are read without docling, and as docling reads small ones."""

import pytest

from hopline_ingest.formats import html_tables
from hopline_ingest.formats.office import parse_office_file

SPANS = (
    "<tr><th rowspan=2>Port</th><th colspan=2>Catch</th></tr><tr><th>2022</th><th>2023</th></tr>"
    "<tr><td>Halm</td><td>1</td><td>2</td></tr><tr><td rowspan=3>Orla</td><td>3</td><td>4</td></tr>"
    "<tr><td colspan='2'>none</td></tr><tr><td>5</td><td>6</td></tr><tr><td>Ansel</td><td>7</td></tr>"
)
PLAIN = "<thead><tr><th>Boat</th><th>Fee</th></tr></thead>" + "".join(
    f"<tr><td>Boat <b>{n}</b></td><td>{n * 3}</td></tr>" for n in range(120)
)
PAGES = {
    "spans": f"<p>Before.</p><table>{SPANS}</table><p>After.</p>",
    "several": f"<h1>Ports</h1><h2>A</h2><table>{PLAIN}</table><h2>B</h2><p>Text.</p><table>{SPANS}</table>",
    "caption": f"<h1>Ports</h1><table><caption>Table 4. Fees of boats</caption>{PLAIN}</table><p>After.</p>",
    "footer": "<table><tfoot><tr><td>Total</td><td>9</td></tr></tfoot><tr><td>Halm</td><td>9</td></tr></table>",
}


@pytest.mark.parametrize("name", PAGES)
def test_a_large_table_is_read_as_a_small_one(name, tmp_path, monkeypatch):
    path = tmp_path / "page.html"
    path.write_text(f"<html><body>{PAGES[name]}</body></html>")
    small = parse_office_file(str(path), "page.html")
    monkeypatch.setattr(html_tables, "MIN_CELLS", 1)
    monkeypatch.setattr(html_tables, "MIN_TABLE_CELLS", 1)
    assert parse_office_file(str(path), "page.html") == small
    assert small.tables


@pytest.mark.parametrize(
    ("marked", "rows", "header_rows"),
    [
        ("Day What Fee", ["May fair free", "June race 4", "July dance 8"], 1),
        ("Size 36 38", ["Chest 84 88"], 1),
        ("Boat Mass Size", ["- (kg) m", "Ada 4 5"], 2),
        ("Length 4m", ["Width 2m"], 0),
        ("", ["Ada 4 5", "Bo 3 6"], 0),
    ],
)
def test_a_complete_row_of_marked_cells_is_the_header(marked, rows, header_rows, tmp_path):
    path = tmp_path / "page.html"
    header = "".join(f"<th>{text}</th>" for text in marked.split())
    body = "".join("<tr>" + "".join(f"<td>{text.strip('-')}</td>" for text in row.split()) for row in rows)
    path.write_text(f"<table><tr>{header}</tr>{body}</table>")
    [table] = parse_office_file(str(path), "page.html").tables
    assert table.structure.header_rows == header_rows


def test_a_cell_with_two_numbers_is_no_problem(tmp_path):
    path = tmp_path / "page.html"
    path.write_text("<table><tr><th>Peak</th><th>Position</th></tr><tr><td>Horn</td><td>46.5 7.9</td></tr></table>")
    [table] = parse_office_file(str(path), "page.html").tables
    assert not table.structure.problem


def test_a_table_with_lists_stays_for_docling():
    from lxml import html

    rows = "<tr><td><ul><li>a</li></ul></td><td>b</td></tr>" * html_tables.MIN_CELLS
    root = html.document_fromstring(f"<table>{rows}</table>")
    assert html_tables.take_large_tables(root) == ()


def test_a_page_of_many_cells_has_marks_in_their_place():
    from lxml import html

    rows = "<tr><td>a</td><td colspan=9999>b</td></tr><tr><td rowspan=x>c</td></tr>" * html_tables.MIN_CELLS
    root = html.document_fromstring(f"<p>Before</p><table><caption>Fees</caption>{rows}</table> tail")
    [table] = html_tables.take_large_tables(root)
    assert (len(table), len(table[0]), table[1][:2]) == (2 * html_tables.MIN_CELLS, 1000, ("c", ""))
    assert html_tables.read_mark(root.findall(".//p")[1].text) == (0, "Fees")
    assert html_tables.read_mark("Before") is None
