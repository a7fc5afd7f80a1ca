"""Text that is shown exactly as it is."""

from __future__ import annotations

import pytest

from hopline_ui.markup import counted, plain, quoted


def test_every_sign_that_markdown_reads_is_escaped():
    assert plain("**b** [x](y) $a$ <i> #1 `c`") == r"\*\*b\*\* \[x\]\(y\) \$a\$ \<i\> \#1 \`c\`"


def test_a_code_of_an_icon_or_emoji_is_broken_up_and_a_time_is_not_lost():
    assert ":material" not in plain(":material/home:").replace("\\", "")
    assert plain("at 9: five") == r"at 9\: five"


def test_a_label_is_one_line():
    assert plain("a\nb") == "a b"


def test_quotes_are_marked_and_everything_is_escaped():
    assert quoted("a <b> c", [(2, 5)]) == "a <mark>&lt;b&gt;</mark> c"
    assert quoted("<x>", []) == "&lt;x&gt;"
    assert quoted("abc", [(0, 1), (2, 3)]) == "<mark>a</mark>b<mark>c</mark>"


@pytest.mark.parametrize(("number", "words"), [(0, "0 pages"), (1, "1 page"), (1234, "1,234 pages")])
def test_things_are_counted_in_words(number, words):
    assert counted(number, "page") == words
