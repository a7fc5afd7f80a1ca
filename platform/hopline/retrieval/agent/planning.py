"""What is looked up next, or whether enough is known: the planner of RAS, by a language model or by rules.

RAS (action planner): first no retrieval, or a first sub-question, which is the question itself; then, with what each
sub-question found before it, another one, or that it suffices. A sub-question that was asked before stops the loop.

The rules know two kinds of question. A comparison names two things: each is looked up by itself. Else what was found
mentions something that other evidence is about (a bridge): that is looked up with the words of the question that
nothing found so far says; where it says all of them, it suffices.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, Protocol

from hopline.entities.linking import Name
from hopline.flow.requests import Flow, infer
from hopline.ids import normalise
from hopline.nlp.stemmer import fold, root
from hopline.nlp.stop_words import STOP_WORDS
from hopline.retrieval.agent.llm_session import TEXT, Silence, Talk, form, one_line
from hopline.retrieval.agent.query_graph import QueryGraph
from hopline.scoring.mmr import roots_of

Action = Literal["no_retrieval", "sub_question", "sufficient"]
SURE: Final = 0.15  # the least weight of a link that is followed
ANSWERS: Final = 3  # evidence of a round that is read for what it says and mentions
_WORD: Final = re.compile(r"[^\W_]+(?:[-'’.][^\W_]+)*")
_COMPARES: Final = re.compile(
    r"\b(or|both|same|than|share|common|between|older|younger|earlier|later|first|more|most|longer|larger|higher)\b"
    r"|\b\w+er\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Plan:
    """The next action; ``question`` of a sub-question, and ``entity`` where it is about one that was found."""

    action: Action
    question: str = ""
    entity: str = ""


SUFFICIENT: Final = Plan("sufficient")


class Planner(Protocol):
    """Says what to do next."""

    def next(self, question: str, so_far: QueryGraph) -> Flow[Plan]:
        """The next action, after the rounds so far."""
        ...


def asked_before(question: str, so_far: QueryGraph) -> bool:
    """Whether a sub-question has the words of an earlier one."""
    return normalise(question) in {normalise(one.question) for one in so_far.rounds}


# -- by rules


@dataclass(slots=True)
class ByRules:
    """Comparison and bridge."""

    names: Sequence[Name]

    def next(self, question: str, so_far: QueryGraph) -> Flow[Plan]:
        """See `Planner`."""
        yield from ()
        if not so_far.rounds:
            return Plan("sub_question", question)
        compared = comparison(question, [one.name for one in self.names])
        if compared:
            asked = len(so_far.rounds) - 1
            return Plan("sub_question", compared[asked]) if asked < len(compared) else SUFFICIENT
        return bridge(question, so_far)


def comparison(question: str, names: Sequence[str]) -> list[str]:
    """A sub-question for each of the things that a question compares; none where it compares nothing."""
    said = sorted(
        (name for name in dict.fromkeys(names) if _place(name, question) >= 0), key=lambda n: _place(n, question)
    )
    if len(said) < 2:
        return []
    rest = question
    for name in sorted(said, key=len, reverse=True):
        rest = re.sub(re.escape(name), " ", rest, flags=re.IGNORECASE)
    if not _COMPARES.search(rest):
        return []
    words = [word for word in _WORD.findall(rest) if word.casefold() not in ("or", "and", "both", "between")]
    return [f"{name} {' '.join(words)}" for name in said]


def _place(name: str, question: str) -> int:
    return question.casefold().find(name.casefold())


def bridge(question: str, so_far: QueryGraph) -> Plan:
    """The heaviest link from what was found to something that was not looked up yet, with what is still open."""
    open_words = left_open(question, [text for one in so_far.rounds for text in one.texts[:ANSWERS]])
    if not open_words:
        return SUFFICIENT
    looked_up = {one.entity for one in so_far.rounds}
    links = [
        link for one in so_far.rounds for link in one.links if link.entity not in looked_up and link.weight >= SURE
    ]
    if not links:
        return SUFFICIENT
    best = max(links, key=lambda link: (link.weight, link.name))
    return Plan("sub_question", f"{best.name} {' '.join(open_words)}", best.entity)


def left_open(question: str, texts: Sequence[str]) -> list[str]:
    """The words of a question, in order, of whose roots no text says one; small words are left out."""
    said = frozenset[str]().union(*(roots_of(text) for text in texts))
    words = [word for word in _WORD.findall(question) if fold(word) not in STOP_WORDS]
    return [word for word in words if not {root(fold(part)) for part in re.findall(r"[^\W_]+", word)} & said]


# -- by a model

FIRST: Final = """You decide whether a question has to be looked up in a collection of documents.
Choose "no_retrieval" only when the answer is common knowledge, simple arithmetic, or the question asks about nothing
that a document could say. Else choose "sub_question"."""
NEXT: Final = """You plan how a question is answered from a collection of documents.
You see the question, and for each sub-question looked up so far the facts that were found, as subject, predicate and
object. Choose "sufficient" when these facts are enough to answer the question. Else choose "sub_question" and write
the one thing to look up next: a question that makes sense by itself, with names in place of "he", "it" or "that
company", that was not asked before and uses what was found."""
_ACTIONS: Final[dict[str, Any]] = {"type": "string", "enum": ["sub_question", "no_retrieval"]}
_LATER: Final[dict[str, Any]] = {"type": "string", "enum": ["sub_question", "sufficient"]}


@dataclass(slots=True)
class ByModel:
    """A language model decides; a reply of no use ends the loop with what there is."""

    talk: Talk

    def next(self, question: str, so_far: QueryGraph) -> Flow[Plan]:
        """See `Planner`.

        Raises:
            ModelUnavailable: no model is configured, or it never answered.
        """
        try:
            if not so_far.rounds:
                data = yield from self.talk.told(f"Question: {question}", form(action=_ACTIONS), system=FIRST)
                return (
                    Plan("no_retrieval")
                    if data and data["action"] == "no_retrieval"
                    else Plan("sub_question", question)
                )
            data = yield from self.talk.told(so_far.written(question), form(action=_LATER, question=TEXT), system=NEXT)
        except Silence:
            return SUFFICIENT if so_far.rounds else Plan("sub_question", question)
        asked = one_line(data["question"]) if data and data["action"] == "sub_question" else ""
        return Plan("sub_question", asked) if asked else SUFFICIENT


# -- by what was trained

PART: Final = "graph_llm"
SUB_QUESTION: Final = "[SUBQ]"


class ByTraining:
    """GraphLLM decides; what it writes that is no action ends the loop."""

    def next(self, question: str, so_far: QueryGraph) -> Flow[Plan]:
        """See `Planner`.

        Raises:
            UsageError: nothing was trained on this machine; says how to.
        """
        said: str = yield infer(PART, task="plan", question=question, rounds=so_far.as_rounds())
        if not so_far.rounds:
            return Plan("no_retrieval") if said.startswith("[NO_RETRIEVAL]") else Plan("sub_question", question)
        asked = one_line(said.removeprefix(SUB_QUESTION)) if said.startswith(SUB_QUESTION) else ""
        return Plan("sub_question", asked) if asked else SUFFICIENT
