"""Closed-book answers: the model answers without evidence, the lower bound for retrieval."""

from __future__ import annotations

from typing import Final

from hopline.answering.completion import complete
from hopline.flow.requests import Flow
from hopline.results import Answer, Retrieval, Sentence

MOST_TOKENS: Final = 300
SYSTEM: Final = """Answer the question from your own knowledge.
"text" is one sentence with the answer. "short" is the answer itself, in as few words as possible. If you do not know
the answer, leave both empty."""
SCHEMA: Final = {
    "type": "object",
    "properties": {"text": {"type": "string"}, "short": {"type": "string"}},
    "required": ["text", "short"],
    "additionalProperties": False,
}


def answer_closed_book(question: str, retrieval: Retrieval, *, model: str) -> Flow[Answer]:
    """One sentence, never backed and never cited; an abstention where the model has none.

    A model that fails is an abstention that nobody wrote: its ``model_error`` says why.
    """
    said, error = yield from complete(question, schema=SCHEMA, system=SYSTEM, max_tokens=MOST_TOKENS)
    if said is None:
        return Answer(question, (), retrieval, abstained=True, model_error=error)
    text = " ".join((said["text"] or said["short"]).split())
    if not text:
        return Answer(question, (), retrieval, abstained=True, written_by=model)
    sentence = Sentence(text, backed=False)
    short = said["short"].strip()
    return Answer(question, (sentence,), retrieval, short=short, short_quoted=not short, written_by=model)
