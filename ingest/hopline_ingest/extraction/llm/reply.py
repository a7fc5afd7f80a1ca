"""Entities and triples out of a model's reply: read leniently, checked against a schema."""

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
from hopline.llm.json_output import checked_schema, read_reply
from hopline_ingest.extraction.mentions.names import key
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
_LONGEST = 100_000  # characters of a reply that are looked at
_ENDS = ("subject", "predicate", "object")
_OTHER_KEYS = {"named_entities": "entities", "relations": "triples", "facts": "triples"}
_OTHER_ENDS = {"relation": "predicate", "verb": "predicate", "head": "subject", "tail": "object"}
_TUPLE = re.compile(r"\(\s*(?=[\"'])((?:\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|[\s,])+)\)")
_STRING_OR_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*"?|[][{}]', re.DOTALL)
_CLOSING = {"{": "}", "[": "]"}

Triple = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Facts:
    """What a reply gives: names, and triples each with a listed name at one end or both."""

    entities: tuple[str, ...]
    triples: tuple[Triple, ...]


def facts_of(text: str, data: Any = None) -> Facts:
    """The facts in a reply; ``data`` is its value where somebody has parsed it already.

    Raises:
        ReplyError: nothing usable is in it; the message is the complaint to send back.
    """
    if not text.strip() and data is None:
        raise ReplyError("the reply was empty")
    validator = _validator()
    if data is None or not validator.is_valid(data):
        data, complaint = read_reply(text[:_LONGEST], validator)
        data = data if data is not None else next(_mended(text[:_LONGEST], validator), None)
        if data is None:
            raise ReplyError(complaint)
    return _listed(data)


@cache
def _validator() -> Draft202012Validator:
    return checked_schema(SCHEMA)


def _mended(text: str, validator: Draft202012Validator) -> Iterator[Any]:
    """What the reply was meant to be: tuples as lists, other names of keys, brackets closed that are open."""
    start = text.find("{")
    if start < 0:
        return
    body = _TUPLE.sub(r"[\1]", text[start:])
    for variant in (body, *_closed(body)):
        for parse in (json.JSONDecoder().raw_decode, _python):
            try:
                value, _ = parse(variant)
            except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
                continue  # TypeError: Python's "{[]}" is a set with a list in it
            shaped = _shaped(value)
            if validator.is_valid(shaped):
                yield shaped


def _python(text: str) -> tuple[Any, int]:
    return ast.literal_eval(text.strip().rstrip("`").strip()), 0


def _closed(text: str) -> Iterator[str]:
    """The text cut at its last whole values, open brackets closed: models stop in the middle."""
    opened: list[str] = []
    ends: list[tuple[int, str]] = []
    for found in _STRING_OR_BRACKET.finditer(text):
        mark = found[0]
        if mark in _CLOSING:
            opened.append(_CLOSING[mark])
        elif opened and mark == opened[-1]:
            opened.pop()
        ends.append((found.end(), "".join(reversed(opened))))
    for end, closing in reversed(ends[-40:]):
        yield text[:end].rstrip().rstrip(",") + closing


def _shaped(value: Any) -> Any:
    """The value with the schema's names and texts where it uses others."""
    if not isinstance(value, Mapping):
        return value
    known = {_OTHER_KEYS.get(str(name), str(name)): part for name, part in value.items()}
    entities, triples = known.get("entities", []), known.get("triples")
    if not isinstance(triples, (list, tuple)) or not isinstance(entities, (list, tuple)):
        return value
    named = [str(name.get("name", "")) if isinstance(name, Mapping) else str(name) for name in entities]
    shaped = [one for one in map(_shaped_triple, triples) if one is not None]
    return {"entities": [name for name in named if name.strip()], "triples": shaped}


def _shaped_triple(triple: Any) -> dict[str, str] | None:
    """One triple as the schema has it; None for one that has no three parts: it costs only itself."""
    if isinstance(triple, Mapping):
        parts = {_OTHER_ENDS.get(str(name), str(name)): str(part) for name, part in triple.items()}
        return {end: parts[end] for end in _ENDS} if set(_ENDS) <= parts.keys() else None
    if isinstance(triple, (list, tuple)) and len(triple) == len(_ENDS):
        return dict(zip(_ENDS, map(str, triple), strict=True))
    return None


def _listed(data: Mapping[str, Any]) -> Facts:
    entities = {key(name): " ".join(name.split()) for name in reversed(data["entities"]) if key(name) not in PRONOUNS}
    triples: dict[Triple, Triple] = {}
    for triple in data["triples"]:
        subject, predicate, object_ = (" ".join(triple[end].split()) for end in _ENDS)
        ends = key(subject), key(object_)
        if not entities.keys().isdisjoint(ends) and PRONOUNS.isdisjoint(ends) and ends[0] != ends[1]:
            triples.setdefault((ends[0], key(predicate), ends[1]), (subject, predicate, object_))
    if not entities:
        raise ReplyError("the list of entities was empty")
    if data["triples"] and not triples:
        raise ReplyError("no triple had a listed entity at either end")
    return Facts(tuple(reversed(entities.values())), tuple(triples.values()))
