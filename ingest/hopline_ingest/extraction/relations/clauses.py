"""Clause extraction from dependency parses: the subjects, predicate and objects of each verb."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass

from hopline_ingest.extraction.mentions.names import NOUNS, base_phrase
from hopline_ingest.extraction.parsed_text import ParsedText
from hopline_ingest.extraction.vocabulary import LOOSE_PREPOSITIONS, PAST, PREPOSITIONAL_VERBS

SUBJECT = frozenset({"nsubj", "nsubjpass"})
_RELATIVE = frozenset({"who", "which", "that", "whom"})
_DIRECT = frozenset({"dobj", "attr", "oprd"})  # not "dative": "gave Ann" is no relation of two
_PREPOSITION = frozenset({"prep", "agent"})
_PLACES = frozenset({"GPE", "LOC", "FAC", "DATE"})
_DESCRIBING = frozenset({"VBN", "VBG", "VBD", "VBZ", "VBP"})
_COPULAS = frozenset({"is", "was", "are", "were", "'s"})
_DO = frozenset({"do", "does", "did"})
_CONDITIONS = frozenset({"if", "unless", "whether", "lest"})
_PREDICATE_OBJECT = 4  # words of a direct object that a predicate can contain
_MAX_DEPTH = 5  # of dependent verbs or nouns that are followed


@dataclass(frozen=True, slots=True)
class Clause:
    """A subject token, a predicate and one object token. A passive with an agent is converted to active voice.

    ``verb`` is the token of the verb, ``via`` the noun that the object is attached to ("won the prize in 1998"), or -1.
    """

    subject: int
    predicate: str
    object: int
    verb: int
    via: int = -1


def extract_clauses(parse: ParsedText, skipped: Container[int] = ()) -> Iterator[Clause]:
    """Extract every (subject, verb phrase, object) of a text, in the order of its verbs except ``skipped`` ones.

    What a text supposes ("if it rains") or denies ("it is not true that it rains") is not stated.
    """
    for verb, tag in enumerate(parse.tags):
        is_verb = tag[:2] == "VB" and parse.deps[verb] not in {"aux", "auxpass"} and verb not in skipped
        if is_verb and not _is_supposed(parse, verb) and not _is_citation(parse, verb):
            heads = find_subjects(parse, verb)
            if heads:
                yield from _extract_from_verb(parse, verb, heads)


def _is_citation(parse: ParsedText, verb: int) -> bool:
    """Whether a verb points to a source: "see Ann Vale, The Harbour, available at …"."""
    return parse.lower[verb] == "see" and parse.tags[verb] in {"VB", "VBP"}


def _is_supposed(parse: ParsedText, verb: int, depth: int = 0) -> bool:
    """Whether a verb, or one that it depends on, is in a condition or is denied by the verb above it."""
    if any(parse.deps[child] == "mark" and parse.lower[child] in _CONDITIONS for child in parse.children[verb]):
        return True
    above = parse.heads[verb]
    if above == verb or depth == _MAX_DEPTH or parse.tags[above][:2] != "VB":
        return False
    if parse.deps[verb] == "ccomp" and any(parse.deps[child] == "neg" for child in parse.children[above]):
        return True
    return parse.deps[verb] in {"conj", "xcomp", "ccomp"} and _is_supposed(parse, above, depth + 1)


def _extract_from_verb(parse: ParsedText, verb: int, heads: list[int]) -> Iterator[Clause]:
    passive = is_passive(parse, verb)
    hedged = any(parse.tags[child] == "MD" or parse.deps[child] == "neg" for child in parse.children[verb])
    phrase = build_verb_phrase(parse, verb)
    for words, ends, via in find_objects(parse, verb):
        agent = passive and not hedged and words == "by" and not is_time(parse, ends[0])
        for end in ends:
            for head in heads:
                if head == end:
                    continue
                if agent:
                    yield Clause(end, to_active_voice(parse, verb), head, verb)
                else:
                    yield Clause(head, f"{phrase} {words}".strip(), end, verb, via)


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
    if dep in {"acl", "advcl"} and parse.lower[verb] in PREPOSITIONAL_VERBS:
        return []
    if dep in {"acl", "relcl"}:
        return _find_described_noun(parse, verb, above) if parse.tags[verb] in _DESCRIBING else []
    return _find_shared_subjects(parse, verb, depth)


def _find_shared_subjects(parse: ParsedText, verb: int, depth: int) -> list[int]:
    """Find the subjects of a verb that has none of its own: the name before it, or an argument of the verb above."""
    above, dep = parse.heads[verb], parse.deps[verb]
    if dep == "advcl" and parse.tags[verb] in {"VBG", "VBN"} and _find_preceding_name(parse, verb) >= 0:
        return [_find_preceding_name(parse, verb)]
    if depth == _MAX_DEPTH or parse.tags[above][:2] != "VB" or not _inherits_subject(parse, verb, dep):
        return []
    acted_on = [child for child in parse.children[above] if parse.deps[child] == "dobj" and child < verb]
    if dep == "xcomp" and acted_on:  # "told her to stop": she stops
        return acted_on
    return find_subjects(parse, above, depth + 1)


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
    """Whether a verb shares an argument of its head: "began to do" does, a purpose ("to win") does not."""
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
    """Yield the groups of objects of a verb with the words that link them to it.

    The words before the object of a preposition contain the complement: "wrote play in" for 1595, "was lowest in".
    """
    acted_on = _describe_complement(parse, verb)
    for child in parse.children[verb]:
        dep = parse.deps[child]
        if dep in _DIRECT:
            yield from _find_direct_objects(parse, verb, child)
        elif acted_on is None:
            continue
        elif dep in _PREPOSITION:
            yield from _find_prepositional_objects(parse, child, acted_on)
        elif dep == "acomp":
            for below in parse.children[child]:
                if parse.deps[below] == "prep":
                    yield from _find_prepositional_objects(parse, below, parse.lower[child] + " ")
        elif dep == "npadvmod" and is_time(parse, child):
            yield acted_on.strip(), [child], -1


def _describe_complement(parse: ParsedText, verb: int) -> str | None:
    """Return the object or complement of a verb and a space, "" if it has none, None if it is a clause or pronoun."""
    below = parse.children[verb]
    complements = [child for child in below if parse.deps[child] in {"dobj", "acomp", "attr", "oprd"}]
    if not complements:
        return None if any(parse.deps[child] in {"ccomp", "xcomp"} for child in below) else ""
    word = complements[0]
    if parse.tags[word] in {"WDT", "WP"}:
        return ""
    if parse.deps[word] == "acomp":
        return f"{parse.lower[word]} "
    if parse.tags[word] not in NOUNS or word < verb:
        return None
    start, end = base_phrase(parse, word)
    while start < end - 1 and parse.tags[start] in {"DT", "PRP$"}:
        start += 1
    return " ".join(parse.words[start if end - start <= _PREDICATE_OBJECT else word : end]) + " "


def _find_direct_objects(parse: ParsedText, verb: int, head: int) -> Iterator[ObjectGroup]:
    if parse.tags[head] in {"WDT", "WP"} or (parse.deps[verb] == "relcl" and parse.lower[head] in _RELATIVE):
        yield "", [parse.heads[verb]], -1
        return
    nouns = list(expand_conjuncts(parse, head))
    denied = any(parse.lower[child] == "no" and parse.deps[child] == "det" for child in parse.children[head])
    yield "no" if denied else "", nouns, -1
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


def _find_prepositional_objects(
    parse: ParsedText, preposition: int, before: str, *, nested: bool = False
) -> Iterator[ObjectGroup]:
    if parse.lower[preposition] in LOOSE_PREPOSITIONS:
        return
    words = before + parse.lower[preposition]
    ended = any(_is_object(parse, child) for child in parse.children[preposition])
    for child in parse.children[preposition]:
        if _is_object(parse, child):
            yield words, list(expand_conjuncts(parse, child)), -1
        elif parse.deps[child] == "prep" and not nested and parse.entity_index[child] < 0:
            yield from _find_prepositional_objects(parse, child, before if ended else words + " ", nested=not ended)


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
