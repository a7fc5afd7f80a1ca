from hypothesis import given, settings
from hypothesis import strategies as st

from hopline.results import Evidence
from hopline.tables.grid import TableGrid, build_grid, render_table

CELLS = st.lists(
    st.lists(st.text(max_size=12) | st.sampled_from(["|", "a | b", "\\|", "12", "2019", "-", "\u2028"]), min_size=1, max_size=4),
    min_size=1,
    max_size=5,
)  # fmt: skip


def build(*rows: tuple[str, ...], caption: str = "") -> TableGrid:
    text = render_table(rows)[0]
    grid = build_grid(f"{caption}\n{text}" if caption else text, rows)
    assert grid is not None
    return grid


def test_a_table_has_a_rule_under_its_header_and_bars_are_escaped() -> None:
    text, spans = render_table((("a|b", "c"), ("1", "")))
    assert text == "| a\\|b | c |\n| --- | --- |\n| 1 |  |"
    assert [[text[start:end] for start, end in row] for row in spans] == [["a\\|b", "c"], ["1", ""]]


def test_a_header_alone_and_no_table_at_all() -> None:
    assert render_table((("a", "b"),))[0] == "| a | b |\n| --- | --- |"
    assert render_table(()) == ("", [])


@settings(deadline=None)
@given(CELLS, st.text(max_size=20))
def test_the_grid_of_a_rendered_table_has_its_cells_and_their_spans(rows: list[list[str]], caption: str) -> None:
    cells = tuple(tuple(row) for row in rows)
    text = f"{caption}\n{render_table(cells)[0]}"
    grid = build_grid(text, cells)
    assert grid is not None
    built = [*grid.head, *grid.body]
    filled = [row for row in cells if any(cell.strip() for cell in row)]
    assert [[cell.text for cell in row.cells] for row in built] == [
        [" ".join(cell.split()) for cell in row] for row in filled
    ]
    for row, original in zip(built, filled, strict=True):
        assert text[row.start] == text[row.end - 1] == "|"
        for cell, raw in zip(row.cells, original, strict=True):
            assert row.start < cell.start <= cell.end < row.end
            assert text[cell.start : cell.end] == raw.replace("|", "\\|").replace("\n", " ").strip()


def test_a_text_that_is_not_the_rendering_of_the_cells_has_no_grid() -> None:
    assert build_grid("| a | b |", (("a", "c"),)) is None
    assert Evidence("t", "table", 1.0, "| a | b |").grid is None


def test_a_bar_in_a_cell_is_read_back_without_its_escape() -> None:
    [row] = build(("Yard | dock", "Ships"), ("North | east", "12")).body
    assert [cell.text for cell in row.cells] == ["North | east", "12"]


def test_only_a_row_whose_first_cell_alone_has_a_text_is_the_label_of_a_group() -> None:
    grid = build(
        ("Item", "2020", "2021"),
        ("Men", "", ""),
        ("Paid", "3", "4"),
        ("", "5", ""),
        ("Women", "", ""),
        ("Paid", "9", "8"),
    )
    rows = [(row.context, [cell.text for cell in row.cells]) for row in grid.list_data_rows()]
    assert rows == [("Men", ["Paid", "3", "4"]), ("Men", ["", "5", ""]), ("Women", ["Paid", "9", "8"])]
