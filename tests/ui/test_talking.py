"""Follow-ups, and what was asked before."""

import pytest
from canned import QUESTION

from hopline_ui.session import history as module
from hopline_ui.session.history import History
from hopline_ui.session.questions import Asked

NORDVIK = {"q": QUESTION, "collection": "nordvik", "strategy": "gnn_ret"}
ONE, TWO = Asked("One?", "c", "s"), Asked("Two?", "c", "s", ("d1", "d2"), "Two of what?")


@pytest.fixture
def kept(tmp_path):
    return History(tmp_path / "home")


def ask(page, question):
    page.text_input(key="question text").set_value(question)
    return page.button(key="ask").click().run()


def test_the_newest_comes_first_and_the_same_question_once(kept):
    for asked, said in ((ONE, "first"), (TWO, "second"), (ONE, "third")):
        kept.add("me", asked, said)
    assert [(one.asked, one.said) for one in kept.latest("me")] == [(ONE, "third"), (TWO, "second")]


def test_each_browser_has_its_own_and_may_forget(kept):
    kept.add("me", ONE, "")
    kept.add("you", TWO, "")
    kept.forget("me")
    assert kept.latest("me") == []
    assert [one.asked for one in kept.latest("you")] == [TWO]


def test_only_so_many_are_kept(kept, monkeypatch):
    monkeypatch.setattr(module, "KEPT", 3)
    for number in range(6):
        kept.add("me", Asked(str(number), "c", "s"), "")
    assert [one.asked.question for one in kept.latest("me")] == ["5", "4", "3"]


def test_what_another_version_kept_is_passed_over(kept):
    kept.add("me", ONE, "")
    with kept._open() as base:
        base.execute("INSERT INTO asked VALUES ('me', '{\"question\": \"?\", \"old\": 1}', '', 9e9)")
        base.execute("INSERT INTO asked VALUES ('me', 'no json', '', 9e9)")
    assert [one.asked for one in kept.latest("me")] == [ONE]


def test_a_follow_up_says_how_it_was_understood_and_can_be_shared(open_page, hop, told):
    page = ask(open_page(**NORDVIK), "Who financed it?")
    assert "Understood as: Who financed Nordvik Energy AS" in told(page).replace("\\", "")
    assert page.query_params["meant"] in ("Who financed Nordvik Energy AS?", ["Who financed Nordvik Energy AS?"])
    count = len(hop.asked)
    other = open_page(
        q="Who financed it?", meant="Who financed Nordvik Energy AS?", collection="nordvik", strategy="gnn_ret"
    )
    assert hop.asked[count]["question"] == "Who financed Nordvik Energy AS?"
    assert other.text_input(key="question text").value == "Who financed it?"


def test_a_conversation_lists_its_questions_and_can_be_begun_anew(open_page, told):
    page = ask(open_page(**NORDVIK), "Who financed it?")
    assert [button.label for button in page.button if str(button.key).startswith("turn ")][1] == r"Who financed it\?"
    page = page.button(key="new conversation").click().run()
    assert "Understood as" not in told(page)
    page = ask(page, "Who financed it?")
    assert "Understood as" not in told(page), "it follows on nothing now"


def test_the_history_outlives_the_session_and_asks_again(open_page, hop):
    open_page(**NORDVIK)
    page = open_page()
    [entry] = [button for button in page.button if str(button.key).startswith("ask kept")]
    assert entry.label.replace("\\", "") == QUESTION
    page = entry.click().run()
    assert hop.asked[-1]["question"] == QUESTION
    page = page.button(key="forget").click().run()
    assert not [button for button in page.button if str(button.key).startswith("ask kept")]
