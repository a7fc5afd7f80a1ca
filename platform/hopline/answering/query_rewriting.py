"""What a question means that follows on others: "When was she born?" becomes a question of its own."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from hopline.entities.linking import UNLINKED, Name
from hopline.entities.question_entities import question_names
from hopline.flow.requests import Flow
from hopline.retrieval.agent.llm_session import TEXT, Silence, Talk, form, one_line
from hopline.types import Answer

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

REMEMBERED: Final = 3  # turns that a question may refer to
LONGEST_SAID: Final = 300  # characters of an answer that are looked at
SHORT: Final = 4  # words of a question that needs the one before it to be understood
MOST_TOKENS: Final = 120
POSSESSIVE: Final = "'s"

SYSTEM: Final = """You make a follow-up question understandable by itself.
You see a conversation of questions and answers and then one more question. Write that question so that somebody who
has not seen the conversation understands it: put names in the place of words like "she", "it" or "that company", and
add what it leaves out. Keep its meaning, language and brevity. When it needs nothing from the conversation, repeat it
as it is. Do not answer it."""

_PERSONS: Final = frozenset({"he", "she", "him", "her", "his", "hers"})
_THINGS: Final = frozenset({"it", "its"})
_SEVERAL: Final = frozenset({"they", "them", "their", "theirs"})
_WEATHER: Final = ("rain", "snow", "hail", "freez")
_GOES_ON: Final = re.compile(r"(and|but|so|also|what about|how about|what else|who else|where else)\b", re.IGNORECASE)
_NUMBER: Final = re.compile(r"\b(?:(page|table|figure|section|chapter)\s+)?(\d+)\b", re.IGNORECASE)
_FILLING: Final = frozenset({"and", "in", "on", "for", "what", "about", "how", "of", "the", "but"})


@dataclass(frozen=True, slots=True)
class Turn:
    """A question, as it was understood, and what was answered; "" where nothing was found."""

    question: str
    said: str = ""

    @classmethod
    def of(cls, answer: Answer) -> Turn:
        """The turn that an answer ends."""
        said = "" if answer.abstained else answer.short or answer.text
        return cls(answer.retrieval.question or answer.question, said[:LONGEST_SAID])


def follow(
    question: str, turns: Sequence[Turn], answered: Callable[[str], Flow[Answer]], *, by_model: bool
) -> Flow[Answer]:
    """The answer to a question as it is understood after ``turns``, the oldest first.

    The answer keeps the question as it was asked; its retrieval says how it was understood.
    """
    meant = yield from understood(question, turns[-REMEMBERED:], by_model=by_model)
    answer = yield from answered(meant)
    return replace(answer, question=question)


def understood(question: str, turns: Sequence[Turn], *, by_model: bool) -> Flow[str]:
    """The question with names in the place of pronouns, or with the one before it where it needs that.

    A model rewrites it where there is one; its reply failing, or without one, the rules do.
    """
    if not turns:
        return question
    meant = (yield from _rewritten(question, turns)) if by_model else ""
    return meant or (yield from _resolved(question, turns))


def _rewritten(question: str, turns: Sequence[Turn]) -> Flow[str]:
    before = "\n".join(f"Question: {turn.question}\nAnswer: {turn.said or 'nothing was found'}" for turn in turns)
    prompt = f"{before}\n\nOne more question: {question}"
    try:
        data = yield from Talk().told(prompt, form(question=TEXT), system=SYSTEM, most=MOST_TOKENS)
    except Silence:
        return ""
    return one_line(data["question"]) if data else ""


def _resolved(question: str, turns: Sequence[Turn]) -> Flow[str]:
    from hopline.answering.question import grammar

    doc = grammar()(question)
    pronouns = [token for token in doc if token.lower_ in _PERSONS | _THINGS | _SEVERAL and not _own(token, doc)]
    if not pronouns:
        if not _needs_more(question, doc):
            return question
        return _with_number(question, turns[-1].question) or f"{turns[-1].question} {question}"
    names = yield from _names(turns)
    found = {token.i: name for token in pronouns if (name := _meant(token, names))}
    if not found:
        return f"{turns[-1].question} {question}"
    return "".join(_written(token, found.get(token.i)) for token in doc).strip()


def _own(token: Token, doc: Doc) -> bool:
    """Whether a pronoun means a name of the same question ("Did Kerrigan sell her company?"), or the weather."""
    named = any(other.pos_ == "PROPN" and other.i < token.i for other in doc)
    return named or token.dep_ == "expl" or token.head.lower_.startswith(_WEATHER)


def _needs_more(question: str, doc: Doc) -> bool:
    words = [token for token in doc if token.is_alpha]
    return bool(_GOES_ON.match(question)) or (
        len(words) <= SHORT and not any(token.pos_ in {"PROPN", "NOUN"} for token in words)
    )


def _with_number(question: str, before: str) -> str:
    """The question before with another number, for "And in 2023?" and "What about page 3?"; "" for any other."""
    ours, theirs = list(_NUMBER.finditer(question)), list(_NUMBER.finditer(before))
    rest = set(re.findall(r"\w+", _NUMBER.sub(" ", question).lower()))
    if len(ours) != 1 or not rest <= _FILLING:
        return ""
    [number] = ours
    kind = (number[1] or "").lower()
    same = [one for one in theirs if (one[1] or "").lower() == kind]
    if len(same) != 1:
        return ""
    return f"{before[: same[0].start(2)]}{number[2]}{before[same[0].end(2) :]}"


def _names(turns: Sequence[Turn]) -> Flow[list[Name]]:
    """Names of the turns, those of the latest answer first, then of its question, then of the turn before."""
    names: list[Name] = []
    for turn in reversed(turns):
        for text in filter(None, (turn.said, turn.question)):
            names += yield from question_names(text)
    return names


def _meant(token: Token, names: Sequence[Name]) -> str:
    """The first name that a pronoun can stand for, by the kind that the graph says it is."""
    for one in names:
        person = one.kind == "PERSON"
        if one.kind in UNLINKED or (token.lower_ in _PERSONS and not person) or (token.lower_ in _THINGS and person):
            continue
        return one.name
    return ""


def _written(token: Token, name: str | None) -> str:
    if name is None:
        return str(token.text_with_ws)
    return f"{name}{POSSESSIVE if token.tag_ == 'PRP$' else ''}{token.whitespace_}"
