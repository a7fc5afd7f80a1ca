"""Sub-questions of Self-Ask and RGNN-Ret: ask for the next one, answer it, and judge whether the answers suffice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from hopline.flow.quoted_text import quote_text
from hopline.flow.requests import Flow
from hopline.ids import normalize_name
from hopline.retrieval.agent.evidence_sources import EvidenceSource
from hopline.retrieval.agent.llm_session import TEXT, YES_NO, LlmExhausted, LlmSession, object_schema, to_one_line
from hopline.retrieval.evidence_texts import fetch_evidence, format_numbered
from hopline.retrieval.ranking import Ranking

Pairs = Sequence[tuple[str, str]]  # sub-questions with their answers

NEXT_PROMPT: Final = """You take a question apart so that a search engine can answer it piece by piece.
You see the question and the smaller questions that were already asked, each with the answer that was found.
Write the one smaller question that should be looked up next. It must make sense by itself: put names in the place of
"he", "it" or "that film", and use the answers found so far. When the answers so far are enough, or the question asks
for one fact only and that was looked up, set "done" to true and leave "question" empty."""

ANSWER_PROMPT: Final = """You answer a question from numbered passages in as few words as possible.
Give the name, date, number or short phrase alone. When the passages do not say, write "unknown"."""

CRITIQUE_PROMPT: Final = """You judge whether answers that were found on the way are enough to answer a question.
You see the question and the answers alone. Set "enough" to true when a careful reader could now give the final
answer, and to false when something is still missing or unknown."""

UNKNOWN: Final = "unknown"


def search_sub_questions(
    question: str, k: int, source: EvidenceSource, *, steps: int, critique: bool
) -> Flow[list[Ranking]]:
    """Retrieve evidence for at most ``steps`` sub-questions; for the question itself if the model wrote none.

    The loop ends when the model says that it knows enough, repeats a question or can no longer be asked, and, with
    ``critique``, when it judges the answers to be sufficient. The sub-question of the last step is searched for, but
    not answered, as no step follows that reads the answer.
    """
    session = LlmSession()
    rankings: list[Ranking] = []
    pairs: list[tuple[str, str]] = []
    try:
        for step in range(1, steps + 1):
            sub_question = yield from ask_next_question(session, question, pairs)
            if sub_question is None:
                continue
            if sub_question == "" or is_repeated(sub_question, (previous for previous, _ in pairs)):
                break
            rankings.append((yield from source.find(sub_question, k)))
            if step == steps:
                break
            pairs.append((sub_question, (yield from answer_sub_question(session, sub_question, rankings[-1].ids))))
            if critique and (yield from judge_answers(session, question, pairs)):
                break
    except LlmExhausted:
        pass
    return rankings or [(yield from source.find(question, k))]


def ask_next_question(session: LlmSession, question: str, pairs: Pairs) -> Flow[str | None]:
    """Ask for the next sub-question; "" if the model knows enough, None if its reply cannot be used.

    Raises:
        LlmExhausted: as `LlmSession.ask`.
    """
    so_far = "\n".join(f"Asked: {previous}\nFound: {quote_text(answer)}" for previous, answer in pairs)
    prompt = "\n\n".join(filter(None, (f"Question: {question}", so_far, "What should be looked up next?")))
    data = yield from session.ask(prompt, object_schema(question=TEXT, done=YES_NO), system=NEXT_PROMPT)
    if data is None:
        return None
    return "" if data["done"] else to_one_line(data["question"])


def is_repeated(question: str, earlier: Iterable[str]) -> bool:
    """Return whether an earlier question has the same normalized words."""
    return normalize_name(question) in {normalize_name(previous) for previous in earlier}


def answer_sub_question(session: LlmSession, question: str, ids: Sequence[str]) -> Flow[str]:
    """Answer a sub-question briefly from evidence; "unknown" if the model finds no answer.

    Raises:
        LlmExhausted: as `LlmSession.ask`.
    """
    evidence = yield from fetch_evidence(ids)
    prompt = f"{format_numbered(evidence)}\n\nQuestion: {question}"
    data = yield from session.ask(prompt, object_schema(answer=TEXT), system=ANSWER_PROMPT)
    return (to_one_line(data["answer"]) if data else "") or UNKNOWN


def judge_answers(session: LlmSession, question: str, pairs: Pairs) -> Flow[bool]:
    """Return whether the model judges the answers sufficient; as in RGNN-Ret it does not see the sub-questions.

    Raises:
        LlmExhausted: as `LlmSession.ask`.
    """
    answers = "\n".join(f"- {answer}" for _, answer in pairs)
    prompt = f"Question: {question}\n\nAnswers found:\n{quote_text(answers)}"
    data = yield from session.ask(prompt, object_schema(enough=YES_NO), system=CRITIQUE_PROMPT)
    return bool(data and data["enough"])
