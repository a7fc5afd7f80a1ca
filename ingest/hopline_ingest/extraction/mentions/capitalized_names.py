"""Names that capital letters show: runs over "of" and "de", styles behind a comma, places with their region."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from hopline_ingest.extraction.mentions.names import NUMBERS, PROPER, Found, shown, trimmed
from hopline_ingest.extraction.mentions.recognized_names import found_at, without_honorific
from hopline_ingest.extraction.parsed_text import Parse
from hopline_ingest.extraction.vocabulary import JOINERS

_RUN_TOKENS = 8
STYLE = re.compile(
    r", (?:\d+(?:st|nd|rd|th) )?(?:Hereditary )?(?:Grand )?"
    r"(?:Duke|Duchess|Earl|Count|Countess|Prince|Princess|Marquess|Viscount|Baron|Baroness|King|Queen|Emperor|Empress|Lord|"
    r"Lady|Margrave|Landgrave|Elector|Dame|Infante|Infanta|Bishop)"
    r"(?: [Cc]onsort)? of (?:the )?[A-Z][\w'-]*(?:(?:[ -]| and )[A-Z][\w'-]*)*"
)


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
    if kept is None or not 1 < kept[1] - kept[0] <= _RUN_TOKENS:
        return
    kept = without_honorific(parse, *kept)
    places = {parse.label[token] for token in range(*kept)}
    dated = any(place >= 0 and parse.entities[place][2] in NUMBERS - {"CARDINAL"} for place in places)
    if len(places) > 1 and not dated:
        yield Found(shown(parse, *kept), "NAME", *parse.span(*kept))
    if "of" in parse.lower[kept[0] + 2 : kept[1]]:
        of = parse.lower.index("of", kept[0] + 2)
        yield Found(shown(parse, kept[0], of), "NAME", *parse.span(kept[0], of))


def styled(parse: Parse, places: Iterable[Found]) -> Iterator[Found]:
    """Names with the style behind them: "George Villiers, 4th Earl of Jersey"."""
    for place in places:
        style = STYLE.match(parse.plain, place.end) if place.kind not in NUMBERS else None
        if style and place.kind != "NOUN":
            yield found_at(parse, place.start, style.end(), "PERSON")


def located(parse: Parse) -> Iterator[Found]:
    """Places with the region behind them: "Ocala, Florida"."""
    for (first, last, one), (start, end, other) in pairwise(parse.entities):
        if one in {"GPE", "LOC", "FAC"} and other == "GPE" and start == last + 1 and parse.words[last] == ",":
            yield found_at(parse, parse.starts[first], parse.ends[end - 1], one)
