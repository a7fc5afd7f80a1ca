"""Values of metadata: their kinds, their limits, and their form as JSON text.

A value is a text, a number, a boolean, or a tuple of these. A date is a text in ISO form: "2024-03-01".
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Any, Final, Literal

from hopline.errors import UsageError
from hopline.text_encoding import normalize_text

Scalar = str | int | float | bool
MetadataValue = Scalar | tuple[Scalar, ...]
Metadata = Mapping[str, MetadataValue]
MetadataChange = Mapping[str, MetadataValue | None]  # None removes a key
Kind = Literal["text", "number", "date", "boolean"]

MAX_KEYS: Final = 100  # of a document
MAX_KEY: Final = 64  # characters
MAX_TEXT: Final = 1000  # characters
MAX_ITEMS: Final = 100  # of a list

_KEY: Final = re.compile(rf"[\w.-]{{1,{MAX_KEY}}}")
_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d")
_NUMBER: Final = re.compile(r"[+-]?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d{1,3})?")
_MAX_INTEGER: Final = 2**63 - 1


def check_metadata(metadata: object, *, source: str = "metadata") -> dict[str, MetadataValue | None]:
    """Return metadata with normalized texts, dates as ISO texts and lists as tuples; None stays, and removes a key.

    ``source`` is what error messages call the metadata.

    Raises:
        UsageError: it is no mapping, or a key or a value is not valid or beyond a limit.
    """
    if not isinstance(metadata, Mapping):
        raise UsageError(f'{source} must be a mapping such as {{"year": 2024}} (got {metadata!r:.80})')
    if len(metadata) > MAX_KEYS:
        raise UsageError(f"{source} may have at most {MAX_KEYS} keys (got {len(metadata)})")
    checked = {_check_key(key, source): value for key, value in metadata.items()}
    return {key: None if value is None else _check_value(value, f"{source}: {key}") for key, value in checked.items()}


def _check_key(key: object, source: str) -> str:
    if not isinstance(key, str) or not _KEY.fullmatch(normalize_text(key)):
        raise UsageError(
            f"{source}: a key has 1 to {MAX_KEY} letters, digits, or characters of '_', '-', '.' (got {key!r:.80})"
        )
    return normalize_text(key)


def _check_value(value: object, location: str) -> MetadataValue:
    if not isinstance(value, list | tuple | set | frozenset):
        return _check_scalar(value, location)
    items = sorted(value, key=str) if isinstance(value, set | frozenset) else value
    if not 1 <= len(items) <= MAX_ITEMS:
        raise UsageError(f"{location}: a list has 1 to {MAX_ITEMS} values (got {len(items)}); None removes a key")
    return tuple(_check_scalar(item, location) for item in items)


def _check_scalar(value: object, location: str) -> Scalar:
    if isinstance(value, datetime):
        return value.date().isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, str):
        if len(value) > MAX_TEXT:
            raise UsageError(f"{location}: a text has at most {MAX_TEXT:,} characters (got {len(value):,})")
        return normalize_text(value)
    if isinstance(value, bool) or (isinstance(value, int) and abs(value) <= _MAX_INTEGER):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    raise UsageError(f"{location} must be a text, number, date, boolean or a list of these (got {value!r:.80})")


def get_kind(value: Scalar) -> Kind:
    """Return the kind of a value; a text that is a date in ISO form is a date."""
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    return "date" if is_date(value) else "text"


def is_date(text: str) -> bool:
    """Return whether a text is a date of the calendar in the form "2024-03-01"."""
    if not _DATE.fullmatch(text):
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def parse_scalar(text: str) -> Scalar:
    """Convert a word to the value that it means: a number, true or false, or the text itself.

    A number with leading zeros ("007") is a text, and so is everything in quotes, which are removed.
    """
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1]
    if text.lower() in {"true", "false"}:
        return text.lower() == "true"
    if not _NUMBER.fullmatch(text):
        return text
    number = float(text)
    return int(text) if text.lstrip("+-").isdecimal() else number if math.isfinite(number) else text


def parse_assignments(assignments: Iterable[str]) -> dict[str, MetadataValue]:
    """Parse "key=value" texts; a repeated key has the list of its values.

    Raises:
        UsageError: a text has no "=", or a key or value is not valid.
    """
    values: dict[str, list[Scalar]] = {}
    for assignment in assignments:
        key, separator, text = assignment.partition("=")
        if not separator:
            raise UsageError(f"metadata is given as KEY=VALUE, such as year=2024 (got {assignment!r:.80})")
        values.setdefault(key.strip(), []).append(parse_scalar(text.strip()))
    checked = check_metadata({key: items[0] if len(items) == 1 else items for key, items in values.items()})
    return {key: value for key, value in checked.items() if value is not None}


def list_scalars(value: MetadataValue) -> tuple[Scalar, ...]:
    """Return the elements of a list, or the value itself as the only one."""
    return value if isinstance(value, tuple) else (value,)


def format_value(value: MetadataValue) -> str:
    """Format a value for people: the elements of a list with commas, "true" and "false"."""
    return ", ".join(str(item).lower() if isinstance(item, bool) else str(item) for item in list_scalars(value))


def encode_metadata(metadata: MetadataChange) -> str:
    """Return metadata as JSON text with sorted keys; "" if there is none."""
    return json.dumps(metadata, ensure_ascii=False, sort_keys=True, separators=(",", ":")) if metadata else ""


def decode_metadata(text: str | None) -> dict[str, MetadataValue | None]:
    """Return the metadata of a JSON text that `encode_metadata` made."""
    data: dict[str, Any] = json.loads(text) if text else {}
    return {key: tuple(value) if isinstance(value, list) else value for key, value in data.items()}


def combine_layers(*layers: MetadataChange) -> dict[str, MetadataValue]:
    """Combine layers of metadata: a later one replaces the keys that it has, and removes those with None."""
    combined: dict[str, MetadataValue | None] = {}
    for layer in layers:
        combined |= layer
    return {key: value for key, value in sorted(combined.items()) if value is not None}


def unite_metadata(parts: Sequence[Metadata]) -> dict[str, MetadataValue]:
    """Unite the metadata of the parts of a document: different values of a key become a list, in their order.

    Keys and values beyond the limits are left out.
    """
    if len(parts) == 1:
        return dict(parts[0])
    united: dict[str, dict[tuple[type, Scalar], None]] = {}
    lists: set[str] = set()
    for part in parts:
        for key, value in part.items():
            if key in united or len(united) < MAX_KEYS:
                united.setdefault(key, {}).update({(type(item), item): None for item in list_scalars(value)})
                lists |= {key} if isinstance(value, tuple) else set()
    values = {key: tuple(item for _, item in items)[:MAX_ITEMS] for key, items in united.items()}
    return {key: items if len(items) > 1 or key in lists else items[0] for key, items in values.items()}
