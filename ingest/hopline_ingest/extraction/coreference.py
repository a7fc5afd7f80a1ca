"""Whom a pronoun or "the film" means: the subject before, or what the passage is about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hopline_ingest.extraction.mentions.names import Found, key
from hopline_ingest.extraction.parsed_text import Parse
from hopline_ingest.extraction.relations.clauses import SUBJECT, joined
from hopline_ingest.extraction.vocabulary import DEFINITE

_PERSONAL = frozenset({"he", "she", "him", "her", "his", "hers"})
_NEUTRAL = frozenset({"it", "its"})
_PLURAL = frozenset({"they", "them", "their"})
_THINGS = frozenset({"ORG", "GPE", "LOC", "FAC", "WORK_OF_ART", "EVENT", "PRODUCT", "LAW", "NOUN"})
_FIRST_WORDS = 120


@dataclass(frozen=True, slots=True)
class Topic:
    """Something that pronouns can refer to. ``person``: whether it is somebody, None where that is unknown.

    ``many``: whether "they" can mean it. ``called``: what it is said to be ("film").
    """

    name: str = ""
    person: bool | None = None
    many: bool = False
    called: frozenset[str] = frozenset()


def topic_of(name: str, places: Sequence[Found], parse: Parse) -> Topic:
    """What the passage is about, with its kind as the recogniser and the pronouns tell it."""
    if not name:
        return Topic()
    called = _called(parse)
    if called & DEFINITE:
        return Topic(name, person=False, many="band" in called or "team" in called, called=called)
    kinds = Counter(place.kind for place in places if key(place.name) == key(name)).most_common(1)
    kind = kinds[0][0] if kinds else "NAME"
    words = parse.lower[:_FIRST_WORDS]
    personal = sum(word in _PERSONAL for word in words)
    neutral = sum(word in _NEUTRAL for word in words)
    if personal != neutral:
        return Topic(name, person=personal > neutral, many=kind == "ORG", called=called)
    return Topic(name, _person(kind), many=kind == "ORG", called=called)


def _called(parse: Parse) -> frozenset[str]:
    """What the first sentence says that its subject is: the nouns behind "is a"."""
    end = parse.sentences[0][1] if parse.sentences else 0
    nouns = [token for token in range(min(end, _FIRST_WORDS)) if parse.deps[token] == "attr"]
    return frozenset(parse.lower[other] for token in nouns[:1] for other in joined(parse, token))


def _person(kind: str) -> bool | None:
    if kind == "PERSON":
        return True
    return False if kind in _THINGS else None


def antecedents(parse: Parse, topic: Topic, named: Mapping[int, Found], same: Mapping[str, str]) -> dict[int, str]:
    """The name that each pronoun or definite description stands for, by token.

    ``named`` is the entity that covers a token, ``same`` the full name behind a normalised
    alias. What cannot be told is left out.
    """
    found: dict[int, str] = {}
    before = topic
    for start, end in parse.sentences:
        for token in range(start, end):
            name = _resolved(parse, token, before, topic)
            if name:
                found[token] = name
        place = _main_subject(parse, start, end, named)
        if place:
            name = same.get(key(place.name), place.name)
            before = topic if name == topic.name else Topic(name, _person(place.kind), many=place.kind == "ORG")
    return found


def _resolved(parse: Parse, token: int, before: Topic, topic: Topic) -> str:
    word, tag = parse.lower[token], parse.tags[token]
    if tag in {"PRP", "PRP$"}:
        if word in _PERSONAL:
            return _agreeing(before, topic, person=True)
        if word in _NEUTRAL:
            return _agreeing(before, topic, person=False)
        if word in _PLURAL:
            return next((one.name for one in (before, topic) if one.many), "")
    elif tag == "NN" and _is_kind(word, topic) and _is_definite(parse, token):
        return topic.name
    return ""


def _is_kind(word: str, topic: Topic) -> bool:
    """Whether "the film" can be the topic: it was called so, or not called anything and is no person."""
    return word in (topic.called or DEFINITE) and (bool(topic.called) or topic.person is False)


def _agreeing(before: Topic, topic: Topic, *, person: bool) -> str:
    for wanted in (person, None):
        for one in (before, topic):
            if one.person is wanted:
                return one.name
    return ""


def _is_definite(parse: Parse, token: int) -> bool:
    """Whether it is "the film" or "this company": nothing else before it, nothing behind that narrows it."""
    if parse.lefts[token] != token - 1 or parse.lower[token - 1] not in {"the", "this"}:
        return False
    return not any(parse.deps[child] in {"prep", "relcl", "acl", "appos"} for child in parse.children[token])


def _main_subject(parse: Parse, start: int, end: int, named: Mapping[int, Found]) -> Found | None:
    """The entity that is the subject of a sentence's main verb."""
    for token in range(start, end):
        if parse.deps[token] in SUBJECT and parse.deps[parse.heads[token]] == "ROOT":
            return named.get(token)
    return None
