"""Short answers of a language model from the evidence of a strategy alone, as papers evaluate strategies.

The model gets what the strategy retrieved, in its order, and answers in every case; its answer is taken as it is
(GNN-Ret, appendix I.2; GEAR, appendix I.3; KGP, listings 2 to 4; RAS, appendix E.1). Unlike in
`hopline.answers.generated`, no evidence is added, no reader selects, orders or marks it, and nothing is verified.

Departures from the papers: one prompt for all strategies and data sets, without examples. It asks for a short answer,
also where a data set has long ones (ASQA and ELI5 in RAS).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from hopline.answers.composition import compose_answer
from hopline.answers.prompts import Instruction, request_reply
from hopline.flow.requests import Flow, Reply
from hopline.results import Answer, Evidence, Retrieval, Sentence
from hopline.retrieval.agent.llm_session import object_schema
from hopline.retrieval.evidence_retrieval import retrieve_evidence
from hopline.retrieval.evidence_texts import format_numbered
from hopline.retrieval.ranking import Strategy

MAX_REPLY_TOKENS: Final = 100
RESERVED: Final = 600  # tokens of the context for the instruction, the question and the reply
SAFE_SHARE: Final = 0.75  # of the rest, as `format_numbered` estimates tokens
_NOT_EMPTY: Final = {"type": "string", "minLength": 1}
_RULE: Final = "Answer the question{source}. Give an answer in every case: if you are not sure, the likeliest one.\n"
FROM_FACTS: Final = " from the facts of its sub-questions, which may hold only a part of what is needed"
_FROM_EVIDENCE: Final = " from the passages, which may hold only a part of what is needed"
FROM_MEMORY: Final = " from your own knowledge"
_PHRASE: Final = (
    '"answer": the name, date, number or phrase that is asked for, in at most six words, without a sentence around it; '
    '"yes" or "no" if the question can be answered so.'
)
_CHOICE: Final = '"answer": the letter of the right option, and nothing else.'


@dataclass(frozen=True, slots=True)
class ShortAnswerModel:
    """The language model that answers: its name, and how it is asked.

    ``max_tokens`` is the room for evidence, of which the last one is cut; None: all evidence, as far as the ``context``
    holds it. ``options`` are those of a multiple-choice question, from A, one of which is the answer.
    """

    name: str
    context: int
    max_tokens: int | None = None
    options: tuple[str, ...] = ()

    @property
    def room(self) -> int:
        """The tokens for evidence in a prompt."""
        return self.max_tokens or max(int(SAFE_SHARE * (self.context - RESERVED)), RESERVED)

    def instruct(self, source: str) -> Instruction:
        """Return the instruction to answer from a source, which is a part of a sentence (`FROM_MEMORY`)."""
        system = _RULE.format(source=source) + (_CHOICE if self.options else _PHRASE)
        return Instruction(system, object_schema(answer=_NOT_EMPTY), MAX_REPLY_TOKENS)

    def format_question(self, question: str) -> str:
        """Return the last lines of a prompt: the question, and the options that it does not name itself."""
        options = [f"({chr(ord('A') + number)}) {option}" for number, option in enumerate(self.options)]
        return "\n".join([f"Question: {question}", *(option for option in options if option not in question)])


def answer_in_short(
    strategy: Strategy, question: str, k: int, *, model: ShortAnswerModel, collection: str = ""
) -> Flow[Answer]:
    """Retrieve the ``k`` best evidence with a strategy, and let the model answer from it.

    The answer is one sentence, which is also the short answer, without citations. If the model gives none, the answer
    is an abstention, and its ``model_error`` says why.
    """
    retrieval = yield from retrieve_evidence(strategy, question, k, collection=collection)
    prompt = build_evidence_prompt(question, retrieval.evidence, model)
    reply = yield from request_reply(model.instruct(_FROM_EVIDENCE if retrieval.evidence else FROM_MEMORY), prompt)
    return compose_short_answer(retrieval, read_short_answer(reply), model.name, error=reply.error)


def build_evidence_prompt(question: str, evidence: Sequence[Evidence], model: ShortAnswerModel) -> str:
    """Build the prompt of as much evidence as the model has room for, in its order, with the question after it."""
    texts = format_numbered(evidence, max_tokens=model.room)
    last_lines = model.format_question(question)
    return f"Passages:\n{texts}\n\n{last_lines}" if texts else last_lines


def read_short_answer(reply: Reply) -> str:
    """Return the answer of a reply in one line; that of a reply without the wanted JSON is its text."""
    text = reply.data["answer"] if reply.ok else reply.text
    return " ".join(text.split())


def compose_short_answer(retrieval: Retrieval, text: str, written_by: str, *, error: str = "") -> Answer:
    """Compose the answer of what a model said; without a text, an abstention with the ``error``."""
    if not text:
        return replace(compose_answer(retrieval, ()), model_error=error or "the model gave an empty answer")
    return compose_answer(retrieval, [Sentence(text, state="unsupported")], short=text, written_by=written_by)
