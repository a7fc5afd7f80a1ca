"""What noun phrases state without a verb: appositions, possessives, roles before names, regions, years of life."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise

from hopline_ingest.extraction.mentions.names import NOUNS, NUMBERS, PROPER, Found, base_phrase, shown, trimmed
from hopline_ingest.extraction.parsed_text import Parse
from hopline_ingest.extraction.relations.clauses import denoted, joined
from hopline_ingest.extraction.vocabulary import HONORIFICS

_REGIONS = frozenset({"GPE", "LOC", "FAC"})
_NAMED = frozenset({"PERSON", "ORG", "WORK_OF_ART", "NAME", "PRODUCT"})
_ROLE_DEPS = frozenset({"compound", "nmod", "appos"})
_DATE = r"(?:\d{1,2} )?(?:[A-Z][a-z]+\.? )?(?:\d{1,2}, )?\d{3,4}"
_LIFE = re.compile(rf"\(\s?(?:[^()]{{0,80}}?[;,] )??({_DATE})(?: in [^()–—;]{{2,50}})?\s?(?:-|–|—|--)\s?({_DATE})")

Ends = tuple[int, str, int]  # (subject token, predicate, object token)


def nominal(parse: Parse, named: Mapping[int, Found]) -> Iterator[Ends]:
    """Appositions ("is"), possessives, and the regions that places lie in ("is in")."""
    for head, tag in enumerate(parse.tags):
        if tag not in NOUNS:
            continue
        for child in parse.children[head]:
            dep = parse.deps[child]
            if dep == "appos" and parse.tags[child] in NOUNS and _describes(parse, child, head):
                yield from _apposition(parse, head, child)
            elif dep == "poss" and child < head:
                yield from _possessive(parse, child, head, named)
            elif dep in {"amod", "acl"} and child > head and parse.tags[child][:2] != "VB":
                yield from _adjectival(parse, child, head)
    yield from _regions(parse)


def _adjectival(parse: Parse, adjective: int, head: int) -> Iterator[Ends]:
    """(X, endemic to, Java) for "X is a tree endemic to Java"."""
    for preposition in parse.children[adjective]:
        if parse.deps[preposition] == "prep":
            ends = [child for child in parse.children[preposition] if parse.deps[child] == "pobj"]
            words = f"{parse.lower[adjective]} {parse.lower[preposition]}"
            yield from ((denoted(parse, head), words, other) for end in ends for other in joined(parse, end))


def _apposition(parse: Parse, head: int, child: int) -> Iterator[Ends]:
    """(Ann, is, painter) for "Ann, a painter" and for "the painter Ann"."""
    if parse.label[child] >= 0 and parse.tags[head] not in PROPER:
        yield child, "is", head
    else:
        yield from ((denoted(parse, head), "is", other) for other in joined(parse, child))


def _describes(parse: Parse, child: int, head: int) -> bool:
    """Two names, dates or numbers side by side are a list or a place and its region."""
    one, other = parse.named(child), parse.named(head)
    if one and (other or one[2] == "NORP" or one[2] in NUMBERS):
        return False
    if parse.tags[child] in PROPER and parse.tags[head] in PROPER and parse.lower[child] not in HONORIFICS:
        return False
    return not (other and other[2] in NUMBERS)


def _possessive(parse: Parse, owner: int, head: int, named: Mapping[int, Found]) -> Iterator[Ends]:
    """(X, father, Y) for "X's father Y"; (X, has, album) for "X's album"."""
    if owner in named and named.get(head) is named[owner]:
        return
    role = [
        child
        for child in parse.children[head]
        if owner < child < head and parse.tags[child] in {"NN", "NNS"} and parse.deps[child] == "compound"
    ]
    if role and head in named:
        yield owner, " ".join(parse.lower[child] for child in role), head
        return
    others = [child for child in parse.children[head] if parse.deps[child] == "appos" and child in named]
    yield from ((owner, parse.lower[head], other) for other in others)
    if not others and parse.tags[head] not in PROPER:
        yield owner, "has", head


def _regions(parse: Parse) -> Iterator[Ends]:
    """(Vaughan, is in, Ontario) for "Vaughan, Ontario"; a longer row of places, or one with "and", is a list."""
    row: list[tuple[int, int, str]] = []
    for entity in (*parse.entities, (len(parse), len(parse), "")):
        goes_on = bool(row) and entity[0] == row[-1][1] + 1 and parse.words[row[-1][1]] == ","
        if goes_on and entity[2] in _REGIONS:
            row.append(entity)
            continue
        if 2 <= len(row) <= 4 and not _is_list(parse, row[-1][1]):
            yield from ((one[1] - 1, "is in", other[1] - 1) for one, other in pairwise(row))
        row = [entity] if entity[2] in _REGIONS else []


def _is_list(parse: Parse, after: int) -> bool:
    following = [word for word in parse.lower[after : after + 2] if word != ","]
    return bool(following) and following[0] in {"and", "or", "&"}


def roles(parse: Parse, named: Mapping[int, Found]) -> Iterator[tuple[int, Found, str]]:
    """(token, name, role) for "American director George Lucas"; the role is a common noun phrase."""
    for token, place in named.items():
        first = token == 0 or named.get(token - 1) is not place
        if not first or place.kind not in _NAMED:
            continue
        role = token - 1 if parse.words[token - 1] != '"' else token - 2
        if role < 0 or parse.tags[role] != "NN" or role in named or parse.deps[role] not in _ROLE_DEPS:
            continue
        start = min(base_phrase(parse, role)[0], parse.lefts[parse.heads[role]] if parse.heads[role] > role else role)
        kept = trimmed(parse, max(start, role - 5), role + 1)
        if kept and kept[1] == role + 1:
            yield token, place, shown(parse, *kept)


def life(parse: Parse) -> Iterator[tuple[str, str]]:
    """(born, date) and (died, date) from the brackets behind a person's name."""
    found = _LIFE.search(parse.plain[:400])
    if found:
        yield "was born on" if " " in found[1] else "was born in", found[1]
        yield "died on" if " " in found[2] else "died in", found[2]
