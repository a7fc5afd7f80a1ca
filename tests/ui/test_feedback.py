"""Feedback on an answer on the page: verdicts, a better answer, undo."""

from __future__ import annotations

from nordvik import QUESTION

from hopline.errors import UsageError
from hopline_ui.components.feedback import format_mark
from hopline_ui.session.state import KEY

NORDVIK = {"q": QUESTION, "collection": "nordvik", "strategy": "gnn_ret"}
NAME = "permit-file.pdf"


def press(page, key):
    return page.button(key=key).click().run()


def test_a_right_answer_is_stored_with_its_citations_and_undone(open_page, hop, page_text):
    page = press(open_page(**NORDVIK), "mark right")
    [call] = hop.state.calls_of("feedback.add")
    assert (call["question"], call["verdict"], call["answer"]) == (QUESTION, "right", "EIB loan 2021-044")
    assert [citation.page for citation in call["citations"]] == [1, 1, 1]
    assert "Marked as right" in page_text(page)
    assert page.button(key="mark right").disabled
    page = press(page, "undo feedback")
    assert hop.state.feedback == {}
    assert "Marked as" not in page_text(page)


def test_a_second_click_changes_the_verdict_and_says_that_it_is_not_evaluated(open_page, hop, page_text):
    page = press(press(open_page(**NORDVIK), "mark right"), "mark wrong")
    [feedback] = hop.state.feedback.values()
    assert (feedback.verdict, feedback.citations) == ("wrong", ())
    assert "not used for evaluation" in page_text(page)


def test_a_better_answer_is_stored_with_the_chosen_source_and_the_name(open_page, hop, page_text):
    page = press(open_page(**NORDVIK), "better answer")
    page.text_area(key="better text").set_value(" The <EIB> ")
    page.selectbox(key="better source").set_value("3")
    page.text_input(key="feedback author").set_value("Ada")
    page = press(page, "save better answer")
    [feedback] = hop.state.feedback.values()
    assert (feedback.verdict, feedback.better, feedback.author) == ("wrong", "The <EIB>", "Ada")
    assert [citation.quote for citation in feedback.citations] == [
        "The Skagen Wind Farm is financed by EIB loan 2021-044."
    ]
    assert page.session_state[KEY].author == "Ada"
    page.run()
    assert "Marked as wrong by Ada" in page_text(page)
    assert "better\\: The \\<EIB\\>" in page_text(page)


def test_an_empty_form_and_an_error_are_shown_in_the_form(open_page, hop):
    page = press(press(open_page(**NORDVIK), "better answer"), "save better answer")
    assert page.session_state[KEY].feedback_error.startswith("Enter the correct answer")
    assert hop.state.calls_of("feedback.add") == []
    page = press(page, "better answer")
    page.text_area(key="better text").set_value("No")
    hop.state.error = UsageError("the collection is being removed")
    page = press(page, "save better answer")
    assert page.session_state[KEY].feedback_error == "the collection is being removed"


def test_that_nothing_was_found_can_be_right(open_page, hop):
    press(open_page(q="Who insures it?", collection="nordvik", strategy="gnn_ret"), "mark right")
    [feedback] = hop.state.feedback.values()
    assert (feedback.answer, feedback.answerable) == ("", False)


def test_feedback_is_that_on_the_same_documents(open_page, hop, page_text):
    document = next(item for item in hop.state.documents["nordvik"] if item.name == NAME)
    hop.feedback.add(QUESTION, "wrong", collection="nordvik", documents=[NAME])
    assert "Marked as" not in page_text(open_page(**NORDVIK))
    show_details = hop.state.details
    hop.state.details = lambda id: (
        show_details(id)
        if id != document.id
        else type(show_details(id))(type(show_details(id).node)(id, "document", NAME))
    )
    assert "Marked as wrong" in page_text(open_page(**NORDVIK, document=document.id))


def test_a_mark_names_the_answer_that_it_is_on_if_that_changed(hop):
    feedback = hop.feedback.add(QUESTION, "right", collection="nordvik", answer="Old")
    assert format_mark(feedback, "New").endswith("(the answer was: Old)")
    assert "Old" not in format_mark(feedback, "Old")
