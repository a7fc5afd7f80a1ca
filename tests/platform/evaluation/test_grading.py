import pytest

from hopline.errors import BudgetSpent, HoplineError, ModelUnavailable
from hopline.evaluation.grading import GradedAnswer, grade_answer
from hopline.flow.requests import Ask, Reply

GRADED = GradedAnswer("Who founded Tidewell?", ("Maud Kerrigan", "M. Kerrigan"), "It was Kerrigan.")


def verdict(came: Reply | HoplineError) -> bool:
    flow = grade_answer(GRADED)
    request = next(flow)
    assert isinstance(request, Ask)
    for part in (GRADED.question, *GRADED.correct_answers, GRADED.answer):
        assert part in request.prompts[0]
    goes_on = (lambda: flow.throw(came)) if isinstance(came, HoplineError) else (lambda: flow.send([came]))
    with pytest.raises(StopIteration) as ended:
        goes_on()
    return ended.value.value


def test_the_model_decides() -> None:
    assert verdict(Reply(data={"correct": True})) is True
    assert verdict(Reply(data={"correct": False})) is False


def test_a_reply_that_cannot_be_used_counts_as_wrong() -> None:
    assert verdict(Reply(text="1", error="not JSON")) is False
    assert verdict(BudgetSpent("no calls are left")) is False


def test_without_a_model_nothing_is_graded() -> None:
    with pytest.raises(ModelUnavailable):
        verdict(ModelUnavailable("none is configured"))
