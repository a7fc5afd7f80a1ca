"""Evidence as HTML: quotes marked, tables as tables, nothing read as markup."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hopline.types import Evidence
from hopline_ui.passage_html import passage_html, summary

TEXT = "Table 1: Water | cost\n| Year | Water (m3) |\n| --- | ---: |\n| 2022 | 903,200 |\n| 2023 | <b>918,400</b> \\| est. |"


@pytest.fixture
def table():
    return Evidence("t", "table", 1.0, TEXT, caption="Water | cost", number="1")


def test_a_passage_is_its_text_with_the_quote_marked():
    passage = Evidence("p", "passage", 1.0, "One <two> three")
    assert passage_html(passage, (4, 9)) == (
        '<blockquote class="passage" dir="auto">One <mark>&lt;two&gt;</mark> three</blockquote>'
    )


def test_a_table_is_a_table_with_its_caption_and_its_first_row_as_head(table):
    html = passage_html(table)
    assert '<caption dir="auto">Table 1: Water | cost</caption>' in html
    assert '<tr><th dir="auto">Year</th><th dir="auto">Water (m3)</th></tr>' in html
    assert '<td dir="auto">&lt;b&gt;918,400&lt;/b&gt; | est.</td>' in html
    assert "---" not in html
    assert "quoted" not in html


def test_the_rows_that_a_quote_touches_are_marked(table):
    start = TEXT.index("| 2023")
    html = passage_html(table, (start, len(TEXT)))
    assert html.count('<tr class="quoted">') == 1
    assert html.index("2022") < html.index('<tr class="quoted">') < html.index("2023")


def test_in_a_list_a_table_stands_for_its_caption_and_columns(table):
    assert summary(table) == "Table 1: Water | cost — Year · Water (m3)"
    assert summary(replace(table, kind="passage", text="words")) == "words"
    assert summary(replace(table, text="no cells at all")) == "no cells at all"


def test_a_table_without_cells_is_shown_as_text(table):
    assert (
        passage_html(replace(table, text="no cells")) == '<blockquote class="passage" dir="auto">no cells</blockquote>'
    )
