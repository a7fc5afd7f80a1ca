"""Triple extraction from a parsed text: the relations of its clauses and noun phrases, with names as their ends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from hopline_ingest.extraction.mentions.names import (
    MAX_TOKENS,
    NOUNS,
    NUMBERS,
    NameSpan,
    base_phrase,
    full_phrase,
    has_alphanumeric,
    is_vague,
    join_tokens,
    name_key,
    trim_name,
)
from hopline_ingest.extraction.parsed_text import ParsedText
from hopline_ingest.extraction.records import StatedTriple
from hopline_ingest.extraction.relations.clauses import extract_clauses
from hopline_ingest.extraction.relations.confidence import describe_candidate, estimate_confidence
from hopline_ingest.extraction.relations.nominals import extract_life_dates, extract_nominal_relations, extract_roles

_PREDICATE_WORDS = 7
_LISTED_NUMBERS, _LISTED_SHARE = 6, 0.2  # of the words of a sentence
_IS = frozenset({"is", "was", "are", "were", "became", "has"})


@dataclass(frozen=True, slots=True)
class TripleEnds:
    """Resolves the tokens at the ends of triples to names.

    ``names`` maps a token to the name that covers it, ``references`` a pronoun or subject to the name that it
    refers to, ``full_names`` a normalized alias to its full name.
    """

    parse: ParsedText
    names: Mapping[int, NameSpan]
    references: Mapping[int, str]
    full_names: Mapping[str, str] = field(default_factory=dict)

    def resolve_name(self, token: int, *, owned: bool = False) -> str:
        """Return the name of a triple's end, or ""; with ``owned`` without the possessor before it."""
        name = (
            self.references.get(token)
            or self._entity_name(token)
            or self._appositive_name(token)
            or self._phrase_name(token, owned=owned)
        )
        return self.full_names.get(name_key(name), name)

    def _entity_name(self, token: int) -> str:
        span = self.names.get(token)
        if span is None or (span.kind == "CARDINAL" and self.parse.lower[token + 1 : token + 2] == ["of"]):
            return ""
        return span.name

    def _appositive_name(self, token: int) -> str:
        """Return the appositive name: Peter of Luxembourg for "her husband Peter of Luxembourg"."""
        children, deps = self.parse.children[token], self.parse.deps
        appositives = [child for child in children if deps[child] == "appos" and self._follows_directly(child, token)]
        return self._entity_name(appositives[0]) if appositives else ""

    def _follows_directly(self, child: int, token: int) -> bool:
        start = self.parse.lefts[child]
        return start == token + 1 or (start == token + 2 and self.parse.words[token + 1] == ",")

    def _phrase_name(self, token: int, *, owned: bool) -> str:
        parse = self.parse
        if parse.tags[token] not in NOUNS and parse.tags[token] != "CD":
            return ""
        for start, end in (full_phrase(parse, token), base_phrase(parse, token)):
            owners = [parse.rights[child] + 1 for child in parse.children[token] if parse.deps[child] == "poss"]
            bounds = trim_name(parse, max((start, *owners)) if owned else start, end)
            if bounds and bounds[1] - bounds[0] <= MAX_TOKENS and has_alphanumeric(join_tokens(parse, *bounds)):
                owner, words = "" if owned else self.find_possessor(token), join_tokens(parse, *bounds).replace('"', "")
                return f"{owner}'s {words}" if owner else " ".join(words.split())
        return ""

    def find_possessor(self, token: int) -> str:
        """Return the name that a possessive pronoun before a noun refers to, or ""."""
        return next(
            (self.references[child] for child in self.parse.children[token] if self._is_resolved_possessive(child)), ""
        )

    def _is_resolved_possessive(self, token: int) -> bool:
        return self.parse.tags[token] == "PRP$" and token in self.references

    def find_owner(self, token: int) -> str:
        """Return the possessor's name of a noun, or "": "her husband" -> "Margaret of Baux"."""
        if token in self.names or token in self.references:
            return ""
        owners = [child for child in self.parse.children[token] if self.parse.deps[child] == "poss"]
        return (
            self.resolve_name(owners[0]) if owners and (owners[0] in self.references or owners[0] in self.names) else ""
        )

    def is_number(self, token: int) -> bool:
        """Whether the token is part of a number or date."""
        return token in self.names and self.names[token].kind in NUMBERS

    def is_date(self, token: int) -> bool:
        """Whether the token is part of a date or time."""
        if token in self.names:
            return self.names[token].kind in {"DATE", "TIME"}
        return self.parse.tags[token] == "CD" and len(self.parse.words[token]) >= 4

    def is_vague(self, token: int) -> bool:
        """Whether the token's phrase is too unspecific to be shared by other triples."""
        if token in self.references or token in self.names:
            return False
        return self.parse.tags[token] not in NOUNS or is_vague(self.parse, *full_phrase(self.parse, token))


@dataclass(frozen=True, slots=True)
class TripleCandidate:
    """A triple that was read, with what it was read from.

    ``rule`` is "clause", "noun phrase", "role" or "life"; ``first`` and ``second`` are the tokens of its ends, ``verb``
    that of its verb, ``via`` the noun that its object is attached to, each -1 if there is none.
    """

    subject: str
    predicate: str
    object: str
    rule: str
    first: int
    second: int = -1
    verb: int = -1
    via: int = -1


def extract_triples(ends: TripleEnds, topic: str, *, is_person: bool) -> tuple[StatedTriple, ...]:
    """Extract the distinct triples in the order of the text; ``topic`` is its main subject, ``is_person`` its kind."""
    parse = ends.parse
    sentence_of = [index for index, (start, end) in enumerate(parse.sentences) for _ in range(start, end)]
    triples: dict[tuple[str, str, str], StatedTriple] = {}
    for candidate in extract_candidates(ends, topic, is_person=is_person):
        key = (name_key(candidate.subject), candidate.predicate, name_key(candidate.object))
        if key not in triples:
            sentence = sentence_of[candidate.first]
            confidence = estimate_confidence(describe_candidate(ends, candidate, parse.sentences[sentence]))
            triples[key] = StatedTriple(
                candidate.subject, candidate.predicate, candidate.object, parse.spans[sentence], confidence
            )
    return tuple(sorted(triples.values(), key=lambda triple: triple.span))


def extract_candidates(ends: TripleEnds, topic: str, *, is_person: bool) -> Iterator[TripleCandidate]:
    """Extract the triples with two different names and a usable predicate; one can occur several times."""
    listings = {
        token for bounds in ends.parse.sentences if _is_listing(ends.parse, *bounds) for token in range(*bounds)
    }
    for candidate in _read_candidates(ends, topic, is_person=is_person):
        first, second = name_key(candidate.subject), name_key(candidate.object)
        is_formula = "=" in candidate.subject or "=" in candidate.object
        is_read = candidate.rule == "life" or candidate.first not in listings
        is_usable = is_read and not is_formula and _is_usable_predicate(candidate.predicate)
        if first and second and first != second and is_usable:
            yield candidate


def _is_listing(parse: ParsedText, start: int, end: int) -> bool:
    """Whether a sentence is rather a listing, such as the entries of an index with their pages."""
    numbers = sum(any(c.isdigit() for c in word) for word in parse.words[start:end])
    return numbers >= _LISTED_NUMBERS and numbers >= _LISTED_SHARE * (end - start)


def _read_candidates(ends: TripleEnds, topic: str, *, is_person: bool) -> Iterator[TripleCandidate]:
    parse = ends.parse
    if is_person and topic and len(parse):
        for predicate, date in extract_life_dates(parse):
            yield TripleCandidate(topic, predicate, date, "life", 0)
    for clause in extract_clauses(parse, skipped=ends.names):
        if not _is_within_name(ends, clause.subject, clause.object) and not _is_within_name(
            ends, clause.via, clause.object
        ):
            for names in _name_ends(ends, clause.subject, clause.predicate, clause.object):
                yield TripleCandidate(*names, "clause", clause.subject, clause.object, clause.verb, clause.via)
    for subject, predicate, object_ in extract_nominal_relations(parse, ends.names):
        for names in _name_ends(ends, subject, predicate, object_):
            yield TripleCandidate(*names, "noun phrase", subject, object_)
    for token, span, role in extract_roles(parse, ends.names):
        yield TripleCandidate(ends.full_names.get(name_key(span.name), span.name), "is", role, "role", token)


def _name_ends(ends: TripleEnds, subject: int, predicate: str, object_: int) -> Iterator[tuple[str, str, str]]:
    """Yield (subject, predicate, object) with the names of two tokens, nothing if one of them is vague."""
    if ends.is_vague(subject) or ends.is_number(subject) or (predicate not in _IS and ends.is_vague(object_)):
        return
    first = ends.resolve_name(subject)
    name = ends.resolve_name(object_, owned=predicate == "has" or ends.find_possessor(object_) == first)
    if predicate == "has" and (" " not in name or ends.is_vague(object_)):
        return
    if predicate in _IS and ends.is_date(object_):
        return
    owner, role = ends.find_owner(subject), ends.parse.lower[subject]
    if owner and predicate in _IS and object_ in ends.names:
        yield owner, role, name
    else:
        yield first, predicate, name


def _is_usable_predicate(predicate: str) -> bool:
    return predicate.count(" ") < _PREDICATE_WORDS and any(c.isalpha() for c in predicate)


def _is_within_name(ends: TripleEnds, first: int, second: int) -> bool:
    """Whether both tokens belong to one name or title, so that they state nothing about each other."""
    return first in ends.names and ends.names[first] is ends.names.get(second)
