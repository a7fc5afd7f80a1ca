import json
import shutil
from pathlib import Path
from random import Random
from typing import Any

import pytest
import torch

from hopline.learned.cell_selector import load_cell_selector
from hopline.learned.registry import BUNDLED
from hopline.tables.cell_selection import OPERATIONS
from hopline.tables.structure import infer_structure
from hopline.training.cell_selector import compute_group_loss, is_held_out, train_cell_selector, train_operations
from hopline.training.cell_selector_data import (
    CellQuestion,
    SelectionGroup,
    choose_other,
    damage,
    make_groups,
    read_cell_questions,
    read_web_questions,
    swap_year,
)
from hopline.training.compared_cells import find_compared_cells
from hopline.training.training_loop import Recipe

ROW: dict[str, Any] = {
    "question": "How many trawlers were there in 2021?",
    "title": "Boats of the bay",
    "table": [["Boat", "2020", "2021"], ["Trawler", "12", "9"], ["Cutter", "4", "8"], ["Total", "16", "17"]],
    "header_rows": 1,
    "operation": "none",
    "cells": [[1, 2]],
}
OTHER: dict[str, Any] = {
    **ROW,
    "title": "Mills of the valley",
    "question": "How many mills are there in Vik?",
    "table": [["Town", "Mills", "Locks"], ["Vik", "2", "3"], ["Nes", "5", "1"]],
    "cells": [[1, 1]],
}


def read(**changes) -> CellQuestion:
    [item] = read_cell_questions([{**ROW, **changes}], "boats")
    return item


def test_the_rows_and_columns_of_a_lookup_and_of_operands_are_those_of_their_cells():
    assert (read().rows, read().columns, read().operation) == ({1}, {2}, "none")
    summed = read(operation="sum", cells=[], operand_cells=[[1, 2], [2, 2], [2, 0]])
    assert (summed.rows, summed.columns, summed.operation) == ({1, 2}, {2}, "sum")
    assert read(operation="rank list").operation == "other"
    assert not read(cells=[[0, 2]]).rows  # in the header


BOATS = (
    ("Boat", "Caught 2020", "Caught 2021"),
    ("Trawler", "12", "9"),
    ("Cutter", "4", "10"),
    ("Skiff", "3", "1"),
)


@pytest.mark.parametrize(
    ("question", "operation", "targets", "rows", "columns"),
    [
        ("Which boat caught most in 2020?", "argmax", [(1, 0)], {1, 2, 3}, {1}),
        ("Which boat caught least?", "argmin", [(3, 0)], {1, 2, 3}, {1, 2}),  # either year explains it
        ("In which year was more caught by the trawler?", "argmax", [(0, 1)], {1}, {1, 2}),
        ("Which boat caught most in 2020?", "argmax", [(3, 0)], set(), set()),  # is largest nowhere
        ("Which boat caught most, the skiff or the cutter?", "argmax", [(2, 0)], {2, 3}, {1, 2}),
        ("Did the skiff catch more?", "compare", [(3, 0)], set(), set()),
    ],
)
def test_the_cells_that_are_compared_are_found_from_the_label_of_the_answer(
    question, operation, targets, rows, columns
):
    structure = infer_structure(BOATS, "", 1)
    assert find_compared_cells(question, BOATS, structure, targets, operation) == (rows, columns)


def test_the_rows_and_columns_of_a_ranking_are_those_that_it_compares():
    table = [["Boat", "2020", "2021"], ["Trawler", "12", "9"], ["Cutter", "4", "10"]]
    item = read(question="Which boat was rarest in 2020?", table=table, operation="argmin", cells=[[2, 0]])
    assert (item.rows, item.columns) == ({1, 2}, {1})


def test_questions_of_the_web_are_read_whose_answers_are_in_one_cell_each():
    table = [["Year", "Race", "Winner"], ["1999", "Orla", "Ada"], ["2000", "Orla", "Rune"], ["2001", "Vik", "Ada"]]
    lines = [
        "id\tutterance\tcontext\ttargetValue",
        "n-1\twho won the race in 2000?\tt.csv\tRune",
        "n-2\twho won the race in Vik?\tt.csv\tAda",  # in two cells
        "n-3\twho won the most races?\tt.csv\tRune",  # ranks
        "n-4\twho won the Orla race in 2000?\tt.csv\tRune",  # held out
    ]
    [item] = read_web_questions(lines, {"n-4"}, lambda name: table, "web")
    assert (item.question, item.rows, item.columns, item.operation) == (
        "who won the race in 2000?", {2}, {2}, ""
    )  # fmt: skip


def test_groups_have_the_right_text_wrong_ones_and_one_of_another_table():
    [other] = read_cell_questions([OTHER], "mills")
    rows, columns = make_groups(read(), other, Random(1))
    assert [text for (_, text), right in zip(rows.texts, rows.right, strict=True) if right] == [
        "Trawler — 2020: 12; 2021: 9"
    ]
    assert rows.texts[-1][0] == "Mills of the valley"
    assert rows.foreign == 1
    assert [text for (_, text), right in zip(columns.texts, columns.right, strict=True) if right] == ["2021 — 9; 8; 17"]
    assert len({text for _, text in rows.texts}) == len(rows.texts)


def test_rows_and_columns_with_the_year_are_wrong_for_a_question_of_another_year():
    question, year = swap_year(read(), Random(2))
    assert year == "2021"
    assert "2021" not in question
    assert "2020" not in question
    [other] = read_cell_questions([OTHER], "mills")
    groups = [make_groups(read(), other, Random(seed)) for seed in range(60)]
    swapped = [group for group in groups if group[0].question != ROW["question"]]
    assert swapped
    assert not any(any(group.right) for groups in swapped for group in groups)


def test_damaged_tables_keep_the_rows_of_the_answer():
    table = [["", "2021", "2021"], ["Boat", "Number", "Share"], ["Trawler", "12", "60"], ["Cutter", "8", "40"]]
    item = read(table=table, header_rows=2, cells=[[3, 1]])
    damaged = [damage(item, Random(seed)) for seed in range(80)]
    shorter = [other for other in damaged if len(other.cells) == 3]
    assert shorter
    assert all(other.cells[min(other.rows)][0] == "Cutter" for other in shorter)
    assert any(not other.title for other in damaged)


def test_another_table_is_chosen():
    others = [*read_cell_questions([ROW, OTHER], "all")]
    assert all(choose_other(read(), others, Random(seed)).title == OTHER["title"] for seed in range(8))


def test_the_loss_is_low_if_the_right_text_has_the_highest_score_and_others_low_ones():
    group = SelectionGroup("?", (("", "a"), ("", "b"), ("", "c")), (True, False, False), foreign=1)
    right = compute_group_loss(torch.tensor([6.0, -6.0, -6.0]), [group])
    foreign = compute_group_loss(torch.tensor([6.0, -6.0, 6.0]), [group])
    wrong = compute_group_loss(torch.tensor([-6.0, 6.0, -6.0]), [group])
    assert right < 0.1 < foreign < wrong
    none = SelectionGroup("?", (("", "a"), ("", "b")), (False, False))
    assert compute_group_loss(torch.tensor([-6.0, -6.0]), [none]) < 0.1


def test_a_training_starts_from_the_reader_writes_a_card_and_is_loaded(tmp_path: Path):
    rows = [{**row, "title": f"{row['title']} {n}"} for n in range(12) for row in (ROW, OTHER)]
    for number, row in enumerate(rows):
        row["table"] = [[*cells[:-1], f"{cells[-1]}{number}"] for cells in row["table"]]
    questions = read_cell_questions(rows, "boats")
    progress = []
    card = train_cell_selector(
        questions,
        tmp_path / "cell_selector",
        base=BUNDLED / "reader",
        recipe=Recipe(epochs=1, batch=4, rate=5e-4, slow=0.15),
        data={"boats": len(questions)},
        on_progress=progress.append,
    )
    assert card.data["questions"] == sum(not is_held_out(item) for item in questions)
    assert progress[-1].done == progress[-1].total
    assert not (tmp_path / "cell_selector" / "cell_selector.checkpoint").exists()
    texts = [["Boats", "Trawler — 2021: 9"], ["Boats", "Cutter — 2021: 8"]]
    scores = load_cell_selector(tmp_path / "cell_selector")(question=ROW["question"], texts=texts)
    assert scores.shape == (len(OPERATIONS) + 2,)
    assert scores[: len(OPERATIONS)].sum() == pytest.approx(1.0)
    assert json.loads((tmp_path / "cell_selector" / "card.json").read_text("utf-8"))["part"] == "cell_selector"


def test_the_operations_are_trained_without_a_change_of_the_other_scores(tmp_path: Path):
    folder = tmp_path / "cell_selector"
    shutil.copytree(BUNDLED / "cell_selector", folder)
    question, texts = "How far did the catch of Vik plunge?", [["Boats", "Trawler — 2021: 9"], ["Boats", "Cutter — 8"]]
    before = load_cell_selector(folder)(question=question, texts=texts)
    questions = [("How far did it plunge?", "difference"), ("How many boats are there?", "count")]
    card = train_operations(questions, folder, steps=60)
    after = load_cell_selector(folder)(question=question, texts=texts)
    difference = OPERATIONS.index("difference")
    assert after[difference] > max(0.5, before[difference])
    assert after[len(OPERATIONS) :] == pytest.approx(before[len(OPERATIONS) :])
    assert card.data["questions of operations"] == {"count": 1, "difference": 1}
