import pytest
from table_text import parse_grid

from hopline.tables.enumeration import enumerate_programs
from hopline.tables.programs import NOTHING, Program
from hopline.tables.question import analyse_table_question
from hopline.tables.typed_table import build_typed_table


def find_programs(question: str, text: str, selection: str, operation: str, header: str = "") -> list[Program]:
    """Return the programs with this selection, operation and column."""
    table = build_typed_table(parse_grid(text))
    programs = enumerate_programs(analyse_table_question(question, table), table)
    assert programs[0] is NOTHING
    return [
        program
        for program in programs
        if (program.selection.kind, program.operation) == (selection, operation)
        and (not header or (program.column is not None and program.column.header == header))
    ]


@pytest.mark.parametrize(
    ("question", "selection", "operation", "header", "values"),
    [
        ("How many gold medals did Canada win?", "filter", "value", "Gold", ("11",)),
        ("Which countries are in Europe?", "filter", "list", "Country", ("Norway", "Germany")),
        ("How many countries are in Europe?", "filter", "count", "", ("2",)),
        ("How many countries are listed?", "all", "count", "", ("5",)),
        ("Which country has the most gold?", "largest", "list", "Country", ("Norway", "Germany")),
        ("Which country has the smallest total?", "smallest", "value", "Country", ("Japan",)),
        ("Which country in Asia has the most gold?", "filtered largest", "value", "Country", ("Korea",)),
        ("Which country is listed before Canada?", "previous", "value", "Country", ("Germany",)),
        ("Which country comes after Canada?", "next", "value", "Country", ("Japan",)),
        ("Which country is the first in America?", "first", "value", "Country", ("Norway",)),
        ("Who won more gold, Japan or Korea?", "either largest", "value", "Country", ("Korea",)),
        ("How much gold did Norway and Canada win?", "either", "sum", "Gold", ("25",)),
        ("How many more gold medals did Canada win than Korea?", "either", "difference", "Gold", ("6",)),
        ("What is the average total?", "all", "average", "Total", ("25.8",)),
        ("What is the range of gold medals?", "all", "range", "Gold", ("10",)),
        ("How many continents are there?", "all", "distinct", "Continent", ("3",)),
        ("How many countries have more than 10 gold medals?", "bound", "count", "", ("3",)),
        ("Which other country is on the same continent as Japan?", "same", "value", "Country", ("Korea",)),
        ("How many countries have more gold than Korea?", "above", "count", "", ("3",)),
    ],
)  # fmt: skip
def test_an_operation_gives_the_value(
    medals: str, question: str, selection: str, operation: str, header: str, values: tuple[str, ...]
) -> None:
    assert values in [program.values for program in find_programs(question, medals, selection, operation, header)]


def test_dates_are_ordered(mayors: str) -> None:
    [last] = find_programs("Who was the last to take office?", mayors, "largest", "value", "Name")
    assert last.values == ("Di Rask",)
    [after] = find_programs("Who took office after 2004?", mayors, "bound", "value", "Name")
    assert after.values == ("Di Rask",)


def test_totals_are_in_no_operation_over_all_rows(medals: str) -> None:
    [total] = find_programs("What is the sum of the gold medals?", medals, "all", "sum", "Gold")
    assert total.formula == "14 + 14 + 11 + 4 + 5 = 48"


def test_the_difference_of_two_counts_is_computed() -> None:
    text = "| Match | Result |\n|---|---|\n| A | won |\n| B | lost |\n| C | won |\n| D | won |\n"
    [program] = find_programs("How many more matches were won than lost?", text, "either", "count difference")
    assert (program.values, program.formula) == (("2",), "3 − 1 = 2")


def test_the_label_of_a_group_selects_its_rows() -> None:
    text = "| Sex | 2020 |\n|---|---|\n| Men | |\n| Paid | 3 |\n| Unpaid | 4 |\n| Women | |\n| Paid | 9 |\n| Unpaid | 2 |\n"
    values = [program.values for program in find_programs("How many women were paid?", text, "both", "value", "2020")]
    assert ("9",) in values


def test_the_total_of_a_group_is_in_no_operation_over_its_rows() -> None:
    table = "| Port | Boats |\n| --- | --- |\n| North | |\n| Aker | 11 |\n| South | |\n| Brua | 41 |\n| Dale | 51 |\n| Total | 92 |"
    [total] = find_programs("How many boats are there in the South?", table, "filter", "sum", "Boats")
    assert total.values == ("92",)


def test_a_text_in_a_column_of_numbers_is_in_no_computation() -> None:
    text = "| Port | Fish |\n|---|---|\n| Vík | 3 |\n| Eyri | n/a |\n| Höfn | 4 |\n| Nes | 6 |\n"
    [total] = find_programs("What is the sum of fish?", text, "all", "sum", "Fish")
    assert total.values == ("13",)
    assert not find_programs("What is the sum of ports?", text, "all", "sum", "Port")


def test_a_merged_header_names_each_of_its_columns() -> None:
    text = "| | Domestic | Domestic |\n| | 2019 | 2018 |\n|---|---|---|\n| Rate | 4 | 3 |\n| Cost | 7 | 8 |\n"
    [rate] = find_programs("What was the domestic rate in 2018?", text, "filter", "value", "Domestic 2018")
    assert rate.values == ("3",)


@pytest.mark.parametrize(("header", "count"), [("Cost ($ million)", "1"), ("Cost", "0")])
def test_a_bound_with_a_scale_is_compared_with_amounts(header: str, count: str) -> None:
    text = f"| Item | {header} |\n|---|---|\n| Rent | 62 |\n| Fuel | 31 |\n| Wages | 44 |"
    programs = find_programs("How many items were above $50 million?", text, "bound", "count")
    assert [program.values[0] for program in programs] == ([count] if count != "0" else [])


def test_a_date_without_a_year_is_not_ordered_among_dates_with_a_year() -> None:
    text = (
        "| Show | Date |\n| --- | --- |\n| A | 5 June 2019 |\n| B | 7 May 2018 |\n| C | 1 March 2020 |\n| D | 3 May |"
    )
    table = build_typed_table(parse_grid(text))
    assert table.columns[1].kind == "date"
    assert [key is None for key in table.columns[1].keys] == [False, False, False, True]


GANGS = "| Province | Change (%) |\n|---|---|\n| Manitoba | -59 |\n| Quebec | (4.8)% |\n| Yukon | 12 |"


@pytest.mark.parametrize(
    ("question", "fallen"),
    [
        ("By what percentage did crime in Manitoba decline?", "59"),
        ("By how much did Quebec fall?", "4.8%"),
        ("By how much did Yukon fall?", ""),
        ("What was the change in Manitoba?", ""),
    ],
)
def test_a_negative_cell_is_a_fall_without_its_sign(question: str, fallen: str) -> None:
    falls = find_programs(question, GANGS, "filter", "fall", "Change (%)")
    assert [program.values[0] for program in falls] == ([fallen] if fallen else [])
    assert not any(program.computed for program in falls)


def test_by_how_many_is_no_question_for_a_count(medals: str) -> None:
    assert find_programs("How many golds did Norway win?", medals, "filter", "count")
    assert not find_programs("By how many golds did Norway fall?", medals, "filter", "count")


def test_raised_digits_of_a_header_are_digits() -> None:
    isotopes = "| Sample | ⁸⁷Sr/⁸⁶Sr |\n|---|---|\n| CE02 | 0.72 |"
    table = build_typed_table(parse_grid(isotopes))
    assert table.columns[1].words == {"87", "86", "sr"}
