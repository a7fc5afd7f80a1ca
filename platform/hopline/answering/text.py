"""A text as the terms of a question can meet it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from hopline.answering.tokens import Token, tokenise
from hopline.answering.vocabulary import words
from hopline.nlp.stemmer import fold


@dataclass(frozen=True, slots=True)
class Text:
    """Its tokens, all their forms, and the initials of its words, with and without lower-case ones.

    Among the forms are words run together with their next ("footlocker") and, behind ``~``, the
    acronyms that stand in it. ``capitals`` has a blank for each word that has none.
    """

    tokens: tuple[Token, ...] = ()
    forms: frozenset[str] = frozenset()
    initials: str = ""
    capitals: str = ""


@lru_cache(maxsize=2048)
def read_text(text: str) -> Text:
    """A text with everything that a term may meet in it."""
    tokens = tokenise(text)
    said = [(fold(token.text), token) for token in tokens if token.text[0].isalpha()]
    forms = {form for token in tokens for form in token.forms}
    forms.update(one + other for (one, _), (other, _) in pairwise(said))
    forms.update(f"~{word}" for word, token in said if 2 <= len(word) <= 6 and token.text.isupper())
    named = [(word[0], token.capital) for word, token in said if word not in words("small")]
    return Text(
        tuple(tokens),
        frozenset(forms),
        "".join(letter for letter, _ in named),
        "".join(letter if capital else " " for letter, capital in named),
    )


def joined(texts: Sequence[Text]) -> Text:
    """Several texts as one, in order."""
    return Text(
        tuple(token for text in texts for token in text.tokens),
        frozenset().union(*(text.forms for text in texts)),
        " ".join(text.initials for text in texts),
        " ".join(text.capitals for text in texts),
    )
