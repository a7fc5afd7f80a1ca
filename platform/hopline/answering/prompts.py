"""Prompt of the generative answer and the JSON schema of its reply."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from hopline.flow.quoted_text import quote_text
from hopline.nlp.tokens import tokenise
from hopline.results import Evidence
from hopline.tables.grid import read_grid

MOST_CHARACTERS: Final = 2400  # of one evidence; a longer table loses the rows that share least with the question
MOST_TOKENS: Final = 700  # of the reply
MARK: Final = "**"  # around the reader's answer; ignored in quotes (`hopline.answering.quotes`)

SYSTEM: Final = """Answer the question with the numbered evidence only. Do not use other knowledge, and do not guess.
Text between ** was marked by a search as a likely answer. It may be wrong.
"sentences": one to four short sentences. Each has citations: the number of an evidence, and a quote, copied exactly
from that evidence. A quote is as short as possible, but at least a few words. From a table, quote the complete row.
"short": the answer itself, in as few words as possible, in the words of the evidence where it has them; "yes" or "no"
if the question asks for that.
"found": whether the evidence answers the question. If it does not, or if it is about another name, year or thing than
the question, return no sentences, an empty "short", and false."""

Span = tuple[int, int]

_CITATION: Final = {
    "type": "object",
    "properties": {"evidence": {"type": "integer"}, "quote": {"type": "string"}},
    "required": ["evidence", "quote"],
    "additionalProperties": False,
}
_SENTENCE: Final = {
    "type": "object",
    "properties": {"text": {"type": "string"}, "citations": {"type": "array", "items": _CITATION}},
    "required": ["text", "citations"],
    "additionalProperties": False,
}
SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "sentences": {"type": "array", "items": _SENTENCE},
        "short": {"type": "string"},
        "found": {"type": "boolean"},
    },
    "required": ["sentences", "short", "found"],
    "additionalProperties": False,
}


def build_prompt(question: str, evidence: Sequence[Evidence], spans: Mapping[str, Span] = MappingProxyType({})) -> str:
    """The question behind its evidence, which is numbered from 1 in its order.

    ``spans`` are the answers that the reader found, by the id of the evidence; they are marked.
    """
    parts = [
        f"[{number}] {_quote(evidence_item, question, spans.get(evidence_item.id))}"
        for number, evidence_item in enumerate(evidence, 1)
    ]
    return "\n\n".join(("Evidence", *parts, f"Question: {question}"))


def _quote(evidence: Evidence, question: str, span: Span | None) -> str:
    """Quote an evidence: its location in the first line, then its text."""
    return quote_text(f"{_place(evidence)}\n{_cut(evidence, question, span)}")


def _place(evidence: Evidence) -> str:
    """Document, page and section in one line."""
    pages = f"page {evidence.pages[0]}" if evidence.pages else ""
    said = (evidence.document, evidence.title, pages, " › ".join(evidence.section))
    return ", ".join(dict.fromkeys(part for part in said if part))


def _cut(evidence: Evidence, question: str, span: Span | None) -> str:
    """The text of an evidence with a span marked; a long one is cut."""
    text = evidence.text
    if len(text) > MOST_CHARACTERS and evidence.kind == "table":
        return "\n".join(_rows(text, _forms([question])))
    if span is not None:
        text = f"{text[: span[0]]}{MARK}{text[slice(*span)]}{MARK}{text[span[1] :]}"
    return text if len(text) <= MOST_CHARACTERS else text[:MOST_CHARACTERS].rsplit(" ", 1)[0]


def _rows(text: str, wanted: frozenset[str]) -> list[str]:
    """The caption, the header and the rows nearest to the question that there is room for, in their order."""
    grid = read_grid(text)
    head = text[: grid.head[-1].end] if grid.head else ""
    lines = [(row.start, text[row.start : row.end]) for row in grid.body]
    nearest = sorted(lines, key=lambda line: -len(_forms([line[1]]) & wanted))
    room = MOST_CHARACTERS - len(head)
    kept = []
    for line in nearest:
        room -= len(line[1]) + 1
        if room < 0:
            break
        kept.append(line)
    return [head, *(line for _, line in sorted(kept))]


def _forms(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(form for text in texts for token in tokenise(text) for form in token.forms)
