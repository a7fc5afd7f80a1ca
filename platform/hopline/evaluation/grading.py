"""Grading of answers by a language model (KGP, listing 5).

Departure: the prompt is our own, without the paper's examples.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hopline.flow.quoted_text import quote_text
from hopline.flow.requests import Flow
from hopline.retrieval.agent.llm_session import YES_NO, LlmExhausted, LlmSession, object_schema

MOST_TOKENS: Final = 40
SYSTEM: Final = """You mark answers. You see a question, the right answers to it (any one of them is enough), and what
a candidate answered. Set "correct" to true when the candidate says the same as one of the right answers, in whatever
words or form, and to false when it says something else, leaves the point open, or contradicts itself."""


@dataclass(frozen=True, slots=True)
class GradedAnswer:
    """An answer to grade, with its question and the correct answers, any of which is sufficient."""

    question: str
    correct_answers: tuple[str, ...]
    answer: str


def grade_answer(graded: GradedAnswer) -> Flow[bool]:
    """Grade one answer by the model; an unusable reply, or none, counts as wrong."""
    correct = "\n".join(f"- {answer}" for answer in graded.correct_answers)
    prompt = f"Question: {graded.question}\n\nRight answers:\n{correct}\n\nCandidate: {quote_text(graded.answer)}"
    try:
        data = yield from LlmSession().ask(prompt, object_schema(correct=YES_NO), system=SYSTEM, max_tokens=MOST_TOKENS)
    except LlmExhausted:
        return False
    return bool(data and data["correct"])
