"""The next question, its answer, and whether the answers are enough: what Self-Ask and RGNN-Ret ask a model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hopline.flow.requests import Flow
from hopline.ids import normalise
from hopline.retrieval.agent.evidence_sources import Source
from hopline.retrieval.agent.llm_session import TEXT, YES_NO, Silence, Talk, form, one_line
from hopline.retrieval.evidence_texts import numbered, read_texts
from hopline.retrieval.ranking import Ranking

Pairs = Sequence[tuple[str, str]]  # questions asked on the way, with their answers

NEXT: Final = """You take a question apart so that a search engine can answer it piece by piece.
You see the question and the smaller questions that were already asked, each with the answer that was found.
Write the one smaller question that should be looked up next. It must make sense by itself: put names in the place of
"he", "it" or "that film", and use the answers found so far. When the answers so far are enough, or the question asks
for one fact only and that was looked up, set "done" to true and leave "question" empty."""

SHORT: Final = """You answer a question from numbered passages in as few words as possible.
Give the name, date, number or short phrase alone. When the passages do not say, write "unknown"."""

CRITIQUE: Final = """You judge whether answers that were found on the way are enough to answer a question.
You see the question and the answers alone. Set "enough" to true when a careful reader could now give the final
answer, and to false when something is still missing or unknown."""

UNKNOWN: Final = "unknown"


def ask_on(question: str, k: int, source: Source, *, steps: int, critique: bool) -> Flow[list[Ranking]]:
    """What ``source`` finds for each smaller question, at most ``steps``; for the question itself where none came.

    It ends where the model knows enough, repeats a question or says no more, and, with ``critique``, where it
    judges the answers to be enough.
    """
    talk = Talk()
    found: list[Ranking] = []
    pairs: list[tuple[str, str]] = []
    try:
        for _ in range(steps):
            following = yield from next_question(talk, question, pairs)
            if following is None:
                continue
            if following == "" or asked_so_far(following, pairs):
                break
            found.append((yield from source.find(following, k)))
            pairs.append((following, (yield from answered(talk, following, found[-1].ids))))
            if critique and (yield from enough(talk, question, pairs)):
                break
    except Silence:
        pass
    return found or [(yield from source.find(question, k))]


def next_question(talk: Talk, question: str, pairs: Pairs) -> Flow[str | None]:
    """The smaller question to look up next; "" when enough is known, None where the reply is of no use.

    Raises:
        Silence: as `Talk.told`.
    """
    so_far = "\n".join(f"Asked: {asked}\nFound: {said}" for asked, said in pairs)
    prompt = "\n\n".join(filter(None, (f"Question: {question}", so_far, "What should be looked up next?")))
    data = yield from talk.told(prompt, form(question=TEXT, done=YES_NO), system=NEXT)
    if data is None:
        return None
    return "" if data["done"] else one_line(data["question"])


def asked_so_far(question: str, pairs: Pairs) -> bool:
    """Whether the same words were asked before."""
    return normalise(question) in {normalise(asked) for asked, _ in pairs}


def answered(talk: Talk, question: str, ids: Sequence[str]) -> Flow[str]:
    """The short answer that evidence gives to a smaller question; "unknown" where there is none.

    Raises:
        Silence: as `Talk.told`.
    """
    evidence = yield from read_texts(ids)
    prompt = f"{numbered(evidence)}\n\nQuestion: {question}"
    data = yield from talk.told(prompt, form(answer=TEXT), system=SHORT)
    return (one_line(data["answer"]) if data else "") or UNKNOWN


def enough(talk: Talk, question: str, pairs: Pairs) -> Flow[bool]:
    """Whether the answers found so far are enough; the smaller questions are left out on purpose (CODE-NOTES 1).

    Raises:
        Silence: as `Talk.told`.
    """
    answers = "\n".join(f"- {said}" for _, said in pairs)
    data = yield from talk.told(
        f"Question: {question}\n\nAnswers found:\n{answers}", form(enough=YES_NO), system=CRITIQUE
    )
    return bool(data and data["enough"])
