import pytest

from hopline.answers.comparison import Comparison, parse_comparison
from hopline.questions.analysis import analyse_question


@pytest.mark.parametrize(
    ("question", "names", "event", "least", "whether"),
    [
        ("Who is older, Ivo Marek or Lena Voss?", ("Ivo Marek", "Lena Voss"), "began", True, False),
        ("Who was born later, Ivo Marek or Lena Voss?", ("Ivo Marek", "Lena Voss"), "began", False, False),
        ("Was Ivo Marek or Lena Voss born first?", ("Ivo Marek", "Lena Voss"), "began", True, False),
        ("Who was born first out of Ivo Marek and Lena Voss?", ("Ivo Marek", "Lena Voss"), "began", True, False),
        ("Who died earlier, Ivo Marek or Lena Voss?", ("Ivo Marek", "Lena Voss"), "ended", True, False),
        ("Who lived longer, Ivo Marek or Lena Voss?", ("Ivo Marek", "Lena Voss"), "life", False, False),
        ("Which film came out first, Salt (2003 film) or Ash and Ember?", ("Salt (2003 film)", "Ash and Ember"), "began", True, False),
        ("Which film was released more recently, Sun and Sea or Salt?", ("Sun and Sea", "Salt"), "began", False, False),
        ("Is Ivo Marek older than Lena Voss?", ("Ivo Marek", "Lena Voss"), "began", True, True),
        ("Did Ivo Marek die after Lena Voss?", ("Ivo Marek", "Lena Voss"), "ended", False, True),
    ],
)  # fmt: skip
def test_a_comparison_is_parsed(
    question: str, names: tuple[str, str], event: str, *, least: bool, whether: bool
) -> None:
    assert parse_comparison(analyse_question(question)) == Comparison(names, event, least, whether)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "question",
    [
        "Which film has the director who died first, Salt or Ash?",
        "Whose album sold more, Ivo Marek or Lena Voss?",
        "Which team won the cup first, Northmoor or Port Ansel?",
        "When was Ivo Marek or his sister born?",
        "Are Northmoor and Port Ansel in the same country?",
        "Which river is longer, the Orrin or the Tay?",
        "What was the first company that Harrow or Sandmere bought?",
        "Who founded Tidewell Utilities?",
        "",
    ],
)
def test_a_question_about_a_third_thing_is_not_a_comparison(question: str) -> None:
    assert parse_comparison(analyse_question(question)) is None
