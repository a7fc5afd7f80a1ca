import contextlib

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hopline.errors import ReplyError
from hopline_ingest.extraction.llm.reply_parser import parse_facts

GOOD = '{"entities": ["Ada", "Tern"], "triples": [{"subject": "Ada", "predicate": "kept", "object": "Tern"}]}'
KEPT = (("Ada", "kept", "Tern"),)


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"```json\n{GOOD}\n```",
        f"Here is what I found:\n{GOOD}\nI hope that this helps!",
        f"<think>{{hm}}</think>{GOOD}",
        GOOD.replace('"Tern"}]}', '"Tern"},]}'),
        '{"entities": ["Ada", "Tern"], "triples": [["Ada", "kept", "Tern"]]}',
        '{"entities": ["Ada", "Tern"], "triples": [("Ada", "kept", "Tern")]}',
        '{"named_entities": ["Ada", "Tern"], "triples": [("Ada", "kept", "Tern")]}',
        "{'entities': ['Ada', 'Tern'], 'triples': [('Ada', 'kept', 'Tern')]}",
        '{"entities": ["Ada", "Tern"], "triples": [{"head": "Ada", "relation": "kept", "tail": "Tern"}]}',
        GOOD.removesuffix("]}"),
        GOOD.removesuffix("}"),
        GOOD.removesuffix("]}") + ', {"subject": "Ada", "pred',
        '{"entities": ["Ada", "Tern"], "triples": [["Ada", "kept", "Tern"], ["Ada", "ke',
        '{"entities": ["Ada", "Tern"], "triples": [["Ada", "kept", "Tern"], ["two", "parts"]]}',
    ],
)
def test_facts_are_parsed_from_typical_replies(text):
    facts = parse_facts(text)
    assert facts.triples == KEPT
    assert facts.entities == ("Ada", "Tern")


def test_a_value_that_is_already_parsed_is_used():
    assert parse_facts("", {"entities": ["Ada"], "triples": []}).entities == ("Ada",)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "empty"),
        ("   \n", "empty"),
        ("I cannot do that.", "no JSON"),
        ('{"answer": 42}', "schema"),
        ('{"entities": [], "triples": []}', "list of entities was empty"),
        ('{"entities": ["Ada"], "triples": [["Bo", "kept", "Tern"]]}', "listed entity"),
        ("{" * 5000, "no JSON"),
    ],
)
def test_an_invalid_reply_raises_an_error_with_the_reason(text, complaint):
    with pytest.raises(ReplyError, match=complaint):
        parse_facts(text)


def test_triples_without_a_listed_entity_and_pronouns_are_dropped():
    text = (
        '{"entities": ["Ada", "it"], "triples": [["Ada", "kept", "Tern"], ["Bo", "saw", "Cy"], ["it", "saw", "Ada"],'
        ' ["Ada", "is", "ada"], ["ada", "Kept", "tern"]]}'
    )
    facts = parse_facts(text)
    assert facts.triples == KEPT
    assert facts.entities == ("Ada",)


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=200) | st.integers(0, len(GOOD)).map(lambda end: GOOD[:end]))
@example("{[]}")
@example("{{}: 1}")
def test_no_reply_crashes_the_parser(text):
    with contextlib.suppress(ReplyError):
        assert parse_facts(text).entities
