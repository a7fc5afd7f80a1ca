from dataclasses import replace

import pytest
from table_pieces import grid, sheet

from hopline_ingest.formats.pdf.tables.titles_notes import drop_closing_sentences, trim_titles_and_notes


def test_notes_under_a_table_are_not_part_of_it(line):
    pieces = sheet(line, "Year|Ships", "2023|40", "2024|52", "— Not available.", "Source: the port's office, 2025")
    assert [piece.text for piece in trim_titles_and_notes(grid(2, 5), pieces)] == [
        "Year",
        "Ships",
        "2023",
        "40",
        "2024",
        "52",
    ]
    assert len(trim_titles_and_notes(grid(2, 3), pieces[:6])) == 6


def test_a_title_in_the_first_row_is_not_part_of_the_table(line):
    title = "The following table shows key statistics of the harbours:"
    pieces = sheet(line, title, "Year|Ships", "2023|40", "2024|52")
    assert title not in {piece.text for piece in trim_titles_and_notes(grid(2, 4), pieces)}
    assert len(trim_titles_and_notes(grid(2, 3), sheet(line, "Trade", "Year|Ships", "2023|40"))) == 5


def test_a_justified_note_below_a_table_is_dropped(line):
    rows = sheet(line, "Port|Ships|Staff|Berths", "Elm|1|2|3")
    note = [line(word, x=50 + 60 * n, y=140, width=48) for n, word in enumerate(["as", "of", "the", "last"] * 2)]
    assert drop_closing_sentences([*rows, *note]) == rows


def test_rows_of_a_mark_and_a_long_text_below_a_table_are_notes(line):
    note = "The share of the ports that had reported their ships by the end of the year."
    pieces = sheet(line, "Port|In|Out|Crew|Berths", "Elm|1|2|3|4", "Ash|5|6|7|8", f"a|{note}")
    assert note not in [piece.text for piece in trim_titles_and_notes(grid(5, 4), pieces)]
    pieces = sheet(line, "Port|Text", "Elm|short", "Ash|other", f"Oak|{note}")
    assert note in [piece.text for piece in trim_titles_and_notes(grid(2, 4), pieces)]


def test_a_raised_character_of_a_note_is_removed_with_it(line):
    words = [line("word", x=50 + 30 * n, y=142) for n in range(8)]
    raised = replace(words[0], text="2", rect=(58.0, 140.0, 62.0, 146.0))
    pieces = [*sheet(line, "Port|In|Out", "Elm|1|2", "Ash|5|6"), *words, raised]
    assert "2" not in [piece.text for piece in drop_closing_sentences(pieces) if piece.rect[1] > 130]


RULE, COLUMNS_RULE = (48.0, 112.0, 290.0, 112.5), (148.0, 112.0, 290.0, 112.5)


@pytest.mark.parametrize(
    ("title", "rules"),
    [
        ("||Yen", [RULE]),  # the unit above the rule over the table
        ("||Yen", [COLUMNS_RULE]),  # and above that over its columns
        ("|Trade|", [RULE]),
        ("Trade||", [RULE, (48.0, 98.0, 290.0, 98.5)]),
        ("|(In thousands)|", []),
        ("|(In thousands) (Unaudited)|", []),
    ],
)
def test_a_text_apart_from_the_headers_is_no_row_of_the_table(line, title, rules):
    pieces = sheet(line, title, "Year|Ships|Men", "2023|40|50", "2024|52|71")
    assert trim_titles_and_notes(grid(3, 4), pieces, rules) == pieces[1:]


@pytest.mark.parametrize(
    ("header", "rules"),
    [
        ("|Trade|", [COLUMNS_RULE]),  # begins with the rule
        ("|Trade|", [RULE, (48.0, 98.0, 290.0, 98.5)]),  # between two rules
        ("|Trade|", []),
        ("|Trade|", [(48.0, 126.0, 290.0, 126.5)]),  # a rule below the next header
        ("Year|Trade|", [RULE]),
    ],
)
def test_a_header_over_several_columns_is_a_row_of_the_table(line, header, rules):
    pieces = sheet(line, header, "Name|Ships|Men", "Elm|40|50", "Ash|52|71")
    assert trim_titles_and_notes(grid(3, 4), pieces, rules) == pieces
