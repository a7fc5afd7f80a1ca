"""Building a question from the tokens of another one."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from spacy.tokens import Token

QUESTION_WORDS: Final = frozenset({"who", "whom", "whose", "what", "which", "when", "where", "why", "how"})
AND: Final = frozenset({"and", "&"})
BE: Final = frozenset({"is", "are", "was", "were"})
_PUNCTUATION: Final = frozenset(",.;:?!")


def strip_punctuation(tokens: Iterable[Token]) -> list[Token]:
    """Return the tokens without punctuation and "and" at both ends."""
    words = list(tokens)
    while words and (words[-1].text in _PUNCTUATION or words[-1].lower_ in AND):
        words.pop()
    while words and (words[0].text in _PUNCTUATION or words[0].lower_ in AND):
        words.pop(0)
    return words


def format_question(text: str) -> str:
    """Return the text with a question mark, an upper-case first letter, and no spaces before punctuation."""
    text = re.sub(r"\s+(?=[,;:.?!%)]|['’]s\b)", "", text)
    return capitalize(text.rstrip(" ?.,;") + "?")


def join_tokens(tokens: Iterable[Token]) -> str:
    """Return the text of tokens with the spaces between them."""
    return "".join(token.text_with_ws for token in tokens).strip()


def capitalize(text: str) -> str:
    """Return the text with an upper-case first letter."""
    return text[:1].upper() + text[1:]
