import gzip
import json
from collections import Counter
from pathlib import Path

import pytest

from hopline.evaluation.relation_questions import write_step_question

FILE = Path(__file__).resolve().parents[4] / "shared" / "data" / "train" / "musique_train200.jsonl.gz"


@pytest.mark.parametrize(
    ("step", "question"),
    [
        ("Crux >> publisher", "What is the publisher of Crux?"),
        ("#1 >> place of birth", "What is the place of birth of #1?"),
        ("Skarv Bridge >> designer", "Who is the designer of Skarv Bridge?"),
        ("Skarv Bridge >> owned by", "What is Skarv Bridge owned by?"),
        ("#1 >> located in the administrative territorial entity", "In which administrative territorial entity is #1 located?"),
        ("#2 >> present in work", "In which work is #2 present?"),
        ("Skarv Bridge >> part of the series", "Which series is Skarv Bridge part of?"),
        ("Ingrid Vale >> member of political party", "Which political party is Ingrid Vale a member of?"),
        ("#1 >> instance of", "What is #1 an instance of?"),
    ],
)  # fmt: skip
def test_a_relation_becomes_a_question_by_its_form(step, question):
    assert write_step_question(step) == question


@pytest.mark.parametrize(
    ("step", "text"),
    [
        ("When was #1 founded?", "When was #1 founded?"),
        ("#1 >> languages spoken, written or signed", "#1 languages spoken, written or signed"),
        ("The Long Quay >> lyrics by", "The Long Quay lyrics by"),
        ("a >> b >> c", "a b c"),
    ],
)
def test_a_step_that_no_rule_fits_keeps_its_words(step, text):
    assert write_step_question(step) == text


@pytest.mark.shared
def test_the_counts_of_the_docstring_are_those_of_the_train_questions():
    if not FILE.exists():
        pytest.skip("the real data is not beside the checkout (../shared)")
    with gzip.open(FILE, "rt", encoding="utf-8") as file:
        steps = [step["question"] for line in file for step in json.loads(line)["question_decomposition"]]
    relations = [step for step in steps if ">>" in step]
    counts = Counter(write_step_question(step).endswith("?") for step in relations)
    assert (len(relations), counts[True], counts[False]) == (111, 94, 17)
