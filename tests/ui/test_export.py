"""Export of an answer as Markdown, JSON and HTML."""

import json
import re
from dataclasses import replace
from html.parser import HTMLParser

from nordvik import HOSTILE, QUESTION, abstain, nordvik

from hopline_ui.export import to_html, to_json, to_markdown

ANSWER = nordvik(QUESTION, "gnn_ret", "nordvik")
PNG = b"\x89PNG picture"


def test_markdown_has_the_answer_its_citations_and_each_source_with_its_path():
    text = to_markdown(ANSWER)
    assert text.startswith(f"# {QUESTION}\n\n**EIB loan 2021-044**\n")
    assert "which operates the Skagen Wind Farm. [1] [2]" in text
    assert "The loan &lt;b>may&lt;/b> be repaid early. (not found in the sources)" in text
    assert "## [3] loan-agreement.pdf · p. 1" in text
    assert "> The Skagen Wind Farm is financed by EIB loan 2021-044." in text
    assert re.search(r"^3\. .*Halcyon Turbines.* — mentioned in → ", text, re.MULTILINE)
    assert "Collection nordvik · strategy gnn_ret" in text


def test_a_figure_that_is_in_no_source_is_exported_as_such():
    cited = replace(ANSWER.sentences[0], state="unsupported")
    assert "(not confirmed by the cited sources)" in to_markdown(replace(ANSWER, sentences=(cited,)))


def test_an_export_has_the_notes_on_the_short_answer_and_on_unanswered_parts():
    noted = replace(ANSWER, short="no", short_quoted=False, notice="No answer was found to: Who paid?")
    assert "**no** (concluded, not quoted)" in to_markdown(noted)
    assert "\nNo answer was found to: Who paid?\n" in to_markdown(noted)
    html = to_html(noted, lambda citation: [])
    assert "no <small>concluded, not quoted</small></p>" in html
    assert "<p>No answer was found to: Who paid?</p>" in html


def test_an_export_names_the_author_or_the_model_error():
    broken = replace(ANSWER, model_error="HTTP 401 <b>")
    assert "*The language model could not be used: HTTP 401 <b>. The answer is extracted" in to_markdown(broken)
    assert "could not be used: HTTP 401 &lt;b&gt;. The answer is extracted" in to_html(broken, lambda citation: [])
    partial = replace(ANSWER, retrieval=replace(ANSWER.retrieval, model_error="after 1 reply: HTTP 401"))
    assert "search failed after 1 reply: HTTP 401. The evidence is" in to_markdown(partial)
    assert "search failed after 1 reply: HTTP 401. The evidence is" in to_html(partial, lambda citation: [])
    assert "strategy gnn_ret · written by tiny" in to_markdown(replace(ANSWER, written_by="tiny"))


def test_an_abstention_is_exported_as_such():
    text = to_markdown(abstain("Who?", "bm25", "nordvik"))
    assert "Not found in the documents." in text


def test_an_exported_follow_up_has_its_rewritten_question():
    assert f"Interpreted as: {QUESTION}" in to_markdown(replace(ANSWER, question="Who lends it?"))


def test_the_html_is_self_contained_and_has_no_script():
    hostile = replace(ANSWER, question=HOSTILE)
    html = to_html(hostile, lambda citation: [PNG])
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
    assert json.loads(to_json(ANSWER)) == json.loads(json.dumps(ANSWER.to_dict()))


def test_all_three_formats_are_offered(open_page):
    page = open_page(q=QUESTION, collection="nordvik", strategy="gnn_ret")
    labels = [button.proto.label for button in page.get("download_button")]
    assert labels[:3] == ["HTML with page images", "Markdown", "JSON"]
    assert not page.exception
