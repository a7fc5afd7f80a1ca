"""Sub-questions of Self-Ask and RGNN-Ret: ask for the next one, answer it, and judge whether the answers suffice.

Departures: all prompts are our own, without examples; an answer is read from at most 3,500 tokens of evidence; the
critique sees the sub-questions with their answers, where GNN-Ret (section 3.3) shows it the answers alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from hopline.errors import BudgetSpent
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
"he", "it" or "that film", and use the answers found so far."""
NEXT_OR_DONE_PROMPT: Final = f"""{NEXT_PROMPT} When the answers so far are enough, or the question asks
for one fact only and that was looked up, set "done" to true and leave "question" empty."""

PHRASE_PROMPT: Final = """You answer a question from numbered passages in as few words as possible.
Give the name, date, number or short phrase alone. When the passages do not say, write "unknown"."""
SENTENCE_PROMPT: Final = """You answer a question from numbered passages in one short sentence.
The sentence must make sense without the question: it names who or what was asked about, and the name, date, number or
phrase that is the answer, as in "The Eddy Lighthouse was built by Ada Quill." and not "Ada Quill" alone. When the
passages do not say, write "unknown"."""

CRITIQUE_PROMPT: Final = """You judge whether what was found on the way is enough to answer a question.
You see the question, and the smaller questions that were looked up, each with the sentence that was found. Set "enough"
to true when a careful reader could now give the final answer, and to false when something is still missing or
unknown."""

UNKNOWN: Final = "unknown"


def search_sub_questions(
    question: str, k: int, source: EvidenceSource, *, steps: int, critique: bool
) -> Flow[list[Ranking]]:
    """Retrieve evidence for at most ``steps`` sub-questions; for the question itself if the model wrote none.

    Without ``critique``, the loop ends when the model says that it knows enough or repeats a question; with it, only
    when the critique judges the answers, which are then sentences, to be sufficient. A reply that cannot be used costs
    its step: the question itself is searched for in this step, and so it is with ``critique`` if the model asks
    nothing new. If that was searched for before, the loop ends, as the same prompt would follow. The sub-question of
    the last step is searched for, but not answered, as no step follows that reads the answer.
    """
    session = LlmSession()
    rankings: list[Ranking] = []
    pairs: list[tuple[str, str]] = []
    try:
        for step in range(1, steps + 1):
            sub_question = yield from ask_next_question(session, question, pairs, may_end=not critique)
            if not sub_question:
                break
            rankings.append((yield from source.find(sub_question, k)))
            if step == steps:
                break
            answer = yield from answer_sub_question(session, sub_question, rankings[-1].ids, in_sentence=critique)
            pairs.append((sub_question, answer))
            if critique and (yield from judge_answers(session, question, pairs)):
                break
    except (LlmExhausted, BudgetSpent):
        pass
    return rankings or [(yield from source.find(question, k))]


def ask_next_question(session: LlmSession, question: str, pairs: Pairs, *, may_end: bool) -> Flow[str]:
    """Ask for the next sub-question; "" if there is none, because the model ends the loop or asks nothing new.

    The question itself, if it was not asked before, takes the place of a reply that cannot be used; and without
    ``may_end`` also that of an empty or a repeated sub-question.

    Raises:
        LlmExhausted: as `LlmSession.ask`.
    """
    prompt = "\n\n".join([f"Question: {question}", *_format_pairs(pairs), "What should be looked up next?"])
    schema = object_schema(question=TEXT, done=YES_NO) if may_end else object_schema(question=TEXT)
    data = yield from session.ask(prompt, schema, system=NEXT_OR_DONE_PROMPT if may_end else NEXT_PROMPT)
    if data and may_end and data["done"]:
        return ""
    earlier = [previous for previous, _ in pairs]
    options = [to_one_line(data["question"])] if data else []
    options += [] if data and may_end else [question]
    return next((option for option in options if option and not is_repeated(option, earlier)), "")


def is_repeated(question: str, earlier: Iterable[str]) -> bool:
    """Return whether an earlier question has the same normalized words."""
    return normalize_name(question) in {normalize_name(previous) for previous in earlier}


def answer_sub_question(session: LlmSession, question: str, ids: Sequence[str], *, in_sentence: bool) -> Flow[str]:
    """Answer a sub-question from evidence, in a phrase or in a sentence; "unknown" if the model finds no answer.

    Raises:
        LlmExhausted: as `LlmSession.ask`.
    """
    evidence = yield from fetch_evidence(ids)
    prompt = f"{format_numbered(evidence)}\n\nQuestion: {question}"
    name, system = ("sentence", SENTENCE_PROMPT) if in_sentence else ("answer", PHRASE_PROMPT)
    data = yield from session.ask(prompt, object_schema(**{name: TEXT}), system=system)
    return (to_one_line(data[name]) if data else "") or UNKNOWN


def judge_answers(session: LlmSession, question: str, pairs: Pairs) -> Flow[bool]:
    """Return whether the model judges the answers to the sub-questions to be sufficient.

    Raises:
        LlmExhausted: as `LlmSession.ask`.
    """
    prompt = "\n\n".join([f"Question: {question}", *_format_pairs(pairs)])
    data = yield from session.ask(prompt, object_schema(enough=YES_NO), system=CRITIQUE_PROMPT)
    return bool(data and data["enough"])


def _format_pairs(pairs: Pairs) -> list[str]:
    return [f"Asked: {previous}\nFound: {quote_text(answer)}" for previous, answer in pairs]
