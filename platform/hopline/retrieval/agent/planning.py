"""Planning of retrieval: decide what to search for next, or that enough is known (the planner of RAS).

RAS (action planner): first either no retrieval, or a first sub-question, which is the question itself; then, given what
each sub-question found, another sub-question, or that the evidence is sufficient. A repeated sub-question ends the
loop.

Departures: the prompts of `LlmPlanner` are our own, without the examples of the paper's one (figure 21). The rules
are ours; they read texts and links, no facts, and never choose to answer without retrieval.

The rules distinguish two kinds of questions. A comparison joins two names, and each is searched for by itself.
Otherwise the evidence found so far mentions an entity that other evidence is about (a bridge): it is searched for
together with the words of the question that no evidence matches so far; if there are none, the evidence is sufficient.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, Protocol

from hopline.entities.linking import EntityName
from hopline.flow.requests import Flow, infer
from hopline.retrieval.agent.llm_session import TEXT, LlmExhausted, LlmSession, object_schema, to_one_line
from hopline.retrieval.agent.query_graph import QueryGraph
from hopline.scoring.query_coverage import extract_stems
from hopline.text.parser import load_question_parser
from hopline.text.words import STOP_WORDS, normalize_word, stem

Action = Literal["no_retrieval", "sub_question", "sufficient"]
MIN_LINK_WEIGHT: Final = 0.15  # of a link that is followed
READ_PER_ROUND: Final = 3  # best evidence of a round, whose texts and mentions are used
_WORD: Final = re.compile(r"[^\W_]+(?:[-'’.][^\W_]+)*")
_COMPARED: Final = frozenset({"JJR", "RBR", "JJS", "RBS"})  # tags of comparatives and superlatives
_COMPARING_WORDS: Final = frozenset(
    ["or", "both", "same", "share", "common", "between", "first", "equally", "alike", "different", "differ"]
)
_JOINING_WORDS: Final = frozenset({"than", "compared", "versus", "vs"})  # besides conjunctions


@dataclass(frozen=True, slots=True)
class Plan:
    """The next action, with the ``question`` of a sub-question and the bridge ``entity`` that it is about, if any."""

    action: Action
    question: str = ""
    entity: str = ""


SUFFICIENT: Final = Plan("sufficient")


class Planner(Protocol):
    """Decides on the next action."""

    def plan_next(self, question: str, so_far: QueryGraph) -> Flow[Plan]:
        """Return the next action after the rounds so far."""
        ...


# -- rules


@dataclass(slots=True)
class RulePlanner:
    """Plans comparisons and bridges by rules."""

    names: Sequence[EntityName]

    def plan_next(self, question: str, so_far: QueryGraph) -> Flow[Plan]:
        """See `Planner`."""
        yield from ()
        if not so_far.rounds:
            return Plan("sub_question", question)
        compared = split_comparison(question, [name.name for name in self.names])
        if compared:
            done = len(so_far.rounds) - 1
            return Plan("sub_question", compared[done]) if done < len(compared) else SUFFICIENT
        return plan_bridge(question, so_far)


def split_comparison(question: str, names: Sequence[str]) -> list[str]:
    """Return a sub-question for each thing that a question compares; empty if it is no comparison.

    A comparison joins the names ("and", "or", "than") and has, outside of the names, a comparative or superlative by
    the parser's tags or a word such as "same".
    """
    starts = {name: question.casefold().find(name.casefold()) for name in names}
    compared = sorted((name for name, start in starts.items() if start >= 0), key=lambda name: starts[name])
    if len(compared) < 2:
        return []
    ends = {name: starts[name] + len(name) for name in compared}
    rest = [
        token
        for token in load_question_parser()(question)
        if not any(starts[name] <= token.idx < ends[name] for name in compared)
    ]
    are_joined = any(
        (token.tag_ == "CC" or token.lower_ in _JOINING_WORDS) and ends[compared[0]] <= token.idx < starts[compared[-1]]
        for token in rest
    )
    if not are_joined or not any(token.tag_ in _COMPARED or token.lower_ in _COMPARING_WORDS for token in rest):
        return []
    for name in sorted(compared, key=len, reverse=True):
        question = re.sub(re.escape(name), " ", question, flags=re.IGNORECASE)
    words = [word for word in _WORD.findall(question) if word.casefold() not in ("or", "and", "both", "between")]
    return [f"{name} {' '.join(words)}" for name in compared]


def plan_bridge(question: str, so_far: QueryGraph) -> Plan:
    """Follow the heaviest link to an entity that was not searched for, with the unmatched words of the question."""
    open_words = find_unmatched_words(
        question, [text for item in so_far.rounds for text in item.texts[:READ_PER_ROUND]]
    )
    if not open_words:
        return SUFFICIENT
    searched = {item.entity for item in so_far.rounds}
    links = [
        link
        for item in so_far.rounds
        for link in item.links
        if link.entity not in searched and link.weight >= MIN_LINK_WEIGHT
    ]
    if not links:
        return SUFFICIENT
    best = max(links, key=lambda link: (link.weight, link.name))
    return Plan("sub_question", f"{best.name} {' '.join(open_words)}", best.entity)


def find_unmatched_words(question: str, texts: Sequence[str]) -> list[str]:
    """Return the words of a question, in order and without stop words, whose stems occur in none of the texts."""
    matched = frozenset[str]().union(*(extract_stems(text) for text in texts))
    words = [word for word in _WORD.findall(question) if normalize_word(word) not in STOP_WORDS]
    return [
        word for word in words if not {stem(normalize_word(part)) for part in re.findall(r"[^\W_]+", word)} & matched
    ]


# -- language model

FIRST_PROMPT: Final = """You decide whether a question has to be looked up in a collection of documents.
Choose "no_retrieval" only when the answer is common knowledge, simple arithmetic, or the question asks about nothing
that a document could say. Else choose "sub_question"."""
NEXT_PROMPT: Final = """You plan how a question is answered from a collection of documents.
You see the question, and for each sub-question looked up so far the facts that were found, as subject, predicate and
object. Choose "sufficient" when these facts are enough to answer the question. Else choose "sub_question" and write
the one thing to look up next: a question that makes sense by itself, with names in place of "he", "it" or "that
company", that was not asked before and uses what was found."""
_FIRST_ACTIONS: Final[dict[str, Any]] = {"type": "string", "enum": ["sub_question", "no_retrieval"]}
_NEXT_ACTIONS: Final[dict[str, Any]] = {"type": "string", "enum": ["sub_question", "sufficient"]}


@dataclass(slots=True)
class LlmPlanner:
    """Plans with a language model; a reply that cannot be used ends the loop."""

    session: LlmSession

    def plan_next(self, question: str, so_far: QueryGraph) -> Flow[Plan]:
        """See `Planner`.

        Raises:
            ModelUnavailable: no model is configured, or it never replied.
        """
        try:
            if not so_far.rounds:
                schema = object_schema(action=_FIRST_ACTIONS)
                data = yield from self.session.ask(f"Question: {question}", schema, system=FIRST_PROMPT)
                skip = bool(data and data["action"] == "no_retrieval")
                return Plan("no_retrieval") if skip else Plan("sub_question", question)
            schema = object_schema(action=_NEXT_ACTIONS, question=TEXT)
            data = yield from self.session.ask(so_far.to_prompt(question), schema, system=NEXT_PROMPT)
        except LlmExhausted:
            return SUFFICIENT if so_far.rounds else Plan("sub_question", question)
        sub_question = to_one_line(data["question"]) if data and data["action"] == "sub_question" else ""
        return Plan("sub_question", sub_question) if sub_question else SUFFICIENT


# -- trained model

PART: Final = "graph_llm"
SUB_QUESTION: Final = "[SUBQ]"


class TrainedPlanner:
    """Plans with the trained GraphLLM; output that is no action ends the loop."""

    def plan_next(self, question: str, so_far: QueryGraph) -> Flow[Plan]:
        """See `Planner`.

        Raises:
            UsageError: GraphLLM was not trained on this machine; names the command that trains it.
        """
        output: str = yield infer(PART, task="plan", question=question, rounds=so_far.to_rounds())
        if not so_far.rounds:
            return Plan("no_retrieval") if output.startswith("[NO_RETRIEVAL]") else Plan("sub_question", question)
        is_sub_question = output.startswith(SUB_QUESTION)
        sub_question = to_one_line(output.removeprefix(SUB_QUESTION)) if is_sub_question else ""
        return Plan("sub_question", sub_question) if sub_question else SUFFICIENT
