"""An answer as a file: Markdown, JSON, HTML."""

import json
import re
from dataclasses import replace
from html.parser import HTMLParser

from canned import HOSTILE, QUESTION, nordvik, nothing

from hopline_ui.export import as_json, as_markdown, as_page

ANSWER = nordvik(QUESTION, "gnn_ret", "nordvik")
PNG = b"\x89PNG picture"


def test_markdown_has_the_answer_its_notes_and_each_source_with_its_way():
    text = as_markdown(ANSWER)
    assert text.startswith(f"# {QUESTION}\n\n**EIB loan 2021-044**\n")
    assert "which operates the Skagen Wind Farm. [1] [2]" in text
    assert "The loan <b>may</b> be repaid early. (not backed)" in text
    assert "## [3] loan-agreement.pdf · p. 1" in text
    assert "> The Skagen Wind Farm is financed by EIB loan 2021-044." in text
    assert re.search(r"^3\. .*Halcyon Turbines.* — mentioned in → ", text, re.MULTILINE)
    assert "Collection nordvik · strategy gnn_ret" in text


def test_what_is_taken_along_says_who_wrote_it_and_why_not_the_model():
    broken = replace(ANSWER, model_error="HTTP 401 <b>")
    assert "*The language model could not be used: HTTP 401 <b>. The answer is picked" in as_markdown(broken)
    assert "could not be used: HTTP 401 &lt;b&gt;. The answer is picked" in as_page(broken, lambda citation: [])
    assert "strategy gnn_ret · written by tiny" in as_markdown(replace(ANSWER, written_by="tiny"))


def test_what_was_not_found_is_taken_along_as_such():
    text = as_markdown(nothing("Who?", "bm25", "nordvik"))
    assert "Not found in these documents." in text


def test_a_follow_up_tells_how_it_was_understood():
    assert f"Understood as: {QUESTION}" in as_markdown(replace(ANSWER, question="Who lends it?"))


def test_the_page_needs_nothing_else_and_runs_no_script():
    hostile = replace(ANSWER, question=HOSTILE)
    html = as_page(hostile, lambda citation: [PNG])
    assert html.count("data:image/png;base64,") == 3
    seen = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag, attributes):
            seen.append(tag)
            assert all(not str(value).startswith("http") for name, value in attributes if name in ("src", "href"))

    Reader().feed(html)
    assert "script" not in seen
    assert "mark" not in seen
    assert seen.count("h2") == 3


def test_json_is_what_the_command_line_prints():
    assert json.loads(as_json(ANSWER)) == json.loads(json.dumps(ANSWER.to_dict()))


def test_a_click_offers_all_three(open_page):
    page = open_page(q=QUESTION, collection="nordvik", strategy="gnn_ret")
    labels = [button.proto.label for button in page.get("download_button")]
    assert labels[:3] == ["HTML with the pages", "Markdown", "JSON"]
    assert not page.exception
