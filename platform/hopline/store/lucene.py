"""Lucene queries from user text: escaped, so that every text gives a valid query."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

MAX_TERMS: Final = 400  # Lucene rejects more than 1,024 clauses; each term is one, the scope takes a few more
MAX_PREFIX_LENGTH: Final = 100  # characters; Lucene rejects 1,000

_WORD: Final = re.compile(r"\w+(?:['’]\w+)*", re.UNICODE)


def extract_terms(text: str, limit: int = MAX_TERMS) -> list[str]:
    """Extract the distinct words of a text in lower case, in order, at most ``limit``.

    Lower case also escapes Lucene's AND, OR and NOT; words contain no other character of its syntax.
    """
    words = (match.group().replace("_", " ").replace("’", "'").strip() for match in _WORD.finditer(text.casefold()))
    return list(dict.fromkeys(word for chunk in words for word in chunk.split()))[:limit]


def build_scoped_query(text: str, collection: str, documents: Iterable[str] = ()) -> str:
    """Build a query for any word of ``text`` in one collection or in some of its documents.

    Empty where the text has no word. The scope does not contribute to the score.
    """
    words = extract_terms(text)
    if not words:
        return ""
    scope = f"+collection:{collection}^0"
    chosen = " ".join(documents)
    if chosen:
        scope += f" +document:({chosen})^0"
    return f"{scope} +search:({' '.join(words)})"


def build_prefix_query(text: str, collection: str) -> str:
    """Build a query for any word of ``text``, the last also as a prefix, in one collection; empty without words."""
    words = extract_terms(text)
    return f"+collection:{collection}^0 +search:({' '.join(words)} {words[-1][:MAX_PREFIX_LENGTH]}*)" if words else ""


def build_phrase_query(text: str, collection: str) -> str:
    """Build a phrase query for the words of ``text`` in one collection; empty where it has none."""
    words = " ".join(_WORD.findall(text.casefold()))
    return f'+collection:{collection}^0 +search:"{words}"' if words else ""
