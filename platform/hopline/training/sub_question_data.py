"""Questions with gold passages into what a planner and an answerer learn from: HotpotQA-SUBQ.

RAS, appendix B, algorithm 1. A question that the language model answers right without help teaches that nothing needs
to be looked up. Of any other, the model writes a sub-question for each gold passage in the order of hops, and each
prefix teaches the next sub-question, all of them that it suffices, and then the answer. Facts are the triples that the
graph has of a passage.

Departures: also the bare question teaches its first sub-question, which the algorithm as printed lacks, and no
question teaches both that and that nothing needs to be looked up (CODE-NOTES 5). Passages that do not help are not
filtered out: gold holds none.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from hopline.atomic_files import replace_text, text_lines
from hopline.flow.requests import Flow, embed
from hopline.ids import normalise
from hopline.learned.graph_llm import Task, Triple
from hopline.retrieval.agent.llm_session import TEXT, Talk, form, one_line
from hopline.retrieval.agent.query_graph import stated
from hopline.training.hop_order import hops_of

ALIKE: Final = 0.8  # cosine from which on an answer is the right one
TRIES: Final = 3
SHORTEST: Final = 10  # characters of a sub-question
SHOWN: Final = 600  # characters of a passage

DIRECT: Final = """You answer a question from what you know, in as few words as possible. When you are not sure, write
"unknown"."""
ASK: Final = """You take a question apart for a search engine.
You see the question, the smaller questions asked so far, and a passage. Write the one smaller question that this
passage answers and that is needed to answer the question. It makes sense by itself: names in place of pronouns. It is
not the question itself, and nothing that was asked before."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A prompt's parts and the reply: ``rounds`` are sub-questions with the facts that each found."""

    task: Task
    question: str
    rounds: tuple[tuple[str, tuple[Triple, ...]], ...]
    label: str


def samples_of(question: str, answers: Sequence[str], gold: Sequence[str]) -> Flow[list[Sample] | None]:
    """The samples of a question; None where fewer than two of its gold passages are in the collection.

    Raises:
        Silence: the budget is spent.
        ModelUnavailable: no model is configured, or it never answered.
    """
    hops = yield from hops_of(question, gold)
    if hops is None or not answers:
        return None
    talk = Talk()
    if (yield from _known(talk, question, answers)):
        return [Sample("plan", question, (), "[NO_RETRIEVAL]"), Sample("answer", question, (), answers[0])]
    rounds: list[tuple[str, tuple[Triple, ...]]] = []
    for id, text in zip(hops.ids, hops.texts, strict=True):
        asked = yield from _sub_question(talk, question, [one for one, _ in rounds], text)
        facts = yield from stated([id])
        rounds.append((asked, tuple((one.subject, one.predicate, one.object) for one in facts)))
    plans = [Sample("plan", question, tuple(rounds[:n]), f"[SUBQ] {asked}") for n, (asked, _) in enumerate(rounds)]
    whole = tuple(rounds)
    return [*plans, Sample("plan", question, whole, "[SUFFICIENT]"), Sample("answer", question, whole, answers[0])]


def _known(talk: Talk, question: str, answers: Sequence[str]) -> Flow[bool]:
    """Whether the model answers right by itself."""
    data = yield from talk.told(f"Question: {question}", form(answer=TEXT), system=DIRECT, most=40)
    said = one_line(data["answer"]) if data else ""
    if not said or normalise(said) == "unknown":
        return False
    first, *right = yield embed([said, *answers])
    return max(float(first @ one) for one in right) >= ALIKE


def _sub_question(talk: Talk, question: str, so_far: Sequence[str], text: str) -> Flow[str]:
    """The smaller question that a passage answers; a stock question about its title where none of use came."""
    asked = "".join(f"Asked: {one}\n" for one in so_far)
    prompt = f"Question: {question}\n{asked}Passage: {text[:SHOWN]}"
    taken = {normalise(one) for one in (question, *so_far)}
    for attempt in range(TRIES):
        again = f"\nYour reply number {attempt} was no new question." if attempt else ""
        data = yield from talk.told(prompt + again, form(question=TEXT), system=ASK, most=60)
        written = one_line(data["question"]) if data else ""
        if written.endswith("?") and len(written) > SHORTEST and normalise(written) not in taken:
            return written
    return f"What is known about {text.split(':', maxsplit=1)[0]}?"


def write_samples(path: Path, samples: Iterable[Sample]) -> None:
    """Samples as rows, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_text(path, "".join(f"{json.dumps(asdict(one))}\n" for one in samples))


def read_samples(path: Path) -> list[Sample]:
    """What `write_samples` wrote."""
    rows = [json.loads(line) for line in text_lines(path)]
    return [
        Sample(
            row["task"],
            row["question"],
            tuple((asked, tuple((a, b, c) for a, b, c in facts)) for asked, facts in row["rounds"]),
            row["label"],
        )
        for row in rows
    ]
