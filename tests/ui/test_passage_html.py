"""Evidence as HTML: highlighted quotes, tables, escaped markup."""

from __future__ import annotations

from dataclasses import replace

import pytest
from table_text import make_table_evidence

from hopline.results import AnswerDraft, Citation, Evidence, Sentence
from hopline.tables.grid import render_table
from hopline.tables.structure import ColumnStructure, RowStructure, TableStructure
from hopline_ui.components.answer import render_draft
from hopline_ui.passage_html import render_passage, render_sentence, summarize

CELLS = (("Year", "Water (m3)"), ("2022", "903,200"), ("2023", "<b>918,400</b> | est."))
TEXT = f"Table 1: Water | cost\n{render_table(CELLS)[0]}"


@pytest.fixture
def table():
    return Evidence("t", "table", 1.0, TEXT, caption="Table 1: Water | cost", number="1", cells=CELLS)


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("- **Oslo** & `x`", "• <strong>Oslo</strong> &amp; <code>x</code></span>"),
        ("2. <b>two</b>", "2. &lt;b&gt;two&lt;/b&gt;</span>"),
        ("## Results", '<strong class="sentence" dir="auto">Results</strong>'),
        ("![a](http://x/y.png) [b](http://x) <http://x>", "![a](http://x/y.png) [b](http://x) &lt;http://x&gt;</span>"),
        ("Two:\n\n- a\n- b", "<li>a</li>\n<li>b</li>\n</ul>\n</div>"),
    ],
)
def test_markdown_of_a_model_is_rendered_without_links_images_and_html(text: str, html: str) -> None:
    rendered = render_sentence(Sentence(text), markdown=True)
    assert rendered.endswith(html)
    assert "<a" not in rendered
    assert "<img" not in rendered


def test_markdown_in_words_of_a_document_is_shown_as_it_is() -> None:
    assert render_sentence(Sentence("- **a** b")).endswith(">- **a** b</span>")


def test_a_draft_shows_verified_sentences_and_the_text_of_the_next_one() -> None:
    cited = Citation(Evidence("p", "passage", 1.0, "One two three"), "One two", 0, 7)
    draft = AnswerDraft((Sentence("It is <one>.", (cited,)), Sentence("- Two", (), "unsupported")), "- Thr")
    html = render_draft(draft)
    assert html.index("It is &lt;one&gt;.") < html.index("✓") < html.index("• Two") < html.index("• Thr")
    assert html.count("✓") == 1
    assert html.count("not found in the sources") == 1


def test_a_passage_is_rendered_with_its_quote_highlighted():
    passage = Evidence("p", "passage", 1.0, "One <two> three")
    assert render_passage(passage, (4, 9)) == (
        '<blockquote class="passage" dir="auto">One <mark>&lt;two&gt;</mark> three</blockquote>'
    )


def test_a_table_is_rendered_with_its_caption_and_header_row(table):
    html = render_passage(table)
    assert '<caption dir="auto">Table 1: Water | cost</caption>' in html
    assert '<tr><th dir="auto">Year</th><th dir="auto">Water (m3)</th></tr>' in html
    assert '<td dir="auto">&lt;b&gt;918,400&lt;/b&gt; | est.</td>' in html
    assert "---" not in html
    assert "quoted" not in html


def test_rows_that_overlap_the_quote_are_highlighted(table):
    start = TEXT.index("| 2023")
    html = render_passage(table, (start, len(TEXT)))
    assert html.count('<tr class="quoted">') == 1
    assert html.index("2022") < html.index('<tr class="quoted">') < html.index("2023")


def test_a_table_is_summarized_by_its_caption_and_columns(table):
    assert summarize(table) == "Table 1: Water | cost — Year · Water (m3)"
    assert summarize(replace(table, kind="passage", text="words", cells=())) == "words"
    assert summarize(replace(table, text="no cells at all", cells=())) == "no cells at all"


def test_a_table_without_cells_is_shown_as_text(table):
    assert (
        render_passage(replace(table, text="no cells"))
        == '<blockquote class="passage" dir="auto">no cells</blockquote>'
    )


HEADED = "Ships by port\n|  | 2023 | 2023 | 2024 |\n| --- | --- | --- | --- |\n| Port | In | Out | In |\n| North |  |  |  |\n| Elm | 12 | 17 | 31 |\n| Ash | 14 | 12 | 32 |"


def cite_cell(text, row, cell):
    """Return a citation of a cell within its row."""
    start = text.index(row)
    position = text.index(cell, start)
    evidence = make_table_evidence(text, caption="Ships by port")
    return Citation(evidence, row, start, start + len(row), answer=(position, position + len(cell)))


def test_a_header_over_several_columns_is_one_cell():
    html = render_passage(make_table_evidence(HEADED, caption="Ships by port"))
    assert '<tr><th dir="auto"></th><th dir="auto" colspan="2">2023</th><th dir="auto">2024</th></tr>' in html


def test_the_label_of_a_group_that_spans_all_columns_is_one_cell():
    text = HEADED.replace("| North |  |  |  |", "| North | North | North | North |")
    assert '<tr><td dir="auto" colspan="4">North</td></tr>' in render_passage(make_table_evidence(text, caption="x"))


def test_an_excerpt_has_the_labels_that_stand_once_for_several_rows():
    text = "Ships\n| Year | Port | In |\n| --- | --- | --- |\n| 2022 | Elm | 12 |\n|  | Ash | 14 |\n| 2023 | Elm | 11 |"
    html = render_sentence(Sentence("Ash", (cite_cell(text, "|  | Ash", "14"),)))
    labels = '<th scope="row" dir="auto">2022</th><th scope="row" dir="auto">Ash</th>'
    assert f'<tr>{labels}<td dir="auto" class="answer">14</td></tr>' in html
    assert "Elm" not in html


def test_equal_neighbours_below_the_header_stay_cells_of_their_own():
    html = render_passage(make_table_evidence(HEADED, caption="Ships by port"))
    assert '<td dir="auto"></td><td dir="auto"></td>' in html


def test_a_sentence_that_cites_a_cell_is_its_row_below_the_headers():
    citation = cite_cell(HEADED, "| Elm | 12 | 17 | 31 |", "17")
    html = render_sentence(Sentence("Ships by port — Elm — 2023 Out: 17", (citation,)))
    assert '<td dir="auto" class="answer">17</td>' in html
    assert html.index("2023") < html.index("Out") < html.index("North") < html.index("Elm") < html.index("17")
    assert "Ash" not in html


def test_of_a_wide_table_the_column_of_the_cell_and_that_of_the_labels_are_shown():
    text = "|  | a | b | c | d | e | f |\n| --- | --- | --- | --- | --- | --- | --- |\n| Elm | 21 | 22 | 23 | 24 | 25 | 26 |"
    html = render_sentence(Sentence("Elm — e: 25", (cite_cell(text, text.splitlines()[2], "25"),)))
    assert '<th scope="row" dir="auto">Elm</th><td dir="auto" class="answer">25</td>' in html
    assert ">24<" not in html


def test_the_answer_is_highlighted_in_a_sentence():
    text = "It is old. The plant was built\nin 1912 by Maud."
    start = text.index("The")
    year = text.index("1912")
    citation = Citation(Evidence("p", "passage", 1.0, text), text[start:], start, len(text), answer=(year, year + 4))
    html = render_sentence(Sentence("The plant was built in 1912 by Maud.", (citation,)))
    assert "built in <mark>1912</mark> by Maud" in html


def test_a_sentence_in_other_words_than_its_quote_is_not_highlighted():
    citation = Citation(Evidence("p", "passage", 1.0, "Built in 1912."), "Built in 1912.", 0, 14, answer=(9, 13))
    assert "<mark>" not in render_sentence(Sentence("It dates from 1912.", (citation,)))


def test_the_cells_of_several_tables_are_shown_in_a_table_each():
    text = HEADED.replace("2024", "2025")
    first = cite_cell(HEADED, HEADED.splitlines()[5], "31")
    second = cite_cell(text, text.splitlines()[5], "31")
    second = replace(second, evidence=replace(second.evidence, id="other"))
    html = render_sentence(Sentence("31 in both", (first, second)))
    assert html.count("<table>") == html.count('class="answer"') == 2
    assert "2025" in html
    assert html.endswith("31 in both</span>")


def test_units_and_scales_that_no_header_has_are_below_the_table():
    text = "Ships\n| Port | In |\n| --- | --- |\n| Elm | 12 |"
    citation = cite_cell(text, "| Elm | 12 |", "12")

    def render(**units):
        columns = (ColumnStructure(("Port",)), ColumnStructure(("In",), **units))
        structure = TableStructure((RowStructure("header"), RowStructure("data", ("Elm",))), columns)
        evidence = replace(citation.evidence, structure=structure)
        return render_sentence(Sentence("Elm: 12", (replace(citation, evidence=evidence),)))

    assert "Values in thousand, kg</span>" in render(unit="kg", scale="thousand")
    assert "Values in" not in render(unit="In")
    assert "Values in" not in render()


def test_several_cells_of_a_sentence_are_highlighted_in_one_table_above_it():
    lines = HEADED.splitlines()
    cells = [cite_cell(HEADED, lines[5], "31"), cite_cell(HEADED, lines[6], "32")]
    html = render_sentence(Sentence("Elm, Ash — 2024 In: 31 + 32 = 63", tuple(cells)))
    assert html.count('class="answer"') == 2
    assert html.endswith("Elm, Ash — 2024 In: 31 + 32 = 63</span>")
