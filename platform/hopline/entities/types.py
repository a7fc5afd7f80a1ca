"""Types of entities: what people call the kinds that extraction assigns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from hopline.errors import UnknownName

ENTITY_TYPES: Final[Mapping[str, str]] = {
    "PERSON": "person",
    "ORG": "organisation",
    "GPE": "place",
    "LOC": "place",
    "FAC": "place",
    "PRODUCT": "product",
    "WORK_OF_ART": "work",
    "LAW": "law",
    "EVENT": "event",
    "SUBSTANCE": "substance",
}
"""The type of each kind of entity; entities of other kinds have none."""


def describe_type(kind: str) -> str:
    """Return the type of a kind of entity; empty if it is unknown.

    Kinds that a language model chose are their own types, in lower case.
    """
    return ENTITY_TYPES.get(kind, "" if kind in ("", "NAME") else kind.replace("_", " ").lower())


def list_kinds(types: Iterable[str]) -> list[str]:
    """Return the kinds of entities of these types.

    Raises:
        UnknownName: there is no such type.
    """
    known = sorted(set(ENTITY_TYPES.values()))
    for type in types:
        if type not in known:
            raise UnknownName("type of entities", type, known)
    return [kind for kind, type in ENTITY_TYPES.items() if type in types]
