"""The first visit, without a browser."""

from __future__ import annotations

import json
from importlib.resources import files

from hopline_ui.pages.welcome import questions


def test_a_first_visit_says_what_this_is_and_offers_samples(open_page, hop, told):
    hop.kept.clear()
    page = open_page()
    assert "Ask your documents, and see the way to the page" in told(page)
    assert [button.label for button in page.button] == ["Try the sample documents"]


def test_one_click_adds_every_sample_to_a_collection_of_its_own(open_page, hop):
    hop.kept.clear()
    page = open_page()
    page = page.button[0].click().run()
    samples = sorted(path.name for path in (files("hopline") / "samples").iterdir() if path.name.endswith(".pdf"))
    assert [(collection, name) for collection, name, _ in hop.added] == [("samples", name) for name in samples]
    assert all(data.startswith(b"%PDF-") for _, _, data in hop.added)
    assert page.selectbox(key="collection box").value == "samples"


def test_three_questions_about_the_samples_are_offered_and_asked_by_a_click(open_page, hop):
    hop.kept = {"samples": hop.kept["nordvik"]}
    page = open_page()
    offered = [button for button in page.button if str(button.key).startswith("suggestion")]
    assert len(offered) == 3
    offered[1].click()
    page = page.run()
    assert hop.asked[0]["question"] == questions()[1]
    assert page.text_input(key="question text").value == questions()[1]


def test_offered_questions_are_those_of_the_samples():
    rows = json.loads((files("hopline") / "samples" / "questions.json").read_text("utf-8"))
    assert questions() == [row["question"] for row in rows]


def test_a_collection_without_questions_of_ours_offers_none(open_page):
    assert not [button for button in open_page().button if str(button.key).startswith("suggestion")]
