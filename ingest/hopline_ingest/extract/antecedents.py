"""Whom a pronoun or "the film" means: the subject before, or what the passage is about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hopline_ingest.extract.mentions import Found, key
from hopline_ingest.extract.names import NOUNS, PROPER, base_phrase, shown, trimmed
from hopline_ingest.extract.parse import Parse
from hopline_ingest.extract.vocabulary import DEFINITE

_PERSONAL = frozenset({"he", "she", "him", "her", "his", "hers"})
_NEUTRAL = frozenset({"it", "its"})
_PLURAL = frozenset({"they", "them", "their"})


@dataclass(frozen=True, slots=True)
class Topic:
    """What the passage is about, and whether it is a person (None: unknown)."""

    name: str = ""
    person: bool | None = None


def topic_of(name: str, places: Sequence[Found], parse: Parse) -> Topic:
    """The topic with a guess at its kind, from what the recogniser said and which pronouns come."""
    kinds = {place.kind for place in places if key(place.name) == key(name)}
    if not name:
        return Topic()
    if "PERSON" in kinds:
        return Topic(name, person=True)
    words = parse.lower[:120]
    personal = sum(word in _PERSONAL for word in words)
    neutral = sum(word in _NEUTRAL for word in words)
    if kinds & {"ORG", "GPE", "LOC", "FAC", "WORK_OF_ART", "EVENT", "PRODUCT"} and personal <= neutral:
        return Topic(name, person=False)
    return Topic(name, person=(personal > neutral) if personal or neutral else None)


def antecedents(parse: Parse, topic: Topic, names: Mapping[int, str], kinds: Mapping[int, str]) -> dict[int, str]:
    """The name that each pronoun or definite description stands for, by token.

    ``names`` and ``kinds`` give the entity whose last token is the key. What cannot be told is left out.
    """
    found: dict[int, str] = {}
    before = topic
    for start, end in parse.sentences:
        for token in range(start, end):
            name = _resolved(parse, token, topic, before)
            if name:
                found[token] = name
        before = _subject_topic(parse, start, end, names, kinds) or before
    return found


def _resolved(parse: Parse, token: int, topic: Topic, before: Topic) -> str:
    word, tag = parse.lower[token], parse.tags[token]
    if tag in {"PRP", "PRP$"}:
        if word in _PERSONAL:
            return _first(before, topic, person=True)
        if word in _NEUTRAL:
            return _first(before, topic, person=False)
        if word in _PLURAL and topic.person is False and before == topic:
            return topic.name
    elif tag == "NN" and word in DEFINITE and topic.person is False and _definite(parse, token):
        return topic.name
    return ""


def _first(before: Topic, topic: Topic, *, person: bool) -> str:
    for candidate in (before, topic):
        if candidate.person is person:
            return candidate.name
    return topic.name if topic.person is None else ""


def _definite(parse: Parse, token: int) -> bool:
    """Whether it is "the film" or "this company": nothing else before it, nothing behind that narrows it."""
    if parse.lefts[token] != token - 1 or parse.lower[token - 1] not in {"the", "this"}:
        return False
    return not any(parse.deps[child] in {"prep", "relcl", "acl", "appos"} for child in parse.children[token])


def _subject_topic(
    parse: Parse, start: int, end: int, names: Mapping[int, str], kinds: Mapping[int, str]
) -> Topic | None:
    """The entity that is the subject of the sentence's main verb."""
    for token in range(start, end):
        if parse.deps[token] in {"nsubj", "nsubjpass"} and parse.deps[parse.heads[token]] == "ROOT":
            if token in names:
                kind = kinds[token]
                return Topic(names[token], person={"PERSON": True, "NAME": None}.get(kind, False))
            return None
    return None


def subject_phrase(parse: Parse, head: int) -> str:
    """A noun's phrase as a name; empty where it is no noun."""
    if parse.tags[head] not in NOUNS | PROPER:
        return ""
    kept = trimmed(parse, *base_phrase(parse, head))
    return shown(parse, *kept) if kept else ""
