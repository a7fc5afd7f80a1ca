"""Tables over several pages, and tables that stand one below the other."""

from hopline_ingest.formats.pdf.assembly.tables import assemble_tables, get_texts, split_stacked_tables
from hopline_ingest.formats.pdf.page_content import TableContent

HEADER = ("Boat", "2022", "2023")


def assemble(make_cells, before, *rows, caption=""):
    content = TableContent((50, 60, 500, 300), make_cells(rows), caption)
    return assemble_tables(2, content, before, ("3 Trade",))


def paths_of(assembled):
    return [row.path for row in assembled.table.structure.rows if row.path]


def test_groups_go_on_over_pages_with_and_without_the_header(make_cells):
    (first,) = assemble(
        make_cells, None, HEADER, ("North", "", ""), ("Ada", "4", "5"), ("Bo", "6", "7"), caption="Boats"
    )
    (second,) = assemble(make_cells, first, HEADER, ("Cy", "8", "9"))
    (third,) = assemble(make_cells, second, ("Di", "1", "2"), ("South", "", ""), ("Eva", "3", "4"))
    assert [item.table.caption for item in (second, third)] == ["Boats", "Boats"]
    assert [item.table.cells[0] for item in (second, third)] == [HEADER, HEADER]
    assert paths_of(second) == [("North", "Cy")]
    assert paths_of(third) == [("North", "Di"), ("South", "Eva")]


def test_a_table_with_other_columns_continues_nothing(make_cells):
    (first,) = assemble(make_cells, None, HEADER, ("North", "", ""), ("Ada", "4", "5"))
    (second,) = assemble(make_cells, first, ("Port", "Depth"), ("Halm", "12"))
    assert paths_of(second) == [("Halm",)]


def test_tables_below_each_other_are_split_at_their_headers(make_cells):
    quarter = [
        ("Sales", "First quarter", "First quarter"),
        ("", "2023", "2022"),
        ("Boats", "4", "5"),
        ("Nets", "6", "7"),
    ]
    half = [("Sales", "Half year", "Half year"), ("", "2023", "2022"), ("Boats", "8", "9"), ("Nets", "10", "11")]
    parts = split_stacked_tables(make_cells([*quarter, *half]))
    assert [get_texts(part) for part in parts] == [tuple(quarter), tuple(half)]


def test_a_repeated_header_and_values_that_come_again_split_nothing(make_cells):
    rows = [HEADER, ("Ada", "4", "5"), HEADER, ("Bo", "4", "5"), ("Cy", "6", "7")]
    assert len(split_stacked_tables(make_cells(rows))) == 1
    assert len(split_stacked_tables(make_cells([("Kind", "t"), ("a", "x"), ("b", "x"), ("a", "x")]))) == 1
