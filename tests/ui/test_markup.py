"""Escaping of text for Markdown and HTML."""

from __future__ import annotations

import pytest

from hopline_ui.markup import escape_markdown, format_count, highlight_html


def test_all_markdown_punctuation_is_escaped():
    assert escape_markdown("**b** [x](y) $a$ <i> #1 `c`") == r"\*\*b\*\* \[x\]\(y\) \$a\$ \<i\> \#1 \`c\`"


def test_shortcodes_of_icons_and_emojis_are_broken_up():
    assert ":material" not in escape_markdown(":material/home:").replace("\\", "")
    assert escape_markdown("at 9: five") == r"at 9\: five"


def test_a_label_is_one_line():
    assert escape_markdown("a\nb") == "a b"


def test_quotes_are_marked_and_everything_is_escaped():
    assert highlight_html("a <b> c", [(2, 5)]) == "a <mark>&lt;b&gt;</mark> c"
    assert highlight_html("<x>", []) == "&lt;x&gt;"
    assert highlight_html("abc", [(0, 1), (2, 3)]) == "<mark>a</mark>b<mark>c</mark>"


@pytest.mark.parametrize(("number", "words"), [(0, "0 pages"), (1, "1 page"), (1234, "1,234 pages")])
def test_counts_have_singular_and_plural(number, words):
    assert format_count(number, "page") == words
