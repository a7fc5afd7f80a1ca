"""Who does what in a sentence: the subjects of a verb, its objects, and the words of the predicate."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass

from hopline_ingest.extraction.parsed_text import Parse
from hopline_ingest.extraction.vocabulary import PAST

SUBJECT = frozenset({"nsubj", "nsubjpass"})
_RELATIVE = frozenset({"who", "which", "that", "whom"})
_DIRECT = frozenset({"dobj", "attr", "oprd", "dative"})
_PREPOSITION = frozenset({"prep", "agent"})
_PLACES = frozenset({"GPE", "LOC", "FAC", "DATE"})
_DESCRIBING = frozenset({"VBN", "VBG", "VBD", "VBZ", "VBP"})
_COPULAS = frozenset({"is", "was", "are", "were", "'s"})
_DO = frozenset({"do", "does", "did"})
_DEEPEST = 5  # verbs that hang on verbs


@dataclass(frozen=True, slots=True)
class Clause:
    """A subject, a predicate and one object; the ends are tokens. A passive with an agent is turned.

    ``via`` is the noun that the object hangs on ("won the prize in 1998"), else -1.
    """

    subject: int
    predicate: str
    object: int
    via: int = -1


def clauses(parse: Parse, skipped: Container[int] = ()) -> Iterator[Clause]:
    """Every (subject, verb phrase, object) of a text, in the order of its verbs but those ``skipped``."""
    for verb, tag in enumerate(parse.tags):
        if tag[:2] == "VB" and parse.deps[verb] not in {"aux", "auxpass"} and verb not in skipped:
            heads = subjects(parse, verb)
            if heads:
                yield from _of_verb(parse, verb, heads)


def _of_verb(parse: Parse, verb: int, heads: list[int]) -> Iterator[Clause]:
    passive = is_passive(parse, verb)
    phrase = verb_phrase(parse, verb)
    for words, ends, via in objects(parse, verb):
        agent = passive and words == "by" and not is_time(parse, ends[0])
        for end in ends:
            for head in heads:
                if head == end:
                    continue
                if agent:
                    yield Clause(end, active(parse, verb), head)
                else:
                    yield Clause(head, f"{phrase} {words}".strip(), end, via)


def is_time(parse: Parse, token: int) -> bool:
    """Whether a token is within a date or time."""
    entity = parse.named(token)
    return entity is not None and entity[2] in {"DATE", "TIME"}


def subjects(parse: Parse, verb: int, depth: int = 0) -> list[int]:
    """The subjects of a verb: its own, the noun it describes, or those of the verb it hangs on."""
    own = [child for child in parse.children[verb] if parse.deps[child] in SUBJECT]
    above, dep = parse.heads[verb], parse.deps[verb]
    if any(parse.deps[child] == "expl" for child in parse.children[verb]):
        return []
    if own:
        return [head for child in own for head in _referents(parse, child, above if dep == "relcl" else -1)]
    if dep in {"acl", "relcl"}:
        return _described(parse, verb, above) if parse.tags[verb] in _DESCRIBING else []
    if dep == "advcl" and parse.tags[verb] in {"VBG", "VBN"} and _beside(parse, verb) >= 0:
        return [_beside(parse, verb)]
    if depth < _DEEPEST and parse.tags[above][:2] == "VB" and _inherits(parse, verb, dep):
        return subjects(parse, above, depth + 1)
    return []


def _described(parse: Parse, verb: int, noun: int) -> list[int]:
    """The noun that a participle or relative clause is about.

    Names are not narrowed: in "a film from Riverton directed by Bo" it is the film, and in
    "filmed by Ann, directed by Bo" it is what Ann filmed.
    """
    preposition = parse.heads[noun]
    above = parse.heads[preposition]
    if parse.deps[noun] == "pobj":
        listed = parse.words[parse.lefts[verb] - 1] == ","
        if listed and parse.lower[preposition] == "by" and parse.tags[above] == "VBN":
            return subjects(parse, above)
        if not listed and parse.label[noun] >= 0 and parse.label[above] < 0 and parse.tags[above][:2] == "NN":
            return [denoted(parse, above)]
    return [denoted(parse, noun)]


def _beside(parse: Parse, verb: int) -> int:
    """The name that a participle follows at once, over a closing quote; -1 where there is none."""
    before = verb - 1
    while before >= 0 and parse.words[before] == '"':
        before -= 1
    return before if before >= 0 and parse.tags[before] in {"NNP", "NNPS"} and parse.words[before][0].isupper() else -1


def _inherits(parse: Parse, verb: int, dep: str) -> bool:
    """A purpose ("to win") is no fact about the subject, what it "began to do" is."""
    return dep in {"conj", "xcomp"} or (dep == "advcl" and parse.tags[verb] in {"VBG", "VBN"})


def _referents(parse: Parse, subject: int, noun: int) -> list[int]:
    if parse.tags[subject] in {"WDT", "WP"} or (noun >= 0 and parse.lower[subject] in _RELATIVE):
        return [denoted(parse, _whom(parse, noun, parse.lower[subject]))] if noun >= 0 else []
    return list(joined(parse, subject))


def _whom(parse: Parse, noun: int, relative: str) -> int:
    """The noun that "who" means: no place, so "a player from Italy, who won" is about the player."""
    entity, above = parse.named(noun), parse.heads[parse.heads[noun]]
    placed = entity is not None and entity[2] in _PLACES and parse.deps[noun] == "pobj"
    return above if placed and relative == "who" and parse.tags[above][:2] == "NN" else noun


def denoted(parse: Parse, noun: int, depth: int = 0) -> int:
    """What a describing noun describes: in "Ann is a painter who …" and "Ann, a painter who …" it is Ann."""
    head, dep = parse.heads[noun], parse.deps[noun]
    if parse.label[noun] >= 0 or depth == _DEEPEST:
        return noun
    if dep == "appos":
        return denoted(parse, head, depth + 1)
    if dep == "conj" and parse.deps[head] in {"attr", "appos", "conj"}:
        return denoted(parse, head, depth + 1)
    if dep == "attr" and parse.lower[head] in _COPULAS:
        return next(iter(subjects(parse, head)), noun)
    return noun


def joined(parse: Parse, head: int) -> Iterator[int]:
    """A noun and those joined to it by "and", "or", commas."""
    waiting = [head]
    while waiting:
        token = waiting.pop(0)
        yield token
        waiting[:0] = [child for child in parse.children[token] if parse.deps[child] == "conj" and child > token]


Objects = tuple[str, list[int], int]  # words that the predicate goes on with, nouns, the noun that they hang on or -1


def objects(parse: Parse, verb: int) -> Iterator[Objects]:
    """What follows a verb, by what leads to it."""
    for child in parse.children[verb]:
        dep = parse.deps[child]
        if dep in _DIRECT:
            yield from _direct(parse, verb, child)
        elif dep in _PREPOSITION:
            yield from _prepositional(parse, child, "")
        elif dep == "acomp":
            for below in parse.children[child]:
                if parse.deps[below] == "prep":
                    yield from _prepositional(parse, below, parse.lower[child] + " ")
        elif dep == "npadvmod" and is_time(parse, child):
            yield "", [child], -1


def _direct(parse: Parse, verb: int, head: int) -> Iterator[Objects]:
    if parse.tags[head] in {"WDT", "WP"} or (parse.deps[verb] == "relcl" and parse.lower[head] in _RELATIVE):
        yield "", [parse.heads[verb]], -1
        return
    nouns = list(joined(parse, head))
    yield "", nouns, -1
    for noun in nouns:
        for below in parse.children[noun]:
            if parse.deps[below] == "prep" and below > noun and parse.label[noun] < 0:
                yield from _attached(parse, noun, below)


def _attached(parse: Parse, noun: int, preposition: int) -> Iterator[Objects]:
    """Names and dates that hang on the object: "won the prize in 1998", "is a member of the Riverton Club"."""
    for words, ends, _ in _prepositional(parse, preposition, ""):
        named = [end for end in ends if parse.label[end] >= 0]
        if named:
            yield f"{parse.lower[noun]} {words}", named, noun


def _prepositional(parse: Parse, preposition: int, before: str) -> Iterator[Objects]:
    words = before + parse.lower[preposition]
    ended = any(parse.deps[child] == "pobj" for child in parse.children[preposition])
    for child in parse.children[preposition]:
        if parse.deps[child] == "pobj":
            yield words, list(joined(parse, child)), -1
        elif parse.deps[child] == "prep" and " " not in words and parse.label[child] < 0:
            yield from _prepositional(parse, child, before if ended else words + " ")


def is_passive(parse: Parse, verb: int, depth: int = 0) -> bool:
    """Whether something is done to the verb's subject."""
    if parse.tags[verb] != "VBN":
        return False
    deps = {parse.deps[child] for child in parse.children[verb]}
    if deps & {"auxpass", "nsubjpass"}:
        return True
    if "aux" in deps:
        return False
    if parse.deps[verb] == "conj" and depth < _DEEPEST and not deps & SUBJECT:
        return is_passive(parse, parse.heads[verb], depth + 1)
    return parse.deps[verb] in {"acl", "advcl", "ROOT"}


def verb_phrase(parse: Parse, verb: int, depth: int = 0) -> str:
    """The verb with its negation, modal, passive auxiliary and particle: "was not taken over", "began to write"."""
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
    if parse.deps[verb] == "xcomp" and parse.tags[parse.heads[verb]][:2] == "VB" and depth < _DEEPEST:
        before.insert(0, verb_phrase(parse, parse.heads[verb], depth + 1))
    return " ".join((*before, parse.lower[verb], *after))


def active(parse: Parse, verb: int) -> str:
    """The past tense of a participle, with its particle."""
    after = [parse.lower[child] for child in parse.children[verb] if parse.deps[child] == "prt"]
    return " ".join((PAST.get(parse.lower[verb], parse.lower[verb]), *after))
