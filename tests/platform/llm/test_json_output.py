"""JSON is extracted, repaired and converted leniently, then validated."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hopline.errors import UsageError
from hopline.llm.json_output import build_validator, ends_with_json, parse_reply


def describe_object(**properties: Any) -> dict[str, Any]:
    required = list(properties)
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


TEXT = {"type": "string"}
NAME = {"type": "string", "minLength": 1, "maxLength": 300}
NAMED = build_validator({"type": "object", "properties": {"name": TEXT}, "required": ["name"]})
ANYTHING = build_validator({})
LIST = build_validator({"type": "array", "items": TEXT})
CITATION = describe_object(evidence={"type": "integer"}, quote=TEXT)
SENTENCE = describe_object(text=TEXT, citations={"type": "array", "items": CITATION})
ANSWER = build_validator(
    describe_object(sentences={"type": "array", "items": SENTENCE}, short=TEXT, found={"type": "boolean"})
)
TRIPLE = describe_object(subject=NAME, predicate=NAME, object=NAME)
TRIPLES = {"type": "array", "items": TRIPLE}
FACTS = build_validator(describe_object(entities={"type": "array", "items": NAME}, triples=TRIPLES))

BUILT = {"text": 'The "Skarv" Bridge, built by Vale.', "citations": [{"evidence": 2, "quote": "{built} by Vale]"}]}
ANSWERED = {"sentences": [BUILT, BUILT], "short": "Vale", "found": True}
KEPT = {"entities": ["Ada", "Tern"], "triples": [{"subject": "Ada", "predicate": "kept", "object": "Tern"}]}
FACTS_TEXT = json.dumps(KEPT)

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)
citations = st.fixed_dictionaries({"evidence": st.integers(-5, 10**6), "quote": st.text()})
sentences = st.fixed_dictionaries({"text": st.text(), "citations": st.lists(citations, max_size=3)})
answers = st.fixed_dictionaries(
    {"sentences": st.lists(sentences, max_size=3), "short": st.text(), "found": st.booleans()}
)


def parse_answer(text: str, **options: Any) -> Any:
    data, error = parse_reply(text, ANSWER, **options)
    assert (data is None) == bool(error)
    return data


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "Halcyon"}',
        '  \n{"name": "Halcyon"}\n',
        '```json\n{"name": "Halcyon"}\n```',
        '```\n{"name": "Halcyon",}\n```',
        '```json\n{"name": "Halcyon"\n```',
        '```json\n{"name": "Halcyon"}',
        'Sure! Here is the JSON you asked for:\n\n{"name": "Halcyon"}\n\nLet me know if you need more.',
        "Sure! Here is the JSON you asked for:\n\n{'name': 'Halcyon'}\n\nLet me know if you need [more].",
        '<think>{"name": "or so?"}</think>{"name": "Halcyon"}',
        '{"name": "or so?"}</think>{"name": "Halcyon"}',
        '<thinking>Draft: {"name": "draft"}</thinking>\n{"name": "Halcyon"}',
        '<reasoning>\n{"name": "draft"}\n</reasoning>\n```json\n{"name": "Halcyon"}\n```',
        '<seed:think>{"name": "draft"}</seed:think>{"name": "Halcyon"',
        '[THINK]{"name": "draft"}[/THINK]{"name": "Halcyon"}',
        '<|channel|>analysis<|message|>{"name": "draft"}<|end|><|channel|>final<|message|>{"name": "Halcyon"}',
        '{"name": "Halcyon",}',
        '{"name": "Halcyon"',
        '{"name": "Halcyon", "tags": ["a", "b",], }',
        '{"name": "Halcyon", "tags": ["a", "b"',
        '{name: "Halcyon"}',
        '{"name": "Halcyon"} // as asked',
        '{"reply": {"name": "Halcyon"}}',
        '[{"name": "Halcyon"}]',
        'The set {x} is empty. {"name": "Halcyon"}',
        'First try: {"title": "x"}. Better: {"name": "Halcyon"}',
    ],
)
def test_a_value_is_extracted_from_surrounding_text(text: str) -> None:
    data, error = parse_reply(text, NAMED)
    assert error == ""
    assert data["name"] == "Halcyon"


def test_tags_inside_of_strings_stay() -> None:
    assert parse_reply('["a</think>b", "<think>"]', LIST) == (["a</think>b", "<think>"], "")


def test_commas_inside_of_strings_stay() -> None:
    assert parse_reply('["a,]", "b,}", "c\\",]",]', LIST) == (["a,]", "b,}", 'c",]'], "")


def test_line_breaks_and_tabs_inside_of_strings_stay() -> None:
    assert parse_reply('["a\nb\tc"]', LIST) == (["a\nb\tc"], "")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("I do not know.", "the reply contains no JSON"),
        ("", "the reply contains no JSON"),
        ('{"name": ', "'name' is a required property"),
        ("{}", "'name' is a required property"),
        ('{"name": {"first": "Ada"}}', "at $.name: {'first': 'Ada'} is not of type 'string'"),
        ("[]", "at $: [] is not of type 'object'"),
        ('["Ada"]', "at $: ['Ada'] is not of type 'object'"),
        ("[" * 100_000, "the reply contains no JSON"),
        ('<think>{"name": "Halcyon"}', "the reply contains no JSON"),
    ],
)
def test_the_problem_is_reported(text: str, problem: str) -> None:
    data, error = parse_reply(text, NAMED)
    assert data is None
    assert problem in error


@pytest.mark.parametrize("piece", ['{"a" ', "{[(", '{"name": "x" "', "[1, '", '\\"'])
def test_a_long_malformed_reply_is_refused_within_seconds(piece: str) -> None:
    started = time.monotonic()
    parse_reply("{" + piece * 20_000, NAMED)
    assert time.monotonic() - started < 20


@pytest.mark.parametrize(
    ("change", "wanted"),
    [
        ({"short": 1931}, {"short": "1931"}),
        ({"short": 2.5}, {"short": "2.5"}),
        ({"short": None}, {"short": ""}),
        ({"short": {"text": "Vale"}}, {}),
        ({"short": ["Vale"]}, {}),
        ({"found": "true"}, {}),
        ({"found": "Yes"}, {}),
        ({"found": "no"}, {"found": False}),
        ({"found": None}, {"found": False}),
        ({"found": 1}, {}),
        ({"confidence": 0.9}, {}),
        ({"sentences": None}, {"sentences": []}),
        ({"sentences": BUILT}, {"sentences": [BUILT]}),
        (
            {"sentences": [BUILT, "and more", 7, None, {"colour": "red"}]},
            {"sentences": [BUILT, {"text": "and more", "citations": []}]},
        ),
        ({"sentences": [{"text": "Vale built it."}]}, {"sentences": [{"text": "Vale built it.", "citations": []}]}),
    ],
)
def test_a_value_is_converted_to_its_schema(change: dict[str, Any], wanted: dict[str, Any]) -> None:
    assert parse_answer(json.dumps(ANSWERED | change)) == ANSWERED | wanted


@pytest.mark.parametrize("number", [2, 2.0, "2", " 2 ", "[2]"])
def test_a_whole_number_is_an_integer_in_every_form(number: Any) -> None:
    cited = {"text": "x", "citations": [{"evidence": number, "quote": "q"}]}
    [sentence] = parse_answer(json.dumps(ANSWERED | {"sentences": [cited]}))["sentences"]
    [citation] = sentence["citations"]
    assert citation == {"evidence": 2, "quote": "q"}
    assert type(citation["evidence"]) is int


@pytest.mark.parametrize("number", [2.5, "two", True, None, 1e999, "9" * 5000])
def test_a_citation_whose_number_is_none_is_dropped_and_costs_no_other(number: Any) -> None:
    citation = {"evidence": 1, "quote": "q"}
    cited = {"text": "x", "citations": [citation | {"evidence": number}, citation]}
    assert parse_answer(json.dumps(ANSWERED | {"sentences": [cited]}))["sentences"][0]["citations"] == [citation]


def test_missing_properties_are_filled_only_if_another_one_is_there_and_only_with_texts_and_lists() -> None:
    assert parse_answer('{"found": true}') == {"sentences": [], "short": "", "found": True}
    assert parse_answer('{"short": "Vale"}') is None
    assert parse_answer('{"answer": "Vale"}') is None
    assert parse_reply('{"answer": 42}', FACTS)[0] is None
    assert parse_reply('{"subject": "Ada", "predicate": "kept"}', build_validator(TRIPLE))[0] is None


def test_more_items_than_allowed_are_cut() -> None:
    assert parse_reply('["a", "b", "c"]', build_validator({"type": "array", "maxItems": 2})) == (["a", "b"], "")


def test_a_word_of_an_enumeration_may_have_capital_letters() -> None:
    kind = build_validator(describe_object(kind={"enum": ["page", "table"]}))
    assert parse_reply('{"kind": "Page "}', kind) == ({"kind": "page"}, "")
    assert parse_reply('{"kind": "leaf"}', kind)[0] is None


@pytest.mark.parametrize(
    "text",
    [
        FACTS_TEXT,
        f"```json\n{FACTS_TEXT}\n```",
        f"Here is what I found:\n{FACTS_TEXT}\nI hope that this helps!",
        f"<think>{{hm}}</think>{FACTS_TEXT}",
        FACTS_TEXT.replace('"Tern"}]}', '"Tern"},]}'),
        '{"entities": ["Ada", "Tern"], "triples": [["Ada", "kept", "Tern"]]}',
        '{"entities": ["Ada", "Tern"], "triples": [("Ada", "kept", "Tern")]}',
        '{"entities": [{"name": "Ada", "type": "person"}, {"text": "Tern"}], "triples": [["Ada", "kept", "Tern"]]}',
        '{"named_entities": ["Ada", "Tern"], "triples": [("Ada", "kept", "Tern")]}',
        "{'entities': ['Ada', 'Tern'], 'triples': [('Ada', 'kept', 'Tern')]}",
        '{"Entities": ["Ada", "Tern"], "relations": [{"Subject": "Ada", "verb": "kept", "Object": "Tern"}]}',
        '{"entities": ["Ada", "Tern"], "triples": [{"head": "Ada", "relation": "kept", "tail": "Tern"}]}',
        '{"entities": ["Ada", "Tern", "", null], "facts": {"head": "Ada", "relation": "kept", "tail": "Tern"}}',
        FACTS_TEXT.removesuffix("]}"),
        FACTS_TEXT.removesuffix("}"),
        FACTS_TEXT.removesuffix("]}") + ', {"subject": "Ada", "pred',
        '{"entities": ["Ada", "Tern"], "triples": [["Ada", "kept", "Tern"], ["Ada", "ke',
        '{"entities": ["Ada", "Tern"], "triples": [["Ada", "kept", "Tern"], ["two", "parts"]]}',
    ],
)
def test_facts_are_parsed_from_typical_replies(text: str) -> None:
    assert parse_reply(text, FACTS) == (KEPT, "")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ('{"short": "Vale", "found": true, "sen', {"sentences": [], "short": "Vale", "found": True}),
        ('{"short": "Vale", "sentences": [', {"sentences": [], "short": "Vale"}),
        (json.dumps(ANSWERED), ANSWERED),
        (json.dumps(ANSWERED) + " and more", ANSWERED),
        (json.dumps(ANSWERED)[:-1], {"sentences": [BUILT, BUILT], "short": "Vale"}),
        (json.dumps({"sentences": [BUILT]}), {"sentences": [BUILT], "short": ""}),
    ],
)
def test_of_a_truncated_reply_its_beginning_is_read(text: str, wanted: Any) -> None:
    assert parse_answer(text, truncated=True) == wanted


@pytest.mark.parametrize("text", ['{"short": "Va', '{"sentences": [{"text": "Vale', "{", '{"short": ""'])
def test_a_truncated_reply_without_a_whole_value_is_refused(text: str) -> None:
    assert parse_answer(text, truncated=True) is None


@settings(deadline=None)
@given(st.integers(0, len(json.dumps(ANSWERED))), st.booleans())
def test_what_was_cut_is_dropped_from_a_truncated_reply_and_never_raises(end: int, indented: bool) -> None:
    text = json.dumps(ANSWERED, indent=1 if indented else None)[:end]
    parse_answer(text)
    data = parse_answer(text, truncated=True)
    if data is not None:
        assert data["sentences"] in ([], [BUILT], [BUILT, BUILT])
        assert data["short"] in {"", "Vale"}
        assert data.get("found", True) is True
    if json.dumps(BUILT) in text:
        assert data["sentences"]


@settings(deadline=None)
@given(answers, st.data(), st.booleans())
def test_an_answer_cut_at_any_place_never_raises(answer: Any, data: Any, truncated: bool) -> None:
    text = json.dumps(answer, ensure_ascii=False)
    parse_answer(text[: data.draw(st.integers(0, len(text)))], truncated=truncated)


@settings(deadline=None)
@given(answers)
def test_a_valid_answer_is_returned_unchanged(answer: Any) -> None:
    for text in (json.dumps(answer), json.dumps(answer, indent=2, ensure_ascii=False)):
        assert parse_reply(text, ANSWER) == (answer, "")
        assert parse_reply(text, ANSWER, truncated=True) == (answer, "")


@settings(deadline=None)
@given(
    st.text(alphabet="{}[]()\",:`'\n <>/think\\ab1.-")
    | st.integers(0, len(FACTS_TEXT)).map(lambda end: FACTS_TEXT[:end])
)
@example("{[]}")
@example("{{}: 1}")
def test_no_reply_breaks_the_parser(text: str) -> None:
    for validator in (NAMED, FACTS, ANYTHING):
        data, error = parse_reply(text, validator)
        assert data is None or error == ""


@settings(deadline=None)
@given(json_values)
def test_every_json_value_is_read_as_it_is(value: Any) -> None:
    assert parse_reply(json.dumps(value), ANYTHING) == (value, "")


@settings(deadline=None)
@given(json_values.filter(lambda value: isinstance(value, dict | list)))
def test_every_value_in_a_fence_is_read_as_it_is(value: Any) -> None:
    fenced = f"Here:\n```json\n{json.dumps(value, indent=1)}\n```\nDone."
    wanted = build_validator({"const": value})
    assert parse_reply(fenced, wanted) == (value, "")


@pytest.mark.parametrize(
    ("text", "complete"),
    [
        ('{"a": [1, "}"]}', True),
        ('Here it is: {"a": 1}\n', True),
        ('```json\n{"a": 1}\n```', True),
        ('<think>{"a"</think>[1]', True),
        ('{"a": 1', False),
        ('{"a": 1} and', False),
        ("7", False),
        ("", False),
    ],
)
def test_a_reply_that_ends_with_a_value_is_told_from_one_that_goes_on(text: str, complete: bool) -> None:
    assert ends_with_json(text) is complete


def test_an_invalid_schema_is_refused() -> None:
    with pytest.raises(UsageError, match="not a JSON schema: 5 is not"):
        build_validator({"type": 5})
