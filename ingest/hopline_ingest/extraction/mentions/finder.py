"""The entities that a text mentions: one a normalised name, with every place that names it."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping

from hopline_ingest.extraction.mentions.capitalized_names import styled, titled
from hopline_ingest.extraction.mentions.names import Found, key
from hopline_ingest.extraction.mentions.noun_phrases import phrases
from hopline_ingest.extraction.mentions.recognized_names import quoted, recognised
from hopline_ingest.extraction.parsed_text import Parse
from hopline_ingest.extraction.records import Mention


def found(parse: Parse) -> list[Found]:
    """Every named place of a text, in order of appearance; overlaps are allowed, repeats are not."""
    titles = list(quoted(parse))
    names = [name for name in recognised(parse) if not _inside(name, titles)]
    taken = {(place.start, place.end) for place in (*titles, *names)}
    runs = [place for place in titled(parse) if (place.start, place.end) not in taken]
    runs += styled(parse, [*names, *runs])
    taken.update((place.start, place.end) for place in runs)
    others = [place for place in phrases(parse) if (place.start, place.end) not in taken]
    others = [place for place in others if place.kind != "NAME" or not _inside(place, (*titles, *runs))]
    return sorted((*titles, *names, *runs, *others), key=lambda place: (place.start, -place.end))


def _inside(name: Found, quoted: Iterable[Found]) -> bool:
    return any(place.start <= name.start and name.end <= place.end for place in quoted)


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


def covering(parse: Parse, places: Iterable[Found]) -> dict[int, Found]:
    """The longest name around each token; common noun phrases are none."""
    named: dict[int, Found] = {}
    for place in sorted((place for place in places if place.kind != "NOUN"), key=lambda place: place.start - place.end):
        first = bisect_left(parse.starts, place.start)
        for token in range(first, bisect_left(parse.starts, place.end)):
            named.setdefault(token, place)
    return named
