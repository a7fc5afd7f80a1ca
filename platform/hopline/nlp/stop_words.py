"""English stop words: words that carry no topic."""

from __future__ import annotations

from typing import Final

STOP_WORDS: Final = frozenset(
    {
        "a", "an", "and", "are", "as", "at", "be", "been", "both", "by", "did", "do", "does", "for", "from", "had",
        "has", "have", "he", "her", "his", "how", "in", "is", "it", "its", "of", "on", "or", "same", "she", "that",
        "the", "their", "they", "this", "to", "was", "were", "what", "when", "where", "which", "who", "whom", "whose",
        "why", "with",
    }
)  # fmt: skip
