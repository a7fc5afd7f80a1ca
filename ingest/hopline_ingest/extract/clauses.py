"""Who does what in a sentence: the subjects of a verb, its objects, and the words of the predicate."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hopline_ingest.extract.parse import Parse

_RELATIVE = frozenset({"who", "which", "that", "whom"})
_SUBJECT = frozenset({"nsubj", "nsubjpass"})
_DIRECT = frozenset({"dobj", "attr", "oprd", "dative"})
_PREPOSITION = frozenset({"prep", "agent"})
_DEEPEST = 5

# the past of the participles met most; all others look alike
_PAST = {
    "written": "wrote", "given": "gave", "taken": "took", "drawn": "drew", "begun": "began", "chosen": "chose",
    "driven": "drove", "shown": "showed", "sung": "sang", "done": "did", "seen": "saw", "spoken": "spoke",
    "stolen": "stole", "beaten": "beat", "known": "knew", "grown": "grew", "flown": "flew", "thrown": "threw",
    "overseen": "oversaw", "undertaken": "undertook", "rewritten": "rewrote", "overthrown": "overthrew", "worn": "wore",
    "borne": "bore", "broken": "broke", "frozen": "froze", "hidden": "hid", "ridden": "rode", "forgotten": "forgot",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Clause:
    """A verb's subject and one object, as tokens; ``passive`` clauses with an agent are turned already."""

    subject: int
    predicate: str
    object: int


def clauses(parse: Parse) -> Iterator[Clause]:
    """Every (subject, verb phrase, object) of a text, in the order of their verbs."""
    for verb, tag in enumerate(parse.tags):
        if tag[:2] == "VB" and parse.deps[verb] not in {"aux", "auxpass"}:
            yield from _of_verb(parse, verb)


def _of_verb(parse: Parse, verb: int) -> Iterator[Clause]:
    heads = subjects(parse, verb)
    passive = is_passive(parse, verb)
    phrase = verb_phrase(parse, verb)
    for preposition, ends in objects(parse, verb):
        agent = passive and preposition == "by" and not _is_time(parse, ends[0])
        for end in ends:
            for head in heads:
                if head == end:
                    continue
                if agent:
                    yield Clause(end, active(parse, verb), head)
                else:
                    yield Clause(head, f"{phrase} {preposition}".strip(), end)


def _is_time(parse: Parse, token: int) -> bool:
    entity = parse.named(token)
    return entity is not None and entity[2] in {"DATE", "TIME"}


def subjects(parse: Parse, verb: int, depth: int = 0) -> list[int]:
    """The subjects of a verb: its own, the noun it describes, or those of the verb it hangs on."""
    own = [child for child in parse.children[verb] if parse.deps[child] in _SUBJECT]
    above, dep = parse.heads[verb], parse.deps[verb]
    if own:
        return [s for child in own for s in _referent(parse, child, above if dep == "relcl" else -1)]
    if dep in {"acl", "relcl"}:
        return [above] if parse.tags[verb] in {"VBN", "VBG", "VBD", "VBZ", "VBP"} else []
    if dep in {"conj", "xcomp", "advcl"} and depth < _DEEPEST and parse.tags[above][:2] == "VB":
        return subjects(parse, above, depth + 1)
    return []


def _referent(parse: Parse, subject: int, noun: int) -> list[int]:
    if parse.tags[subject] in {"WDT", "WP"} or (noun >= 0 and parse.lower[subject] in _RELATIVE):
        return [noun] if noun >= 0 else []
    return list(joined(parse, subject))


def joined(parse: Parse, head: int) -> Iterator[int]:
    """A noun and those joined to it by "and", "or", commas."""
    yield head
    for child in parse.children[head]:
        if parse.deps[child] == "conj" and child > head:
            yield from joined(parse, child)


def objects(parse: Parse, verb: int) -> Iterator[tuple[str, list[int]]]:
    """(preposition or "", nouns) of what follows the verb."""
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
        elif dep == "npadvmod" and _is_time(parse, child):
            yield "", [child]


def _direct(parse: Parse, verb: int, head: int) -> Iterator[tuple[str, list[int]]]:
    if parse.tags[head] in {"WDT", "WP"} or (parse.deps[verb] == "relcl" and parse.lower[head] in _RELATIVE):
        yield "", [parse.heads[verb]]
        return
    yield "", list(joined(parse, head))
    for noun in joined(parse, head):
        for below in parse.children[noun]:
            if parse.deps[below] == "prep" and below > noun:
                for preposition, ends in _prepositional(parse, below, ""):
                    named = [end for end in ends if parse.label[end] >= 0]
                    if named:
                        yield f"{parse.lower[noun]} {preposition}", named


def _prepositional(parse: Parse, preposition: int, before: str) -> Iterator[tuple[str, list[int]]]:
    words = before + parse.lower[preposition]
    for child in parse.children[preposition]:
        if parse.deps[child] == "pobj":
            yield words, list(joined(parse, child))
        elif parse.deps[child] == "prep" and " " not in words:
            yield from _prepositional(parse, child, words + " ")


def is_passive(parse: Parse, verb: int, depth: int = 0) -> bool:
    """Whether the verb's subject is what something is done to."""
    if parse.tags[verb] != "VBN":
        return False
    deps = {parse.deps[child] for child in parse.children[verb]}
    if deps & {"auxpass", "nsubjpass"}:
        return True
    if "aux" in deps:
        return False
    if parse.deps[verb] == "conj" and depth < _DEEPEST and not deps & _SUBJECT:
        return is_passive(parse, parse.heads[verb], depth + 1)
    return parse.deps[verb] in {"acl", "advcl", "ROOT"}


def verb_phrase(parse: Parse, verb: int) -> str:
    """The verb with its negation, modal, passive auxiliary and particle: "was not taken over"."""
    before, after = [], []
    for child in parse.children[verb]:
        dep = parse.deps[child]
        if child < verb and (dep in {"auxpass", "neg"} or (dep == "aux" and parse.tags[child] == "MD")):
            before.append(parse.lower[child])
        elif dep == "prt":
            after.append(parse.lower[child])
    return " ".join((*before, parse.lower[verb], *after))


def active(parse: Parse, verb: int) -> str:
    """The past tense of a participle, with its particle."""
    after = [parse.lower[child] for child in parse.children[verb] if parse.deps[child] == "prt"]
    word = parse.lower[verb]
    return " ".join((_PAST.get(word, word), *after))
