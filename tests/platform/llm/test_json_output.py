"""JSON is extracted leniently and validated strictly."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopline.errors import UsageError
from hopline.llm.json_output import build_validator, parse_reply

NAMED = build_validator({"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]})
ANYTHING = build_validator({})
LIST = build_validator({"type": "array", "items": {"type": "string"}})

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "Halcyon"}',
        '  \n{"name": "Halcyon"}\n',
        '```json\n{"name": "Halcyon"}\n```',
        '```\n{"name": "Halcyon",}\n```',
        'Sure! Here is the JSON you asked for:\n\n{"name": "Halcyon"}\n\nLet me know if you need more.',
        '<think>{"name": 3} or so?</think>{"name": "Halcyon"}',
        '{"name": "Halcyon",}',
        '{"name": "Halcyon", "tags": ["a", "b",], }',
        'The set {x} is empty. {"name": "Halcyon"}',
        'First try: {"title": "x"}. Better: {"name": "Halcyon"}',
    ],
)
def test_a_value_is_extracted_from_surrounding_text(text: str) -> None:
    data, error = parse_reply(text, NAMED)
    assert error == ""
    assert data["name"] == "Halcyon"


def test_commas_inside_of_strings_stay() -> None:
    assert parse_reply('["a,]", "b,}", "c\\",]",]', LIST) == (["a,]", "b,}", 'c",]'], "")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("I do not know.", "the reply contains no JSON"),
        ("", "the reply contains no JSON"),
        ('{"name": "Hal', "the reply contains no JSON"),
        ('{"name": 3}', "at $.name: 3 is not of type 'string'"),
        ("[]", "at $: [] is not of type 'object'"),
        ("[" * 100_000, "the reply contains no JSON"),
        ('{"name": ' + "9" * 5000 + "}", "the reply contains no JSON"),
    ],
)
def test_the_problem_is_reported(text: str, problem: str) -> None:
    data, error = parse_reply(text, NAMED)
    assert data is None
    assert problem in error


@given(st.text(alphabet='{}[]",:`\n <>/think\\ab1.-'))
def test_no_reply_breaks_the_parser(text: str) -> None:
    data, error = parse_reply(text, NAMED)
    assert (data is None) == bool(error)


@given(json_values)
def test_every_json_value_is_read_as_it_is(value: Any) -> None:
    assert parse_reply(json.dumps(value), ANYTHING) == (value, "")


@given(json_values.filter(lambda value: isinstance(value, dict | list)))
def test_every_value_in_a_fence_is_read_as_it_is(value: Any) -> None:
    fenced = f"Here:\n```json\n{json.dumps(value, indent=1)}\n```\nDone."
    wanted = build_validator({"const": value})
    assert parse_reply(fenced, wanted) == (value, "")


def test_an_invalid_schema_is_refused() -> None:
    with pytest.raises(UsageError, match="not a JSON schema: 5 is not"):
        build_validator({"type": 5})
