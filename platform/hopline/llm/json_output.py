"""JSON out of a model's reply: found leniently, checked strictly."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, best_match

from hopline.errors import UsageError

_THOUGHT = re.compile(r"^.*</think>", re.DOTALL)
_FENCE = re.compile(r"```(?:json|JSON)?\s*\n(.*?)```", re.DOTALL)
_STRING_OR_COMMA = re.compile(r'("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])', re.DOTALL)
_NOTHING = object()
STARTS = 20  # places in a reply at which a value may begin that are tried


def instruction(schema: Mapping[str, Any] | None) -> str:
    """What a model is told where its endpoint cannot be given a schema."""
    return f"Answer with one JSON value that fits this JSON Schema, and with nothing else:\n{json.dumps(schema)}"


def checked_schema(schema: Mapping[str, Any]) -> Draft202012Validator:
    """A validator.

    Raises:
        UsageError: it is no JSON schema.
    """
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        raise UsageError(f"not a JSON schema: {error.message}") from error
    return Draft202012Validator(schema)


def read_reply(text: str, validator: Draft202012Validator) -> tuple[Any, str]:
    """The first value in a reply that fits, and ``""``; or None and what is wrong with the reply.

    Takes fences, talk before and after, a leading train of thought and trailing commas.
    """
    wrong = "the reply holds no JSON"
    for value in _values(text):
        error = best_match(validator.iter_errors(value))
        if error is None:
            return value, ""
        if wrong == "the reply holds no JSON":
            wrong = f"the reply does not fit its schema at {error.json_path}: {error.message:.200}"
    return None, wrong


def _values(text: str) -> Iterator[Any]:
    """Every JSON value that a reply may mean, the likeliest first."""
    plain = _THOUGHT.sub("", text, count=1).strip()
    for candidate in (plain, *_FENCE.findall(plain)):
        for variant in (candidate, _without_trailing_commas(candidate)):
            value = _parsed(variant)
            if value is not _NOTHING:
                yield value
                break
    tidy = _without_trailing_commas(plain)
    for start in [match.start() for match in re.finditer(r"[{\[]", tidy)][:STARTS]:
        value = _begun(tidy, start)
        if value is not _NOTHING:
            yield value


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return _NOTHING


def _begun(text: str, start: int) -> Any:
    try:
        return json.JSONDecoder().raw_decode(text, start)[0]
    except (ValueError, RecursionError):
        return _NOTHING


def _without_trailing_commas(text: str) -> str:
    return _STRING_OR_COMMA.sub(lambda match: match[1] or "", text)
