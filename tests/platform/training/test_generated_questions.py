"""Questions for calculations that are generated over tables."""

from random import Random

from table_text import parse_grid

from hopline.tables.typed_table import build_typed_table
from hopline.training.generated_questions import TEMPLATES, generate_list_questions, generate_questions

FLEET = """
| Fleet | 2020 | 2021 | 2022 |
|---|---|---|---|
| Trawlers in port | 120 | 90 | 99 |
| Cutters at sea | 40 | 50 | 60 |
| Total | 160 | 140 | 159 |
"""


def test_a_question_of_each_operation_has_the_answer_of_its_cells():
    table = build_typed_table(parse_grid(FLEET))
    questions = [item for seed in range(40) for item in generate_questions(table, Random(seed))]
    assert {item.operation for item in questions} == set(TEMPLATES)
    answers = {item.text: item.answers[0] for item in questions}
    shares = {item.answers[0] for item in questions if item.operation == "share" and "utters at sea" in item.text}
    assert shares <= {"25%", "35.71%", "37.74%"}
    assert shares
    assert {answers[text] for text in answers if "Trawlers" in text and "between 2020 and 2021" in text} <= {
        "30",
        "25%",
        "-25%",
    }
    assert all("{" not in item.text for item in questions)


def test_a_question_for_two_cells_has_both():
    table = build_typed_table(parse_grid(FLEET))
    questions = [item for seed in range(30) for item in generate_list_questions(table, Random(seed))]
    of_cutters = {
        item.answers for item in questions if "utters" in item.text and "2020" in item.text and "2022" in item.text
    }
    assert of_cutters == {("40", "60")}
    assert {("120", "40"), ("40", "120")} & {item.answers for item in questions}  # two rows


def test_years_are_asked_for_in_their_order():
    table = build_typed_table(parse_grid(FLEET))
    texts = [item.text for seed in range(60) for item in generate_questions(table, Random(seed))]
    assert not [text for text in texts if "from 2022 to 2020" in text or "from 2021 to 2020" in text]


def test_a_table_without_numbers_has_no_questions():
    table = build_typed_table(parse_grid("| Boat | Port |\n|---|---|\n| Elm | Hull |\n| Oak | York |"))
    assert list(generate_questions(table, Random(1))) == []
