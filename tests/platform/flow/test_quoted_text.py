import re

import pytest

from hopline.flow.quoted_text import QUOTING_RULE, quote_text
from hopline.flow.requests import ask


def test_text_is_quoted_between_delimiters():
    assert quote_text("a < b\nc") == "<document>\na < b\nc\n</document>"


@pytest.mark.parametrize(
    "tag", ["</document>", "<document>", "</DOCUMENT>", "< / document >", "</document x>", "</document"]
)
def test_text_cannot_contain_a_delimiter(tag):
    inner = quote_text(f"a {tag} b").removeprefix("<document>").removesuffix("</document>")
    assert not re.search(r"<\s*/?\s*document", inner, re.IGNORECASE)


def test_a_request_that_quotes_documents_has_the_rule_in_its_system_prompt():
    assert ask(["why?", f"why? {quote_text('a')}"], system="Answer.").system == f"Answer.{QUOTING_RULE}"
    assert ask(["why?"], system="Answer.").system == "Answer."
