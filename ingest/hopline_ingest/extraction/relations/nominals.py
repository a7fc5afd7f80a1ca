"""Relations without a verb: appositions, possessives, roles before names, regions of places, dates of life."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise

from hopline_ingest.extraction.mentions.names import (
    NOUNS,
    NUMBERS,
    PROPER,
    NameSpan,
    base_phrase,
    join_tokens,
    trim_name,
)
from hopline_ingest.extraction.parsed_text import ParsedText
from hopline_ingest.extraction.relations.clauses import expand_conjuncts, resolve_described_noun
from hopline_ingest.extraction.vocabulary import HONORIFICS

_REGIONS = frozenset({"GPE", "LOC", "FAC"})
_NAMED = frozenset({"PERSON", "ORG", "WORK_OF_ART", "NAME", "PRODUCT"})
_ROLE_DEPS = frozenset({"compound", "nmod", "appos"})
_DATE = r"(?:\d{1,2} )?(?:[A-Z][a-z]+\.? )?(?:\d{1,2}, )?\d{3,4}"
_LIFE = re.compile(rf"\(\s?(?:[^()]{{0,80}}?[;,] )??({_DATE})(?: in [^()–—;]{{2,50}})?\s?(?:-|–|—|--)\s?({_DATE})")

TokenTriple = tuple[int, str, int]  # (subject token, predicate, object token)


def extract_nominal_relations(parse: ParsedText, names_by_token: Mapping[int, NameSpan]) -> Iterator[TokenTriple]:
    """Extract appositions ("is"), possessives, adjectives with a preposition, and the regions of places ("is in")."""
    for head, tag in enumerate(parse.tags):
        if tag not in NOUNS:
            continue
        for child in parse.children[head]:
            dep = parse.deps[child]
            if dep == "appos" and parse.tags[child] in NOUNS and _is_description(parse, child, head):
                yield from _extract_apposition(parse, head, child)
            elif dep == "poss" and child < head:
                yield from _extract_possessive(parse, child, head, names_by_token)
            elif dep in {"amod", "acl"} and child > head and parse.tags[child][:2] != "VB":
                yield from _extract_adjectival(parse, child, head)
    yield from _extract_regions(parse)


def _extract_adjectival(parse: ParsedText, adjective: int, head: int) -> Iterator[TokenTriple]:
    """(X, endemic to, Java) for "X is a tree endemic to Java"."""
    for preposition in parse.children[adjective]:
        if parse.deps[preposition] == "prep":
            ends = [child for child in parse.children[preposition] if parse.deps[child] == "pobj"]
            words = f"{parse.lower[adjective]} {parse.lower[preposition]}"
            yield from (
                (resolve_described_noun(parse, head), words, other)
                for end in ends
                for other in expand_conjuncts(parse, end)
            )


def _extract_apposition(parse: ParsedText, head: int, child: int) -> Iterator[TokenTriple]:
    """(Ann, is, painter) for "Ann, a painter" and for "the painter Ann"."""
    if parse.entity_index[child] >= 0 and parse.tags[head] not in PROPER:
        yield child, "is", head
    else:
        yield from ((resolve_described_noun(parse, head), "is", other) for other in expand_conjuncts(parse, child))


def _is_description(parse: ParsedText, child: int, head: int) -> bool:
    """Whether an apposition is a description, rather than a list of names or numbers, or a place with its region."""
    child_entity, head_entity = parse.entity_at(child), parse.entity_at(head)
    if child_entity and (head_entity or child_entity[2] == "NORP" or child_entity[2] in NUMBERS):
        return False
    description = head if child_entity and parse.tags[head] not in PROPER else child
    if not _is_introduced(parse, description):
        return False  # a list: "analysis, writing"
    if parse.tags[child] in PROPER and parse.tags[head] in PROPER and parse.lower[child] not in HONORIFICS:
        return False
    return not (head_entity and head_entity[2] in NUMBERS)


def _is_introduced(parse: ParsedText, noun: int) -> bool:
    """Whether a noun has an article or possessor, or is a common noun before "of", as descriptions of things are."""
    return any(
        parse.lower[child] in {"a", "an", "the"}
        or parse.deps[child] == "poss"
        or (parse.lower[child] == "of" and parse.tags[noun] not in PROPER)
        for child in parse.children[noun]
    )


def _extract_possessive(
    parse: ParsedText, owner: int, head: int, names_by_token: Mapping[int, NameSpan]
) -> Iterator[TokenTriple]:
    """(X, father, Y) for "X's father Y"; (X, has, album) for "X's album"."""
    if owner in names_by_token and names_by_token.get(head) is names_by_token[owner]:
        return
    role = [
        child
        for child in parse.children[head]
        if owner < child < head and parse.tags[child] in {"NN", "NNS"} and parse.deps[child] == "compound"
    ]
    if role and head in names_by_token:
        yield owner, " ".join(parse.lower[child] for child in role), head
        return
    appositives = [child for child in parse.children[head] if parse.deps[child] == "appos" and child in names_by_token]
    yield from ((owner, parse.lower[head], appositive) for appositive in appositives)
    if not appositives and parse.tags[head] not in PROPER:
        yield owner, "has", head


def _extract_regions(parse: ParsedText) -> Iterator[TokenTriple]:
    """(Vaughan, is in, Ontario) for "Vaughan, Ontario"; five or more places, or places before "and", are a list."""
    row: list[tuple[int, int, str]] = []
    for entity in (*parse.entities, (len(parse), len(parse), "")):
        continues = bool(row) and entity[0] == row[-1][1] + 1 and parse.words[row[-1][1]] == ","
        is_region = entity[2] in _REGIONS and parse.name_tags.score(entity[0], entity[1])[1] == "GPE"
        if continues and is_region:
            row.append(entity)
            continue
        if 2 <= len(row) <= 4 and not _is_list(parse, row[-1][1]):
            yield from ((city[1] - 1, "is in", region[1] - 1) for city, region in pairwise(row))
        row = [entity] if is_region else []


def _is_list(parse: ParsedText, after: int) -> bool:
    following = [word for word in parse.lower[after : after + 2] if word != ","]
    return bool(following) and following[0] in {"and", "or", "&"}


def extract_roles(parse: ParsedText, names_by_token: Mapping[int, NameSpan]) -> Iterator[tuple[int, NameSpan, str]]:
    """(token, name, role) for "American director George Lucas"; the role is a common noun phrase."""
    for token, span in names_by_token.items():
        first = token == 0 or names_by_token.get(token - 1) is not span
        if not first or span.kind not in _NAMED:
            continue
        role = token - 1 if parse.words[token - 1] != '"' else token - 2
        if role < 0 or parse.tags[role] != "NN" or role in names_by_token or parse.deps[role] not in _ROLE_DEPS:
            continue
        start = min(base_phrase(parse, role)[0], parse.lefts[parse.heads[role]] if parse.heads[role] > role else role)
        bounds = trim_name(parse, max(start, role - 5), role + 1)
        if bounds and bounds[1] == role + 1:
            yield token, span, join_tokens(parse, *bounds)


def extract_life_dates(parse: ParsedText) -> Iterator[tuple[str, str]]:
    """Extract (was born, date) and (died, date) from the brackets after a person's name."""
    match = _LIFE.search(parse.plain[:400])
    if match:
        yield "was born on" if " " in match[1] else "was born in", match[1]
        yield "died on" if " " in match[2] else "died in", match[2]
