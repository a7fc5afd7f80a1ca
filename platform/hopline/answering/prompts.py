"""What a model is asked when it writes an answer, and the form of its reply."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from hopline.answering.grid import read_grid
from hopline.answering.tokens import tokenise
from hopline.types import Evidence

MOST_CHARACTERS: Final = 2400  # of one evidence; a longer table loses the rows that share least with the question
MOST_TOKENS: Final = 700  # of the reply

SYSTEM: Final = """You answer questions from numbered evidence and from nothing else.
Write one to four short sentences. Behind every sentence put what proves it: the number of the evidence and the words of
that evidence, copied letter by letter. Copy only as much as the proof needs, at least a few words; of a table copy the
whole row. Do not use what you know from elsewhere, and do not guess: when the evidence does not hold the answer, or
holds it for another name, year or thing than the question asks about, set "found" to false and write no sentence.
"short" is the answer alone, in as few words as possible, as the evidence writes it."""

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
        "found": {"type": "boolean"},
        "sentences": {"type": "array", "items": _SENTENCE},
        "short": {"type": "string"},
    },
    "required": ["found", "sentences", "short"],
    "additionalProperties": False,
}


def prompt(question: str, evidence: Sequence[Evidence]) -> str:
    """The question behind its evidence, which is numbered from 1 in its order."""
    parts = [f"[{number}] {_place(one)}\n{_cut(one, question)}" for number, one in enumerate(evidence, 1)]
    return "\n\n".join(("Evidence", *parts, f"Question: {question}"))


def _place(evidence: Evidence) -> str:
    """Document, page and section in one line."""
    pages = f"page {evidence.pages[0]}" if evidence.pages else ""
    said = (evidence.document, evidence.title, pages, " › ".join(evidence.section))
    return ", ".join(dict.fromkeys(part for part in said if part))


def _cut(evidence: Evidence, question: str) -> str:
    if len(evidence.text) <= MOST_CHARACTERS:
        return evidence.text
    if evidence.kind == "passage":
        return evidence.text[:MOST_CHARACTERS].rsplit(" ", 1)[0]
    return "\n".join(_rows(evidence.text, _forms([question])))


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
