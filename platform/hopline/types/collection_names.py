"""Validation of collection names."""

from __future__ import annotations

from hopline.errors import UsageError
from hopline.text_encoding import replace_surrogates


def check_collection_name(name: object) -> str:
    """Return the name unchanged if it is valid.

    Raises:
        UsageError: the name is not a string, is blank, or holds what UTF-8 cannot encode.
    """
    if not isinstance(name, str):
        raise UsageError(f"a collection's name must be a string such as 'loans' (got {name!r})")
    if not name.strip():
        raise UsageError(f"a collection's name must not be blank; choose one such as 'loans' (got {name!r})")
    if name != replace_surrogates(name):
        raise UsageError(f"a collection's name must be text that UTF-8 can encode (got {name!r})")
    return name
