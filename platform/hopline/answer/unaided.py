"""What a model says without evidence: the lower bound that retrieval is measured against."""

from __future__ import annotations

from typing import Final

from hopline.errors import BudgetSpent, ModelError
from hopline.flow.requests import Flow, ask
from hopline.types import Answer, Retrieval, Sentence

MOST_TOKENS: Final = 300
SYSTEM: Final = """You answer questions from what you know.
"short" is the answer alone, in as few words as possible; "text" is one sentence that gives it. When you do not know,
leave both empty."""
SCHEMA: Final = {
    "type": "object",
    "properties": {"text": {"type": "string"}, "short": {"type": "string"}},
    "required": ["text", "short"],
    "additionalProperties": False,
}


def unaided(question: str, retrieval: Retrieval) -> Flow[Answer]:
    """One sentence, never backed and never cited; an abstention where the model has none."""
    try:
        [reply] = yield ask([question], schema=SCHEMA, system=SYSTEM, max_tokens=MOST_TOKENS)
    except (ModelError, BudgetSpent):
        return Answer(question, (), retrieval, abstained=True)
    said = reply.data if reply.ok and isinstance(reply.data, dict) else {"text": "", "short": ""}
    text = " ".join((said["text"] or said["short"]).split())
    if not text:
        return Answer(question, (), retrieval, abstained=True)
    return Answer(question, (Sentence(text, backed=False),), retrieval, short=said["short"].strip())
