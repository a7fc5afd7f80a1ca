"""Filter expressions as trees, and whether a document matches one.

A list matches a comparison if any of its elements does. Values of different kinds are never equal, and a comparison
with a key that a document does not have is false. Texts are compared without regard to case.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal

from hopline.metadata.values import Metadata, Scalar, get_kind, list_scalars

Operator = Literal["=", "!=", "<", "<=", ">", ">=", "in", "contains"]

FIXED_FIELDS: Final = ("document", "pages", "title", "type")  # of every document; metadata of the same key hides them

_ORDER: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "=": operator.eq, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "in": operator.eq,
}  # fmt: skip
_PART_OF_DATE: Final = re.compile(r"\d{4}(?:-\d\d(?:-\d\d)?)?")


@dataclass(frozen=True, slots=True)
class LiteralValue:
    """A value of a filter, and the text that it was written as; a value in quotes is a text."""

    value: Scalar
    text: str


@dataclass(frozen=True, slots=True)
class KeyName:
    """A key of a filter, and its index in the text of the filter, for error messages."""

    name: str
    position: int


@dataclass(frozen=True, slots=True)
class KeyComparison:
    """A comparison of a key with one value, or with any of several ("in")."""

    key: KeyName
    operator: Operator
    values: tuple[LiteralValue, ...]


@dataclass(frozen=True, slots=True)
class HasKey:
    """Whether a document has a key."""

    key: KeyName


@dataclass(frozen=True, slots=True)
class Negation:
    """What does not match another expression."""

    part: Expression


@dataclass(frozen=True, slots=True)
class Conjunction:
    """What matches all parts."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Disjunction:
    """What matches at least one part."""

    parts: tuple[Expression, ...]


Expression = KeyComparison | HasKey | Negation | Conjunction | Disjunction


def list_keys(expression: Expression) -> Iterator[KeyName]:
    """Yield the keys of an expression, in their order."""
    match expression:
        case KeyComparison(key=key) | HasKey(key=key):
            yield key
        case Negation(part=part):
            yield from list_keys(part)
        case Conjunction(parts=parts) | Disjunction(parts=parts):
            for part in parts:
                yield from list_keys(part)


def matches(expression: Expression, fields: Metadata) -> bool:
    """Return whether a document with these fields, its metadata and the fixed ones, matches an expression."""
    match expression:
        case Conjunction(parts=parts):
            return all(matches(part, fields) for part in parts)
        case Disjunction(parts=parts):
            return any(matches(part, fields) for part in parts)
        case Negation(part=part):
            return not matches(part, fields)
        case HasKey(key=key):
            return key.name in fields
        case KeyComparison():
            return _matches_comparison(expression, fields)


def _matches_comparison(comparison: KeyComparison, fields: Metadata) -> bool:
    value = fields.get(comparison.key.name)
    if value is None:
        return False
    items = list_scalars(value)
    if comparison.operator == "!=":
        return not any(_compare(item, "=", wanted) for item in items for wanted in comparison.values)
    return any(_compare(item, comparison.operator, wanted) for item in items for wanted in comparison.values)


def _compare(item: Scalar, sign: str, wanted: LiteralValue) -> bool:
    """Compare one value with one of the filter, by its kind.

    A date is compared with the beginning of a date ("2021", "2021-03") by as much as that has, and a text with what the
    filter has written.
    """
    if sign == "contains":
        return wanted.text.casefold() in str(item).casefold()
    compare = _ORDER[sign]
    kind = get_kind(item)
    if kind == "date" and _PART_OF_DATE.fullmatch(wanted.text):
        return compare(str(item)[: len(wanted.text)], wanted.text)
    if kind in {"text", "date"}:
        return compare(str(item).casefold(), wanted.text.casefold())
    if kind != get_kind(wanted.value) or (kind == "boolean" and sign not in {"=", "in"}):
        return False
    return compare(item, wanted.value)
