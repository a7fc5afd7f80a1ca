"""Name similarity: find names that may refer to the same entity, by their spelling.

Every rule looks names up by a key, so that a hundred thousand names take seconds; no rule compares all pairs. A rule
whose key has two candidates matches neither: "Smith" is no short form if two names end in "Smith".
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from rapidfuzz.fuzz import ratio

from hopline.entities.linking import EntityName
from hopline.ids import normalize_name

# fmt: off
_LEGAL_FORMS: Final = frozenset({
    "ag", "asa", "bv", "co", "company", "corp", "corporation", "gmbh", "group", "holding", "holdings", "inc",
    "incorporated", "kg", "limited", "llc", "llp", "ltd", "nv", "oy", "oyj", "plc", "sa", "sas", "se", "spa", "srl",
})
_FORMS_OF_ADDRESS: Final = frozenset({
    "dame", "dr", "herr", "lady", "lord", "madame", "mister", "monsieur", "mr", "mrs", "ms", "prof", "professor", "sir",
})
_SMALL_WORDS: Final = frozenset({
    "a", "an", "and", "at", "de", "del", "der", "di", "for", "in", "la", "le", "of", "on", "the", "und", "van", "von",
    "y",
})
# fmt: on
_DIGITS: Final = re.compile(r"\d+")
_PERSON_KINDS: Final = frozenset({"PERSON"})
_ORGANIZATION_KINDS: Final = frozenset({"ORG"})
_UNCERTAIN_KINDS: Final = frozenset({"", "NAME"})
_MIN_RATIO: Final = 90.0  # percent, similarity of two spellings
_MIN_LETTERS: Final = 6  # shorter names are not compared by spelling
_MAX_MENTION_RATIO: Final = 4  # mentions of a short form over mentions of its long form
_MAX_GROUP: Final = 60  # larger groups of one key are not compared pairwise


@dataclass(frozen=True, slots=True)
class NamePair:
    """Two names of possibly one entity: ``source`` may be another name of ``target``.

    ``reason`` is a short text, ``score`` in (0, 1] the share of such pairs that are the same.
    """

    source: EntityName
    target: EntityName
    reason: str
    score: float


def find_similar_names(names: Sequence[EntityName]) -> list[NamePair]:
    """Return pairs of names that may be the same, highest score first; each pair once, with its best reason.

    The target is the name with more mentions; of a short and a long form it is the long one.
    """
    best: dict[tuple[str, str], NamePair] = {}
    for rule in (
        _match_aliases,
        _match_without_titles,
        _match_spellings,
        _match_initials,
        _match_last_names,
        _match_first_words,
    ):
        for pair in rule(names):
            key = (min(pair.source.id, pair.target.id), max(pair.source.id, pair.target.id))
            if key not in best or best[key].score < pair.score:
                best[key] = pair
    return sorted(best.values(), key=lambda pair: (-pair.score, -pair.source.mentioned, pair.source.id, pair.target.id))


def _match_aliases(names: Sequence[EntityName]) -> Iterator[NamePair]:
    """Match a name that a document gives as an alias of one other name."""
    owners = _group_by(names, lambda name: {normalize_name(alias) for alias in name.aliases})
    for name in names:
        others = [owner for owner in owners.get(normalize_name(name.name), ()) if owner.id != name.id]
        if len(others) == 1 and _is_compatible(name, others[0]) and _is_plausible_alias(name, others[0]):
            yield NamePair(name, others[0], "alias in a document", 0.95)


def _match_without_titles(names: Sequence[EntityName]) -> Iterator[NamePair]:
    """Match names that differ in a title or legal form: "Tidewell Utilities Ltd", "Dr Amara Diallo"."""
    for group in _group_by(names, _strip_titles).values():
        for first, second in _iterate_pairs(group):
            if _is_compatible(first, second):
                yield _order_by_mentions(first, second, "the same without title or legal form", 0.9)


def _match_spellings(names: Sequence[EntityName]) -> Iterator[NamePair]:
    """Match names with nearly the same letters and the same digits."""
    for group in _group_by(names, _build_spelling_keys).values():
        for first, second in _iterate_pairs(group):
            a, b = normalize_name(first.name), normalize_name(second.name)
            if a == b or _DIGITS.findall(a) != _DIGITS.findall(b) or not _is_compatible(first, second):
                continue
            same = ratio(a.replace(" ", ""), b.replace(" ", ""), score_cutoff=_MIN_RATIO)
            if same:
                yield _order_by_mentions(first, second, "spelled nearly the same", 0.85 * same / 100.0)


def _match_initials(names: Sequence[EntityName]) -> Iterator[NamePair]:
    """Match an acronym, as "LMB" and "Lantern Mutual Bank"."""
    owners = _group_by(names, lambda name: {_build_acronym(name.name)} - {""})
    for name in names:
        short = _strip_separators(name.name)
        others = [owner for owner in owners.get(short, ()) if owner.id != name.id] if short.isupper() else []
        if len(others) == 1 and _is_compatible(name, others[0]):
            yield NamePair(name, others[0], "initials of the other name", 0.8)


def _match_last_names(names: Sequence[EntityName]) -> Iterator[NamePair]:
    """Match a last name that only one person has, as "Kerrigan" and "Maud Kerrigan"."""
    return _match_short_forms(names, _PERSON_KINDS, -1, "last name of only one person", 0.75)


def _match_first_words(names: Sequence[EntityName]) -> Iterator[NamePair]:
    """Match a first word that only one organization has, as "Tidewell" and "Tidewell Utilities"."""
    return _match_short_forms(names, _ORGANIZATION_KINDS, 0, "first word of only one organization", 0.6)


def _match_short_forms(
    names: Sequence[EntityName], kinds: frozenset[str], position: int, reason: str, score: float
) -> Iterator[NamePair]:
    words = [(name, normalize_name(name.name).split()) for name in names]
    owners: defaultdict[str, list[EntityName]] = defaultdict(list)
    for name, parts in words:
        if len(parts) > 1 and name.kind in kinds | _UNCERTAIN_KINDS:
            owners[parts[position]].append(name)
    for name, parts in words:
        if len(parts) == 1 and name.kind in kinds and len(owners[parts[0]]) == 1 and owners[parts[0]][0].kind in kinds:
            yield NamePair(name, owners[parts[0]][0], reason, score)


def _group_by(names: Iterable[EntityName], keys: Callable[[EntityName], Iterable[str]]) -> dict[str, list[EntityName]]:
    groups: defaultdict[str, list[EntityName]] = defaultdict(list)
    for name in names:
        for key in keys(name):
            groups[key].append(name)
    return groups


def _iterate_pairs(group: Sequence[EntityName]) -> Iterator[tuple[EntityName, EntityName]]:
    if 1 < len(group) <= _MAX_GROUP:
        yield from combinations(group, 2)


def _strip_titles(name: EntityName) -> set[str]:
    words = normalize_name(name.name).split()
    remaining = [word for word in words if word not in _LEGAL_FORMS and word not in _FORMS_OF_ADDRESS]
    return {" ".join(remaining)} if remaining else set()


def _build_spelling_keys(name: EntityName) -> set[str]:
    """Return keys that a name shares with similar spellings: one edit changes its head or its tail, not both."""
    letters = normalize_name(name.name).replace(" ", "")
    return {f"{letters[:4]}…", f"…{letters[-4:]}"} if len(letters) >= _MIN_LETTERS else set()


def _build_acronym(name: str) -> str:
    words = [word for word in re.findall(r"[^\W_]+", name) if word.casefold() not in _SMALL_WORDS]
    return (
        "".join(word[0] for word in words).upper()
        if len(words) > 1 and all(word[0].isupper() for word in words)
        else ""
    )


def _is_compatible(first: EntityName, second: EntityName) -> bool:
    return first.kind == second.kind or bool({first.kind, second.kind} & _UNCERTAIN_KINDS)


def _is_plausible_alias(short: EntityName, long: EntityName) -> bool:
    """Return whether a short form is not mentioned far more often than the long one.

    "India" is no short form of the name of an army in India. Acronyms are always plausible.
    """
    return short.mentioned <= _MAX_MENTION_RATIO * max(long.mentioned, 1) or _build_acronym(
        long.name
    ) == _strip_separators(short.name)


def _strip_separators(name: str) -> str:
    return name.replace(".", "").replace(" ", "")


def _order_by_mentions(first: EntityName, second: EntityName, reason: str, score: float) -> NamePair:
    """Pair two names with the less mentioned one as the source; with equal mentions, the longer one."""
    source, target = sorted((first, second), key=lambda name: (name.mentioned, -len(name.name), name.id))
    return NamePair(source, target, reason, score)
