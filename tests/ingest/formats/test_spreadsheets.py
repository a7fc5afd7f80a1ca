"""Spreadsheets: what belongs to one table, displayed values, formulas without a stored value, and hidden parts."""

import datetime as dt
import io
import time
import zipfile

import openpyxl
import pytest
import xlsxwriter
from openpyxl.comments import Comment
from openpyxl.styles import Alignment
from openpyxl.workbook.properties import CalcProperties

from hopline.errors import DocumentError
from hopline.tables.parts import unite_cells
from hopline_ingest.formats.spreadsheets.excel_styles import DAMAGED_STYLES
from hopline_ingest.formats.spreadsheets.formulas import FormulaError, FormulaEvaluator
from hopline_ingest.formats.spreadsheets.number_formats import display
from hopline_ingest.formats.spreadsheets.spreadsheet import parse_spreadsheet
from hopline_ingest.formats.xml_parts import read_parts, write_parts


@pytest.fixture
def parse(tmp_path):
    """``parse("a.csv", text)`` parses a file; ``parse("a.xlsx", workbook)`` saves a workbook first."""

    def run(name, content):
        path = tmp_path / name
        if isinstance(content, openpyxl.Workbook):
            content.save(path)
        else:
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return parse_spreadsheet(str(path), name)

    return run


def build_book(rows, *, merge=(), title="Sheet"):
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = title
    for row in rows:
        sheet.append(row)
    for area in merge:
        sheet.merge_cells(area)
    return book


def build_ods(*sheets):
    """An ODS file of sheets, each the XML of its table."""
    spaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "table", "text", "style")
    )
    style = '<style:style style:name="off" style:family="table"><style:table-properties table:display="false"/></style:style>'
    content = (
        f"<office:document-content {spaces}><office:automatic-styles>{style}</office:automatic-styles>"
        f"<office:body><office:spreadsheet>{''.join(sheets)}</office:spreadsheet></office:body></office:document-content>"
    )
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("content.xml", content)
    return buffer.getvalue()


def cells_of(document):
    return [table.cells for table in document.tables]


def test_sheets_are_tables_with_their_names_and_a_long_one_is_stored_in_parts(parse):
    book = build_book([["Boat", "Berth"], ["Tern", 4], ["Petrel", 7]], title="Berths")
    log = book.create_sheet("Log")
    log.append(["Day", "Ships"])
    for day in range(1, 121):
        log.append([f"day {day}", day * 2])
    parsed = parse("harbour.xlsx", book)
    assert [(table.caption, table.section, table.page, len(table.cells)) for table in parsed.tables] == [
        ("Berths", ("Berths",), 1, 3),
        ("Log (rows 1–50)", ("Log",), 2, 51),
        ("Log (rows 51–100)", ("Log",), 2, 51),
        ("Log (rows 101–120)", ("Log",), 2, 21),
    ]
    assert parsed.tables[0].cells == (("Boat", "Berth"), ("Tern", "4"), ("Petrel", "7"))
    united = unite_cells([table.cells for table in parsed.tables[1:]])
    assert united == (("Day", "Ships"), *((f"day {day}", str(day * 2)) for day in range(1, 121)))
    assert (parsed.title, parsed.warnings, parsed.left_out, len(parsed.pages)) == ("harbour", (), (), 2)


def test_each_part_of_a_long_table_has_all_header_rows(parse):
    book = build_book(
        [["Farm", "2021", None], [None, "Spring", "Autumn"], *([f"Farm {n}", n + 10, 2 * n] for n in range(1, 61))],
        merge=["A1:A2", "B1:C1"],
    )
    parsed = parse("milk.xlsx", book)
    head = (("Farm", "2021", "2021"), ("Farm", "Spring", "Autumn"))
    assert [table.cells[:2] for table in parsed.tables] == [head, head]
    assert len(unite_cells(cells_of(parsed))) == 62


def test_a_merged_title_is_no_header_and_merged_headers_are_above_all_their_columns(parse):
    book = build_book(
        [
            ["Milk delivered (tonnes)"],
            ["Farm", "2021", None, "2022", None],
            [None, "Spring", "Autumn", "Spring", "Autumn"],
            ["Aker", 31, 28, 33, 29],
            ["Brua", 12, 15, 11, 17],
        ],
        merge=["A1:E1", "A2:A3", "B2:C2", "D2:E2"],
    )
    [table] = parse("milk.xlsx", book).tables
    assert table.caption == "Milk delivered (tonnes)"
    assert table.cells[:3] == (
        ("Farm", "2021", "2021", "2022", "2022"),
        ("Farm", "Spring", "Autumn", "Spring", "Autumn"),
        ("Aker", "31", "28", "33", "29"),
    )


def test_headers_centred_across_columns_or_followed_by_blanks_are_above_all_their_columns(parse):
    rows = [["Farm", "Milk", None, "Meat"], [None, "fresh", "dried", "all"], ["Aker", 31, 28, 3], ["Brua", 12, 15, 4]]
    book = build_book(rows)
    for cell in book.active["B1:C1"][0]:
        cell.alignment = Alignment(horizontal="centerContinuous")
    centred = parse("a.xlsx", book).tables[0].cells[0]
    plain = parse("b.xlsx", build_book(rows)).tables[0].cells[0]
    assert centred == plain == ("Farm", "Milk", "Milk", "Meat")


def test_a_merged_row_within_a_table_is_the_label_of_a_group(parse):
    book = build_book(
        [["Post", "2022", "2023"], ["Assets"], ["Cash", 4, 5], ["Boats", 70, 66], ["Liabilities"], ["Loans", 31, 30]],
        merge=["A2:C2", "A5:C5"],
    )
    [table] = parse("balance.xlsx", book).tables
    assert table.cells[1] == ("Assets", "", "")
    assert table.cells[4] == ("Liabilities", "", "")


def test_empty_rows_and_columns_for_looks_do_not_divide_a_table(parse):
    book = build_book(
        [
            ["Results by region"],
            ["in million crowns"],
            [],
            [None, None, "Sales", "Profit", None, "Staff"],
            [],
            ["North", None, 512, 31, None, 840],
            ["Coast", None, 377, -4, None, 610],
            [],
            ["All", None, 889, 27, None, 1450],
        ]
    )
    [table] = parse("regions.xlsx", book).tables
    assert table.caption == "Results by region, in million crowns"
    assert table.cells == (
        ("", "Sales", "Profit", "Staff"),
        ("North", "512", "31", "840"),
        ("Coast", "377", "-4", "610"),
        ("All", "889", "27", "1450"),
    )


@pytest.mark.parametrize(
    "rows",
    [
        # below each other, each with a header
        [["Boat", "Berth"], ["Tern", 4], ["Gull", 5], [], ["Crane", "Load t"], ["North", 12], ["South", 8]],
        # beside each other, each with labels
        [["Boat", "Berth", None, "Crane", "Load t"], ["Tern", 4, None, "North", 12], ["Gull", 5, None, "South", 8]],
    ],
)
def test_tables_with_headers_and_labels_of_their_own_stay_apart(parse, rows):
    assert cells_of(parse("port.xlsx", build_book(rows))) == [
        (("Boat", "Berth"), ("Tern", "4"), ("Gull", "5")),
        (("Crane", "Load t"), ("North", "12"), ("South", "8")),
    ]


def test_texts_beside_the_tables_are_passages(parse):
    note = "The figures of the second half are estimates of the harbour board."
    book = build_book([["Boat", "Fee"], ["Tern", 40], [note], [], [], [], [], ["Printed for the board on Monday."]])
    parsed = parse("fees.xlsx", book)
    assert cells_of(parsed) == [(("Boat", "Fee"), ("Tern", "40"))]
    assert [passage.text for passage in parsed.passages] == [f"{note}\nPrinted for the board on Monday."]
    assert parsed.warnings == ()


def test_a_data_sheet_with_numbered_lines_keeps_names_and_values_together(parse):
    rows = [
        ["1.1", "Rated voltage", "kV", ":", 130],
        ["1.2", "Frequency", "Hz", ":", 50],
        ["1.3", "Phases", None, ":", 3],
    ]
    [table] = parse("sheet.xlsx", build_book([[row[0], None, *row[1:]] for row in rows])).tables
    assert table.cells[0] == ("1.1", "Rated voltage", "kV", ":", "130")


def test_hidden_sheets_rows_and_columns_are_left_out_and_listed(parse):
    book = build_book([["Article", "Offer", "Cost"], ["Door", 640, 310], ["Gate", 999, 700]], title="Offer")
    book.active.column_dimensions["C"].hidden = True
    book.active.row_dimensions[3].hidden = True
    secret = book.create_sheet("Margins")
    secret.append(["Kolb Ltd", "17 percent"])
    secret.sheet_state = "hidden"
    parsed = parse("offer.xlsx", book)
    assert cells_of(parsed) == [(("Article", "Offer"), ("Door", "640"))]
    assert parsed.left_out == (
        *("hidden text: Cost", "hidden text: 310", "hidden text: Gate | 999 | 700"),
        "hidden text: Kolb Ltd | 17 percent",
    )
    assert parsed.warnings == ()


def test_rows_hidden_by_a_filter_are_warned_of(parse):
    book = build_book([["Article", "Offer"], ["Door", 640], ["Gate", 999]], title="Offer")
    book.active.auto_filter.ref = "A1:B3"
    book.active.row_dimensions[3].hidden = True
    [warning] = parse("offer.xlsx", book).warnings
    assert warning.startswith('1 row of the sheet "Offer" is hidden by a filter')


def test_formulas_without_a_stored_value_are_computed(parse):
    book = build_book(
        [
            ["Item", "First", "Second", "Year"],
            ["Heating", 300, 420, "=B2+C2"],
            ["Guards", 2200, 2150, "=SUM(B3:C3)"],
            ["Share", "=B2/B3", None, "=ROUND(100*D2/D3,1)"],
        ]
    )
    book.active["B4"].number_format = "0.0%"
    parsed = parse("costs.xlsx", book)
    assert parsed.tables[0].cells[1:] == (
        ("Heating", "300", "420", "720"),
        ("Guards", "2200", "2150", "4350"),
        ("Share", "13.6%", "", "16.6"),
    )
    assert parsed.warnings == ()


def test_formulas_that_are_not_computed_are_shown_and_named(parse):
    book = build_book([["Item", "Price"], ["Door", "=VLOOKUP(A2,Prices!A:B,2,0)"], ["Gate", 700]], title="Offer")
    parsed = parse("offer.xlsx", book)
    assert parsed.tables[0].cells[1] == ("Door", "=VLOOKUP(A2,Prices!A:B,2,0)")
    [warning] = parsed.warnings
    assert 'sheet "Offer"' in warning
    assert "B2 (=VLOOKUP(A2,Prices!A:B,2,0))" in warning


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ("=-2^2", 4),
        ("=2^3^2", 64),
        ("=8-3-2*2", 1),
        ("=(1+2)*3%", 0.09),
        ("=AVERAGE(A1:A3)", 2),
        ("=MAX(A1:A3,10)-MIN(A1:A3)", 9),
        ("=COUNT(A1:A4)", 3),
        ("=SUM(A1:A3)/COUNT(A1:A3)+'My costs'!B2", 7),
        ("=ROUND(2.5,0)+ROUND(-2.5,0)+ABS(-1)", 1),
        ("=A5+1", 1),
        ("=$A$1+B1", 2),
    ],
)
def test_a_formula_is_computed(formula, value):
    values = {("S", n, 0): n + 1 for n in range(3)} | {("S", 3, 0): "text", ("My costs", 1, 1): 5}
    formulas = {("S", 0, 1): "=A1", ("S", 9, 9): formula}
    assert FormulaEvaluator(values, formulas).evaluate(("S", 9, 9)) == pytest.approx(value)


@pytest.mark.parametrize(
    "formula", ["=J10", "=1/0", "=A4*2", "=IF(A1>0,1,2)", '="a"&"b"', "=(-8)^0.5", "=A1:A3", "=SUM(A1", "="]
)
def test_a_formula_that_is_not_computed_raises(formula):
    values = {("S", n, 0): n + 1 for n in range(3)} | {("S", 3, 0): "text"}
    with pytest.raises(FormulaError):
        FormulaEvaluator(values, {("S", 9, 9): formula}).evaluate(("S", 9, 9))


@pytest.mark.parametrize(
    ("value", "number_format", "text"),
    [
        (1234567.891, "#,##0.00", "1,234,567.89"),
        (1234.5, '"€" #,##0', "€ 1,235"),
        (-5, "#,##0;(#,##0)", "(5)"),
        (-3, "#,##0_);[Red](#,##0)", "(3)"),
        (-1234.5, '_-* #,##0.00 "€"_-;-* #,##0.00 "€"_-', "-1,234.50 €"),
        (0, '#,##0;-#,##0;"–"', "–"),
        (7, "00000", "00007"),
        (0.1234, "0.0%", "12.3%"),
        (2500000, '0.0,,"M"', "2.5M"),
        (1.5, "0.##", "1.5"),
        (2, "0.##", "2"),
        (1234.5, "[$€-407] #,##0.00", "€ 1,234.50"),
        (0.30000000000000004, "General", "0.3"),
        (3.0, "General", "3"),
        (0.25, "# ?/?", "0.25"),
        (True, "General", "TRUE"),
        (dt.datetime.fromisoformat("2023-03-15"), "d.m.yy", "2023-03-15"),
        (dt.datetime.fromisoformat("2023-03-15T07:05"), "d.m.yy h:mm", "2023-03-15 07:05"),
        (dt.time(7, 5, 9), "h:mm:ss", "07:05:09"),
        (dt.timedelta(hours=27, minutes=4), "[h]:mm", "27:04"),
        (float("1e300"), "#,##0.00", "1e+300"),
    ],
)
def test_a_value_is_displayed_by_its_format(value, number_format, text):
    assert display(value, number_format) == text


def test_macro_workbooks_and_titles_are_read(parse):
    book = build_book([["Boat", "Berth"], ["Tern", 4]])
    book.properties.title = "Berths of the harbour"
    book.calculation = CalcProperties(fullCalcOnLoad=True)
    parsed = parse("berths.xlsm", book)
    assert (parsed.title, cells_of(parsed)) == ("Berths of the harbour", [(("Boat", "Berth"), ("Tern", "4"))])


def test_links_keep_their_addresses(parse):
    book = build_book([["Form", "Where"], ["Annex B", "here"]])
    book.active["B2"].hyperlink = "https://club.example.org/annex-b.pdf"
    assert cells_of(parse("forms.xlsx", book))[0][1] == ("Annex B", "here (https://club.example.org/annex-b.pdf)")


def test_an_open_document_is_read_as_displayed_with_merged_and_hidden_parts(parse):
    shown = """<table:table table:name="Fees"><table:table-column table:number-columns-repeated="2"/>
    <table:table-column table:visibility="collapse"/><table:table-column table:number-columns-repeated="16381"/>
    <table:table-row><table:table-cell table:number-columns-spanned="2"><text:p>Fees of the harbour</text:p>
    <office:annotation><text:p>check</text:p></office:annotation></table:table-cell>
    <table:covered-table-cell/></table:table-row>
    <table:table-row><table:table-cell><text:p>Boat</text:p></table:table-cell><table:table-cell><text:p>Fee</text:p>
    </table:table-cell><table:table-cell><text:p>Cost</text:p></table:table-cell></table:table-row>
    <table:table-row><table:table-cell><text:p>Tern</text:p></table:table-cell>
    <table:table-cell office:value-type="currency" office:value="1234.5"><text:p>1,234.50 €</text:p></table:table-cell>
    <table:table-cell office:value-type="float" office:value="3"><text:p>3</text:p></table:table-cell></table:table-row>
    <table:table-row table:visibility="filter"><table:table-cell><text:p>Gull</text:p></table:table-cell></table:table-row>
    <table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="16384"/>
    </table:table-row></table:table>"""
    hidden = """<table:table table:name="Margins" table:style-name="off"><table:table-row><table:table-cell>
    <text:p>17 percent</text:p></table:table-cell></table:table-row></table:table>"""
    parsed = parse("fees.ods", build_ods(shown, hidden))
    [table] = parsed.tables
    assert (table.caption, table.cells) == ("Fees of the harbour", (("Boat", "Fee"), ("Tern", "1,234.50 €")))
    assert parsed.left_out == tuple(f"hidden text: {text}" for text in ("Cost", "3", "Gull", "17 percent"))


@pytest.mark.parametrize(
    ("name", "text", "cells"),
    [
        ("a.csv", "Boat,Berth\nŻabka,4\n", (("Boat", "Berth"), ("Żabka", "4"))),
        ("a.tsv", "Boat\tBerth\nŻabka\t4\n", (("Boat", "Berth"), ("Żabka", "4"))),
        ("a.csv", "Boat;Fee\nTern;1,5\nGull;2,5\n", (("Boat", "Fee"), ("Tern", "1,5"), ("Gull", "2,5"))),
        ("a.csv", "sep=|\nBoat|Fee\nTern|2\n", (("Boat", "Fee"), ("Tern", "2"))),
        ("a.csv", 'Boat,Note\nTern,"old, slow\nand red"\n', (("Boat", "Note"), ("Tern", "old, slow and red"))),
        ("a.csv", "Code,Town\n00417,Lund\n", (("Code", "Town"), ("00417", "Lund"))),
        ("a.csv", "Boat\nTern\nGull\n", (("Boat",), ("Tern",), ("Gull",))),
    ],
)
def test_separated_values_are_a_table(parse, name, text, cells):
    assert cells_of(parse(name, text)) == [cells]


INDENTED_PATHS = [
    ("Assets", "Current", "Loans"),
    ("Assets", "Fixed", "Loans"),
    ("Liabilities", "Loans"),
    ("Staff",),
]


def paths_of(document):
    return [row.path for row in document.tables[0].structure.rows if row.path]


@pytest.mark.parametrize("is_written", [True, False])
def test_indented_labels_of_a_workbook_belong_to_the_labels_above(parse, is_written):
    rows = [("Post", 0), ("Assets", 0), ("Current", 1), ("Loans", 2), ("Fixed", 1), ("Loans", 2)]
    rows += [("Liabilities", 0), ("Loans", 1), ("Staff", 0)]
    book = build_book([["Post", "2022", "2023"]])
    for number, (label, indent) in enumerate(rows[1:], 2):
        values = [number, number + 40] if label in {"Loans", "Staff"} else []
        book.active.append([" " * 2 * indent * is_written + label, *values])
        if not is_written:
            book.active.cell(number, 1).alignment = Alignment(indent=indent)
    assert paths_of(parse("balance.xlsx", book)) == INDENTED_PATHS


def test_indented_labels_of_open_document_belong_to_the_labels_above(parse):
    labels = [(0, "Post"), (0, "Assets"), (1, "Current"), (3, "Loans"), (1, "Fixed"), (3, "Loans")]
    labels += [(0, "Liabilities"), (2, "Loans"), (0, "Staff")]
    rows = "".join(
        f'<table:table-row><table:table-cell><text:p><text:s text:c="{indent}"/>{label}</text:p></table:table-cell>'
        f"<table:table-cell><text:p>{'2022' if number == 0 else number if label in {'Loans', 'Staff'} else ''}</text:p>"
        "</table:table-cell></table:table-row>"
        for number, (indent, label) in enumerate(labels)
    )
    ods = build_ods(f'<table:table table:name="Balance">{rows}</table:table>')
    assert paths_of(parse("balance.ods", ods)) == INDENTED_PATHS


def test_labels_that_are_all_indented_are_not_below_the_header(parse):
    book = build_book([["Boat", "t"], ["  Ada", 4], ["  Bo", 5]])
    assert paths_of(parse("a.xlsx", book)) == [("Ada",), ("Bo",)]


def test_a_cell_with_two_numbers_is_no_problem(parse):
    [table] = parse("phones.csv", "Name,Phone\nAda,555 1234\nBo,555 9876\n").tables
    assert not table.structure.problem


def test_lines_before_the_header_are_the_title(parse):
    [table] = parse(
        "log.csv", "Export of the berth list\nAs of 3 May 2021\n\nBoat,Berth,Fee\nTern,4,40\nGull,5,45\n"
    ).tables
    assert table.caption == "Export of the berth list, As of 3 May 2021"
    assert table.cells == (("Boat", "Berth", "Fee"), ("Tern", "4", "40"), ("Gull", "5", "45"))


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.xlsx", b"PK\x03\x04 no archive", "the XLSX file is damaged"),
        ("a.ods", b"PK\x03\x04 no archive", "the ODS file is damaged"),
        ("a.xlsx", b"\xd0\xcf\x11\xe0 old", "password-protected or in an old format"),
        ("a.xlsx", b"Boat,Berth", "not a valid XLSX file"),
        ("a.csv", b"\x00\x01\x02" * 50, "not a text file"),
    ],
)
def test_a_file_that_is_no_spreadsheet_has_a_clear_error(parse, name, data, message):
    with pytest.raises(DocumentError, match=message):
        parse(name, data)


def test_an_empty_workbook_has_no_tables(parse):
    assert cells_of(parse("empty.xlsx", openpyxl.Workbook())) == []


def test_a_long_chain_of_formulas_is_computed(parse):
    rows = [["Day", "Stock"], *([f"day {n}", f"=B{n + 3}+1"] for n in range(1500)), ["last day", 5]]
    cells = [row for table in cells_of(parse("stock.xlsx", build_book(rows))) for row in table[1:]]
    assert (cells[0], cells[-1]) == (("day 0", "1505"), ("last day", "5"))


def test_formulas_that_refer_to_each_other_are_shown_as_formulas(parse):
    parsed = parse("circle.xlsx", build_book([["Item", "Sum"], ["Bolt", "=B3+1"], ["Nut", "=B2+1"], ["Cap", 3]]))
    assert cells_of(parsed)[0][1:] == (("Bolt", "=B3+1"), ("Nut", "=B2+1"), ("Cap", "3"))
    assert "2 cells" in parsed.warnings[0]


def test_dates_are_computed_as_dates_and_counted(parse):
    rows = [["Visit", "Day"], ["first", dt.date(2024, 1, 5)], ["second", dt.date(2024, 3, 1)]]
    book = build_book([*rows, ["latest", "=MAX(B2:B3)"], ["visits", "=COUNT(B2:B3)"], ["days between", "=B3-B2"]])
    book.active["B4"].number_format = "yyyy-mm-dd"
    assert [row[1] for row in cells_of(parse("visits.xlsx", book))[0][3:]] == ["2024-03-01", "2", "56"]


def test_a_sum_over_an_error_is_not_computed(parse):
    parsed = parse("sums.xlsx", build_book([["Item", "Sum"], ["Bolt", 2], ["Nut", "#REF!"], ["All", "=SUM(B2:B3)"]]))
    assert cells_of(parsed)[0][-1] == ("All", "=SUM(B2:B3)")


def rewrite_parts(book, *replacements):
    """The bytes of a workbook with replaced bytes in all of its parts, as other programs write them."""
    buffer = io.BytesIO()
    book.save(buffer)
    parts = read_parts(buffer.getvalue()) or {}
    for old, new in replacements:
        assert any(old in part for part in parts.values())
        parts = {name: part.replace(old, new) for name, part in parts.items()}
    return write_parts(parts)


def test_an_empty_text_as_the_result_of_a_formula_is_an_empty_cell(parse):
    book = build_book([["Item", "Note", "Sum"], ["Bolt", '=IF(C2>5,"high","")', 3], ["Nut", "low", 9]])
    parsed = parse("notes.xlsx", rewrite_parts(book, (b'<c r="B2">', b'<c r="B2" t="str">')))
    assert (cells_of(parsed)[0][1], parsed.warnings) == (("Bolt", "", "3"), ())


def test_a_cell_or_merged_range_far_away_costs_no_time(parse):
    book = build_book([["Item", "Sum"], ["Bolt", 2]])
    book.active.cell(1_048_576, 16_384, "far away")
    book.active.merged_cells.add("D5:XFD1048576")
    parsed = parse("far.xlsx", book)
    assert (cells_of(parsed), [passage.text for passage in parsed.passages]) == (
        [(("Item", "Sum"), ("Bolt", "2"))],
        ["far away"],
    )


def test_long_figures_are_read_in_linear_time(parse):
    cells = cells_of(parse("long.csv", f"key,size\n{'1' * 50_000}xyzw,2\n"))
    assert cells[0][1][1] == "2"


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ('name, place\nbolt, "Rome, Italy"\n', [("name", "place"), ("bolt", "Rome, Italy")]),
        (
            "remark\nGood, but late\nBad, slow, and rude\nFine; really\n",
            [("remark",), ("Good, but late",), ("Bad, slow, and rude",), ("Fine; really",)],
        ),
        ("Rome;1,5;2,5\nOslo;2,5;3,5\n", [("Rome", "1,5", "2,5"), ("Oslo", "2,5", "3,5")]),
        ("1,5;2,5\n2,5;3,5\n", [("1,5", "2,5"), ("2,5", "3,5")]),
        ('key,text\nA,"he said \\"yes, ok\\" then"\n', [("key", "text"), ("A", 'he said "yes, ok" then')]),
        ('name,size\nbolt,"5\nnut,6\ncap,7\n', [("name", "size"), ("bolt", "5"), ("nut", "6"), ("cap", "7")]),
        ('name,size\n"Big" Tom,5\n"a, b",6\n', [("name", "size"), ("Big Tom", "5"), ("a, b", "6")]),
        ('name,text\nbolt,"one\ntwo"\n', [("name", "text"), ("bolt", "one two")]),
    ],
)
def test_separated_values_are_under_their_headers(parse, text, rows):
    assert cells_of(parse("values.csv", text)) == [tuple(rows)]


def test_a_table_below_lines_with_commas_is_read_by_its_own_separator(parse):
    text = "Report of sales\nCreated, 2024-01-01\n\nregion;amount\nnorth;5,5\nsouth;6,1\n"
    assert cells_of(parse("sales.csv", text)) == [(("region", "amount"), ("north", "5,5"), ("south", "6,1"))]


def test_a_field_of_millions_of_characters_is_read(parse):
    parsed = parse("long.csv", 'key,text\na,"' + "word " * 2_200_000 + '"\n')
    assert len(parsed.tables[0].cells[1][1]) > 10_000_000


def test_zeros_stored_for_all_formulas_are_not_their_values(parse):
    rows = [["Item", "Sum"], ["Bolt", 5], ["Total", "=SUM(B2:B2)"], ["Rest", "=B3-5"], ["Grade", "=IF(B2>1,3,4)"]]
    book = build_book(rows)
    parsed = parse("sums.xlsx", rewrite_parts(book, (b"</f><v></v>", b"</f><v>0</v>")))
    assert cells_of(parsed)[0][2:] == (("Total", "5"), ("Rest", "0"), ("Grade", "=IF(B2>1,3,4)"))


def test_a_workbook_of_the_strict_variant_is_read(parse):
    base, strict = b"http://schemas.openxmlformats.org/", b"http://purl.oclc.org/ooxml/"
    data = rewrite_parts(
        build_book([["Item", "Sum"], ["Bolt", 5]]),
        (base + b"spreadsheetml/2006/main", strict + b"spreadsheetml/main"),
        (base + b"officeDocument/2006/relationships", strict + b"officeDocument/relationships"),
    )
    assert cells_of(parse("strict.xlsx", data)) == [(("Item", "Sum"), ("Bolt", "5"))]


@pytest.mark.parametrize(
    "addition",
    [
        b'<dataValidations count="1"><dataValidation type="foo" sqref="A1"/></dataValidations><pageMargins',
        b'<mergeCells count="1"><mergeCell ref="A4:B4"/></mergeCells><pageMargins bad="x"',
    ],
)
def test_cells_are_read_although_what_is_around_them_is_invalid(parse, addition):
    book = build_book([["Item", "Sum"], ["Bolt", 5]])
    assert cells_of(parse("checks.xlsx", rewrite_parts(book, (b"<pageMargins", addition)))) == [
        (("Item", "Sum"), ("Bolt", "5"))
    ]


def damage_styles(book, damage):
    buffer = io.BytesIO()
    book.save(buffer)
    parts = read_parts(buffer.getvalue()) or {}
    return write_parts(parts | {"xl/styles.xml": damage(parts["xl/styles.xml"])})


@pytest.mark.parametrize(
    "damage",
    [
        lambda styles: styles.replace(b"<fill>", b"<fill/><fill>"),
        lambda styles: styles.replace(b'<sz val="11"', b'<sz val="many"'),
        lambda styles: styles.replace(b"</cellXfs>", b"</cellXfs><"),
        lambda styles: styles[: styles.index(b"</cellXfs>")],
    ],
)
def test_cells_keep_the_formats_of_their_numbers_although_the_styles_are_damaged(parse, damage):
    book = build_book([["Item", "Paid", "Share"], ["Bolt", dt.date(2024, 3, 5), 0.25]])
    book.active["C2"].number_format = "0.0%"
    parsed = parse("styles.xlsx", damage_styles(book, damage))
    assert cells_of(parsed) == [(("Item", "Paid", "Share"), ("Bolt", "2024-03-05", "25.0%"))]
    assert parsed.warnings == (DAMAGED_STYLES,)


@pytest.mark.parametrize("styles", [b"", b"<styleSheet", b"\x00\x01", b"<other/>"])
def test_cells_are_read_without_styles(parse, styles):
    book = build_book([["Item", "Share"], ["Bolt", 0.25]])
    book.active["B2"].number_format = "0.0%"
    parsed = parse("styles.xlsx", damage_styles(book, lambda _: styles))
    assert cells_of(parsed) == [(("Item", "Share"), ("Bolt", "0.25"))]
    assert parsed.warnings == (DAMAGED_STYLES,)


def test_text_boxes_and_titles_of_charts_are_listed_as_left_out(parse):
    buffer = io.BytesIO()
    with xlsxwriter.Workbook(buffer) as book:
        sheet = book.add_worksheet("Data")
        sheet.write_column("A1", ["Port", "Halm"])
        sheet.write_column("B1", ["Catch", 5])
        sheet.insert_textbox("D2", "Checked by\nAda Lund")
        chart = book.add_chart({"type": "column"})
        chart.add_series({"values": "=Data!$B$2:$B$2"})
        chart.set_title({"name": "Catch by port"})
        chart.set_x_axis({"name": "Ports of 2023"})
        sheet.insert_chart("D9", chart)
    parsed = parse("catch.xlsx", buffer.getvalue())
    assert sorted(parsed.left_out) == [
        "text box: Checked by Ada Lund",
        "title of a chart: Catch by port",
        "title of a chart: Ports of 2023",
    ]


@pytest.mark.parametrize("formula", ['=IF(B2>100,"dear","cheap")', "=VLOOKUP(A2,A:B,2,0)"])
def test_a_formula_that_is_not_computed_is_named_with_its_cell(parse, formula):
    book = build_book([["Item", "Price", "Note"], ["Door", 120, formula]], title="Offer")
    [warning] = parse("offer.xlsx", book).warnings
    assert f"C2 ({formula})" in warning


def test_comments_of_cells_are_listed_as_left_out(parse):
    book = build_book([["Item", "Price"], ["Bolt", 2.5]])
    book.active["B2"].comment = Comment("Agreed in March", "Ann")
    assert parse("prices.xlsx", book).left_out == ("comment: Agreed in March",)


def test_hyphens_and_blanks_that_are_not_shown_divide_no_word(parse):
    assert cells_of(parse("words.csv", "soft\u00adware,size\nzero\u200bwidth,2\n"))[0] == (
        ("software", "size"),
        ("zerowidth", "2"),
    )


def test_many_texts_far_apart_are_read_in_linear_time(parse):
    started = time.process_time()
    parsed = parse("texts.csv", "".join(f"This is the remark number {n}\n\n\n\n\n" for n in range(20_000)))
    assert "number 19999" in parsed.passages[-1].text
    assert time.process_time() - started < 30  # seconds; comparing all with all took more than a minute


def test_a_title_far_above_the_values_belongs_to_the_table_whose_header_is_between(parse):
    rows = [["Analyses by segment"], [], [], [None, "Sales", "Costs"], [], [], ["Milk", 5, 3], ["Water", 7, 2]]
    [table] = parse("segments.xlsx", build_book(rows)).tables
    assert (table.caption, table.cells[0]) == ("Analyses by segment", ("", "Sales", "Costs"))
