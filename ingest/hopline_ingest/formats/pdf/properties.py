"""Metadata of a PDF from its properties: title, author, subject, keywords and the day of its creation."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from typing import Any, Final

from hopline.metadata.values import MAX_ITEMS, MAX_TEXT, MetadataValue, is_date
from hopline.text_encoding import normalize_text

log = logging.getLogger(__name__)

_TEXTS: Final = (("pdf_title", "Title"), ("author", "Author"), ("subject", "Subject"))
_DATE: Final = re.compile(r"(?:D:)?(\d{4})-?(\d\d)-?(\d\d)")
_MAX_RAW: Final = 100_000  # characters of a property that are read


def read_properties(document: Any) -> tuple[tuple[str, MetadataValue], ...]:
    """Return the properties of a PDFium document; those that are empty or damaged are left out."""
    pairs: list[tuple[str, MetadataValue]] = []
    for key, name, parse in (
        *((key, name, _parse_text) for key, name in _TEXTS),
        ("keywords", "Keywords", _parse_keywords),
        ("created", "CreationDate", _parse_date),
    ):
        value = _read_property(document, name, parse)
        if value is not None:
            pairs.append((key, value))
    return tuple(pairs)


def _read_property(document: Any, name: str, parse: Callable[[str], MetadataValue | None]) -> MetadataValue | None:
    try:
        return parse(normalize_text(document.get_metadata_value(name) or "")[:_MAX_RAW])
    except Exception as error:  # noqa: BLE001 - of any kind: a damaged property must not cost the document
        log.info("the property %s of a PDF cannot be read: %s", name, error)
        return None


def _parse_text(text: str) -> str | None:
    return " ".join(text.split())[:MAX_TEXT].strip() or None


def _parse_keywords(text: str) -> tuple[str, ...] | None:
    """Split keywords at semicolons, or at commas if there are none; each is listed once."""
    parts = text.split(";" if ";" in text else ",")
    keywords = dict.fromkeys(keyword for part in parts if (keyword := _parse_text(part)))
    return tuple(keywords)[:MAX_ITEMS] or None


def _parse_date(text: str) -> str | None:
    """Return the day of a date such as "D:20240301120000+01'00'" in ISO form; None if it is no date."""
    match = _DATE.match(text.strip())
    day = "-".join(match.groups()) if match else ""
    return day if is_date(day) else None
