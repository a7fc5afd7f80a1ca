"""References of a follow-up question to the turns before it: pronouns, "then", "there", "the other one"."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Final

from hopline.answers.turns import Turn
from hopline.entities.linking import UNLINKED_KINDS, EntityName
from hopline.entities.question_entities import find_question_entities
from hopline.flow.requests import Flow
from hopline.questions.analysis import analyse_question
from hopline.questions.coordination import strip_punctuation
from hopline.questions.ellipsis import is_fragment
from hopline.questions.pronouns import (
    PERSONS,
    SEVERAL,
    THINGS,
    ask_for_possession,
    find_demonstratives,
    find_open_pronouns,
    replace_pronouns,
)
from hopline.questions.referents import (
    describe_answer,
    find_alternative,
    find_described_person,
    find_location,
    find_person,
    find_same_kind,
    find_several,
    find_thing,
    find_time,
)

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_OTHER: Final = re.compile(r"\bthe other(?: one\b|(?=[\s?.!]*$))", re.IGNORECASE)
_PLACES: Final = frozenset({"GPE", "LOC", "FAC"})  # kinds of entities
_MOTION: Final = frozenset({"get", "go", "come", "travel", "drive", "walk", "cycle", "fly"})


def resolve_references(doc: Doc, turns: Sequence[Turn]) -> Flow[str]:
    """Replace pronouns, "then" and "there" by what they refer to; "" if there are none, or one refers to nothing."""
    if pronouns := find_open_pronouns(doc):
        return (yield from _replace_pronouns(doc, pronouns, turns))
    circumstances = yield from _find_circumstances(doc, turns[-1])
    return replace_pronouns(doc, circumstances) if circumstances else ""


def name_alternative(question: str, turn: Turn) -> str:
    """Replace "the other one" by the thing that is not the answer to the question before."""
    alternative = "" if is_fragment(question) else find_alternative(turn.last_question, turn.answer)
    return _OTHER.sub(alternative, question) if alternative else question


def has_unnamed_alternative(question: str) -> bool:
    """Return whether a question still has "the other one"."""
    return _OTHER.search(question) is not None


def name_demonstratives(question: str, turn: Turn) -> str:
    """Replace "that version" by what the question before says of a version."""
    for noun in reversed(find_demonstratives(analyse_question(question).parse)):
        if name := find_same_kind(turn.last_question, turn.answer, noun.lower_):
            start, end = noun.nbor(-1).idx, noun.idx + len(noun.text)
            question = f"{question[:start]}{name}{question[end:]}"
    return question


def _replace_pronouns(doc: Doc, pronouns: Sequence[Token], turns: Sequence[Turn]) -> Flow[str]:
    """Replace the pronouns by what they refer to in the latest turn that has it; "" if one refers to nothing."""
    referents: dict[int, str] = {}
    for token in pronouns:
        referents[token.i] = yield from _find_referent(token, turns)
    if not all(referents.values()):
        return ""
    if is_fragment(doc.text):
        [token, *others] = pronouns
        return "" if others else ask_for_possession(doc, token, referents[token.i], turns[-1].last_question)
    circumstances = yield from _find_circumstances(doc, turns[-1])
    for index, text in circumstances.items():
        if not any(referent in text for referent in referents.values()):
            referents[index] = text
    return replace_pronouns(doc, referents)


def _find_referent(token: Token, turns: Sequence[Turn]) -> Flow[str]:
    """Return what a pronoun refers to, "" if that is not clear; a name in an answer comes last."""
    for turn in reversed(turns):
        persons = yield from _read_persons(turn.question)
        if text := _find_in_turn(token, turn, persons):
            return text
    name = _resolve_pronoun(token, (yield from _read_names(turns)))
    return name or (find_described_person(turns[-1].last_question) if token.lower_ in PERSONS else "")


def _find_in_turn(token: Token, turn: Turn, persons: Collection[str]) -> str:
    before, answer = turn.last_question, turn.answer
    if token.lower_ in PERSONS:
        return find_person(before, answer, persons)
    if token.lower_ in SEVERAL:
        return find_several(before, answer, persons)
    asks_who = token.doc[0].lower_ == "who" and token.dep_ in {"nsubj", "attr"}  # "Who was it before her?"
    as_object = token.dep_ == "dobj"
    return (describe_answer(before) if asks_who else "") or find_thing(before, answer, persons, as_object=as_object)


def _find_circumstances(doc: Doc, turn: Turn) -> Flow[dict[int, str]]:
    """Find what "then" and "there" refer to, by the index of the word.

    "Is there a lift?" asks about where the question before was about, unless it names something itself.
    """
    if not any(token.lower_ in {"then", "there"} for token in doc):
        return {}
    persons = yield from _read_persons(turn.question)
    kinds = yield from read_kinds(*filter(None, [turn.answer]))
    name = turn.answer if kinds.get(turn.answer.lower()) in _PLACES else ""
    location = find_location(turn.last_question, name, persons)
    texts: dict[int, str] = {}
    for token in doc[1:]:
        if token.lower_ == "then" and token.tag_ == "RB":
            texts[token.i] = find_time(turn.last_question)
        elif token.lower_ == "there" and token.tag_ == "RB" and location:
            texts[token.i] = re.sub(r"^(?:in|at)\b", "to", location) if token.head.lower_ in _MOTION else location
    is_open = not any(token.pos_ == "PROPN" or token.dep_ == "prep" for token in doc)
    if any(token.tag_ == "EX" for token in doc) and is_open and location:
        last = strip_punctuation(doc)[-1]
        texts[last.i] = f"{last.text} {location}"
    return {index: text for index, text in texts.items() if text}


def read_kinds(*texts: str) -> Flow[dict[str, str]]:
    """Read the kinds of the entities that texts name, by the name in lower case."""
    kinds: dict[str, str] = {}
    for text in texts:
        names = yield from find_question_entities(text)
        kinds |= {name.name.lower(): name.kind for name in names if name.kind not in UNLINKED_KINDS}
    return kinds


def _read_persons(text: str) -> Flow[set[str]]:
    """Read the names of persons in a text, in lower case."""
    kinds = yield from read_kinds(text)
    return {name for name, kind in kinds.items() if kind == "PERSON"}


def _read_names(turns: Sequence[Turn]) -> Flow[list[EntityName]]:
    """Read the names in the turns: those of the latest answer first, then of its question, then of the turn before."""
    names: list[EntityName] = []
    for turn in reversed(turns):
        for text in filter(None, (turn.answer, turn.question)):
            names += yield from find_question_entities(text)
    return names


def _resolve_pronoun(token: Token, names: Sequence[EntityName]) -> str:
    """Return the first name that a pronoun can refer to, by the entity kind in the graph; "" if there is none."""
    for name in names:
        person = name.kind == "PERSON"
        if (
            name.kind in UNLINKED_KINDS
            or (token.lower_ in PERSONS and not person)
            or (token.lower_ in THINGS and person)
            or (token.lower_ in SEVERAL and name.kind in _PLACES)
        ):
            continue
        return name.name
    return ""
