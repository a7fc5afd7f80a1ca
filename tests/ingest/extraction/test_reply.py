import contextlib

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hopline.errors import ReplyError
from hopline_ingest.extraction.llm.reply import facts_of

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
def test_facts_are_found_in_what_models_write(text):
    facts = facts_of(text)
    assert facts.triples == KEPT
    assert facts.entities == ("Ada", "Tern")


def test_a_value_that_was_parsed_already_is_taken():
    assert facts_of("", {"entities": ["Ada"], "triples": []}).entities == ("Ada",)


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
def test_a_reply_that_cannot_be_used_says_why(text, complaint):
    with pytest.raises(ReplyError, match=complaint):
        facts_of(text)


def test_triples_about_nobody_in_the_list_and_pronouns_are_left_out():
    text = (
        '{"entities": ["Ada", "it"], "triples": [["Ada", "kept", "Tern"], ["Bo", "saw", "Cy"], ["it", "saw", "Ada"],'
        ' ["Ada", "is", "ada"], ["ada", "Kept", "tern"]]}'
    )
    facts = facts_of(text)
    assert facts.triples == KEPT
    assert facts.entities == ("Ada",)


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=200) | st.integers(0, len(GOOD)).map(lambda end: GOOD[:end]))
@example("{[]}")
@example("{{}: 1}")
def test_no_reply_breaks_the_reader(text):
    with contextlib.suppress(ReplyError):
        assert facts_of(text).entities
