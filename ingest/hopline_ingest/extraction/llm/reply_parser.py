"""Parsing of a model's reply into entities and triples: lenient, then validated against a JSON schema."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator

from hopline.errors import ReplyError
from hopline.llm.json_output import build_validator, parse_reply
from hopline_ingest.extraction.mentions.names import name_key
from hopline_ingest.extraction.vocabulary import PRONOUNS

_TEXT = {"type": "string", "minLength": 1, "maxLength": 300}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "entities": {"type": "array", "items": _TEXT},
        "triples": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"subject": _TEXT, "predicate": _TEXT, "object": _TEXT},
                "required": ["subject", "predicate", "object"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["entities", "triples"],
    "additionalProperties": False,
}
_LONGEST = 100_000  # characters of a reply that are parsed
_ENDS = ("subject", "predicate", "object")
_OTHER_KEYS = {"named_entities": "entities", "relations": "triples", "facts": "triples"}
_OTHER_ENDS = {"relation": "predicate", "verb": "predicate", "head": "subject", "tail": "object"}
_TUPLE = re.compile(r"\(\s*(?=[\"'])((?:\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|[\s,])+)\)")
_STRING_OR_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*"?|[][{}]', re.DOTALL)
_CLOSING = {"{": "}", "[": "]"}

Triple = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Facts:
    """The entities and triples of a reply; each triple has a listed entity as subject or object."""

    entities: tuple[str, ...]
    triples: tuple[Triple, ...]


def parse_facts(text: str, data: Any = None) -> Facts:
    """Parse the facts of a reply; ``data`` is its JSON value if already parsed.

    Raises:
        ReplyError: the reply is invalid; the message is the complaint to send back to the model.
    """
    if not text.strip() and data is None:
        raise ReplyError("the reply was empty")
    validator = _validator()
    if data is None or not validator.is_valid(data):
        data, complaint = parse_reply(text[:_LONGEST], validator)
        data = data if data is not None else next(_repair_reply(text[:_LONGEST], validator), None)
        if data is None:
            raise ReplyError(complaint)
    return _to_facts(data)


@cache
def _validator() -> Draft202012Validator:
    return build_validator(SCHEMA)


def _repair_reply(text: str, validator: Draft202012Validator) -> Iterator[Any]:
    """Yield valid repairs of a reply: tuples as lists, alternative keys renamed, unclosed brackets closed."""
    start = text.find("{")
    if start < 0:
        return
    body = _TUPLE.sub(r"[\1]", text[start:])
    for variant in (body, *_close_brackets(body)):
        for parse in (json.JSONDecoder().raw_decode, _parse_python_literal):
            try:
                value, _ = parse(variant)
            except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
                continue  # TypeError: Python's "{[]}" is a set with a list in it
            normalized = _normalize_reply(value)
            if validator.is_valid(normalized):
                yield normalized


def _parse_python_literal(text: str) -> tuple[Any, int]:
    return ast.literal_eval(text.strip().rstrip("`").strip()), 0


def _close_brackets(text: str) -> Iterator[str]:
    """Yield the text truncated at its last complete values with brackets closed, as replies may be cut off."""
    opened: list[str] = []
    ends: list[tuple[int, str]] = []
    for match in _STRING_OR_BRACKET.finditer(text):
        mark = match[0]
        if mark in _CLOSING:
            opened.append(_CLOSING[mark])
        elif opened and mark == opened[-1]:
            opened.pop()
        ends.append((match.end(), "".join(reversed(opened))))
    for end, closing in reversed(ends[-40:]):
        yield text[:end].rstrip().rstrip(",") + closing


def _normalize_reply(value: Any) -> Any:
    """Convert a reply's alternative keys and values to those of the schema."""
    if not isinstance(value, Mapping):
        return value
    by_key = {_OTHER_KEYS.get(str(name), str(name)): part for name, part in value.items()}
    entities, triples = by_key.get("entities", []), by_key.get("triples")
    if not isinstance(triples, (list, tuple)) or not isinstance(entities, (list, tuple)):
        return value
    names = [str(name.get("name", "")) if isinstance(name, Mapping) else str(name) for name in entities]
    normalized = [converted for converted in map(_normalize_triple, triples) if converted is not None]
    return {"entities": [name for name in names if name.strip()], "triples": normalized}


def _normalize_triple(triple: Any) -> dict[str, str] | None:
    """Convert one triple to the schema; None if it does not have three parts, so that only this one is dropped."""
    if isinstance(triple, Mapping):
        parts = {_OTHER_ENDS.get(str(name), str(name)): str(part) for name, part in triple.items()}
        return {end: parts[end] for end in _ENDS} if set(_ENDS) <= parts.keys() else None
    if isinstance(triple, (list, tuple)) and len(triple) == len(_ENDS):
        return dict(zip(_ENDS, map(str, triple), strict=True))
    return None


def _to_facts(data: Mapping[str, Any]) -> Facts:
    entities = {
        name_key(name): " ".join(name.split()) for name in reversed(data["entities"]) if name_key(name) not in PRONOUNS
    }
    triples: dict[Triple, Triple] = {}
    for triple in data["triples"]:
        subject, predicate, object_ = (" ".join(triple[end].split()) for end in _ENDS)
        ends = name_key(subject), name_key(object_)
        if not entities.keys().isdisjoint(ends) and PRONOUNS.isdisjoint(ends) and ends[0] != ends[1]:
            triples.setdefault((ends[0], name_key(predicate), ends[1]), (subject, predicate, object_))
    if not entities:
        raise ReplyError("the list of entities was empty")
    if data["triples"] and not triples:
        raise ReplyError("no triple had a listed entity at either end")
    return Facts(tuple(reversed(entities.values())), tuple(triples.values()))
