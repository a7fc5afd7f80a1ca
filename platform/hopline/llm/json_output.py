"""JSON in a model's reply: extracted, repaired and converted leniently, then validated against its schema."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any, Final

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, best_match
from jsonschema.protocols import Validator

from hopline.errors import UsageError
from hopline.llm.schema_coercion import coerce_value, get_schema

_TAG: Final = r"(?:[\w:]*think(?:ing)?|thoughts?|reason(?:ing)?|reflection|analysis|scratchpad)"
# up to its last end: drafts of the answer are part of the reasoning
_REASONING: Final = re.compile(rf"^.*(?:<\s*/\s*{_TAG}\s*>|\[/THINK\]|<\|message\|>)", re.DOTALL | re.IGNORECASE)
_UNENDED_REASONING: Final = re.compile(rf"^\s*(?:<\s*{_TAG}\s*>|\[THINK\]).*", re.DOTALL | re.IGNORECASE)
_FENCE: Final = re.compile(r"```\w*[^\S\n]*\n(.*?)(?:```|\Z)", re.DOTALL)
_DECODER: Final = json.JSONDecoder(strict=False)  # line breaks and tabs may be in strings
_INVALID: Final = object()
_END_MARK: Final = "ꔢꔃꔮ"  # letters that no reply has, since repair keeps letters; appended to see what the end has cut
_CUT_MARK: Final = f'{_END_MARK}", "{_END_MARK}": "{_END_MARK}'  # marks both an open string and its open object
_NO_JSON: Final = "the reply contains no JSON"
MAX_STARTS: Final = 20  # brackets in a text that are tried as the start of a value
MAX_REPAIRS: Final = 3  # of these, how many are tried with repair, whose time may be quadratic
MAX_REPAIRED: Final = 20_000  # characters


def schema_instruction(schema: Mapping[str, Any] | None) -> str:
    """The instruction to follow a schema, for endpoints that do not accept a schema as a parameter."""
    return f"Answer with one JSON value that fits this JSON Schema, and with nothing else:\n{json.dumps(schema)}"


def build_validator(schema: Mapping[str, Any]) -> Validator:
    """Build the validator of a JSON schema.

    Raises:
        UsageError: ``schema`` is not a valid JSON schema.
    """
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        raise UsageError(f"not a JSON schema: {error.message}") from error
    return Draft202012Validator(schema)


def parse_reply(text: str, validator: Validator, *, truncated: bool = False) -> tuple[Any, str]:
    """Return the first value in a reply that fits its schema and ``""``; or None and the reason why there is none.

    Ignores reasoning, Markdown fences, and text before and after. Values that are valid as they are come first, then
    those that are after repair (`json_repair`) and conversion to the schema (`coerce_value`). What the end of the text
    has cut is completed if it is a string or a container; in a ``truncated`` reply it is dropped, and the value may
    lack required properties if another one is not empty.
    """
    answer = _remove_reasoning(text)
    texts = [answer, *_FENCE.findall(answer)]
    values = list(_iter_values(texts))
    for value in values:
        if validator.is_valid(value):
            return coerce_value(value, validator), ""
    problem = _NO_JSON
    for value in chain(_iter_repaired(texts, validator, truncated=truncated), values):
        coerced = coerce_value(value, validator)
        wanted = _limit_requirements(validator, coerced) if truncated else validator
        error = best_match(wanted.iter_errors(coerced))
        if error is None:
            return coerced, ""
        if problem == _NO_JSON:
            problem = f"the reply does not fit its schema at {error.json_path}: {error.message:.200}"
    return None, problem


def ends_with_json(text: str) -> bool:
    """Whether a reply ends with a whole JSON object or array, after which no more is to be expected."""
    answer = _remove_reasoning(text).removesuffix("```").rstrip()
    start = next((match.start() for match in re.finditer(r"[{\[]", answer)), -1)
    return start >= 0 and _decode(answer, start)[1] == len(answer)


def _remove_reasoning(text: str) -> str:
    """Return a reply without the reasoning before the answer; a reply that is JSON as a whole has none."""
    if _decode(text.strip(), 0)[1] == len(text.strip()):
        return text.strip()
    return _UNENDED_REASONING.sub("", _REASONING.sub("", text, count=1), count=1).strip()


def _iter_values(texts: list[str]) -> Iterator[Any]:
    """Yield the JSON values of texts: the texts as a whole first, then what begins at each bracket."""
    for text in texts:
        value, end = _decode(text, 0)
        if end == len(text.rstrip()):
            yield value
    for start in _list_starts(texts[0], "{["):
        value, _ = _decode(texts[0], start)
        if value is not _INVALID:
            yield value


def _iter_repaired(texts: list[str], validator: Validator, *, truncated: bool) -> Iterator[Any]:
    """Yield the values that begin at each bracket of texts, repaired if need be; those of fenced texts come first."""
    opening = {"object": "{", "array": "["}.get(str(get_schema(validator).get("type")), "{[")
    for text in (*texts[1:], texts[0]):
        repairs = 0
        for start in _list_starts(text, opening):
            value, _ = _decode(text, start)
            if value is not _INVALID:
                yield value
            elif repairs < MAX_REPAIRS:
                repairs += 1
                yield from _repair(text[start : start + MAX_REPAIRED], truncated=truncated)


def _list_starts(text: str, opening: str) -> list[int]:
    return [match.start() for match in re.finditer(f"[{re.escape(opening)}]", text)][:MAX_STARTS]


def _decode(text: str, start: int) -> tuple[Any, int]:
    """Return the JSON value that begins at ``start`` and its end; `_INVALID` and -1 if there is none."""
    try:
        return _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return _INVALID, -1


def _repair(text: str, *, truncated: bool) -> Iterator[Any]:
    """Yield the value of a text that begins with a bracket; if others follow, each of them too."""
    from json_repair import loads

    body = text.replace(_END_MARK, "").rstrip(", \t\r\n")
    try:
        value = loads(body + (_CUT_MARK if truncated else _END_MARK), skip_json_loads=True)
    except (ValueError, RecursionError):
        return
    value = _remove_end_mark(value, truncated=truncated)
    if isinstance(value, dict | list):
        yield value
    yield from [item for item in value if isinstance(item, dict)] if isinstance(value, list) else ()


def _limit_requirements(validator: Validator, value: Any) -> Validator:
    """Return a validator that requires only those properties of a value that it has; the same if these are empty."""
    schema = get_schema(validator)
    present = [name for name in schema.get("required", []) if isinstance(value, dict) and name in value]
    is_empty = not any(value[name] for name in present)
    return validator if is_empty else validator.evolve(schema={**schema, "required": present})


def _remove_end_mark(value: Any, *, truncated: bool) -> Any:
    """Return a value without the mark of the end of its text; `_INVALID` if it has nothing else.

    In a ``truncated`` text, strings and array items with the mark are dropped, as they may be incomplete.
    """
    match value:
        case str():
            text = value.replace(_END_MARK, "")
            return text if text == value or (text and not truncated) else _INVALID
        case list():
            whole = [item for item in value if not (truncated and _has_end_mark(item))]
            items = [_remove_end_mark(item, truncated=truncated) for item in whole]
            return [item for item in items if item is not _INVALID]
        case dict():
            known = {name: content for name, content in value.items() if _END_MARK not in str(name)}
            contents = {name: _remove_end_mark(content, truncated=truncated) for name, content in known.items()}
            return {name: content for name, content in contents.items() if content is not _INVALID}
        case _:
            return value


def _has_end_mark(value: Any) -> bool:
    return _END_MARK in json.dumps(value, ensure_ascii=False)
