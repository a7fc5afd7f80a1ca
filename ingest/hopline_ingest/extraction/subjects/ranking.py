"""Which of the names in a text it is about, by evidence weighed together.

Every name that the opening, the subjects and the named entities offer is a candidate with
features; a logistic score says how probable it is that an editor would title the text with
it. The weights were fitted on passages with known titles, the titles hidden
(``benchmarks/about.py --fit``), and are the same for every kind of text.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from hopline_ingest.extraction.mentions.capitalized_names import STYLE
from hopline_ingest.extraction.mentions.names import NUMBERS, Found, full_phrase, key, shown, trimmed
from hopline_ingest.extraction.parsed_text import Parse
from hopline_ingest.extraction.records import About, By
from hopline_ingest.extraction.relations.clauses import SUBJECT, joined
from hopline_ingest.extraction.subjects.first_sentence import (
    EDGE,
    Opening,
    alternatives,
    is_life,
    nicknames,
    plain_name,
    quoted,
    shorter,
    without_article,
)
from hopline_ingest.extraction.vocabulary import PLACES

MOST = 5
LEAST = 0.03
_LONGEST = 14  # words
_CLAUSES = frozenset({"ROOT", "conj", "ccomp"})

WEIGHTS = {
    "bias": -5.3,
    # where the name comes from
    "open": 1.1, "open & defined": 1.0, "whole": 1.5, "alternative": 0.8, "before_comma": -0.2, "quoted": -0.4,
    "bracket": -0.15, "region 0": -0.7, "region 1": 1.35, "region 2": -0.5,
    # how it was made from the opening
    "nickname": 2.1, "no_nickname": 0.6, "first_last & life": 3.1, "plain": 0.4, "untitled": -0.6,
    # where and how often the text has it
    "first": 1.6, "place": -2.7, "times": 0.35, "absent": 0.3, "subject": 0.7, "in subject": 0.2,
    # what it looks like
    "titled": 0.85, "common": -0.8, "one word": -0.8, "long": -0.6,
    "WORK_OF_ART": 1.1, "LOC": 0.45, "FAC": 0.2, "ORG": 0.15, "GPE": -0.15, "PERSON": -0.25, "EVENT": -0.25,
    "NORP": -1.4,
}  # fmt: skip


@dataclass(slots=True)
class Candidate:
    """A name that the text may be about; ``features`` are weighed by `WEIGHTS`."""

    name: str
    features: dict[str, float] = field(default_factory=dict)

    @property
    def score(self) -> float:
        """Probability in (0, 1)."""
        return 1 / (1 + math.exp(-sum(WEIGHTS.get(name, 0.0) * value for name, value in self.features.items())))


def topics(parse: Parse, places: Sequence[Found], opening: Opening) -> list[About]:
    """What the text is about by itself, at most `MOST`, surest first; ties in order of the text."""
    ranked = sorted(candidates(parse, places, opening).values(), key=lambda candidate: -candidate.score)
    by: By = "definition" if opening.defines else "subject"
    return [
        About(one.name, by if "open" in one.features else "subject", round(one.score, 4))
        for one in ranked[:MOST]
        if one.score >= LEAST
    ]


def opening_name(opening: Opening, about: Sequence[About]) -> str:
    """The opening's own name for what the text is about; "" where it is about something else."""
    whole = {key(name) for name in (*alternatives(opening.words), *quoted(opening.words))}
    return next((one.name for one in about if key(one.name) in whole), "")


def opening_subject(parse: Parse, opening: Opening, name: str) -> dict[int, str]:
    """``name`` by the token of the first verb's subject: a title may hold more than the parser joins."""
    return {
        token: name
        for token in range(opening.verb)
        if name and parse.deps[token] in SUBJECT and parse.heads[token] in {opening.verb, parse.heads[opening.verb]}
        if opening.defines or len(list(joined(parse, token))) == 1
    }


def candidates(parse: Parse, places: Sequence[Found], opening: Opening) -> dict[str, Candidate]:
    """Every candidate with its features, by normalised name."""
    found: dict[str, Candidate] = {}
    for name, *features in (*_from_opening(opening), *_from_place(parse, opening), *_from_names(places)):
        own = key(name)
        if own and own.count(" ") < _LONGEST:
            found.setdefault(own, Candidate(name)).features.update(dict.fromkeys(features, 1.0))
    subjects = [key(name) for name in _subjects(parse)]
    text = f" {key(parse.text)} "
    for own, candidate in found.items():
        candidate.features.update(_of_text(own, candidate, text, subjects))
        if opening.defines and "open" in candidate.features:
            candidate.features["open & defined"] = 1.0
        if "first_last" in candidate.features and any(map(is_life, opening.brackets)):
            candidate.features["first_last & life"] = 1.0
    return found


Offer = tuple[str, ...]  # a name and its features


def _from_opening(opening: Opening) -> Iterator[Offer]:
    """The opening, its alternatives and all their forms."""
    parts = alternatives(opening.words)
    for place, part in enumerate(parts):
        yield from _forms(part, "alternative" if place else "whole")
    first = parts[0].split(",")[0].strip(EDGE) if parts else ""
    if first and first != parts[0]:
        yield from _forms(first, "before_comma")
        style = STYLE.match(parts[0], len(parts[0].partition(",")[0]))
        if style and style.end() < len(parts[0]):
            yield parts[0][: style.end()], "styled", "open"
    yield from ((name, "quoted", "open") for name in quoted(opening.words))
    for bracket in opening.brackets:
        for part in alternatives(bracket.split(";")[0]):
            yield part.split(",")[0].strip(EDGE), "bracket"


def _forms(name: str, source: str) -> Iterator[Offer]:
    yield without_article(name), source, "open"
    plain = plain_name(name)
    if plain != name:
        yield plain, "plain", "open"
    for how, form in (*nicknames(plain), *shorter(plain)):
        yield form, how, "open"


def _from_place(parse: Parse, opening: Opening) -> Iterator[Offer]:
    """The name with its region: "Pontotoc, Mississippi" for "Pontotoc is a city in …, Mississippi"."""
    parts = alternatives(opening.words)
    if not (parts and opening.defines) or PLACES.isdisjoint(parse.lower[opening.verb : opening.verb + 12]):
        return
    name = plain_name(parts[0].split(",")[0])
    around = [
        (start, end) for start, end, kind in parse.entities if kind in {"GPE", "LOC"} and 0 < start - opening.verb < 45
    ]
    for place, region in enumerate(around[:3]):
        yield f"{name}, {shown(parse, *region)}", f"region {place}", "open"


def _from_names(places: Iterable[Found]) -> Iterator[Offer]:
    for place in places:
        if place.kind not in NUMBERS:
            yield place.name, place.kind


def _subjects(parse: Parse) -> Iterator[str]:
    """The subjects of the main clauses, in order."""
    for token, dep in enumerate(parse.deps):
        if dep in {"nsubj", "nsubjpass"} and parse.deps[parse.heads[token]] in _CLAUSES:
            kept = trimmed(parse, *full_phrase(parse, token))
            if kept:
                yield shown(parse, *kept)


def _of_text(own: str, candidate: Candidate, text: str, subjects: Sequence[str]) -> dict[str, float]:
    """How often and where the text has the name, and what it looks like."""
    padded = f" {own} "
    place = text.find(padded)
    words = [word for word in candidate.name.split() if word[:1].isalpha() and len(word) > 3]
    length = own.count(" ") + 1
    return {
        "bias": 1.0,
        "absent": float(place < 0),
        "first": float(place == 0),
        "place": place / len(text) if place >= 0 else 0.5,
        "times": math.log(max(1, text.count(padded))),
        "subject": math.log1p(sum(subject == own for subject in subjects)),
        "in subject": math.log1p(sum(padded in f" {subject} " for subject in subjects)),
        "titled": float(bool(words) and all(word[0].isupper() for word in words)),
        "common": float(bool(words) and all(word[0].islower() for word in words)),
        "one word": float(length == 1),
        "long": float(max(0, length - 5)),
    }
