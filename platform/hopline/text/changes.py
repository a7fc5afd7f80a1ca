"""Changes of a value that a sentence states: "lowered from 3 knots to 2 knots", "2.40 is replaced by 2.95"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from hopline.text.measures import find_quantities
from hopline.text.parser import load_question_parser
from hopline.text.words import normalize_word, read_stem_list, stem

if TYPE_CHECKING:
    from spacy.tokens import Token

Span = tuple[int, int]

_SIGN_OF_CHANGE: Final = re.compile(
    r"\bfrom\b.*\bto\b|\bto\b.*\bfrom\b|\bby\b|\binstead of\b|\bno longer\b|\breplac|\bsupersed|\bsucceed"
    r"|\bfollow|\btak\w+ over\b|\btook over\b",
    re.IGNORECASE | re.DOTALL,
)

_CHANGED: Final = re.compile(r"\bno longer\b|\binstead of\b|\bnow\b|\bwith effect from\b", re.IGNORECASE)
_BREAK: Final = re.compile(r"\s")
_OBJECTS: Final = frozenset({"pobj", "attr", "dobj", "conj"})


@dataclass(frozen=True, slots=True)
class Change:
    """The spans of a former and a new value in a sentence."""

    old: Span
    new: Span


def says_change(sentence: str) -> bool:
    """Return whether a sentence has a word that says that it changes a rule: "is raised", "amended", "no longer"."""
    words = {stem(normalize_word(word)) for word in re.findall(r"[^\W\d_]+", sentence)}
    return bool(words & read_stem_list("amending") or _CHANGED.search(sentence))


@lru_cache(maxsize=500)
def find_changes(sentence: str) -> tuple[Change, ...]:
    """Find the changes that a sentence states, by its dependency parse."""
    if not _SIGN_OF_CHANGE.search(sentence):
        return ()
    changes = [change for token in load_question_parser()(_BREAK.sub(" ", sentence)) for change in _list_changes(token)]
    return tuple(change for change in changes if change.old != change.new)


def _list_changes(token: Token) -> Iterator[Change]:
    """Yield the old and the new value of which a token says that one takes the place of the other."""
    word = stem(token.lower_)
    if word in read_stem_list("changing"):
        yield from _read_from_to(token)
    if word in read_stem_list("replacing"):
        if agents := _list_objects(token, "by"):
            yield from _pair(_find_child(token, "nsubjpass") or _find_left_phrase(token), agents[0])
        else:
            yield from _pair(_find_child(token, "dobj"), _find_subject(token))
    if any(child.dep_ == "prt" and child.lower_ == "over" for child in token.children):
        yield from _pair(next(iter(_list_objects(token, "from")), None), _find_subject(token))
    if token.lower_ == "of" and token.i and token.nbor(-1).lower_ == "instead":
        following = [child for child in (*token.children, *token.head.children) if child.dep_ in {"pobj", "conj"}]
        if token.head.pos_ in {"NOUN", "PROPN", "NUM"} and following:
            yield from _pair(following[0], token.head)
    if any(child.lower_ == "longer" and child.i and child.nbor(-1).lower_ == "no" for child in token.children):
        yield from _pair_around_but(token)


def _pair(old: Token | None, new: Token | None) -> Iterator[Change]:
    if old is not None and new is not None:
        yield Change(_find_value(old), _find_value(new))


def _read_from_to(verb: Token) -> Iterator[Change]:
    """Yield "from … to …" and "to … from …" below a verb; "€200 to €250" may be one phrase."""
    new = _list_objects(verb, "to")
    for old in _list_objects(verb, "from"):
        if to := next((token for token in old.subtree if token.lower_ == "to" and token.dep_ == "quantmod"), None):
            yield Change((old.left_edge.idx, to.idx - 1), (to.nbor().idx, old.idx + len(old)))
        elif new:
            yield from _pair(old, new[0])


def _pair_around_but(verb: Token) -> Iterator[Change]:
    """Pair the last object before "but" with the first behind it: "no longer on Wednesday but on Friday"."""
    but = next((token for token in verb.subtree if token.lower_ == "but"), None)
    if but is None:
        return
    objects = [
        token for token in verb.subtree if token.dep_ in {"pobj", "attr", "dobj", "conj"} and token.pos_ != "ADP"
    ]
    before, behind = ([token for token in objects if (token.i < but.i) == is_before] for is_before in (True, False))
    if before and behind:
        yield from _pair(before[-1], behind[0])


def _find_child(token: Token, dependency: str) -> Token | None:
    return next((child for child in token.children if child.dep_ == dependency), None)


def _find_subject(verb: Token) -> Token | None:
    """Find the subject of a verb, or of the verb that it is coordinated with; of a relative clause, its noun."""
    while True:
        subject = _find_child(verb, "nsubj") or _find_child(verb, "nsubjpass")
        if subject is not None and subject.tag_ in {"WP", "WDT"} and verb.dep_ == "relcl":
            return verb.head
        if subject is not None or verb.dep_ != "conj":
            return subject
        verb = verb.head


def _find_left_phrase(verb: Token) -> Token | None:
    """Find the last noun phrase to the left of a verb that depends on it."""
    return next((child for child in reversed(list(verb.lefts)) if child.pos_ in {"NOUN", "PROPN"}), None)


def _list_objects(verb: Token, preposition: str) -> list[Token]:
    """List the objects of a preposition below a verb."""
    links = [token for token in verb.subtree if token.lower_ == preposition and token.dep_ in {"prep", "agent"}]
    return [item for token in links if (item := _find_child(token, "pobj")) is not None]


def _find_value(token: Token) -> Span:
    """Return the span of the first quantity in the phrase of a token, or else of its words up to the token."""
    start, end = token.left_edge.idx, token.right_edge.idx + len(token.right_edge)
    for item in find_quantities(token.doc.text[start:end]):
        return start + item.start, start + item.end
    return start, token.idx + len(token)
