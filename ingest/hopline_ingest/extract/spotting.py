"""Where a text names something: recognised names, quoted titles, runs of capitals, noun phrases."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hopline_ingest.extract.names import (
    NOUNS,
    NUMBERS,
    PROPER,
    Found,
    base_phrase,
    is_word,
    phrase_fits,
    shown,
    trimmed,
    vague,
)
from hopline_ingest.extract.parse import Parse
from hopline_ingest.extract.vocabulary import HONORIFICS, JOINERS, MONTHS, PRONOUNS

_PHRASE_DEPS = frozenset(
    {"nsubj", "nsubjpass", "dobj", "attr", "pobj", "appos", "dative", "oprd", "ROOT", "conj", "pcomp", "npadvmod"}
)
_RUN_TOKENS = 8
_QUOTED = re.compile(r'"\s?([^"]{2,90}?)\s?"')
_COMPARING = frozenset({"over", "under", "about", "above", "below", "around", "than"})
_STANDS_ALONE = frozenset({"PERSON", "ORG", "GPE", "LOC", "FAC", "WORK_OF_ART", "EVENT", "PRODUCT", "LAW", "NORP"})


def quoted(parse: Parse) -> Iterator[Found]:
    if '"' not in parse.plain:
        return
    for quote in _QUOTED.finditer(parse.plain):
        words = quote[1].split()
        if not words or len(words) > 10 or not is_word(quote[1]):
            continue
        if len(words) <= 2 and _is_nickname(parse.plain, *quote.span()):
            continue
        capital = sum(word[:1].isupper() or word[:1].isdigit() for word in words)
        if not (words[0][:1].isupper() and capital * 2 >= len(words)):
            continue
        start, end = quote.span(1)
        while end > start and parse.plain[end - 1] in " ,.;:":
            end -= 1
        yield Found(" ".join(parse.text[start:end].split()), "WORK_OF_ART", start, end)


def _is_nickname(text: str, start: int, end: int) -> bool:
    """Whether the quotes stand between the names of a person: Benjamin "Ben" Lamb."""
    before, after = text[:start].split(), text[end : end + 20].split()
    return bool(before and after) and before[-1][:1].isupper() and after[0][:1].isupper() and before[-1][-1].isalpha()


def recognised(parse: Parse) -> Iterator[Found]:
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
    return trimmed(parse, start, end)


def _goes_on(parse: Parse, token: int) -> bool:
    """Whether a capitalised word before a recognised name belongs to it."""
    return parse.tags[token] in PROPER and parse.label[token] < 0 and parse.deps[token] == "compound"


def phrases(parse: Parse) -> Iterator[Found]:
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
        proper = all(parse.tags[place] in PROPER for place in range(*kept))
        a, b = parse.span(*kept)
        yield Found(shown(parse, *kept), "NAME" if proper else "NOUN", a, b)


def titled(parse: Parse) -> Iterator[Found]:
    """Runs of capitalised words that go on over "of", "de", "&" and numbers: "Battle of Hastings", "Chapter 2"."""
    start = last = -1
    for token, word in enumerate(parse.words):
        if _is_capital(parse, token):
            start, last = (token, token) if start < 0 else (start, token)
        elif start >= 0 and (word.isdigit() or (parse.lower[token] in JOINERS and _goes_on_after(parse, token))):
            last = token if word.isdigit() else last
        else:
            yield from _run(parse, start, last)
            start = -1
    yield from _run(parse, start, last)


def _is_capital(parse: Parse, token: int) -> bool:
    word = parse.words[token]
    if not set(word) - set("IVX"):
        return token > 0 and parse.words[token - 1][:1].isupper()
    return word[:1].isupper() and (parse.tags[token] in PROPER or parse.label[token] >= 0)


def _goes_on_after(parse: Parse, token: int) -> bool:
    following = parse.words[token + 1 : token + 3]
    if following[:1] == ["the"]:
        return parse.lower[token] == "of" and following[1:] != [] and following[1][:1].isupper()
    return (bool(following) and following[0][:1].isupper()) or parse.lower[token] == "the"


def _run(parse: Parse, start: int, last: int) -> Iterator[Found]:
    """A run that holds a joining word or a number within: the others are recognised names or phrases already."""
    kept = trimmed(parse, start, last + 1) if last > start >= 0 else None
    if kept and parse.lower[kept[0]].rstrip(".") in HONORIFICS and parse.lower[kept[0] + 1 : kept[0] + 2] != ["of"]:
        kept = kept[0] + 1, kept[1]
    if kept is None or not 1 < kept[1] - kept[0] <= _RUN_TOKENS:
        return
    places = {parse.label[token] for token in range(*kept)}
    dated = any(place >= 0 and parse.entities[place][2] in NUMBERS - {"CARDINAL"} for place in places)
    if len(places) > 1 and not dated:
        yield Found(shown(parse, *kept), "NAME", *parse.span(*kept))


def _common_alone(parse: Parse, start: int, end: int) -> bool:
    return end - start == 1 and parse.tags[start] not in PROPER
