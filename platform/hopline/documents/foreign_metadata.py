"""Metadata of texts and of documents of other libraries, as a row of a ``.jsonl`` file can hold them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any, Final

from hopline.metadata.values import MAX_ITEMS, MAX_KEY, MAX_KEYS, MAX_TEXT
from hopline.text_encoding import normalize_text

_NO_KEY: Final = re.compile(r"[^A-Za-z0-9_.-]")


def clean_metadata(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return metadata as JSON can hold it: texts, numbers, booleans and lists of these; dates in ISO form.

    The keys of mappings within it are joined by ".", and other values become texts. None, and numbers that are not
    finite, are left out. Characters that a key cannot have become "_". Long keys, texts and lists are cut.
    """
    cleaned: dict[str, Any] = {}
    for key, value in _flatten(metadata):
        name = _NO_KEY.sub("_", key)[:MAX_KEY]
        values = [_clean_value(item) for item in (value if isinstance(value, list | tuple | set) else [value])]
        usable = [item for item in values if item is not None and item != ""][:MAX_ITEMS]
        if name and usable and len(cleaned) < MAX_KEYS:
            cleaned[name] = usable if isinstance(value, list | tuple | set) else usable[0]
    return cleaned


def _flatten(metadata: Mapping[Any, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in metadata.items():
        if isinstance(value, Mapping):
            yield from _flatten(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


def _clean_value(value: object) -> Any:
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, date):  # datetimes are dates
        return value.isoformat()
    if hasattr(value, "item") and not isinstance(value, str):  # numbers of NumPy
        return _clean_value(value.item()) if getattr(value, "ndim", None) == 0 else str(value)[:MAX_TEXT]
    return normalize_text(str(value))[:MAX_TEXT]
