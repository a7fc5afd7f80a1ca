"""Training samples for a planner and an answerer from questions with gold passages: HotpotQA-SUBQ.

RAS, appendix B, algorithm 1. A question that the configured language model answers correctly closed-book becomes a
sample for "no retrieval". For any other, the same model writes a sub-question for each gold passage in the order of
hops; each prefix is a sample for the next sub-question, all of them are one for "sufficient", and one for the answer.
Facts are the triples of a passage in the graph.

Departures: what needs no retrieval is decided by the model that writes the labels, not by the model that is trained; an
answer is correct if its cosine to a gold answer is at least `MIN_COSINE`. The question alone is also a sample for its
first sub-question, which the algorithm as printed lacks, and no question is a sample for both that and "no retrieval".
Irrelevant passages are not filtered out: gold has none. Facts are those of the extraction, not of a text-to-triple
model. The prompts are our own; a passage is cut at 600 characters; after three unusable replies the sub-question is a
generic one about the title of the passage.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from hopline.atomic_files import read_lines, write_text_atomically
from hopline.evaluation.questions import Question
from hopline.flow.quoted_text import quote_text
from hopline.flow.requests import Flow, embed
from hopline.ids import normalize_name
from hopline.learned.graph_llm import Task, Triple
from hopline.retrieval.agent.llm_session import TEXT, LlmSession, object_schema, to_one_line
from hopline.retrieval.agent.query_graph import fetch_facts
from hopline.training.hop_order import fetch_hops

MIN_COSINE: Final = 0.8  # of an answer to a correct one, to count as correct
MAX_ATTEMPTS: Final = 3
MIN_CHARACTERS: Final = 10  # of a sub-question
MAX_PASSAGE_CHARACTERS: Final = 600  # of a passage

DIRECT: Final = """You answer a question from what you know, in as few words as possible. When you are not sure, write
"unknown"."""
ASK: Final = """You take a question apart for a search engine.
You see the question, the smaller questions asked so far, and a passage. Write the one smaller question that this
passage answers and that is needed to answer the question. It makes sense by itself: names in place of pronouns. It is
not the question itself, and nothing that was asked before."""


@dataclass(frozen=True, slots=True)
class SubQuestionSample:
    """The parts of a prompt and the expected reply; ``rounds`` are sub-questions with the facts found for each."""

    task: Task
    question: str
    rounds: tuple[tuple[str, tuple[Triple, ...]], ...]
    label: str


def label_question(question: Question) -> Flow[list[SubQuestionSample] | None]:
    """Create the samples of a question; None if fewer than two of its gold passages are in the collection.

    Raises:
        LlmExhausted: the budget is spent.
        ModelUnavailable: no model is configured, or it cannot be reached.
    """
    hops = yield from fetch_hops(question)
    if hops is None or not question.answers:
        return None
    session = LlmSession()
    if (yield from _answers_closed_book(session, question.text, question.answers)):
        return [
            SubQuestionSample("plan", question.text, (), "[NO_RETRIEVAL]"),
            SubQuestionSample("answer", question.text, (), question.answers[0]),
        ]
    rounds: list[tuple[str, tuple[Triple, ...]]] = []
    for id, text in zip(hops.ids, hops.texts, strict=True):
        sub_question = yield from _ask_sub_question(session, question.text, [item for item, _ in rounds], text)
        facts = yield from fetch_facts([id])
        rounds.append((sub_question, tuple((item.subject, item.predicate, item.object) for item in facts)))
    plans = [
        SubQuestionSample("plan", question.text, tuple(rounds[:n]), f"[SUBQ] {sub_question}")
        for n, (sub_question, _) in enumerate(rounds)
    ]
    all_rounds = tuple(rounds)
    return [
        *plans,
        SubQuestionSample("plan", question.text, all_rounds, "[SUFFICIENT]"),
        SubQuestionSample("answer", question.text, all_rounds, question.answers[0]),
    ]


def _answers_closed_book(session: LlmSession, question: str, answers: Sequence[str]) -> Flow[bool]:
    """Whether the model answers correctly without evidence."""
    data = yield from session.ask(f"Question: {question}", object_schema(answer=TEXT), system=DIRECT, max_tokens=40)
    reply = to_one_line(data["answer"]) if data else ""
    if not reply or normalize_name(reply) == "unknown":
        return False
    first, *correct = yield embed([reply, *answers])
    return max(float(first @ item) for item in correct) >= MIN_COSINE


def _ask_sub_question(session: LlmSession, question: str, earlier: Sequence[str], text: str) -> Flow[str]:
    """Ask for the sub-question that a passage answers; a generic question about its title if no reply is usable."""
    history = "".join(f"Asked: {item}\n" for item in earlier)
    prompt = f"Question: {question}\n{history}Passage: {quote_text(text[:MAX_PASSAGE_CHARACTERS])}"
    used = {normalize_name(item) for item in (question, *earlier)}
    for attempt in range(MAX_ATTEMPTS):
        retry_note = f"\nYour reply number {attempt} was no new question." if attempt else ""
        data = yield from session.ask(prompt + retry_note, object_schema(question=TEXT), system=ASK, max_tokens=60)
        reply = to_one_line(data["question"]) if data else ""
        if reply.endswith("?") and len(reply) > MIN_CHARACTERS and normalize_name(reply) not in used:
            return reply
    return f"What is known about {text.split(':', maxsplit=1)[0]}?"


def write_samples(path: Path, samples: Iterable[SubQuestionSample]) -> None:
    """Write samples as JSON lines, atomically."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_text_atomically(path, "".join(f"{json.dumps(asdict(item))}\n" for item in samples))


def read_samples(path: Path) -> list[SubQuestionSample]:
    """Read samples that `write_samples` wrote."""
    rows = [json.loads(line) for line in read_lines(path)]
    return [
        SubQuestionSample(
            row["task"],
            row["question"],
            tuple((sub_question, tuple((a, b, c) for a, b, c in facts)) for sub_question, facts in row["rounds"]),
            row["label"],
        )
        for row in rows
    ]
