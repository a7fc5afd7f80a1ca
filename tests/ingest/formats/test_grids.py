import pytest
from table_pieces import grid, sheet

from hopline_ingest.formats.pdf.page_content import TableCell
from hopline_ingest.formats.pdf.tables.column_sides import join_header_columns, move_column_sides, split_at_column_sides
from hopline_ingest.formats.pdf.tables.grids import (
    NUMERIC,
    Grid,
    build_gap_grid,
    choose_finest_grid,
    choose_grid,
    clean_cells,
    extract_cells,
    is_table,
    split_at_repeated_headers,
)


def texts_of(cells):
    return tuple(tuple(cell.text for cell in row) for row in cells)


def test_each_piece_goes_to_the_cell_that_holds_most_of_it(line):
    pieces = sheet(line, "Year|Ships", "2023|40", "2024|52")
    assert texts_of(extract_cells(grid(2, 3), pieces)) == (("Year", "Ships"), ("2023", "40"), ("2024", "52"))


def test_a_currency_sign_goes_to_its_number_and_a_bracket_too(make_cells):
    texts = [["Net income", "$", "4,756", ""], ["Loss", "$", "(12", ")"], ["Growth", "", "12", "%"]]
    assert texts_of(clean_cells(make_cells(texts))) == (("Net income", "$4,756"), ("Loss", "$(12)"), ("Growth", "12%"))


def test_a_percent_sign_stays_in_a_column_of_units(make_cells):
    texts = [["Iron", "3.9", "g/L"], ["Salt", "47.1", "%"], ["Lime", "2.4", "mol"]]
    assert texts_of(clean_cells(make_cells(texts))) == tuple(map(tuple, texts))


@pytest.mark.parametrize(("text", "is_number"), [("[4.0-10.0]", True), ("[0.4, 0.8]", True), ("[12]", False)])
def test_an_interval_in_brackets_is_a_number_and_a_reference_is_none(text, is_number):
    assert bool(NUMERIC.fullmatch(text)) is is_number


def test_the_closing_bracket_of_a_unit_goes_to_its_unit(make_cells):
    cells = clean_cells(make_cells([["Load (kg", ")", "Speed"], ["12", "", "3"], ["15", "", "4"]]))
    assert texts_of(cells) == (("Load (kg)", "Speed"), ("12", "3"), ("15", "4"))


def test_dot_leaders_are_no_text_of_a_cell(make_cells):
    cells = clean_cells(
        make_cells(
            [["Sensor test ........", "$3,400 . . . . ."], ["Flight ... etc.", "…… 12"], [". . . . .5", "....5"]]
        )
    )
    assert texts_of(cells) == (("Sensor test", "$3,400"), ("Flight ... etc.", "12"), (".5", "5"))


def test_a_heading_over_the_column_of_signs_goes_with_it(make_cells):
    texts = [["", "December 2,", ""], ["", "2022", ""], ["Revenue", "$", "16"], ["Cost", "", "7"]]
    assert texts_of(clean_cells(make_cells(texts))) == (
        ("", "December 2,"),
        ("", "2022"),
        ("Revenue", "$16"),
        ("Cost", "7"),
    )


def test_a_cell_broken_over_two_rows_is_one(line):
    pieces = sheet(line, "Initial dye concen\u00ad|4–8", "tration (mg/l)", "Mesh size|50")
    assert texts_of(extract_cells(grid(2, 3), pieces)) == (
        ("Initial dye concentration (mg/l)", "4–8"),
        ("Mesh size", "50"),
    )


def test_a_label_that_its_numbers_follow_below_is_one_row(line):
    pieces = sheet(line, "Basic net income per", "share|10.13", "Diluted|10.10")
    assert texts_of(extract_cells(grid(2, 3), pieces)) == (
        ("Basic net income per share", "10.13"),
        ("Diluted", "10.10"),
    )


def test_a_subscript_is_no_row_of_its_own(line):
    pieces = [line("x", y=100), line("1", x=56, y=105, size=6), line("25", x=150, y=100)]
    assert texts_of(extract_cells(Grid((45, 145, 245), (98, 104, 112)), pieces)) == (("x1", "25"),)


def test_rules_win_where_they_part_the_text_as_finely_as_gaps(line):
    pieces = sheet(line, "Year|Ships", "2023|40", "2024|52")
    ruled, loose = grid(2, 3), Grid((45, 120, 245), (98, 112, 126, 140))
    assert choose_grid(loose, ruled, pieces) is ruled


def test_a_box_around_everything_is_no_grid_of_cells(line):
    pieces = sheet(line, "Year|Ships", "2023|40", "2024|52")
    box, loose = Grid((45, 245), (98, 140)), grid(2, 3)
    assert choose_grid(loose, box, pieces) is loose
    assert choose_grid(None, box, pieces) is box


def test_columns_of_prose_in_rules_lose_to_gaps(line):
    pieces = sheet(line, *["words of prose|more words"] * 8)
    coarse = Grid((45.0, 145.0, 245.0), (98.0, 154.0, 210.0))
    assert choose_grid(grid(2, 8), coarse, pieces).rows == grid(2, 8).rows


def test_gaps_through_all_rows_make_a_grid(line):
    pieces = sheet(line, "Country|Sales|Share", "Germany|373|12", "Belgium|33|1")
    assert texts_of(extract_cells(build_gap_grid(pieces), pieces)) == (  # type: ignore[arg-type]
        ("Country", "Sales", "Share"),
        ("Germany", "373", "12"),
        ("Belgium", "33", "1"),
    )
    assert build_gap_grid(sheet(line, "one", "two")) is None


def test_headers_of_several_columns_do_not_close_the_gap_between_them(line):
    pieces = [
        *(line(text, x, 100) for text, x in (("2009", 170), ("2010", 270))),
        *(line(text, x, 114) for text, x in (("Type", 50), ("$000", 150), ("%", 200), ("$000", 250), ("%", 300))),
        *(
            line(text, x, 128 + 14 * row)
            for row, texts in enumerate(
                (("Homes", "4,151", "25", "4,090", "27"), ("Farms", "361", "2", "331", "2")) * 2
            )
            for text, x in zip(texts, (50, 150, 200, 250, 300), strict=True)
        ),
    ]
    grid = build_gap_grid(pieces)
    assert grid is not None
    assert len(grid.columns) == 6


def test_a_long_label_does_not_close_the_gap_between_two_columns(line):
    texts = [("Homes", "4,151", "25"), ("Farms", "361", "2"), ("Shops", "77", "1"), ("Ships", "15", "3")]
    pieces = [
        line(text, 50 + 60 * n, 100 + 14 * row)
        for row, row_texts in enumerate(texts)
        for n, text in enumerate(row_texts)
    ]
    pieces += [line("Loans and leases", 50, 156), line("9", 170, 156)]
    grid = build_gap_grid(pieces)
    assert grid is not None
    assert len(grid.columns) == 4


def test_nothing_has_no_grid():
    assert build_gap_grid([]) is None


def test_a_grid_that_parts_numbers_better_is_taken(line):
    pieces = sheet(line, "Ships|40|52", "Grain|1,200|900", "Rye|7|80")
    coarse, fine = Grid((45.0, 145.0, 345.0), grid(3, 3).rows), grid(3, 3)
    assert choose_finest_grid(pieces, coarse, fine) is fine
    assert choose_finest_grid(pieces, fine, coarse) is fine
    assert choose_finest_grid(pieces, None, None) is None


def test_a_note_carries_no_cell_on(line):
    pieces = sheet(line, "Tax rate|12 %", "(1) See the notes", "Rate|3 %")
    assert texts_of(extract_cells(grid(2, 3), pieces))[0] == ("Tax rate", "12 %")


def test_numbers_columns_or_a_caption_make_a_table_and_prose_never_does(make_cells):
    numbers = (("Year", "Ships"), ("2023", "40"))
    words = (("Name", "Role"), ("Anna", "Head"))
    prose = (("Received 2 May", "x" * 90), ("Accepted", "y" * 90))
    assert is_table(make_cells(numbers), captioned=False)
    assert not is_table(make_cells(words), captioned=False)
    assert is_table(make_cells(words), captioned=True)
    assert is_table(make_cells((("a", "b", "c", "d", "e"), ("f", "g", "h", "i", "j"))), captioned=False)
    assert not is_table(make_cells(prose), captioned=True)
    assert not is_table(make_cells((("only", "a row"),)), captioned=True)
    assert not is_table(make_cells(()), captioned=True)


def test_a_cell_has_the_rectangle_of_its_text_and_one_that_was_joined_that_of_its_parts(line):
    pieces = sheet(line, "Initial dye concen\u00ad|4–8", "tration (mg/l)", "Cost of sales|$|12")
    (label, value), (cost, number) = (row for row in extract_cells(grid(3, 3), pieces))
    assert label.rect == (50.0, 100.0, 50.0 + 5 * len("Initial dye concen\u00ad"), 124.0)
    assert value.rect == (150.0, 100.0, 165.0, 110.0)
    assert cost.text == "Cost of sales"
    assert (number.text, number.rect) == ("$12", (150.0, 128.0, 260.0, 138.0))


def test_a_column_of_the_last_words_of_a_header_joins_the_one_beside_it(line):
    words = [line("Share", x=150), line("of", x=178), line("wealth", x=190)]
    pieces = [*words, *(line(text, x=x, y=y) for y in (114, 128) for x, text in ((50, "Elm"), (150, "17.4")))]
    parted = Grid((45, 145, 176, 188, 240), (98, 112, 126, 140))
    grid = extract_cells(join_header_columns(parted, pieces), pieces)
    assert texts_of(grid) == (("", "Share of wealth"), ("Elm", "17.4"), ("Elm", "17.4"))


def test_an_empty_column_with_a_header_of_its_own_stays(line):
    pieces = sheet(line, "Port|Ships|Notes", "Elm|1", "Ash|2")
    assert join_header_columns(grid(3, 3), pieces) == grid(3, 3)


def test_a_side_that_cuts_a_word_moves_into_the_gap_between_the_columns(line):
    pieces = [line("Held", x=150), line("profit", x=185), line("Total", x=260)]
    pieces += [line(text, x=x, y=114) for x, text in ((50, "Elm"), (150, "15"), (260, "81"))]
    moved = move_column_sides(Grid((45, 145, 195, 300), (98, 112, 126)), pieces)
    assert texts_of(extract_cells(moved, pieces)) == (("", "Held profit", "Total"), ("Elm", "15", "81"))


def test_numbers_that_stand_close_are_split_at_the_sides_of_the_columns(line):
    pieces = [line("2,753 2,799", x=150, width=55), line("Total", x=50)]
    sides = Grid((45, 145, 177, 210), (98, 112))
    assert texts_of(extract_cells(sides, split_at_column_sides(sides, pieces))) == (("Total", "2,753", "2,799"),)


def test_a_header_over_several_columns_is_not_split(line):
    pieces = [line("How often do you have these", x=150, width=135)]
    sides = Grid((45, 145, 165, 185, 290), (98, 112))
    assert split_at_column_sides(sides, pieces) == pieces


def test_a_header_beside_two_rows_of_headers_joins_them_not(line):
    above = [line("2007", x=150, y=100), line("2008", x=250, y=100)]
    below = [line("Country", x=50, y=106), line("N", x=150, y=112), line("N", x=250, y=112)]
    cells = extract_cells(Grid((45, 145, 245, 345), (98, 110, 124)), [*above, *below])
    assert texts_of(cells) == (("", "2007", "2008"), ("Country", "N", "N"))


def test_tables_below_one_another_are_split_at_their_header(make_cells):
    cells = make_cells(
        (("Gas", "air", "water"), ("CO2", "1", "2"), ("Metals", "", ""), ("Gas", "air", "water"), ("Hg", "3", "4"))
    )
    assert [texts_of(part) for part in split_at_repeated_headers(cells)] == [
        (("Gas", "air", "water"), ("CO2", "1", "2")),
        (("Gas", "air", "water"), ("Hg", "3", "4")),
    ]


def test_tables_with_different_headers_over_the_same_years_are_split(make_cells):
    quarter = (("Sales", "First quarter", ""), ("", "2023", "2022"), ("Boats", "4", "5"), ("Nets", "6", "7"))
    half = (("Sales", "Half year", ""), ("", "2023", "2022"), ("Boats", "8", "9"), ("Nets", "10", "11"))
    assert [texts_of(part) for part in split_at_repeated_headers(make_cells((*quarter, *half)))] == [quarter, half]


def test_a_row_that_comes_again_splits_no_table(make_cells):
    rows = (("Kind", "t"), ("a", "x"), ("b", "x"), ("a", "x"))
    assert len(split_at_repeated_headers(make_cells(rows))) == 1


def test_texts_in_drawn_cells_are_a_table_and_so_is_a_column_of_numbers(make_cells):
    prose = "a sentence that is long enough to be one of the running text of a page"
    texts = (("Source", "Definition"), ("Major", prose), ("Minor", prose))
    assert not is_table(make_cells(texts), captioned=True)
    assert is_table(make_cells(texts), captioned=False, ruled=True)
    assert is_table(make_cells(((prose, "69%"), (prose, "46%"), (prose, "23%"))), captioned=False)


def test_numbers_in_one_piece_are_split_though_a_side_of_a_column_cuts_one_of_them(line):
    piece = line("2,753,438 2,799,250 2,815,544", x=125)  # the first begins left of its column
    sides = [45.0, 131.0, *(side + 3.0 for side in (piece.lefts[10], piece.lefts[20])), 400.0]
    parts = split_at_column_sides(Grid(tuple(sides), (98.0, 112.0)), [piece])
    assert [part.text for part in parts] == ["2,753,438", "2,799,250", "2,815,544"]


def test_the_words_of_a_header_of_several_columns_stay_together(line):
    piece = line("no working smoke alarm", x=60)
    assert split_at_column_sides(Grid((45.0, 75.0, 110.0, 300.0), (98.0, 112.0)), [piece]) == [piece]


def test_headers_that_begin_with_numbers_are_split_though_they_are_close(line):
    sides = Grid((45.0, 95.0, 135.0, 175.0), (98.0, 112.0))
    pieces = split_at_column_sides(sides, [line("Less than $10,000– $15,000–", x=50, width=122)])
    assert [piece.text for piece in pieces] == ["Less than", "$10,000–", "$15,000–"]
    years = line("Results of 2009 and 2010", x=50, width=122)
    assert split_at_column_sides(sides, [years]) == [years]


def test_the_words_of_a_typewritten_header_of_two_columns_stay_together(line):
    sides = Grid((45.0, 100.0, 150.0), (98.0, 112.0))
    header = line("Design effect", x=60, width=13 * 7.2, size=12)
    assert split_at_column_sides(sides, [header]) == [header]


def test_rules_and_leaders_of_characters_are_no_text_of_cells(line):
    pieces = sheet(
        line, "Share|1.0|1.1", "----------|-----|-----", "0.99 .....|800|880", "_ _ _ _ _||", "0.95 .....|160|–"
    )
    assert texts_of(extract_cells(grid(3, 5), pieces)) == (
        ("Share", "1.0", "1.1"),
        ("0.99", "800", "880"),
        ("0.95", "160", "–"),
    )


def test_tables_below_one_another_are_split_at_a_header_of_several_columns(make_cells):
    rows = ("|Design effect|", "Share|1.0|1.1", "0.9|80|88", "|Design effect|", "Share|1.7|1.8", "0.9|136|144")
    parts = split_at_repeated_headers(make_cells([row.split("|") for row in rows]))
    assert [[row[0].text for row in part] for part in parts] == [["", "Share", "0.9"]] * 2
    rows = ("|Per cent|", "Share|1.0|1.1", "0.9|80|88", "|Per cent|", "0.8|136|144", "0.7|12|14")
    assert len(split_at_repeated_headers(make_cells([row.split("|") for row in rows]))) == 1


def test_a_dagger_in_a_column_of_its_own_stays_there():
    number = TableCell("34.2", (100.0, 100.0, 120.0, 110.0))
    near, far = TableCell("‡", (121.0, 100.0, 125.0, 110.0)), TableCell("‡", (180.0, 100.0, 184.0, 110.0))
    label = TableCell("Other", (50.0, 100.0, 75.0, 110.0))
    assert texts_of(clean_cells([[label, number, far]])) == (("Other", "34.2", "‡"),)
    assert texts_of(clean_cells([[label, number, near]])) == (("Other", "34.2‡"),)


def test_rules_around_whole_columns_of_numbers_are_no_rows(line):
    pieces = sheet(line, "Port|2023|2024", "Name|Ships|Crew", *(f"Elm{n}|{n}2|{n}3" for n in range(8)))
    ruled = Grid((45.0, 145.0, 245.0, 345.0), (98.0, 112.0, 126.0, 240.0))
    assert choose_grid(grid(3, 10), ruled, pieces) == grid(3, 10)


def test_a_label_alone_in_its_row_is_in_the_column_of_the_labels_though_it_is_wide(line):
    pieces = sheet(line, "Dose|Median|Range", "Plasma of all the men in ng per ml", "3 g|922|12", "4 g|1060|15")
    cells = extract_cells(Grid((45.0, 100.0, 245.0, 345.0), grid(3, 4).rows), pieces)
    assert texts_of(cells)[1] == ("Plasma of all the men in ng per ml", "", "")


def test_a_label_alone_in_its_row_stays_over_the_column_of_an_indented_one(line):
    pieces = [
        *sheet(line, "Effectiveness of all schools"),
        *[line(text, x=70, y=114 + 14 * n) for n, text in enumerate(["Employment", "Studies"])],
        *[line(text, x=260, y=114 + 14 * n) for n, text in enumerate(["40", "15"])],
    ]
    cells = extract_cells(Grid((45.0, 65.0, 245.0, 345.0), grid(3, 3).rows), pieces)
    assert texts_of(cells) == (("Effectiveness of all schools", ""), ("Employment", "40"), ("Studies", "15"))


def test_a_column_of_group_labels_and_a_part_of_a_header_is_none(line):
    pieces = [
        *sheet(line, "Post||2022", "Cash||12", "Loans||15", step=100),
        line("DEBTS AND OTHERS", x=150, y=142),
        line("Rent", x=50, y=156),
        line("17", x=250, y=156),
    ]
    whole = Grid((45.0, 140.0, 240.0, 345.0), grid(3, 5).rows)
    assert len(join_header_columns(whole, pieces).columns) == 3
    assert "DEBTS AND OTHERS" in [piece.text for piece in split_at_column_sides(grid(3, 5), pieces)]


def test_a_header_over_the_numbers_of_the_next_column_is_a_part_of_its_header(line):
    pieces = [
        *sheet(line, "Year||", "2019||22", "2020||25"),
        line("Net photosynthetic", x=150, y=100),
        line("Stomatal", x=280, y=100),
        *[line(text, x=140, y=114 + 14 * n) for n, text in enumerate(["0.65", "0.52"])],
    ]
    cut = Grid((45.0, 130.0, 165.0, 245.0, 345.0), grid(4, 3).rows)
    assert len(join_header_columns(cut, pieces).columns) == 4
