"""The query graph G_Q of RAS: the facts that were found for one question, round by round.

Departures: facts are the triples of the graph or those that the configured model writes, at most `MAX_FACTS` of a
passage and with our own prompt without the examples of figure 20, where the paper has a text-to-triple model that was
trained on WikiOFGraph. The prompt of a planner has the first `MAX_PROMPT_FACTS` facts of a round.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from hopline.flow.columns import to_rows
from hopline.flow.quoted_text import quote_text
from hopline.flow.requests import Flow, fetch
from hopline.retrieval.agent.llm_session import TEXT, LlmExhausted, LlmSession, object_schema, to_one_line
from hopline.retrieval.entity_links import EntityLink
from hopline.retrieval.ranking import Ranking

MAX_PROMPT_FACTS: Final = 40  # of one round, in the prompt of a planner
MAX_FACTS: Final = 12  # that a model may extract from one passage


@dataclass(frozen=True, slots=True)
class QueryFact:
    """A triple and the evidence that states it."""

    subject: str
    predicate: str
    object: str
    evidence: str

    def __str__(self) -> str:
        return f"({self.subject}; {self.predicate}; {self.object})"


@dataclass(frozen=True, slots=True)
class QueryRound:
    """A sub-question with its ranking, texts in the order of the ranking, facts, and links to further evidence.

    ``entity`` is the bridge entity that the sub-question is about, "" if there is none.
    """

    question: str
    ranking: Ranking
    texts: tuple[str, ...] = ()
    facts: tuple[QueryFact, ...] = ()
    links: tuple[EntityLink, ...] = ()
    entity: str = ""


@dataclass(slots=True)
class QueryGraph:
    """The rounds of one question in order: one graph per round, or one merged graph (equation 9)."""

    rounds: list[QueryRound] = field(default_factory=list)

    def to_rounds(self) -> list[tuple[str, list[tuple[str, str, str]]]]:
        """Return sub-questions with their facts, the input format of GraphLLM."""
        return [
            (item.question, [(fact.subject, fact.predicate, fact.object) for fact in item.facts])
            for item in self.rounds
        ]

    def to_prompt(self, question: str) -> str:
        """Format the rounds as the prompt of a planner."""
        parts = [f"Question: {question}"]
        for item in self.rounds:
            facts = "\n".join(map(str, item.facts[:MAX_PROMPT_FACTS])) or "(nothing)"
            parts.append(f"Looked up: {item.question}\nFacts:\n{quote_text(facts)}")
        return "\n\n".join([*parts, "What next?"])


def fetch_facts(ids: Sequence[str]) -> Flow[tuple[QueryFact, ...]]:
    """Return the triples that evidence states in the graph, in the order of ``ids``."""
    columns = yield fetch("ras/facts", ids=list(ids))
    return tuple(
        QueryFact(row["subject"], row["predicate"], row["object"], row["evidence"]) for row in to_rows(columns)
    )


SYSTEM: Final = """You turn a passage into facts of subject, predicate and object.
Write each fact that the passage states once, with full names in place of pronouns, the predicate as a short verb
phrase, and dates and numbers as objects. State nothing that the passage does not say."""
_FACT_SCHEMA: Final[dict[str, Any]] = object_schema(subject=TEXT, predicate=TEXT, object=TEXT)
SCHEMA: Final = object_schema(facts={"type": "array", "items": _FACT_SCHEMA, "maxItems": MAX_FACTS})


def extract_facts(session: LlmSession, ids: Sequence[str], texts: Sequence[str]) -> Flow[tuple[QueryFact, ...]]:
    """Let a model extract the facts of each text; where its reply cannot be used, the triples of the graph are taken.

    Each passage is a separate prompt, so that no fact combines two passages; incomplete facts are dropped.

    Raises:
        ModelUnavailable: no model is configured, or it never replied.
    """
    try:
        replies = yield from session.ask_all(
            [quote_text(text) for text in texts], SCHEMA, system=SYSTEM, max_tokens=800
        )
    except LlmExhausted:
        replies = [None] * len(texts)
    unanswered = [id for id, reply in zip(ids, replies, strict=True) if reply is None]
    graph_facts: dict[str, list[QueryFact]] = {}
    for fact in (yield from fetch_facts(unanswered)) if unanswered else ():
        graph_facts.setdefault(fact.evidence, []).append(fact)
    facts: list[QueryFact] = []
    for id, reply in zip(ids, replies, strict=True):
        facts += graph_facts.get(id, []) if reply is None else _parse_facts(reply["facts"], id)
    return tuple(facts)


def _parse_facts(rows: Sequence[Any], id: str) -> list[QueryFact]:
    facts = [
        QueryFact(to_one_line(row["subject"]), to_one_line(row["predicate"]), to_one_line(row["object"]), id)
        for row in rows
    ]
    return [fact for fact in facts if fact.subject and fact.predicate and fact.object]
