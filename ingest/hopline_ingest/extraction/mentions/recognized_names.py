"""Names that stand out: what the recogniser saw, what is in quotes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hopline_ingest.extraction.mentions.names import NUMBERS, PROPER, Found, is_word, shown, trimmed
from hopline_ingest.extraction.parsed_text import Parse
from hopline_ingest.extraction.vocabulary import HONORIFICS, MONTHS, PRONOUNS

_QUOTED = re.compile(r'"\s?([^"]{2,90}?)\s?"')
_YEAR = re.compile(r"\s?\(\s?\d{4}")
_SHIP = re.compile(r"\b(?:HMS|USS|RMS|SS|MV|MS|HMAS|HMCS) $")
_COMPARING = frozenset({"over", "under", "about", "above", "below", "around", "than"})
_STANDS_ALONE = frozenset({"PERSON", "ORG", "GPE", "LOC", "FAC", "WORK_OF_ART", "EVENT", "PRODUCT", "LAW", "NORP"})


def quoted(parse: Parse) -> Iterator[Found]:
    """Titles in quotes: most of their words begin with a capital, or a year follows."""
    if '"' not in parse.plain:
        return
    for quote in _QUOTED.finditer(parse.plain):
        words = quote[1].split()
        if not words or len(words) > 10 or not is_word(quote[1]):
            continue
        if len(words) <= 2 and _is_nickname(parse.plain, *quote.span()):
            continue
        capital = sum(word[:1].isupper() or word[:1].isdigit() for word in words)
        dated = _YEAR.match(parse.plain, quote.end()) is not None
        if not (words[0][:1].isupper() and (dated or capital * 2 >= len(words))):
            continue
        start, end = quote.span(1)
        while end > start and parse.plain[end - 1] in " ,.;:":
            end -= 1
        ship = _SHIP.search(parse.plain, max(0, quote.start() - 6), quote.start())
        yield found_at(parse, ship.start() if ship else start, end, "WORK_OF_ART")


def found_at(parse: Parse, start: int, end: int, kind: str) -> Found:
    """The characters [start, end) as a named place; quotes within are left out of its name."""
    return Found(" ".join(parse.text[start:end].replace('"', " ").split()), kind, start, end)


def _is_nickname(text: str, start: int, end: int) -> bool:
    """Whether the quotes stand between the names of a person: Benjamin "Ben" Lamb."""
    before, after = text[max(0, start - 40) : start].split(), text[end : end + 20].split()
    return bool(before and after) and before[-1][:1].isupper() and after[0][:1].isupper() and before[-1][-1].isalpha()


def recognised(parse: Parse) -> Iterator[Found]:
    """The recogniser's entities, their ends put right."""
    for first, end, kind in parse.entities:
        start = first
        while kind in _STANDS_ALONE and start > 0 and _goes_on(parse, start - 1):
            start -= 1
        kept = _bounds(parse, start, end, kind)
        if kept is None:
            continue
        a, b = parse.span(*kept)
        name = shown(parse, *kept)
        if is_word(name):
            yield Found(name, kind, a, b)


def _bounds(parse: Parse, start: int, end: int, kind: str) -> tuple[int, int] | None:
    """A date keeps its day and no "between"; a name has a capital letter or a digit."""
    if kind in NUMBERS:
        if kind == "DATE" and start > 0 and parse.words[start - 1].isdigit() and parse.lower[start] in MONTHS:
            return start - 1, end
        first = start + (parse.tags[start] in {"DT", "IN", "PRP$"} and parse.lower[start] not in _COMPARING)
        return (first, end) if first < end else None
    words = parse.words[start:end]
    if not any(word[:1].isupper() or word[:1].isdigit() for word in words):
        return None
    if words.count('"') % 2:
        end = start + words.index('"')
    if end - start > 1 and parse.lower[end - 1] in PRONOUNS:
        end -= 1
    kept = trimmed(parse, start, end)
    return without_honorific(parse, *kept) if kept else None


def without_honorific(parse: Parse, start: int, end: int) -> tuple[int, int]:
    """A name without the "Senator" before it; "Duke of Nassau" stays whole."""
    while end - start > 2 and parse.lower[start].rstrip(".") in HONORIFICS and parse.lower[start + 1] != "of":
        start += 1
    return start, end


def _goes_on(parse: Parse, token: int) -> bool:
    """Whether a capitalised word before a recognised name belongs to it."""
    capital = parse.tags[token] in PROPER and parse.words[token][:1].isupper()
    return capital and parse.label[token] < 0 and parse.deps[token] == "compound"
