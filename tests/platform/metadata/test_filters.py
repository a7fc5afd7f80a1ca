"""Filter expressions: which documents match, and what is said of a text that is no filter."""

import pytest

from hopline.errors import UsageError
from hopline.metadata.filter_expression import list_keys, matches
from hopline.metadata.filter_parser import parse_filter
from hopline.metadata.values import Metadata

REPORT: Metadata = {
    "year": 2024, "rate": 0.5, "author": "A. Wong", "tag": ("risk", "loans"), "status": "final", "draft": False,
    "created": "2021-06-30", "title": "Annual report", "type": ("pdf", ".pdf"), "code": "007", "not": "x",
}  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        """year >= 2020 and author = "A. Wong" and tag in ["risk", "rates"] and not (status = draft)
        and title contains "annual" and created >= 2021-01-01""",
        "year = 2024", "year == 2024.0", "year != 2023", "year > 2023 AND year < 2025", "rate <= .5 or rate <= 0.5",
        "author = 'a. wong'", 'author contains "won"', "tag = risk", "tag = loans", "tag contains oan",
        "tag in [risk]", "tag not in [x, y]", "tag != rates", "not tag != rates or tag = risk",
        "exists(year)", "year exists", "not exists(gone)", "not gone = 1", "draft = false", "draft != true",
        "created = 2021", "created = 2021-06", "created < 2022", "created > 2020-12-31", 'created = "2021-06-30"',
        "status >= a and status < g", "code = 007", "type = pdf", "type = .pdf", '"year" = 2024', '"not" = x',
        "year = 2023 or year = 2024 and status = final", "(year = 2023 or year = 2024) and status = final",
        "author = \"a. \\wong\"",
    ],
)  # fmt: skip
def test_a_document_matches(text):
    assert matches(parse_filter(text), REPORT)


@pytest.mark.parametrize(
    "text",
    [
        "year = 2023", "year < 2024", "year = abc", "year > abc", "tag != risk", "tag in [rates, bonds]",
        "gone = 1", "gone != 1", "exists(gone)", "not year exists", "draft = true", "draft < true", "year = true",
        "created > 2021", "created < 2021-06", "code = 7", "author = Wong", "rate = 1", "not (year = 2024)",
        "(year = 2023 or year = 2024) and status = draft", "status = final and not draft = false", "draft = 0",
    ],
)  # fmt: skip
def test_a_document_does_not_match(text):
    assert not matches(parse_filter(text), REPORT)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "character 1: expected a key such as year, 'not', 'exists' or '('; got the end"),
        ("year", "character 5: expected =, !=, <, <=, >, >=, in, contains or exists; got the end"),
        ("year 2024", "character 6: expected =, !=, <, <=, >, >=, in, contains or exists; got '2024'"),
        ("year =", 'character 7: expected a value such as 2024, 2024-03-01, true or "a text"; got the end'),
        ("year = and", "true or \"a text\"; got 'and'"),
        ("year = 2024 tag = x", "character 13: expected 'and', 'or' or the end; got 'tag'"),
        ("(year = 2024", "character 13: expected ')'; got the end"),
        ("tag in risk", "character 8: expected '['; got 'risk'"),
        ("tag in []", "true or \"a text\"; got ']'"),
        ("tag in [a b]", "character 11: expected ',' or ']'; got 'b'"),
        ("tag not = a", "character 9: expected 'in'; got '='"),
        ('author = "A. Wong', "character 10: expected a closing quote; got '\"A. Wong'"),
        ("year ! 2024", "character 6: expected a key, a value"),
        ("year = 1 or", "character 12: expected a key"),
        ("exists year", "character 8: expected '('; got 'year'"),
        ("(" * 200 + "a = 1" + ")" * 200, "at most 100 nested"),
        ("not " * 200 + "a = 1", "at most 100 nested"),
        ("a" * 30_000, "at most 20,000 characters"),
        (7, "a filter is a text"),
    ],
)
def test_an_error_says_where_and_what_was_expected(text, message):
    with pytest.raises(UsageError) as raised:
        parse_filter(text)
    assert message in str(raised.value)


def test_the_keys_of_a_filter_have_their_positions():
    keys = list_keys(parse_filter("year = 1 and not (exists(tag) or x in [a])"))
    assert [(key.name, key.position) for key in keys] == [("year", 0), ("tag", 25), ("x", 33)]
