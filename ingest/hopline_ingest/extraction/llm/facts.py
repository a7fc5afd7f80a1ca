"""The entities and triples of a model's reply."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from hopline.errors import ReplyError
from hopline_ingest.extraction.mentions.names import name_key
from hopline_ingest.extraction.vocabulary import PRONOUNS

_TEXT: Final = {"type": "string", "minLength": 1, "maxLength": 300}
SCHEMA: Final[dict[str, Any]] = {
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
_ENDS: Final = ("subject", "predicate", "object")

Triple = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Facts:
    """The entities and triples of a reply; each triple has a listed entity as subject or object."""

    entities: tuple[str, ...]
    triples: tuple[Triple, ...]


def build_facts(data: Mapping[str, Any]) -> Facts:
    """Build the facts of a reply from its JSON value, which fits `SCHEMA`.

    Raises:
        ReplyError: it has no usable entity, or triples of which none is usable; the message is the complaint to send
            back to the model.
    """
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
