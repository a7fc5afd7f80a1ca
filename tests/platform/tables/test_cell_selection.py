from math import exp, log

import pytest

from hopline.tables.cell_selection import (
    LEAST,
    MAX_ROWS,
    OPERATIONS,
    CellSelection,
    build_selection,
    format_column,
    format_row,
    list_data_rows,
    make_selection_texts,
)
from hopline.tables.structure import infer_structure

FLEET = (
    ("", "2021", "2021", "2022"),
    ("Vessel", "Number", "Share", "Number"),
    ("Men", "", "", ""),
    ("Trawlers", "12", "30", "14"),
    ("Cutters", "28", "70", "31"),
    ("Total", "40", "100", "45"),
)
STRUCTURE = infer_structure(FLEET, "Crews", 2)


def test_rows_and_columns_are_given_with_their_paths():
    assert list_data_rows(FLEET, STRUCTURE) == [3, 4, 5]
    assert format_row(FLEET, STRUCTURE, 3) == "Men › Trawlers — 2021 Number: 12; 2021 Share: 30; 2022 Number: 14"
    assert format_column(FLEET, STRUCTURE, 2) == "2021 › Share — 30; 70; 100"


def test_long_texts_are_cut():
    cells = (("Post", "Note"), ("a" * 300, "b" * 300))
    structure = infer_structure(cells, "", 1)
    assert len(format_row(cells, structure, 1)) < 250
    assert format_row(cells, structure, 1).endswith("…")


def test_of_a_long_table_the_rows_that_share_words_with_the_question_are_scored():
    cells = (("Port", "Ships"), *((f"Harbour {n}", str(n)) for n in range(90)), ("Ystad", "7"))
    texts = make_selection_texts("How many ships has Ystad?", "Ports", cells, infer_structure(cells, "", 1))
    assert len(texts.rows) == MAX_ROWS
    assert 91 in texts.rows
    assert texts.list_texts()[0][0] == "Ports"
    assert list(texts.columns) == [0, 1]


def test_a_selection_is_built_from_the_scores_of_the_model_and_aligned_with_the_rows_that_have_values():
    texts = make_selection_texts("How many cutters in 2022?", "Crews", FLEET, STRUCTURE)
    scores = [0.9, *[0.0] * (len(OPERATIONS) - 1), -9.0, 2.0, -1.0, -3.0, -2.0, -2.0, 40.0]
    selection = build_selection(texts, scores)
    assert selection.rows == {3: LEAST, 4: pytest.approx(log(1 / (1 + exp(-2)))), 5: pytest.approx(-1.3133, abs=1e-3)}
    assert selection.best_column == pytest.approx(0.0)
    assert selection.operations["none"] == pytest.approx(log(0.9))
    assert selection.operations["sum"] == LEAST
    aligned = selection.align(FLEET, STRUCTURE)
    assert aligned.rank_rows() == [1, 2, 0]
    assert aligned.rank_columns() == [3, 1, 2, 0]


def test_nothing_is_likely_in_a_selection_without_scores():
    assert CellSelection().best_row == CellSelection().best_column == LEAST
