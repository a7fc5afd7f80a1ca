"""Clause extraction from dependency parses: the subjects, predicate and objects of each verb."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass

from hopline_ingest.extraction.parsed_text import ParsedText
from hopline_ingest.extraction.vocabulary import PAST

SUBJECT = frozenset({"nsubj", "nsubjpass"})
_RELATIVE = frozenset({"who", "which", "that", "whom"})
_DIRECT = frozenset({"dobj", "attr", "oprd", "dative"})
_PREPOSITION = frozenset({"prep", "agent"})
_PLACES = frozenset({"GPE", "LOC", "FAC", "DATE"})
_DESCRIBING = frozenset({"VBN", "VBG", "VBD", "VBZ", "VBP"})
_COPULAS = frozenset({"is", "was", "are", "were", "'s"})
_DO = frozenset({"do", "does", "did"})
_MAX_DEPTH = 5  # of dependent verbs or nouns that are followed


@dataclass(frozen=True, slots=True)
class Clause:
    """A subject token, a predicate and one object token. A passive with an agent is converted to active voice.

    ``via`` is the noun that the object is attached to ("won the prize in 1998"), else -1.
    """

    subject: int
    predicate: str
    object: int
    via: int = -1


def extract_clauses(parse: ParsedText, skipped: Container[int] = ()) -> Iterator[Clause]:
    """Extract every (subject, verb phrase, object) of a text, in the order of its verbs except ``skipped`` ones."""
    for verb, tag in enumerate(parse.tags):
        if tag[:2] == "VB" and parse.deps[verb] not in {"aux", "auxpass"} and verb not in skipped:
            heads = find_subjects(parse, verb)
            if heads:
                yield from _extract_from_verb(parse, verb, heads)


def _extract_from_verb(parse: ParsedText, verb: int, heads: list[int]) -> Iterator[Clause]:
    passive = is_passive(parse, verb)
    phrase = build_verb_phrase(parse, verb)
    for words, ends, via in find_objects(parse, verb):
        agent = passive and words == "by" and not is_time(parse, ends[0])
        for end in ends:
            for head in heads:
                if head == end:
                    continue
                if agent:
                    yield Clause(end, to_active_voice(parse, verb), head)
                else:
                    yield Clause(head, f"{phrase} {words}".strip(), end, via)


def is_time(parse: ParsedText, token: int) -> bool:
    """Whether a token is part of a date or time."""
    entity = parse.entity_at(token)
    return entity is not None and entity[2] in {"DATE", "TIME"}


def find_subjects(parse: ParsedText, verb: int, depth: int = 0) -> list[int]:
    """Find the subjects of a verb: its own, the noun that it describes, or those of the verb that it depends on."""
    own = [child for child in parse.children[verb] if parse.deps[child] in SUBJECT]
    above, dep = parse.heads[verb], parse.deps[verb]
    if any(parse.deps[child] == "expl" for child in parse.children[verb]):
        return []
    if own:
        return [head for child in own for head in _resolve_subject(parse, child, above if dep == "relcl" else -1)]
    if dep in {"acl", "relcl"}:
        return _find_described_noun(parse, verb, above) if parse.tags[verb] in _DESCRIBING else []
    if dep == "advcl" and parse.tags[verb] in {"VBG", "VBN"} and _find_preceding_name(parse, verb) >= 0:
        return [_find_preceding_name(parse, verb)]
    if depth < _MAX_DEPTH and parse.tags[above][:2] == "VB" and _inherits_subject(parse, verb, dep):
        return find_subjects(parse, above, depth + 1)
    return []


def _find_described_noun(parse: ParsedText, verb: int, noun: int) -> list[int]:
    """Find the noun that a participle or relative clause describes.

    Names are not restricted by modifiers: in "a film from Riverton directed by Bo" it is the film, and in
    "filmed by Ann, directed by Bo" it is what Ann filmed.
    """
    preposition = parse.heads[noun]
    above = parse.heads[preposition]
    if parse.deps[noun] == "pobj":
        listed = parse.words[parse.lefts[verb] - 1] == ","
        if listed and parse.lower[preposition] == "by" and parse.tags[above] == "VBN":
            return find_subjects(parse, above)
        if (
            not listed
            and parse.entity_index[noun] >= 0
            and parse.entity_index[above] < 0
            and parse.tags[above][:2] == "NN"
        ):
            return [resolve_described_noun(parse, above)]
    return [resolve_described_noun(parse, noun)]


def _find_preceding_name(parse: ParsedText, verb: int) -> int:
    """Return the name directly before a participle, across a closing quote; -1 if there is none."""
    before = verb - 1
    while before >= 0 and parse.words[before] == '"':
        before -= 1
    return before if before >= 0 and parse.tags[before] in {"NNP", "NNPS"} and parse.words[before][0].isupper() else -1


def _inherits_subject(parse: ParsedText, verb: int, dep: str) -> bool:
    """Whether a verb shares the subject of its head: "began to do" does, a purpose ("to win") does not."""
    return dep in {"conj", "xcomp"} or (dep == "advcl" and parse.tags[verb] in {"VBG", "VBN"})


def _resolve_subject(parse: ParsedText, subject: int, noun: int) -> list[int]:
    if parse.tags[subject] in {"WDT", "WP"} or (noun >= 0 and parse.lower[subject] in _RELATIVE):
        return (
            [resolve_described_noun(parse, _resolve_relative(parse, noun, parse.lower[subject]))] if noun >= 0 else []
        )
    return list(expand_conjuncts(parse, subject))


def _resolve_relative(parse: ParsedText, noun: int, relative: str) -> int:
    """Resolve a relative pronoun; "who" is not a place, so "a player from Italy, who won" is about the player."""
    entity, above = parse.entity_at(noun), parse.heads[parse.heads[noun]]
    placed = entity is not None and entity[2] in _PLACES and parse.deps[noun] == "pobj"
    return above if placed and relative == "who" and parse.tags[above][:2] == "NN" else noun


def resolve_described_noun(parse: ParsedText, noun: int, depth: int = 0) -> int:
    """Resolve a descriptive noun to what it describes: Ann in "Ann is a painter who …" and "Ann, a painter who …"."""
    head, dep = parse.heads[noun], parse.deps[noun]
    if parse.entity_index[noun] >= 0 or depth == _MAX_DEPTH:
        return noun
    if dep == "appos":
        return resolve_described_noun(parse, head, depth + 1)
    if dep == "conj" and parse.deps[head] in {"attr", "appos", "conj"}:
        return resolve_described_noun(parse, head, depth + 1)
    if dep == "attr" and parse.lower[head] in _COPULAS:
        return next(iter(find_subjects(parse, head)), noun)
    return noun


def expand_conjuncts(parse: ParsedText, head: int) -> Iterator[int]:
    """Yield a noun and the nouns coordinated with it by "and", "or" and commas."""
    waiting = [head]
    while waiting:
        token = waiting.pop(0)
        yield token
        waiting[:0] = [child for child in parse.children[token] if parse.deps[child] == "conj" and child > token]


ObjectGroup = tuple[str, list[int], int]  # (predicate suffix, objects, noun they are attached to or -1)


def find_objects(parse: ParsedText, verb: int) -> Iterator[ObjectGroup]:
    """Yield the groups of objects of a verb with the words that link them to it."""
    for child in parse.children[verb]:
        dep = parse.deps[child]
        if dep in _DIRECT:
            yield from _find_direct_objects(parse, verb, child)
        elif dep in _PREPOSITION:
            yield from _find_prepositional_objects(parse, child, "")
        elif dep == "acomp":
            for below in parse.children[child]:
                if parse.deps[below] == "prep":
                    yield from _find_prepositional_objects(parse, below, parse.lower[child] + " ")
        elif dep == "npadvmod" and is_time(parse, child):
            yield "", [child], -1


def _find_direct_objects(parse: ParsedText, verb: int, head: int) -> Iterator[ObjectGroup]:
    if parse.tags[head] in {"WDT", "WP"} or (parse.deps[verb] == "relcl" and parse.lower[head] in _RELATIVE):
        yield "", [parse.heads[verb]], -1
        return
    nouns = list(expand_conjuncts(parse, head))
    yield "", nouns, -1
    for noun in nouns:
        for below in parse.children[noun]:
            if parse.deps[below] == "prep" and below > noun and parse.entity_index[noun] < 0:
                yield from _find_noun_attachments(parse, noun, below)


def _find_noun_attachments(parse: ParsedText, noun: int, preposition: int) -> Iterator[ObjectGroup]:
    """Yield names and dates attached to the object: "won the prize in 1998", "is a member of the Riverton Club"."""
    for words, ends, _ in _find_prepositional_objects(parse, preposition, ""):
        named = [end for end in ends if parse.entity_index[end] >= 0]
        if named:
            yield f"{parse.lower[noun]} {words}", named, noun


def _find_prepositional_objects(parse: ParsedText, preposition: int, before: str) -> Iterator[ObjectGroup]:
    words = before + parse.lower[preposition]
    ended = any(_is_object(parse, child) for child in parse.children[preposition])
    for child in parse.children[preposition]:
        if _is_object(parse, child):
            yield words, list(expand_conjuncts(parse, child)), -1
        elif parse.deps[child] == "prep" and " " not in words and parse.entity_index[child] < 0:
            yield from _find_prepositional_objects(parse, child, before if ended else words + " ")


def _is_object(parse: ParsedText, token: int) -> bool:
    """Whether a token is the object of its preposition; the parser takes a final "Ltd." for a full stop."""
    return parse.deps[token] == "pobj" or (parse.deps[token] == "punct" and parse.tags[token] in {"NNP", "NNPS"})


def is_passive(parse: ParsedText, verb: int, depth: int = 0) -> bool:
    """Whether a verb is in passive voice."""
    if parse.tags[verb] != "VBN":
        return False
    deps = {parse.deps[child] for child in parse.children[verb]}
    if deps & {"auxpass", "nsubjpass"}:
        return True
    if "aux" in deps:
        return False
    if parse.deps[verb] == "conj" and depth < _MAX_DEPTH and not deps & SUBJECT:
        return is_passive(parse, parse.heads[verb], depth + 1)
    return parse.deps[verb] in {"acl", "advcl", "ROOT"}


def build_verb_phrase(parse: ParsedText, verb: int, depth: int = 0) -> str:
    """Return a verb with negation, modal, passive auxiliary and particle: "was not taken over", "began to write"."""
    before, after = [], []
    negated = any(parse.deps[child] == "neg" for child in parse.children[verb])
    for child in parse.children[verb]:
        dep = parse.deps[child]
        helps = dep == "aux" and (parse.tags[child] in {"MD", "TO"} or (negated and parse.lower[child] in _DO))
        if child < verb and (dep in {"auxpass", "neg"} or helps):
            before.append(parse.lower[child])
        elif dep == "prt":
            after.append(parse.lower[child])
    if before and before[0] in {"been", "being"}:
        before[0] = "was"
    if parse.deps[verb] == "xcomp" and parse.tags[parse.heads[verb]][:2] == "VB" and depth < _MAX_DEPTH:
        before.insert(0, build_verb_phrase(parse, parse.heads[verb], depth + 1))
    return " ".join((*before, parse.lower[verb], *after))


def to_active_voice(parse: ParsedText, verb: int) -> str:
    """Convert a participle to past tense, with its particle."""
    after = [parse.lower[child] for child in parse.children[verb] if parse.deps[child] == "prt"]
    return " ".join((PAST.get(parse.lower[verb], parse.lower[verb]), *after))
