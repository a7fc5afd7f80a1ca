"""Which names may stand for the same thing, told by how they are written.

Every rule looks names up by a key, so that a hundred thousand of them take seconds; none compares
all with all. A rule that finds two owners of a key says nothing: "Smith" is no one's short form
where there are two Smiths.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from hopline.entities.linking import Name
from hopline.ids import normalise

# fmt: off
_LEGAL: Final = frozenset({
    "ag", "asa", "bv", "co", "company", "corp", "corporation", "gmbh", "group", "holding", "holdings", "inc",
    "incorporated", "kg", "limited", "llc", "llp", "ltd", "nv", "oy", "oyj", "plc", "sa", "sas", "se", "spa", "srl",
})
_FORMS_OF_ADDRESS: Final = frozenset({
    "dame", "dr", "herr", "lady", "lord", "madame", "mister", "monsieur", "mr", "mrs", "ms", "prof", "professor", "sir",
})
_SMALL: Final = frozenset({
    "a", "an", "and", "at", "de", "del", "der", "di", "for", "in", "la", "le", "of", "on", "the", "und", "van", "von",
    "y",
})
# fmt: on
_DIGITS: Final = re.compile(r"\d+")
_PEOPLE: Final = frozenset({"PERSON"})
_BODIES: Final = frozenset({"ORG"})
_UNSURE: Final = frozenset({"", "NAME"})
_CLOSE: Final = 90.0  # percent of two spellings that is the same
_SHORTEST: Final = 6  # letters of a name whose spelling is compared
_WIDER: Final = 4  # times as often as the long form that a short one is mentioned, at most
_CROWD: Final = 60  # names of one key that are compared with each other


@dataclass(frozen=True, slots=True)
class Alike:
    """``source`` may be another name of ``target``; ``reason`` in words, ``score`` in (0, 1]: how often that is so."""

    source: Name
    target: Name
    reason: str
    score: float


def alike(names: Sequence[Name]) -> list[Alike]:
    """Pairs of names that may mean the same, the surest first; each pair once, for its best reason.

    The better known name is the target, and a short form leads to the long one.
    """
    best: dict[tuple[str, str], Alike] = {}
    for rule in (_other_names, _without_titles, _spelled, _initials, _last_names, _first_words):
        for found in rule(names):
            pair = (min(found.source.id, found.target.id), max(found.source.id, found.target.id))
            if pair not in best or best[pair].score < found.score:
                best[pair] = found
    return sorted(best.values(), key=lambda one: (-one.score, -one.source.mentioned, one.source.id, one.target.id))


def _other_names(names: Sequence[Name]) -> Iterator[Alike]:
    """A document says that one is called like the other."""
    owners = _by(names, lambda one: {normalise(alias) for alias in one.aliases})
    for name in names:
        others = [one for one in owners.get(normalise(name.name), ()) if one.id != name.id]
        if len(others) == 1 and _may_be_one(name, others[0]) and _is_no_wider(name, others[0]):
            yield Alike(name, others[0], "a document calls it so", 0.95)


def _without_titles(names: Sequence[Name]) -> Iterator[Alike]:
    """As "Tidewell Utilities Ltd" and "Tidewell Utilities", "Dr Amara Diallo" and "Amara Diallo"."""
    for group in _by(names, _bare).values():
        for one, other in _pairs(group):
            if _may_be_one(one, other):
                yield _towards_known(one, other, "the same without its form of address or company", 0.9)


def _spelled(names: Sequence[Name]) -> Iterator[Alike]:
    """Nearly the same letters, and the same figures."""
    from rapidfuzz.fuzz import ratio

    for group in _by(names, _spellings).values():
        for one, other in _pairs(group):
            a, b = (normalise(each.name) for each in (one, other))
            if a == b or _DIGITS.findall(a) != _DIGITS.findall(b) or not _may_be_one(one, other):
                continue
            same = ratio(a.replace(" ", ""), b.replace(" ", ""), score_cutoff=_CLOSE)
            if same:
                yield _towards_known(one, other, "spelled nearly the same", 0.85 * same / 100.0)


def _initials(names: Sequence[Name]) -> Iterator[Alike]:
    """As "LMB" and "Lantern Mutual Bank"."""
    owners = _by(names, lambda one: {_acronym(one.name)} - {""})
    for name in names:
        short = _letters(name.name)
        others = [one for one in owners.get(short, ()) if one.id != name.id] if short.isupper() else []
        if len(others) == 1 and _may_be_one(name, others[0]):
            yield Alike(name, others[0], "its initials", 0.8)


def _last_names(names: Sequence[Name]) -> Iterator[Alike]:
    """As "Kerrigan" and "Maud Kerrigan"."""
    return _short_forms(names, _PEOPLE, -1, "the last name of only one", 0.75)


def _first_words(names: Sequence[Name]) -> Iterator[Alike]:
    """As "Tidewell" and "Tidewell Utilities"."""
    return _short_forms(names, _BODIES, 0, "the first word of only one", 0.6)


def _short_forms(
    names: Sequence[Name], kinds: frozenset[str], place: int, reason: str, score: float
) -> Iterator[Alike]:
    words = [(one, normalise(one.name).split()) for one in names]
    owners: defaultdict[str, list[Name]] = defaultdict(list)
    for one, parts in words:
        if len(parts) > 1 and one.kind in kinds | _UNSURE:
            owners[parts[place]].append(one)
    for one, parts in words:
        if len(parts) == 1 and one.kind in kinds and len(owners[parts[0]]) == 1 and owners[parts[0]][0].kind in kinds:
            yield Alike(one, owners[parts[0]][0], reason, score)


def _by(names: Iterable[Name], keys: Callable[[Name], Iterable[str]]) -> dict[str, list[Name]]:
    found: defaultdict[str, list[Name]] = defaultdict(list)
    for name in names:
        for key in keys(name):
            found[key].append(name)
    return found


def _pairs(group: Sequence[Name]) -> Iterator[tuple[Name, Name]]:
    if 1 < len(group) <= _CROWD:
        yield from combinations(group, 2)


def _bare(name: Name) -> set[str]:
    words = normalise(name.name).split()
    kept = [word for word in words if word not in _LEGAL and word not in _FORMS_OF_ADDRESS]
    return {" ".join(kept)} if kept else set()


def _spellings(name: Name) -> set[str]:
    """Keys under which a name meets those of nearly its spelling: an edit changes its head or its tail, not both."""
    letters = normalise(name.name).replace(" ", "")
    return {f"{letters[:4]}…", f"…{letters[-4:]}"} if len(letters) >= _SHORTEST else set()


def _acronym(name: str) -> str:
    words = [word for word in re.findall(r"[^\W_]+", name) if word.casefold() not in _SMALL]
    return (
        "".join(word[0] for word in words).upper()
        if len(words) > 1 and all(word[0].isupper() for word in words)
        else ""
    )


def _may_be_one(one: Name, other: Name) -> bool:
    return one.kind == other.kind or bool({one.kind, other.kind} & _UNSURE)


def _is_no_wider(short: Name, long: Name) -> bool:
    """Whether a short form is not far better known than the long one: "India" is no name of an army in India."""
    return short.mentioned <= _WIDER * max(long.mentioned, 1) or _acronym(long.name) == _letters(short.name)


def _letters(name: str) -> str:
    return name.replace(".", "").replace(" ", "")


def _towards_known(one: Name, other: Name, reason: str, score: float) -> Alike:
    """The less mentioned of two leads to the other; of equals the one whose name is longer."""
    source, target = sorted((one, other), key=lambda each: (each.mentioned, -len(each.name), each.id))
    return Alike(source, target, reason, score)
