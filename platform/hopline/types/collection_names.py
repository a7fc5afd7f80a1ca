"""Validation of collection names."""

from __future__ import annotations

from hopline.errors import UsageError
from hopline.text_encoding import clean_text


def check_collection_name(name: object) -> str:
    """Return the name unchanged if it is valid.

    Raises:
        UsageError: the name is not a string, is blank, has control characters, or is not valid UTF-8.
    """
    if not isinstance(name, str):
        raise UsageError(f"a collection's name must be a string such as 'loans' (got {name!r})")
    if not name.strip():
        raise UsageError(f"a collection's name must not be blank; choose one such as 'loans' (got {name!r})")
    if name != clean_text(name):
        raise UsageError(f"a collection's name must be text in UTF-8 without control characters (got {name!r})")
    return name
