"""What was found for one question, round by round: the query's own graph G_Q of RAS."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from hopline.flow.columns import rows_of
from hopline.flow.requests import Flow, fetch
from hopline.retrieval.agent.llm_session import TEXT, Silence, Talk, form, one_line
from hopline.retrieval.ranking import Ranking
from hopline.types import Step

TRIPLES: Final = 40  # of a round that a planner is shown
MOST: Final = 12  # triples that a model may write of one passage


@dataclass(frozen=True, slots=True)
class Fact:
    """A triple and the evidence that states it."""

    subject: str
    predicate: str
    object: str
    evidence: str

    def __str__(self) -> str:
        return f"({self.subject}; {self.predicate}; {self.object})"


@dataclass(frozen=True, slots=True)
class Link:
    """From evidence over what it mentions to evidence about that; ``weight``, 0 to 2: how sure and how asked for."""

    weight: float
    entity: str
    name: str
    source: str
    target: str
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Round:
    """A sub-question and what it found: evidence, its texts in that order, its facts, and where it leads on."""

    question: str
    ranking: Ranking
    texts: tuple[str, ...] = ()
    facts: tuple[Fact, ...] = ()
    links: tuple[Link, ...] = ()
    entity: str = ""


@dataclass(slots=True)
class QueryGraph:
    """The rounds in order: one graph each, or `merged` (equation 9)."""

    rounds: list[Round] = field(default_factory=list)

    def merged(self) -> tuple[Fact, ...]:
        """The facts of all rounds, each once: what several passages state is one fact of the first."""
        once = {(one.subject, one.predicate, one.object): one for one in reversed(list(self._facts()))}
        return tuple(dict.fromkeys(once[one.subject, one.predicate, one.object] for one in self._facts()))

    def as_rounds(self) -> list[tuple[str, list[tuple[str, str, str]]]]:
        """Sub-questions with their facts, as GraphLLM takes them."""
        return [(one.question, [(f.subject, f.predicate, f.object) for f in one.facts]) for one in self.rounds]

    def written(self, question: str) -> str:
        """The rounds as a model reads them."""
        parts = [f"Question: {question}"]
        for one in self.rounds:
            facts = "\n".join(map(str, one.facts[:TRIPLES])) or "(nothing)"
            parts.append(f"Looked up: {one.question}\nFacts:\n{facts}")
        return "\n\n".join([*parts, "What next?"])

    def _facts(self) -> Iterator[Fact]:
        for one in self.rounds:
            yield from one.facts


def stated(ids: Sequence[str]) -> Flow[tuple[Fact, ...]]:
    """The triples that evidence states in the graph, in the order of ``ids``."""
    columns = yield fetch("ras/facts", ids=list(ids))
    return tuple(Fact(row["subject"], row["predicate"], row["object"], row["evidence"]) for row in rows_of(columns))


STRUCTURE: Final = """You turn a passage into facts of subject, predicate and object.
Write each fact that the passage states once, with full names in place of pronouns, the predicate as a short verb
phrase, and dates and numbers as objects. State nothing that the passage does not say."""
_FACT: Final[dict[str, Any]] = form(subject=TEXT, predicate=TEXT, object=TEXT)
_FACTS: Final = form(facts={"type": "array", "items": _FACT, "maxItems": MOST})


def structured(talk: Talk, ids: Sequence[str], texts: Sequence[str]) -> Flow[tuple[Fact, ...]]:
    """The triples that a model writes of each text; of those that it says nothing useful about, the graph's.

    Each passage is asked about by itself, so that no triple can be made of two; one that lacks a part is left out.

    Raises:
        ModelUnavailable: no model is configured, or it never answered.
    """
    try:
        replies = yield from talk.told_all(list(texts), _FACTS, system=STRUCTURE, most=800)
    except Silence:
        replies = [None] * len(texts)
    silent = [id for id, reply in zip(ids, replies, strict=True) if reply is None]
    known: dict[str, list[Fact]] = {}
    for one in (yield from stated(silent)) if silent else ():
        known.setdefault(one.evidence, []).append(one)
    facts: list[Fact] = []
    for id, reply in zip(ids, replies, strict=True):
        facts += known.get(id, []) if reply is None else _whole(reply["facts"], id)
    return tuple(facts)


def _whole(rows: Sequence[Any], id: str) -> list[Fact]:
    facts = [Fact(one_line(row["subject"]), one_line(row["predicate"]), one_line(row["object"]), id) for row in rows]
    return [one for one in facts if one.subject and one.predicate and one.object]
