import pytest

from hopline.reading.confidence import repeats_question


@pytest.mark.parametrize(
    ("question", "short", "repeats"),
    [
        ("Who polices the neighbourhood of the Ulmer Brewery?", "the Ulmer Brewery", True),
        ("Who polices the neighbourhood of the Ulmer Brewery?", "Ulmer Brewery Company", False),
        ("Which is older, Elm or Ash?", "Ash", False),
        ("Is Elm older than Ash?", "Ash", False),
        ("Why did Elm close?", "Elm", False),
        ("Who owns Elm?", "", False),
    ],
)
def test_an_answer_that_is_part_of_the_question_is_none_unless_it_is_asked_for(question, short, repeats):
    assert repeats_question(question, short) is repeats
