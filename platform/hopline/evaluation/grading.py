"""Whether an answer says what is right, in a model's judgement (KGP, listing 5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hopline.flow.requests import Flow
from hopline.retrieval.agent.llm_session import YES_NO, Silence, Talk, form

MOST_TOKENS: Final = 40
SYSTEM: Final = """You mark answers. You see a question, the right answers to it (any one of them is enough), and what
a candidate answered. Set "correct" to true when the candidate says the same as one of the right answers, in whatever
words or form, and to false when it says something else, leaves the point open, or contradicts itself."""


@dataclass(frozen=True, slots=True)
class Marked:
    """An answer to be marked: the question, what is right, each enough by itself, and what was said."""

    question: str
    right: tuple[str, ...]
    said: str


def grading(marked: Marked) -> Flow[bool]:
    """The model's verdict on one answer; a reply that cannot be used, or none, counts as wrong."""
    right = "\n".join(f"- {one}" for one in marked.right)
    prompt = f"Question: {marked.question}\n\nRight answers:\n{right}\n\nCandidate: {marked.said}"
    try:
        data = yield from Talk().told(prompt, form(correct=YES_NO), system=SYSTEM, most=MOST_TOKENS)
    except Silence:
        return False
    return bool(data and data["correct"])
