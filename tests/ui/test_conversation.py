"""Follow-up questions and the history of questions."""

import pytest
import streamlit
from nordvik import QUESTION, nordvik

from hopline_ui.session import conversations
from hopline_ui.session import history as module
from hopline_ui.session.conversations import ConversationStore, create_id
from hopline_ui.session.history import History
from hopline_ui.session.questions import SessionQuestion, TimedAnswer

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


def get_conversation(page):
    value = page.query_params["conversation"]
    return value if isinstance(value, str) else value[0]


def test_the_address_opens_the_conversation_with_its_answers_in_another_session(open_page, hop, page_text):
    page = ask(open_page(**NORDVIK), "Who financed it?")
    id, count = get_conversation(page), len(hop.state.calls_of("ask"))
    assert len(id) >= 32
    other = open_page(conversation=id, ask=False)
    assert len(hop.state.calls_of("ask")) == count, "stored answers are shown"
    assert "Interpreted as: Who financed Nordvik Energy AS" in page_text(other).replace("\\", "")
    assert "answered on 20" in page_text(other)
    assert len([button for button in other.button if str(button.key).startswith("turn ")]) == 2
    first = open_page(**NORDVIK, conversation=id, ask=False)
    assert "EIB loan 2021-044" in page_text(first)
    ask(other, "What does it own?")
    assert [len(call["history"]) for call in hop.state.calls_of("ask")][count:] == [2]
    assert len(ConversationStore(hop.settings.home).load(id)) == 3


def test_a_new_conversation_has_another_address(open_page):
    page = ask(open_page(**NORDVIK), "Who financed it?")
    id = get_conversation(page)
    page = page.button(key="new conversation").click().run()
    assert "conversation" not in page.query_params
    assert get_conversation(ask(page, QUESTION)) != id


def test_an_unknown_conversation_is_said_and_shows_nothing_of_others(open_page, page_text):
    open_page(**NORDVIK)
    page = open_page(conversation="guessed")
    assert "no longer stored" in page_text(page)
    assert "Answer" not in [heading.value for heading in page.subheader]
    assert "conversation" not in page.query_params


def test_conversations_are_limited_renamed_and_deleted_with_their_collection(tmp_path, monkeypatch):
    store, answer = ConversationStore(tmp_path / "home"), TimedAnswer(nordvik("One?", "s", "c"), 0.5)
    assert store.load("a") == []
    monkeypatch.setattr(conversations, "MAX_CONVERSATIONS", 2)
    monkeypatch.setattr(conversations, "MAX_ANSWERS", 3)
    for id in ("a", "b", "c"):
        store.add(id, ONE, answer)
    assert store.load("a") == []
    for number in range(5):
        store.add("b", SessionQuestion(str(number), "c", "s"), answer)
    assert [turn.question.question for turn in store.load("b")] == ["2", "3", "4"]
    [turn] = store.load("c")
    assert (turn.question, turn.answer.answer, turn.answer.seconds) == (ONE, answer.answer, 0.5)
    store.rename_collection("c", "d")
    assert [turn.question.collection for turn in store.load("b")] == ["d"] * 3
    assert store.load("c")[0].answer.answer.retrieval.collection == "d"
    store.delete_collection("d")
    assert store.load("b") == store.load("c") == []
    assert create_id() != create_id()


def test_answers_of_another_format_are_left_out(tmp_path):
    store = ConversationStore(tmp_path)
    store.add("a", ONE, TimedAnswer(nordvik("One?", "s", "c"), 0.5))
    with store._open() as database:
        database.execute("UPDATE turns SET answer = x'78'")
    assert store.load("a") == []
