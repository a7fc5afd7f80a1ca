"""Tables over several pages."""

from hopline_ingest.formats.pdf.assembly.tables import assemble_table
from hopline_ingest.formats.pdf.page_content import TableContent

HEADER = ("Boat", "2022", "2023")


def assemble(make_cells, before, *rows, caption=""):
    content = TableContent((50, 60, 500, 300), make_cells(rows), caption)
    return assemble_table(2, content, before, ("3 Trade",))


def paths_of(assembled):
    return [row.path for row in assembled.table.structure.rows if row.path]


def test_groups_go_on_over_pages_with_and_without_the_header(make_cells):
    first = assemble(make_cells, None, HEADER, ("North", "", ""), ("Ada", "4", "5"), ("Bo", "6", "7"), caption="Boats")
    second = assemble(make_cells, first, HEADER, ("Cy", "8", "9"))
    third = assemble(make_cells, second, ("Di", "1", "2"), ("South", "", ""), ("Eva", "3", "4"))
    assert [item.table.caption for item in (second, third)] == ["Boats", "Boats"]
    assert [item.table.cells[0] for item in (second, third)] == [HEADER, HEADER]
    assert paths_of(second) == [("North", "Cy")]
    assert paths_of(third) == [("North", "Di"), ("South", "Eva")]


def test_a_table_with_other_columns_continues_nothing(make_cells):
    first = assemble(make_cells, None, HEADER, ("North", "", ""), ("Ada", "4", "5"))
    second = assemble(make_cells, first, ("Port", "Depth"), ("Halm", "12"))
    assert paths_of(second) == [("Halm",)]
