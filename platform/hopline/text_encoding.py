"""Lone surrogates: code points that a Python string may hold and that UTF-8 cannot encode.

They come from damaged files, from JSON escapes cut in half and from file names that are not UTF-8. Neo4j, HTTP
and the tokenizers reject them, so they are replaced wherever text enters.
"""

from __future__ import annotations

import re
from typing import Any, Final

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}"


def replace_surrogates(text: str) -> str:
    """Replace each surrogate by U+FFFD; the length of the text, and so every span of it, stays the same."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return _SURROGATE.sub(REPLACEMENT, text)
    return text


def replace_surrogates_in(value: Any) -> Any:
    """Replace surrogates in every text of JSON-like data: lists, tuples, and dictionaries with their keys."""
    if isinstance(value, str):
        return replace_surrogates(value)
    if isinstance(value, dict):
        return {replace_surrogates_in(key): replace_surrogates_in(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(replace_surrogates_in(item) for item in value)
    return value
