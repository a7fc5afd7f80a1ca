from random import Random

import pytest

from hopline.training.reader_negatives import (
    MIN_REST,
    choose_distractor,
    find_names,
    remove_answer,
    reverse_meaning,
    swap_name,
)

MILL = "The mill stands on the Orla. Ada Quist built it in 1871, and Per Holm bought it for 400 crowns in 1902. " + (
    "Its wheel turned for a hundred years, and the pond behind it froze over in every winter of that time. " * 2
)


def test_names_and_numbers_are_found_but_not_the_word_that_begins_the_text() -> None:
    assert find_names("Why did Ada Quist pay 400 crowns in 1871?") == ["Ada Quist", "400", "1871"]
    assert find_names("Lund is a town.") == []


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("When was the mill of Ada Quist built?", "When was the mill of Per Holm built?"),
        ("Who built the mill in 1871?", "Who built the mill in 1902?"),
        ("What cost 250 crowns?", "What cost 400 crowns?"),
    ],
)
def test_a_name_is_replaced_by_one_of_its_kind(question: str, expected: str) -> None:
    names = [name for name in find_names(MILL) if name != "Orla"]
    assert swap_name(question, names, Random(1)) == expected


@pytest.mark.parametrize("question", ["Who built the mill?", "When was Quist born?"])
def test_a_question_without_a_name_and_one_that_would_not_change_are_left(question: str) -> None:
    assert swap_name(question, ["Ada Quist", "1871"], Random(1)) is None


def test_the_sentences_with_the_answer_are_removed_and_the_others_stay() -> None:
    rest = remove_answer(MILL, ["1871"])
    assert rest is not None
    assert "Quist" not in rest
    assert rest.startswith("The mill stands on the Orla. Its wheel")
    assert len(rest) >= MIN_REST


def test_the_row_of_a_table_with_the_answer_is_removed() -> None:
    rows = [f"Year: {year}; Sales of all mills on the river: {year * 3} crowns" for year in (1871, 1872, 1873, 1874)]
    assert remove_answer("\n".join(rows), [str(1872 * 3)]) == "\n".join([rows[0], *rows[2:]])


def test_a_text_of_which_little_is_left_is_no_negative() -> None:
    assert remove_answer("Ada Quist built it in 1871.", ["1871"]) is None


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What was the largest mill?", "What was the smallest mill?"),
        ("Who bought the mill?", "Who sold the mill?"),
        ("How long is the dam?", None),
    ],
)
def test_a_word_is_replaced_by_its_antonym(question: str, expected: str | None) -> None:
    assert reverse_meaning(question, Random(1)) == expected


def test_a_distractor_shares_words_with_the_question_and_lacks_the_answer() -> None:
    paragraphs = [
        "The mill was sold by Per Holm.",
        "A mill and its wheel were sold.",
        *("Nothing of interest." for _ in range(9)),
    ]
    chosen = {
        choose_distractor("Who sold the wheel of the mill?", ["Per Holm"], paragraphs, Random(n)) for n in range(30)
    }
    assert 1 in chosen
    assert 0 not in chosen
    assert choose_distractor("Who?", ["Per Holm"], ["Per Holm did."], Random(1)) is None
