"""What a language model is asked for an answer: instructions with the JSON schemas of its replies, and the evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from hopline.errors import BudgetSpent, ModelError
from hopline.flow.quoted_text import quote_text
from hopline.flow.requests import Flow, ask
from hopline.results import Evidence
from hopline.tables.grid import TableGrid
from hopline.text.tokens import tokenize

MAX_CHARACTERS: Final = 2400  # of one evidence; a longer table loses the rows that share least with the question
NO_DATA: Final = "the model's reply holds no JSON object"
MARK: Final = "**"  # around the reader's answer; ignored in quotes (`hopline.reader.quotes`)

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Instruction:
    """The system prompt of a request, the JSON schema of its reply, and the most tokens of the reply."""

    system: str
    schema: Mapping[str, Any]
    max_tokens: int


def _describe_object(**properties: Any) -> dict[str, Any]:
    """Return the JSON schema of an object that has exactly these properties."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


_TEXT: Final = {"type": "string"}
_CITATION: Final = _describe_object(evidence={"type": "integer"}, quote=_TEXT)
_SENTENCE: Final = _describe_object(text=_TEXT, citations={"type": "array", "items": _CITATION})

WITH_EVIDENCE: Final = Instruction(
    """Answer the question with the numbered evidence only. Do not use other knowledge, and do not guess.
Text between ** was marked by a search as a likely answer. It may be wrong.
"sentences": one to four short sentences. Each has citations: the number of an evidence, and a quote, copied exactly
from that evidence. A quote is as short as possible, but at least a few words. From a table, quote the complete row.
"short": the answer itself, in as few words as possible, in the words of the evidence where it has them; "yes" or "no"
if the question asks for that.
"found": whether the evidence answers the question. If it does not, or if it is about another name, year or thing than
the question, return no sentences, an empty "short", and false.""",
    _describe_object(sentences={"type": "array", "items": _SENTENCE}, short=_TEXT, found={"type": "boolean"}),
    max_tokens=700,
)
CLOSED_BOOK: Final = Instruction(
    """Answer the question from your own knowledge.
"text" is one sentence with the answer. "short" is the answer itself, in as few words as possible. If you do not know
the answer, leave both empty.""",
    _describe_object(text=_TEXT, short=_TEXT),
    max_tokens=300,
)


def request_reply(instruction: Instruction, prompt: str) -> Flow[tuple[Mapping[str, Any] | None, str]]:
    """Return the data of the model's reply and ""; or None and why: it failed, or its reply does not fit the schema."""
    request = ask([prompt], schema=instruction.schema, system=instruction.system, max_tokens=instruction.max_tokens)
    try:
        [reply] = yield request
    except (ModelError, BudgetSpent) as error:
        return None, str(error) or type(error).__name__
    if reply.ok and isinstance(reply.data, dict):
        return reply.data, ""
    return None, reply.error or NO_DATA


def build_prompt(question: str, evidence: Sequence[Evidence], spans: Mapping[str, Span] = MappingProxyType({})) -> str:
    """Build the prompt of the evidence, numbered from 1, and the question after it.

    ``spans`` are the answers that the reader found, by the id of the evidence; they are marked.
    """
    parts = [f"[{number}] {_quote(item, question, spans.get(item.id))}" for number, item in enumerate(evidence, 1)]
    return "\n\n".join(("Evidence", *parts, f"Question: {question}"))


def _quote(evidence: Evidence, question: str, span: Span | None) -> str:
    """Quote an evidence: its document, title, page and section in the first line, then its text."""
    page = f"page {evidence.pages[0]}" if evidence.pages else ""
    parts = (evidence.document, evidence.title, page, " › ".join(evidence.section))
    header = ", ".join(dict.fromkeys(part for part in parts if part))
    return quote_text(f"{header}\n{_shorten_text(evidence, question, span)}")


def _shorten_text(evidence: Evidence, question: str, span: Span | None) -> str:
    """Return the text of an evidence with a span marked, of at most about `MAX_CHARACTERS`."""
    text = evidence.text
    if len(text) > MAX_CHARACTERS and evidence.grid is not None:
        return _select_rows(text, evidence.grid, question)
    if span is not None:
        text = f"{text[: span[0]]}{MARK}{text[slice(*span)]}{MARK}{text[span[1] :]}"
    return text if len(text) <= MAX_CHARACTERS else text[:MAX_CHARACTERS].rsplit(" ", 1)[0]


def _select_rows(text: str, grid: TableGrid, question: str) -> str:
    """Return the caption, the header and those rows that share most with the question, in the order of the table."""
    head = text[: grid.head[-1].end] if grid.head else ""
    wanted = _list_forms(question)
    rows = [(row.start, text[row.start : row.end]) for row in grid.body]
    room = MAX_CHARACTERS - len(head)
    selected = []
    for row in sorted(rows, key=lambda row: -len(_list_forms(row[1]) & wanted)):
        room -= len(row[1]) + 1
        if room < 0:
            break
        selected.append(row)
    return "\n".join([head, *(row for _, row in sorted(selected))])


def _list_forms(text: str) -> frozenset[str]:
    return frozenset(form for token in tokenize(text) for form in token.forms)
