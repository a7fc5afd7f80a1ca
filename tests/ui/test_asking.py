"""Questions in the address, in code, and among a session's answers."""

from __future__ import annotations

from canned import Canned, nordvik

from hopline_ui.session.questions import KEPT, Answered, Asked, answer, keep


def test_a_question_survives_the_address():
    asked = Asked("Who? & what", "plans", "gnn_ret:nodes=10", ("a", "b"))
    given = {name: value if isinstance(value, list) else [value] for name, value in asked.parameters().items()}
    assert Asked.read(given) == asked


def test_an_address_without_a_question_asks_nothing():
    assert Asked.read({}) is None
    assert Asked.read({"q": ["  "], "collection": ["plans"]}) is None


def test_the_code_names_documents_only_where_they_were_chosen():
    assert "documents" not in Asked("Q", "c", "bm25").code()
    assert "documents=['a']" in Asked("Q", "c", "bm25", ("a",)).code()
    compile(Asked("'\"\n\\", "c", "bm25").code(), "as code", "exec")


def test_an_answer_comes_with_its_seconds_and_its_steps(tmp_path):
    heard = []
    found = answer(Canned(tmp_path, {"c": []}), Asked("Nordvik?", "c", ""), heard.append)
    assert found.seconds > 0
    assert [step.name for step in heard] == ["question", "hybrid", "gnn_ret/neighbours"]


def test_a_session_keeps_its_newest_answers():
    answers: dict[Asked, Answered] = {}
    one = Answered(nordvik("q", "s", "c"), 0.1)
    for number in range(KEPT + 5):
        keep(answers, Asked(str(number), "c", "s"), one)
    keep(answers, Asked("5", "c", "s"), one)
    assert len(answers) == KEPT
    assert list(answers)[-1].question == "5"
    assert Asked("4", "c", "s") not in answers
