"""JSON in a model's reply: extracted leniently, validated strictly."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, best_match

from hopline.errors import UsageError

_REASONING = re.compile(r"^.*</think>", re.DOTALL)
_FENCE = re.compile(r"```(?:json|JSON)?\s*\n(.*?)```", re.DOTALL)
_STRING_OR_COMMA = re.compile(r'("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])', re.DOTALL)
_INVALID = object()
MAX_STARTS = 20  # brackets in a reply that are tried as the start of a value


def schema_instruction(schema: Mapping[str, Any] | None) -> str:
    """The instruction to follow a schema, for endpoints that do not accept a schema as a parameter."""
    return f"Answer with one JSON value that fits this JSON Schema, and with nothing else:\n{json.dumps(schema)}"


def build_validator(schema: Mapping[str, Any]) -> Draft202012Validator:
    """Build the validator of a JSON schema.

    Raises:
        UsageError: ``schema`` is not a valid JSON schema.
    """
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        raise UsageError(f"not a JSON schema: {error.message}") from error
    return Draft202012Validator(schema)


def parse_reply(text: str, validator: Draft202012Validator) -> tuple[Any, str]:
    """Return the first valid value in a reply and ``""``; or None and the reason why there is none.

    Accepts Markdown fences, text before and after, a leading ``<think>`` block and trailing commas.
    """
    problem = "the reply contains no JSON"
    for value in _iter_values(text):
        error = best_match(validator.iter_errors(value))
        if error is None:
            return value, ""
        if problem == "the reply contains no JSON":
            problem = f"the reply does not fit its schema at {error.json_path}: {error.message:.200}"
    return None, problem


def _iter_values(text: str) -> Iterator[Any]:
    """Yield every JSON value in a reply, the most likely first."""
    answer = _REASONING.sub("", text, count=1).strip()
    for candidate in (answer, *_FENCE.findall(answer)):
        for variant in (candidate, _remove_trailing_commas(candidate)):
            value = _parse_json(variant)
            if value is not _INVALID:
                yield value
                break
    tidy = _remove_trailing_commas(answer)
    for start in [match.start() for match in re.finditer(r"[{\[]", tidy)][:MAX_STARTS]:
        value = _parse_prefix(tidy, start)
        if value is not _INVALID:
            yield value


def _parse_json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return _INVALID


def _parse_prefix(text: str, start: int) -> Any:
    try:
        return json.JSONDecoder().raw_decode(text, start)[0]
    except (ValueError, RecursionError):
        return _INVALID


def _remove_trailing_commas(text: str) -> str:
    return _STRING_OR_COMMA.sub(lambda match: match[1] or "", text)
