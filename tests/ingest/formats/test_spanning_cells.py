import pytest

from hopline_ingest.formats.pdf.page_content import TableCell
from hopline_ingest.formats.pdf.tables.rules import join_rules
from hopline_ingest.formats.pdf.tables.spanning_cells import assign_spans, fill_spanning_cells

WIDTH = 60.0


def table(*rows, centres=None, pitch=14.0):
    """Return the cells of rows such as "text|text", centred in their columns; ``centres`` moves a text, in columns.

    ``pitch`` are the points between two rows, 10 of which are text.
    """
    grid = []
    for y, row in enumerate(rows):
        cells = []
        for column, text in enumerate(row.split("|")):
            middle = 50 + WIDTH * (centres or {}).get(text, column)
            half = 2.5 * len(text)
            rect = (middle - half, 100 + pitch * y, middle + half, 110 + pitch * y)
            cells.append(TableCell(text, rect) if text else TableCell())
        grid.append(tuple(cells))
    return tuple(grid)


def texts_of(cells):
    return ["|".join(cell.text for cell in row) for row in cells]


def test_a_header_centred_over_two_columns_is_that_of_both():
    cells = table("|2023||2024|", "Port|In|Out|In|Out", "Elm|1|2|3|4", centres={"2023": 1.5, "2024": 3.5})
    assert texts_of(fill_spanning_cells(cells)) == ["|2023|2023|2024|2024", "Port|In|Out|In|Out", "Elm|1|2|3|4"]


def test_the_repeated_header_has_the_place_of_the_one_on_the_page():
    cells = table("|2023||2024|", "Port|In|Out|In|Out", "Elm|1|2|3|4", centres={"2023": 1.5, "2024": 3.5})
    filled = fill_spanning_cells(cells)
    assert filled[0][1].rect == filled[0][2].rect == cells[0][1].rect


def test_headers_over_columns_without_text_stay_where_they_are():
    cells = table("|Name|Title|Date|", "||Treasurer||", "||Secretary||", centres={"Name": 1.8, "Date": 2.2})
    assert texts_of(fill_spanning_cells(cells))[0] == "|Name|Title|Date|"


def test_a_header_between_headers_of_single_columns_spans_what_is_left():
    cells = table("|Level|Change||Source", "||points|period|", "Elm|79|14|1990|AIM", centres={"Change": 2.5})
    assert texts_of(fill_spanning_cells(cells))[0] == "|Level|Change|Change|Source"


def test_the_second_line_of_a_header_is_not_one_of_several_columns():
    cells = table("||Average||", "Port|Ships|draught|Berths|Staff", "Elm|1|2|3|4", "Ash|5|6|7|8")
    assert texts_of(fill_spanning_cells(cells))[0] == "Port|Ships|Average draught|Berths|Staff"


def test_a_header_that_is_much_wider_than_its_column_spans_those_beside_it():
    cells = table("||Threshold for all releases|", "Gas|air|water|land", "CO2|1|2|3", "CH4|5|6|7")
    assert texts_of(fill_spanning_cells(cells))[0] == "|" + "|".join(["Threshold for all releases"] * 3)


@pytest.mark.parametrize(("pitch", "is_spanned"), [(16.0, True), (12.0, False)])
def test_a_header_over_the_middle_one_of_its_columns_is_farther_from_it_than_a_line(pitch, is_spanned):
    cells = table("|||Fares|", "Port|Zone|Day|Night|Week", "Elm|1|2|3|4", "Ash|5|6|7|8", pitch=pitch)
    header = texts_of(fill_spanning_cells(cells))[0]
    assert header == ("||Fares|Fares|Fares" if is_spanned else "Port|Zone|Day|Fares Night|Week")


def test_headers_at_different_heights_span_only_their_own_columns():
    rows = ("Port||Steam|||", "|Sailing||Mail|Fast|Slow", "1|2|3|4|5|6", "Elm|1|2|3|4|5", "Ash|5|6|7|8|9")
    cells = table(*rows, pitch=16.0)
    assert texts_of(fill_spanning_cells(cells))[:2] == list(rows[:2])


def test_a_header_beside_those_of_several_columns_keeps_its_column():
    rows = ("Kind|Name|||Best|||||All||", "||NQ|Tr|WQ|TC|SQ|NQ|Tr|WQ|TC|SQ", "Own|Elm|1|2|3|4|5|6|7|8|9|10")
    assert texts_of(fill_spanning_cells(table(*rows)))[0] == "Kind|Name" + "|Best" * 5 + "|All" * 5


def test_headers_that_recur_below_show_the_columns_of_each_group():
    cells = table("|Finland|||EU||", "Year|Men|Women|All|Men|Women|All", "1995|15|14|11|12|9|7")
    assert texts_of(fill_spanning_cells(cells))[0] == "|Finland|Finland|Finland|EU|EU|EU"


def test_the_rule_below_a_header_says_which_columns_it_spans():
    cells = table("||2023||", "Port|Ships|In|Out|Staff", "Elm|1|2|3|4", centres={"2023": 2.4})
    rule = (50 + WIDTH * 1.6, 111.0, 50 + WIDTH * 3.4, 111.5)
    assert texts_of(fill_spanning_cells(cells, [rule]))[0] == "||2023|2023|"


def test_a_rule_whose_middle_the_header_is_not_over_is_no_rule_of_it():
    cells = table("||||Change|", "Sales|2023|2022|Total|Net|Rest", "Elm|1|2|3|4|5")
    rule = (50 + WIDTH * 0.6, 111.0, 50 + WIDTH * 5.4, 111.5)
    assert texts_of(fill_spanning_cells(cells, [rule]))[0] == "||||Change|"


def test_a_rule_below_the_whole_header_says_nothing():
    cells = table("||||of wealth", "Port|Ships|In|Out|lost", "Elm|1|2|3|4")
    rule = (20.0, 111.0, 50 + WIDTH * 4.5, 111.5)
    assert texts_of(fill_spanning_cells(cells, [rule]))[0] == "||||of wealth"


def test_a_label_beside_the_middle_of_its_rows_is_that_of_all_of_them():
    cells = table(
        "||Farms|Shops", "|Men|11|40", "1991|Women|6|16", "|All|8|28", "|Men|9|39", "1996|Women|5|13", "|All|7|2"
    )
    labels = [row[0].text for row in fill_spanning_cells(cells)]
    assert labels == ["", "1991", "1991", "1991", "1996", "1996", "1996"]


@pytest.mark.parametrize(
    ("lead", "header"),
    [(1.0, ["Rope|All|Under eighteen metres"]), (5.0, ["|Under eighteen|Under eighteen", "Rope|All|metres"])],
)
def test_a_header_that_ends_with_the_line_close_below_it_spans_no_columns(lead, header):
    def cell(text, right, y):
        return TableCell(text, (right - 3.0 * len(text), y, right, y + 6)) if text else TableCell()

    rows = [(79 - lead, "||Under eighteen"), (85, "Rope|All|metres"), (94, "Elm|12|1"), (101, "Ash|13|2")]
    cells = tuple(tuple(cell(*item, y) for item in zip(row.split("|"), (80, 163, 190), strict=True)) for y, row in rows)
    assert texts_of(fill_spanning_cells(cells))[:-2] == header


def test_a_label_at_the_top_of_its_rows_is_that_of_all_of_them():
    cells = table("||Farms", "Elm|Men|11", "|Women|6", "Ash|Men|9", "|Women|3", "|Children|5")
    assert [row[0].text for row in fill_spanning_cells(cells)] == ["", "Elm", "Elm", "Ash", "Ash", "Ash"]


def test_both_lines_of_a_label_beside_two_rows_are_that_of_both():
    cells = table("||All", "Chronic|Count|19", "fatigue|Percent|3.8", "Asthma|Count|31", "|Percent|6.3")
    assert [row[0].text for row in fill_spanning_cells(cells)] == [
        "", "Chronic fatigue", "Chronic fatigue", "Asthma", "Asthma",
    ]  # fmt: skip


def test_labels_beside_a_column_of_one_text_are_not_joined():
    cells = table(
        "Part|Method|Share", *(f"{part}|weighed|{n}" for n, part in enumerate(("Rope", "Bolt", "Oil", "Lamp")))
    )
    assert [row[0].text for row in fill_spanning_cells(cells)] == ["Part", "Rope", "Bolt", "Oil", "Lamp"]


def test_an_empty_label_beside_numbers_stays_empty():
    cells = table("|Ships|Staff", "Elm|1|2", "|3|4", "Ash|5|6", "|7|8")
    assert fill_spanning_cells(cells) == cells


def test_the_label_of_a_group_in_the_middle_of_the_table_moves_to_the_first_column():
    cells = table("Port|Ships|Staff", "Elm|1|2", "|South|", "Ash|3|4", centres={"South": 1.0})
    assert texts_of(fill_spanning_cells(cells))[2] == "South||"


def test_every_column_goes_to_the_header_in_whose_middle_it_stands():
    columns = [(100.0 + 50 * n, 130.0 + 50 * n) for n in range(7)]
    pieces = [(155.0, 175.0), (330.0, 350.0)]
    assert assign_spans(pieces, columns) == [range(3), range(3, 7)]


def test_the_parts_of_a_rule_are_one_and_rules_of_neighbouring_headers_two():
    parts = [(50.0, 100.0, 90.0, 100.5), (90.5, 100.2, 130.0, 100.7), (134.0, 100.0, 180.0, 100.5)]
    assert join_rules(parts) == [(50.0, 100.0, 130.0, 100.7), (134.0, 100.0, 180.0, 100.5)]


def test_boxes_and_dashes_are_no_rules():
    assert join_rules([(50.0, 100.0, 90.0, 140.0), (50.0, 100.0, 55.0, 100.5)]) == []


def test_a_second_column_of_labels_without_a_header_has_that_of_the_first():
    rows = ("Difficulty||Much|Little", "Noise|Count|20|56", "|Share|4.3|12.0", "Light|Count|40|28", "|Share|8.6|6.0")
    assert texts_of(fill_spanning_cells(table(*rows)))[0] == "Difficulty|Difficulty|Much|Little"


def test_a_column_of_numbers_without_a_header_has_none():
    rows = ("Difficulty||Much", "Noise|20|56", "Light|40|28", "Heat|8|6")
    assert texts_of(fill_spanning_cells(table(*rows)))[0] == "Difficulty||Much"
