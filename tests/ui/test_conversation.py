"""Follow-up questions and the history of questions."""

import pytest
import streamlit
from nordvik import QUESTION

from hopline_ui.session import history as module
from hopline_ui.session.history import History
from hopline_ui.session.questions import SessionQuestion

NORDVIK = {"q": QUESTION, "collection": "nordvik", "strategy": "gnn_ret"}
ONE, TWO = SessionQuestion("One?", "c", "s"), SessionQuestion("Two?", "c", "s", ("d1", "d2"), "Two of what?")


@pytest.fixture
def history(tmp_path):
    return History(tmp_path / "home")


def ask(page, question):
    page.text_input(key="question text").set_value(question)
    return page.button(key="ask").click().run()


def test_the_newest_entry_comes_first_and_questions_are_unique(history):
    for question, answer in ((ONE, "first"), (TWO, "second"), (ONE, "third")):
        history.add("me", question, answer)
    assert [(entry.question, entry.answer) for entry in history.list_latest("me")] == [(ONE, "third"), (TWO, "second")]


def test_each_browser_has_its_own_history_and_can_clear_it(history):
    history.add("me", ONE, "")
    history.add("you", TWO, "")
    history.clear("me")
    assert history.list_latest("me") == []
    assert [entry.question for entry in history.list_latest("you")] == [TWO]


def test_the_number_of_entries_is_limited(history, monkeypatch):
    monkeypatch.setattr(module, "MAX_ENTRIES", 3)
    for number in range(6):
        history.add("me", SessionQuestion(str(number), "c", "s"), "")
    assert [entry.question.question for entry in history.list_latest("me")] == ["5", "4", "3"]


def test_entries_of_another_format_are_skipped(history):
    history.add("me", ONE, "")
    with history._open() as base:
        base.execute("INSERT INTO asked VALUES ('me', '{\"question\": \"?\", \"old\": 1}', '', 9e9)")
        base.execute("INSERT INTO asked VALUES ('me', 'no json', '', 9e9)")
    assert [entry.question for entry in history.list_latest("me")] == [ONE]


def test_a_follow_up_shows_its_rewritten_question_and_can_be_shared(open_page, hop, page_text):
    page = ask(open_page(**NORDVIK), "Who financed it?")
    assert "Interpreted as: Who financed Nordvik Energy AS" in page_text(page).replace("\\", "")
    assert page.query_params["meant"] in ("Who financed Nordvik Energy AS?", ["Who financed Nordvik Energy AS?"])
    count = len(hop.state.calls_of("ask"))
    other = open_page(
        q="Who financed it?", meant="Who financed Nordvik Energy AS?", collection="nordvik", strategy="gnn_ret"
    )
    assert hop.state.calls_of("ask")[count]["question"] == "Who financed Nordvik Energy AS?"
    assert other.text_input(key="question text").value == "Who financed it?"


def test_a_follow_up_can_be_asked_as_it_is_written(open_page, hop, page_text):
    page = ask(open_page(**NORDVIK), "Who financed it?")
    count = len(hop.state.calls_of("ask"))
    page = page.button(key="ask as written").click().run()
    call = hop.state.calls_of("ask")[count]
    assert (call["question"], call["history"]) == ("Who financed it?", ())
    assert "Interpreted as" not in page_text(page)
    assert page.query_params["meant"] in ("Who financed it?", ["Who financed it?"])  # a link asks the same


def test_a_conversation_is_exported_with_its_answers(open_page, monkeypatch):
    created = {}
    monkeypatch.setattr(streamlit, "download_button", lambda label, create, *_, **__: created.update({label: create}))
    page = ask(open_page(**NORDVIK), "Who financed it?")
    assert not page.exception
    text = created["Export as Markdown"]()
    assert text.index(f"# {QUESTION}\n") < text.index("# Who financed it?\n")
    assert text.count("Collection nordvik") == 2


def test_a_conversation_lists_its_questions_and_a_new_one_can_be_started(open_page, page_text):
    page = ask(open_page(**NORDVIK), "Who financed it?")
    assert [button.label for button in page.button if str(button.key).startswith("turn ")][1] == r"Who financed it\?"
    page = page.button(key="new conversation").click().run()
    assert "Interpreted as" not in page_text(page)
    page = ask(page, "Who financed it?")
    assert "Interpreted as" not in page_text(page), "it is not a follow-up any more"


def test_the_history_outlives_the_session_and_asks_again(open_page, hop):
    open_page(**NORDVIK)
    page = open_page()
    [entry] = [button for button in page.button if str(button.key).startswith("ask kept")]
    assert entry.label.replace("\\", "") == QUESTION
    page = entry.click().run()
    assert hop.state.calls_of("ask")[-1]["question"] == QUESTION
    page = page.button(key="forget").click().run()
    assert not [button for button in page.button if str(button.key).startswith("ask kept")]
