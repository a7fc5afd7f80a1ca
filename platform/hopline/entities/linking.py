"""What a question names, and whether the words beside a mention are those that it asks with."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from hopline.ids import normalise
from hopline.nlp.stemmer import fold, root, synonyms
from hopline.nlp.stop_words import STOP_WORDS

# kinds of entities that join nothing
UNLINKED: Final = (
    "CARDINAL", "DATE", "LANGUAGE", "MONEY", "NORP", "NOUN", "ORDINAL", "PERCENT", "QUANTITY", "TIME",
)  # fmt: skip
CROWD: Final = 0.3  # a link counts (number of links)^-this
_WORD: Final = re.compile(r"[^\W\d_]+")
_UNTOLD: Final = STOP_WORDS | {"born", "came", "died", "earlier", "first", "last", "later", "older", "younger"}


@dataclass(frozen=True, slots=True)
class Name:
    """An entity that a question may name, and how much evidence mentions it."""

    id: str
    name: str
    aliases: Sequence[str]
    kind: str
    mentioned: int


def named_in(question: str, names: Iterable[Name]) -> list[Name]:
    """The names that stand in the question as whole words, the longest first; none inside another.

    A name of nothing but small words, and a single word that is no proper name, names nothing.
    """
    text = f" {normalise(question)} "
    by_form: defaultdict[str, list[Name]] = defaultdict(list)
    for one in names:
        for form in {normalise(alias) for alias in (one.name, *one.aliases)}:
            by_form[form].append(one)
    said: dict[str, Name] = {}
    for form in sorted(by_form, key=lambda form: (-len(form), form)):
        telling = [one for one in by_form[form] if _tells(form.split(), one.kind)]
        if telling and f" {form} " in text:
            said |= {one.id: one for one in telling}
            text = text.replace(f" {form} ", " \N{BULLET} ")
    return list(said.values())


def _tells(words: Sequence[str], kind: str) -> bool:
    return not all(word in _UNTOLD for word in words) and (len(words) > 1 or kind not in UNLINKED)


def asked_roots(question: str, names: Iterable[str]) -> frozenset[str]:
    """The roots of what a question asks, with their synonyms: its words but for names and small words."""
    named = {root(fold(word)) for name in names for word in _WORD.findall(name)}
    said = {root(folded) for word in _WORD.findall(question) if (folded := fold(word)) not in STOP_WORDS} - named
    alike = synonyms()
    return frozenset(said.union(*(alike.get(word, frozenset()) for word in said)))


def says(texts: Iterable[str], roots: frozenset[str]) -> bool:
    """Whether a text has a word of one of these roots."""
    return any(root(fold(word)) in roots for text in texts for word in _WORD.findall(text))
