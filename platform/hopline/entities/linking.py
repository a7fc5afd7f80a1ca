"""Entity linking: find the entities that a question names, and compare its stems with those around a mention."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from hopline.ids import normalize_name
from hopline.text.words import STOP_WORDS, load_synonyms, normalize_word, stem

# entity kinds that links and shared mentions ignore
UNLINKED_KINDS: Final = (
    "CARDINAL", "DATE", "LANGUAGE", "MONEY", "NORP", "NOUN", "ORDINAL", "PERCENT", "QUANTITY", "TIME",
)  # fmt: skip
FAN_OUT_EXPONENT: Final = 0.3  # each of n links of one source is weighted by n^-FAN_OUT_EXPONENT
_WORD: Final = re.compile(r"[^\W\d_]+")
_UNSPECIFIC: Final = STOP_WORDS | {"born", "came", "died", "earlier", "first", "last", "later", "older", "younger"}


@dataclass(frozen=True, slots=True)
class EntityName:
    """An entity with its name, aliases and kind; ``mentioned`` counts the evidence that mentions it."""

    id: str
    name: str
    aliases: Sequence[str]
    kind: str
    mentioned: int


def link_entities(question: str, names: Iterable[EntityName]) -> list[EntityName]:
    """Return the entities whose name or alias occurs in the question as whole words, longest first.

    Matches do not overlap. Names that consist of stop words, and single words that are no proper names, are ignored.
    """
    text = f" {normalize_name(question)} "
    by_form: defaultdict[str, list[EntityName]] = defaultdict(list)
    for name in names:
        for form in {normalize_name(alias) for alias in (name.name, *name.aliases)}:
            by_form[form].append(name)
    linked: dict[str, EntityName] = {}
    for form in sorted(by_form, key=lambda form: (-len(form), form)):
        specific = [name for name in by_form[form] if _is_specific(form.split(), name.kind)]
        if specific and f" {form} " in text:
            linked |= {name.id: name for name in specific}
            text = text.replace(f" {form} ", " \N{BULLET} ")
    return list(linked.values())


def _is_specific(words: Sequence[str], kind: str) -> bool:
    return not all(word in _UNSPECIFIC for word in words) and (len(words) > 1 or kind not in UNLINKED_KINDS)


def extract_question_stems(question: str, names: Iterable[str]) -> frozenset[str]:
    """Return the stems of a question's words and of their synonyms, without names and stop words."""
    in_names = {stem(normalize_word(word)) for name in names for word in _WORD.findall(name)}
    words = map(normalize_word, _WORD.findall(question))
    stems = {stem(word) for word in words if word not in STOP_WORDS} - in_names
    synonyms = load_synonyms()
    return frozenset(stems.union(*(synonyms.get(word, frozenset()) for word in stems)))


def has_stem(texts: Iterable[str], stems: frozenset[str]) -> bool:
    """Return whether any of the texts has a word with one of these stems."""
    return any(stem(normalize_word(word)) in stems for text in texts for word in _WORD.findall(text))
