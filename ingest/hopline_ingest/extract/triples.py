"""Triples from a parsed text: clauses, appositions, possessives, roles before names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hopline_ingest.extract.clauses import clauses, joined
from hopline_ingest.extract.extraction import Stated
from hopline_ingest.extract.mentions import key
from hopline_ingest.extract.names import (
    MOST_TOKENS,
    NOUNS,
    NUMBERS,
    PROPER,
    base_phrase,
    full_phrase,
    is_word,
    shown,
    trimmed,
)
from hopline_ingest.extract.parse import Parse

_PREDICATE_TOKENS = 7

Ends = tuple[int, str, int]  # (subject token, predicate, object token)


def triples(parse: Parse, means: Mapping[int, str], same: Mapping[str, str]) -> tuple[Stated, ...]:
    """Every triple once, in the order of the text.

    ``means`` names what a pronoun stands for, by token; ``same`` the name behind a normalised alias.
    """
    sentence = _sentence_of(parse)
    stated: dict[tuple[str, str, str], Stated] = {}
    for subject, predicate, object_ in (*_verbal(parse), *_nominal(parse)):
        names = end_name(parse, subject, means), end_name(parse, object_, means)
        first, second = (same.get(key(name), name) for name in names)
        if not first or not second or key(first) == key(second) or _too_vague(parse, subject, means):
            continue
        if len(predicate.split()) <= _PREDICATE_TOKENS:
            triple = Stated(first, predicate, second, parse.spans[sentence[subject]])
            stated.setdefault((key(first), predicate, key(second)), triple)
    return tuple(sorted(stated.values(), key=lambda triple: triple.span))


def _sentence_of(parse: Parse) -> list[int]:
    return [place for place, (start, end) in enumerate(parse.sentences) for _ in range(start, end)]


def _verbal(parse: Parse) -> Iterator[Ends]:
    for clause in clauses(parse):
        yield clause.subject, clause.predicate, clause.object


def _nominal(parse: Parse) -> Iterator[Ends]:
    for head, tag in enumerate(parse.tags):
        if tag not in NOUNS:
            continue
        for child in parse.children[head]:
            dep = parse.deps[child]
            if dep == "appos" and parse.tags[child] in NOUNS and _kinds_differ(parse, head, child):
                yield from ((head, "is", other) for other in joined(parse, child))
            elif dep == "poss" and child < head:
                yield from _possessive(parse, child, head)


def _kinds_differ(parse: Parse, head: int, appos: int) -> bool:
    """Two dates, or a list of names that the parser took for an apposition, say nothing of each other."""
    one, other = parse.named(head), parse.named(appos)
    return not (one and other) or (one[2] != other[2] and not {one[2], other[2]} & NUMBERS)


def _possessive(parse: Parse, owner: int, head: int) -> Iterator[Ends]:
    """(X, father, Y) for "X's father Y"; (X, has, album) for "X's album"."""
    role = [
        child
        for child in parse.children[head]
        if owner < child < head and parse.tags[child] in {"NN", "NNS"} and parse.deps[child] == "compound"
    ]
    if role and parse.tags[head] in PROPER:
        yield owner, " ".join(parse.lower[child] for child in role), head
        return
    named = [child for child in parse.children[head] if parse.deps[child] == "appos" and parse.tags[child] in PROPER]
    for name in named:
        yield owner, parse.lower[head], name
    if not named:
        yield owner, "has", head


def end_name(parse: Parse, token: int, means: Mapping[int, str]) -> str:
    """The name of a triple's end: what a pronoun stands for, the entity around a token, or its phrase."""
    if token in means:
        return means[token]
    entity = parse.named(token)
    if entity is not None:
        kept = (entity[0], entity[1]) if entity[2] in NUMBERS else trimmed(parse, entity[0], entity[1])
        if kept and kept[0] <= token < kept[1]:
            return shown(parse, *kept)
    if parse.tags[token] not in NOUNS and parse.tags[token] != "CD":
        return ""
    for start, end in (full_phrase(parse, token), base_phrase(parse, token)):
        kept = trimmed(parse, start, end)
        if kept and kept[1] - kept[0] <= MOST_TOKENS and is_word(shown(parse, *kept)):
            return shown(parse, *kept)
    return ""


def _too_vague(parse: Parse, subject: int, means: Mapping[int, str]) -> bool:
    return subject not in means and parse.tags[subject] in {"PRP", "DT", "WDT", "WP", "EX", "CD"}
