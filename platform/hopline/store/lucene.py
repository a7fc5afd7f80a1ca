"""From a question to a Lucene query that cannot go wrong."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

MAX_TERMS: Final = 400  # Lucene refuses more than 1,024 clauses; each of ours is one, its scope some more
LONGEST_STEM: Final = 100  # characters of a word's beginning; Lucene refuses 1,000

_WORD: Final = re.compile(r"\w+(?:['’]\w+)*", re.UNICODE)


def terms(text: str, limit: int = MAX_TERMS) -> list[str]:
    """The words of a text, lower case, each once, in order, at most ``limit``.

    Lower case also disarms Lucene's AND, OR and NOT; no other character of its syntax is a word's.
    """
    words = (match.group().replace("_", " ").replace("’", "'").strip() for match in _WORD.finditer(text.casefold()))
    return list(dict.fromkeys(word for chunk in words for word in chunk.split()))[:limit]


def scoped(text: str, collection: str, documents: Iterable[str] = (), excluded: Iterable[str] = ()) -> str:
    """A query for any of the words of ``text`` in one collection, or in some of its documents, and none ``excluded``.

    Empty where the text has no word. The scope has no part in the score.
    """
    words = terms(text)
    if not words:
        return ""
    scope = f"+collection:{collection}^0"
    chosen = " ".join(documents)
    if chosen:
        scope += f" +document:({chosen})^0"
    left_out = " ".join(excluded)
    if left_out:
        scope += f" -document:({left_out})"
    return f"{scope} +search:({' '.join(words)})"


def beginning(text: str, collection: str) -> str:
    """A query for any of the words of ``text``, and words that begin like its last, in one collection."""
    words = terms(text)
    return f"+collection:{collection}^0 +search:({' '.join(words)} {words[-1][:LONGEST_STEM]}*)" if words else ""


def phrase(text: str, collection: str) -> str:
    """A query for the words of ``text`` one behind the other, in one collection; empty where it has none."""
    words = " ".join(_WORD.findall(text.casefold()))
    return f'+collection:{collection}^0 +search:"{words}"' if words else ""
