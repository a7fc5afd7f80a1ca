"""The entities that a text names: recognised names, quoted titles and noun phrases, one a normalised name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from hopline.ids import normalise
from hopline_ingest.extract.extraction import Mention, Span
from hopline_ingest.extract.names import (
    NOUNS,
    NUMBERS,
    PROPER,
    base_phrase,
    is_word,
    phrase_fits,
    shown,
    trimmed,
    vague,
)
from hopline_ingest.extract.parse import Parse
from hopline_ingest.extract.vocabulary import HONORIFICS, JOINERS

key = lru_cache(maxsize=65536)(normalise)

_PHRASE_DEPS = frozenset(
    {"nsubj", "nsubjpass", "dobj", "attr", "pobj", "appos", "dative", "oprd", "ROOT", "conj", "pcomp", "npadvmod"}
)
_RUN_TOKENS = 8
_QUOTED = re.compile(r'"\s?([^"]{2,90}?)\s?"')
_STANDS_ALONE = frozenset({"PERSON", "ORG", "GPE", "LOC", "FAC", "WORK_OF_ART", "EVENT", "PRODUCT", "LAW", "NORP"})


@dataclass(frozen=True, slots=True)
class Found:
    """One place where an entity is named; ``start`` and ``end`` are characters."""

    name: str
    kind: str
    start: int
    end: int


def found(parse: Parse) -> list[Found]:
    """Every named place of a text, in order of appearance; overlaps are allowed, repeats are not."""
    quoted = list(_quoted(parse))
    names = [name for name in _recognised(parse) if not _inside(name, quoted)]
    taken = {(place.start, place.end) for place in (*quoted, *names)}
    phrases = [place for place in (*_titled(parse), *_phrases(parse)) if (place.start, place.end) not in taken]
    return sorted((*quoted, *names, *phrases), key=lambda place: (place.start, -place.end))


def _inside(name: Found, quoted: Iterable[Found]) -> bool:
    return any(place.start <= name.start and name.end <= place.end for place in quoted)


def _quoted(parse: Parse) -> Iterator[Found]:
    if '"' not in parse.plain:
        return
    for quote in _QUOTED.finditer(parse.plain):
        words = quote[1].split()
        if not words or len(words) > 10 or not is_word(quote[1]):
            continue
        capital = sum(word[:1].isupper() or word[:1].isdigit() for word in words)
        if not (words[0][:1].isupper() and capital * 2 >= len(words)):
            continue
        start, end = quote.span(1)
        while end > start and parse.plain[end - 1] in " ,.;:":
            end -= 1
        yield Found(" ".join(parse.text[start:end].split()), "WORK_OF_ART", start, end)


def _recognised(parse: Parse) -> Iterator[Found]:
    for first, end, kind in parse.entities:
        start = first
        while kind in _STANDS_ALONE and start > 0 and _goes_on(parse, start - 1):
            start -= 1
        kept = (start, end) if kind in NUMBERS else trimmed(parse, start, end)
        if kept is None:
            continue
        a, b = parse.span(*kept)
        name = shown(parse, *kept)
        if is_word(name):
            yield Found(name, kind, a, b)


def _goes_on(parse: Parse, token: int) -> bool:
    """Whether a capitalised word before a recognised name belongs to it."""
    return parse.tags[token] in PROPER and parse.label[token] < 0 and parse.deps[token] == "compound"


def _phrases(parse: Parse) -> Iterator[Found]:
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


def _titled(parse: Parse) -> Iterator[Found]:
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
    return parse.words[token][:1].isupper() and (parse.tags[token] in PROPER or parse.label[token] >= 0)


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


def merged(places: Iterable[Found], same: Mapping[str, str]) -> tuple[Mention, ...]:
    """One mention a normalised name, in order of first appearance.

    ``same`` maps a normalised alias to the name it stands for.
    """
    groups: dict[str, list[Found]] = {}
    names: dict[str, str] = {}
    for place in places:
        own = key(place.name)
        name = same.get(own, "")
        group = key(name) if name else own
        if name:
            names[group] = name
        groups.setdefault(group, []).append(place)
    return tuple(_mention(members, names.get(group, "")) for group, members in groups.items())


def _mention(places: list[Found], name: str) -> Mention:
    forms = Counter(place.name for place in places)
    best = name or forms.most_common(1)[0][0]
    kinds = Counter(place.kind for place in places if place.kind not in {"NAME", "NOUN"})
    kind = kinds.most_common(1)[0][0] if kinds else min(place.kind for place in places)
    spans = tuple(sorted({(place.start, place.end) for place in places}))
    aliases = tuple(form for form in forms if form != best and key(form) != key(best))
    return Mention(best, kind, spans, aliases)


def span_of(place: Found) -> Span:
    """Its characters."""
    return (place.start, place.end)
