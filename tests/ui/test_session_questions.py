"""Questions in the address and as code, and the answers of a session."""

from __future__ import annotations

from nordvik import empty_hop, nordvik

from hopline_ui.session.questions import MAX_ANSWERS, SessionQuestion, TimedAnswer, ask_timed, insert_answer


def test_a_question_survives_the_address():
    question = SessionQuestion("Who? & what", "plans", "gnn_ret:nodes=10", ("a", "b"), filter="year = 2021")
    parameters = {
        name: value if isinstance(value, list) else [value] for name, value in question.to_parameters().items()
    }
    assert SessionQuestion.from_parameters(parameters) == question


def test_an_address_without_a_question_asks_nothing():
    assert SessionQuestion.from_parameters({}) is None
    assert SessionQuestion.from_parameters({"q": ["  "], "collection": ["plans"]}) is None


def test_the_code_names_documents_only_where_they_were_chosen():
    assert "documents" not in SessionQuestion("Q", "c", "bm25").to_code()
    assert "filter" not in SessionQuestion("Q", "c", "bm25").to_code()
    assert "filter='a = 1'" in SessionQuestion("Q", "c", "bm25", filter="a = 1").to_code()
    assert "documents=['a']" in SessionQuestion("Q", "c", "bm25", ("a",)).to_code()
    compile(SessionQuestion("'\"\n\\", "c", "bm25").to_code(), "as code", "exec")


def test_an_answer_has_its_duration_and_reports_its_steps(tmp_path):
    heard = []
    answer = ask_timed(empty_hop(tmp_path, "c"), SessionQuestion("Nordvik?", "c", ""), heard.append)
    assert answer.seconds > 0
    assert [step.name for step in heard] == ["question", "hybrid", "gnn_ret/neighbours"]


def test_a_session_keeps_its_newest_answers():
    answers: dict[SessionQuestion, TimedAnswer] = {}
    answer = TimedAnswer(nordvik("q", "s", "c"), 0.1)
    for number in range(MAX_ANSWERS + 5):
        insert_answer(answers, SessionQuestion(str(number), "c", "s"), answer)
    insert_answer(answers, SessionQuestion("5", "c", "s"), answer)
    assert len(answers) == MAX_ANSWERS
    assert list(answers)[-1].question == "5"
    assert SessionQuestion("4", "c", "s") not in answers
