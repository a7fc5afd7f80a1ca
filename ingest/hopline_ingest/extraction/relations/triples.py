"""Triples from a parsed text: what its clauses and noun phrases state, with names for their ends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from hopline_ingest.extraction.mentions.names import (
    MOST_TOKENS,
    NOUNS,
    NUMBERS,
    Found,
    base_phrase,
    full_phrase,
    is_word,
    key,
    shown,
    trimmed,
    vague,
)
from hopline_ingest.extraction.parsed_text import Parse
from hopline_ingest.extraction.records import Stated
from hopline_ingest.extraction.relations.clauses import clauses
from hopline_ingest.extraction.relations.nominals import life, nominal, roles

_PREDICATE_WORDS = 7
_IS = frozenset({"is", "was", "are", "were", "became", "has"})

Said = tuple[int, str, str, str]  # token, subject, predicate, object


@dataclass(frozen=True, slots=True)
class Ends:
    """Names for the ends of triples.

    ``named`` is the entity that covers a token, ``means`` what a pronoun or subject stands for,
    ``same`` the full name behind a normalised alias.
    """

    parse: Parse
    named: Mapping[int, Found]
    means: Mapping[int, str]
    same: Mapping[str, str] = field(default_factory=dict)

    def name(self, token: int, *, owned: bool = False) -> str:
        """The name of a triple's end, "" where it has none; ``owned``: without the possessor before it."""
        name = self.means.get(token) or self._entity(token) or self._beside(token) or self._phrase(token, owned=owned)
        return self.same.get(key(name), name)

    def _entity(self, token: int) -> str:
        place = self.named.get(token)
        if place is None or (place.kind == "CARDINAL" and self.parse.lower[token + 1 : token + 2] == ["of"]):
            return ""
        return place.name

    def _beside(self, token: int) -> str:
        """Peter of Luxembourg for "her husband Peter of Luxembourg"."""
        children, deps = self.parse.children[token], self.parse.deps
        beside = [child for child in children if deps[child] == "appos" and self._follows(child, token)]
        return self._entity(beside[0]) if beside else ""

    def _follows(self, child: int, token: int) -> bool:
        start = self.parse.lefts[child]
        return start == token + 1 or (start == token + 2 and self.parse.words[token + 1] == ",")

    def _phrase(self, token: int, *, owned: bool) -> str:
        parse = self.parse
        if parse.tags[token] not in NOUNS and parse.tags[token] != "CD":
            return ""
        for start, end in (full_phrase(parse, token), base_phrase(parse, token)):
            owners = [parse.rights[child] + 1 for child in parse.children[token] if parse.deps[child] == "poss"]
            kept = trimmed(parse, max((start, *owners)) if owned else start, end)
            if kept and kept[1] - kept[0] <= MOST_TOKENS and is_word(shown(parse, *kept)):
                owner, words = "" if owned else self.pronoun(token), shown(parse, *kept).replace('"', "")
                return f"{owner}'s {words}" if owner else " ".join(words.split())
        return ""

    def pronoun(self, token: int) -> str:
        """Whom the "his" before a noun stands for."""
        return next((self.means[child] for child in self.parse.children[token] if self._is_his(child)), "")

    def _is_his(self, token: int) -> bool:
        return self.parse.tags[token] == "PRP$" and token in self.means

    def owner(self, token: int) -> str:
        """The name of whom a noun belongs to: "her husband" -> "Margaret of Baux"."""
        if token in self.named or token in self.means:
            return ""
        owners = [child for child in self.parse.children[token] if self.parse.deps[child] == "poss"]
        return self.name(owners[0]) if owners and (owners[0] in self.means or owners[0] in self.named) else ""

    def counts(self, token: int) -> bool:
        """Whether the token is within a number or date."""
        return token in self.named and self.named[token].kind in NUMBERS

    def dated(self, token: int) -> bool:
        """Whether the token is within a date or time."""
        if token in self.named:
            return self.named[token].kind in {"DATE", "TIME"}
        return self.parse.tags[token] == "CD" and len(self.parse.words[token]) >= 4

    def vague(self, token: int) -> bool:
        """Whether the token's phrase says too little to be an end that others could share."""
        if token in self.means or token in self.named:
            return False
        return self.parse.tags[token] not in NOUNS or vague(self.parse, *full_phrase(self.parse, token))


def triples(ends: Ends, topic: str, *, person: bool) -> tuple[Stated, ...]:
    """Every triple once, in the order of the text. ``topic`` is what it is about, ``person`` whether somebody."""
    parse = ends.parse
    sentence = [place for place, (start, end) in enumerate(parse.sentences) for _ in range(start, end)]
    stated: dict[tuple[str, str, str], Stated] = {}
    for token, subject, predicate, object_ in _said(ends, topic, person=person):
        first, second = key(subject), key(object_)
        if first and second and first != second and _fits(predicate):
            span = parse.spans[sentence[token]]
            stated.setdefault((first, predicate, second), Stated(subject, predicate, object_, span))
    return tuple(sorted(stated.values(), key=lambda triple: triple.span))


def _said(ends: Ends, topic: str, *, person: bool) -> Iterator[Said]:
    parse = ends.parse
    if person and topic and len(parse):
        yield from ((0, topic, predicate, date) for predicate, date in life(parse))
    for clause in clauses(parse, skipped=ends.named):
        if not _within_name(ends, clause.subject, clause.object) and not _within_name(ends, clause.via, clause.object):
            yield from _stated(ends, clause.subject, clause.predicate, clause.object)
    for subject, predicate, object_ in nominal(parse, ends.named):
        yield from _stated(ends, subject, predicate, object_)
    for token, place, role in roles(parse, ends.named):
        yield token, ends.same.get(key(place.name), place.name), "is", role


def _stated(ends: Ends, subject: int, predicate: str, object_: int) -> Iterator[Said]:
    if ends.vague(subject) or ends.counts(subject) or (predicate not in _IS and ends.vague(object_)):
        return
    first = ends.name(subject)
    name = ends.name(object_, owned=predicate == "has" or ends.pronoun(object_) == first)
    if predicate == "has" and (" " not in name or ends.vague(object_)):
        return
    if predicate in _IS and ends.dated(object_):
        return
    owner, role = ends.owner(subject), ends.parse.lower[subject]
    if owner and predicate in _IS and object_ in ends.named:
        yield subject, owner, role, name
    else:
        yield subject, first, predicate, name


def _fits(predicate: str) -> bool:
    return predicate.count(" ") < _PREDICATE_WORDS and any(c.isalpha() for c in predicate)


def _within_name(ends: Ends, one: int, other: int) -> bool:
    """The words of one name or title state nothing of each other."""
    return one in ends.named and ends.named[one] is ends.named.get(other)
