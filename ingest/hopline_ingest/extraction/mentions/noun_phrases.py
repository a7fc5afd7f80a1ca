"""Noun phrases worth finding again."""

from __future__ import annotations

from collections.abc import Iterator

from hopline_ingest.extraction.mentions.names import (
    NOUNS,
    PROPER,
    Found,
    base_phrase,
    phrase_fits,
    shown,
    trimmed,
    vague,
)
from hopline_ingest.extraction.parsed_text import Parse

_PHRASE_DEPS = frozenset(
    {"nsubj", "nsubjpass", "dobj", "attr", "pobj", "appos", "dative", "oprd", "ROOT", "conj", "pcomp", "npadvmod"}
)


def phrases(parse: Parse) -> Iterator[Found]:
    """Noun phrases that say something, and the name that ends one: "Swedish rock band Ghost" -> "Ghost"."""
    last = -1
    for head, (tag, dep) in enumerate(zip(parse.tags, parse.deps, strict=True)):
        if tag not in NOUNS or dep not in _PHRASE_DEPS:
            continue
        start, end = base_phrase(parse, head)
        kept = trimmed(parse, max(start, last + 1), end)
        last = head
        if kept is None or not phrase_fits(*kept) or _common_alone(parse, *kept) or vague(parse, *kept):
            continue
        if all(parse.label[place] >= 0 for place in range(*kept)) and parse.label[kept[0]] == parse.label[kept[1] - 1]:
            continue  # within a recognised name
        name = _proper_end(parse, *kept)
        if name > kept[0]:
            yield Found(shown(parse, *kept), "NOUN", *parse.span(*kept))
        if name < kept[1] and parse.label[kept[1] - 1] < 0:
            yield Found(shown(parse, name, kept[1]), "NAME", *parse.span(name, kept[1]))


def _proper_end(parse: Parse, start: int, end: int) -> int:
    """Where the capitalised words at the end of a phrase begin."""
    while end > start and parse.tags[end - 1] in PROPER and parse.words[end - 1][:1].isupper():
        end -= 1
    return end


def _common_alone(parse: Parse, start: int, end: int) -> bool:
    return end - start == 1 and not (parse.tags[start] in PROPER and parse.words[start][:1].isupper())
