"""The welcome page without a browser."""

from __future__ import annotations

import json
from importlib.resources import files

from hopline_ui.views.welcome import load_questions


def test_a_first_visit_shows_an_introduction_and_offers_samples(open_page, hop, page_text):
    hop.state.documents.clear()
    page = open_page()
    assert "Ask your documents and trace every answer to its page" in page_text(page)
    assert [button.label for button in page.button] == ["Try the sample documents"]


def test_one_click_adds_every_sample_to_the_samples_collection(open_page, hop):
    hop.state.documents.clear()
    page = open_page()
    page = page.button[0].click().run()
    samples = sorted(path.name for path in (files("hopline") / "samples").iterdir() if path.name.endswith(".pdf"))
    assert [(collection, name) for collection, name, _ in hop.state.added] == [("samples", name) for name in samples]
    assert all(data.startswith(b"%PDF-") for _, _, data in hop.state.added)
    assert page.selectbox(key="collection box").value == "samples"


def test_three_questions_about_the_samples_are_offered_and_asked_by_a_click(open_page, hop):
    hop.state.documents = {"samples": hop.state.documents["nordvik"]}
    page = open_page()
    offered = [button for button in page.button if str(button.key).startswith("suggestion")]
    assert len(offered) == 3
    offered[1].click()
    page = page.run()
    assert hop.state.calls_of("ask")[0]["question"] == load_questions()[1]
    assert page.text_input(key="question text").value == load_questions()[1]


def test_offered_questions_are_those_of_the_samples():
    rows = json.loads((files("hopline") / "samples" / "questions.json").read_text("utf-8"))
    assert load_questions() == [row["question"] for row in rows]


def test_other_collections_offer_no_questions(open_page):
    assert not [button for button in open_page().button if str(button.key).startswith("suggestion")]
