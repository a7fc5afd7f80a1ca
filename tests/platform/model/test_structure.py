"""JSON is found leniently and checked strictly."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopline.errors import UsageError
from hopline.llm.json_output import checked_schema, read_reply

NAMED = checked_schema({"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]})
ANYTHING = checked_schema({})
LIST = checked_schema({"type": "array", "items": {"type": "string"}})

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
def test_a_value_is_found_in_what_models_write_around_it(text: str) -> None:
    data, error = read_reply(text, NAMED)
    assert error == ""
    assert data["name"] == "Halcyon"


def test_commas_inside_of_strings_stay() -> None:
    assert read_reply('["a,]", "b,}", "c\\",]",]', LIST) == (["a,]", "b,}", 'c",]'], "")


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("I do not know.", "the reply holds no JSON"),
        ("", "the reply holds no JSON"),
        ('{"name": "Hal', "the reply holds no JSON"),
        ('{"name": 3}', "at $.name: 3 is not of type 'string'"),
        ("[]", "at $: [] is not of type 'object'"),
        ("[" * 100_000, "the reply holds no JSON"),
        ('{"name": ' + "9" * 5000 + "}", "the reply holds no JSON"),
    ],
)
def test_what_is_wrong_is_said(text: str, wrong: str) -> None:
    data, error = read_reply(text, NAMED)
    assert data is None
    assert wrong in error


@given(st.text(alphabet='{}[]",:`\n <>/think\\ab1.-'))
def test_no_reply_breaks_the_reader(text: str) -> None:
    data, error = read_reply(text, NAMED)
    assert (data is None) == bool(error)


@given(json_values)
def test_every_json_value_is_read_as_it_is(value: Any) -> None:
    assert read_reply(json.dumps(value), ANYTHING) == (value, "")


@given(json_values.filter(lambda value: isinstance(value, dict | list)))
def test_every_value_in_a_fence_is_read_as_it_is(value: Any) -> None:
    fenced = f"Here:\n```json\n{json.dumps(value, indent=1)}\n```\nDone."
    wanted = checked_schema({"const": value})
    assert read_reply(fenced, wanted) == (value, "")


def test_what_is_no_schema_is_refused() -> None:
    with pytest.raises(UsageError, match="not a JSON schema: 5 is not"):
        checked_schema({"type": 5})
