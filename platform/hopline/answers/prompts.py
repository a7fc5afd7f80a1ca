"""What a language model is asked for an answer: instructions with the JSON schemas of its replies, and the evidence."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from hopline.answers.written_tables import WrittenLine, WrittenTable, mark_span, write_table
from hopline.errors import BudgetSpent, ModelError
from hopline.flow.quoted_text import QUOTING_RULE, quote_text
from hopline.flow.requests import Flow, Reply, ask
from hopline.questions.analysis import QuestionAnalysis
from hopline.results import Evidence
from hopline.tables.grid import TableGrid
from hopline.text.tokens import tokenize

MAX_SHARE: Final = 0.25  # of the room for evidence that one evidence may take
MIN_ROOM: Final = 200  # tokens for evidence, however small the context
LETTERS_PER_TOKEN: Final = 5
NO_DATA: Final = "the model's reply holds no JSON object"
HEAD_SHARE: Final = 2  # part of the room for a table, as 1 of 2, that its caption and header may take
NOTES_SHARE: Final = 4
LEFT_OUT: Final = "({count} of the {total} rows are left out)"

_TOKEN: Final = re.compile(r"([A-Za-zÀ-ɏ]+)|\S")

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Instruction:
    """The system prompt of a request, the JSON schema of its reply, and the most tokens of the reply."""

    system: str
    schema: Mapping[str, Any]
    max_tokens: int


def _describe_object(*, optional: tuple[str, ...] = (), **properties: Any) -> dict[str, Any]:
    """Return the JSON schema of an object that has these properties and no others."""
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name not in optional],
        "additionalProperties": False,
    }


_TEXT: Final = {"type": "string"}
_CITATION: Final = _describe_object(evidence={"type": "integer"}, quote=_TEXT, optional=("evidence",))
_SENTENCE: Final = _describe_object(text=_TEXT, citations={"type": "array", "items": _CITATION})

WITH_EVIDENCE: Final = Instruction(
    """Answer the question with the numbered evidence only. Do not use other knowledge, and do not guess.
Text between ** was marked by a search as a likely answer. It may be wrong. In a table, "A › B" is the row or column B
of the group A.
"sentences": one to four short sentences. If the question asks for a summary, a list or an explanation, as many as it
needs; an item of a list is a sentence that begins with "- ". Each sentence has citations: the number of an evidence,
and a quote, copied exactly from that evidence. A quote is as short as possible, but at least a few words. From a table,
quote the complete row. A sentence with a figure that you compute quotes every figure that it is computed from.
"short": the answer itself, in as few words as possible, in the words of the evidence where it has them; "yes" or "no"
if the question asks for that.
"found": whether the evidence answers the question. If it does not, or if it is about another name, year or thing than
the question, return no sentences, an empty "short", and false.""",
    _describe_object(
        sentences={"type": "array", "items": _SENTENCE}, short=_TEXT, found={"type": "boolean"}, optional=("found",)
    ),
    max_tokens=2000,
)
CLOSED_BOOK: Final = Instruction(
    """Answer the question from your own knowledge.
"text" is one sentence with the answer. "short" is the answer itself, in as few words as possible. If you do not know
the answer, leave both empty.""",
    _describe_object(text=_TEXT, short=_TEXT),
    max_tokens=300,
)


@dataclass(frozen=True, slots=True)
class PromptEvidence:
    """An evidence with its text in the prompt, which may be shortened and marked."""

    evidence: Evidence
    text: str


def request_reply(
    instruction: Instruction,
    prompt: str,
    *,
    max_tokens: int | None = None,
    on_text: Callable[[str], None] | None = None,
) -> Flow[Reply]:
    """Return the model's reply with its data, or one whose ``error`` says why there is none.

    ``max_tokens`` limits the reply more than the instruction does. ``on_text`` is called with what has arrived of it.
    """
    request = ask(
        [prompt],
        schema=instruction.schema,
        system=instruction.system,
        max_tokens=max_tokens or instruction.max_tokens,
        on_text=on_text,
    )
    reply: Reply
    try:
        [reply] = yield request
    except (ModelError, BudgetSpent) as error:
        return Reply(error=str(error) or type(error).__name__)
    is_usable = reply.ok and isinstance(reply.data, dict)
    return reply if is_usable else replace(reply, error=reply.error or NO_DATA)


def select_evidence(
    question: QuestionAnalysis, ranked: Sequence[Evidence], spans: Mapping[str, Span], *, context: int
) -> list[PromptEvidence]:
    """Select as much evidence, the best first, as a context of so many tokens holds besides instructions and reply.

    No evidence takes more than `MAX_SHARE` of the room: a longer table loses the rows that share least with the
    question, a longer passage is cut. Evidence for which the room left is not enough is left out. ``spans`` are the
    answers that the reader found, by the id of the evidence; they are marked.
    """
    frame = f"{WITH_EVIDENCE.system}{QUOTING_RULE}{json.dumps(WITH_EVIDENCE.schema)}{question.original}"
    room = total = max(context - compute_reply_limit(context) - estimate_tokens(frame), MIN_ROOM)
    selected: list[PromptEvidence] = []
    for item in ranked:
        text = _quote(item, question, spans.get(item.id), max_tokens=int(MAX_SHARE * total))
        tokens = estimate_tokens(text)
        if tokens <= room or not selected:
            selected.append(PromptEvidence(item, text))
            room -= tokens
    return selected


def compute_reply_limit(context: int) -> int:
    """Return the most tokens of a reply with evidence: a quarter of the context at most."""
    return min(WITH_EVIDENCE.max_tokens, context // 4)


def build_prompt(question: str, evidence: Sequence[PromptEvidence]) -> str:
    """Build the prompt of the evidence, numbered from 1, and the question after it."""
    parts = [f"[{number}] {item.text}" for number, item in enumerate(evidence, 1)]
    return "\n\n".join(("Evidence", *parts, f"Question: {question}"))


def estimate_tokens(text: str) -> int:
    """Estimate the tokens of a text: rather too many, since the tokenizer of the model is not known.

    A word counts as one token for each five letters, a digit, a sign and a letter of other scripts as one.
    """
    return sum(-(-len(match[0]) // LETTERS_PER_TOKEN) if match[1] else 1 for match in _TOKEN.finditer(text))


def _quote(evidence: Evidence, question: QuestionAnalysis, span: Span | None, *, max_tokens: int) -> str:
    """Quote an evidence: its document, title, page and section in the first line, then its text."""
    page = f"page {evidence.pages[0]}" if evidence.pages else ""
    parts = (evidence.document, evidence.title, page, " › ".join(evidence.section))
    header = ", ".join(dict.fromkeys(part for part in parts if part))
    return quote_text(f"{header}\n{shorten_evidence(evidence, question, span, max_tokens)}")


def shorten_evidence(evidence: Evidence, question: QuestionAnalysis, span: Span | None, max_tokens: int) -> str:
    """Return the text of an evidence with a span marked, of at most about ``max_tokens``.

    A longer passage loses its end, or the text before the span too if the span is near the end. A table has the paths
    of its rows and columns if its structure is known (`hopline.answers.written_tables`); a longer one loses rows.
    """
    text = evidence.text
    table = write_table(evidence, span)
    whole = table.join() if table is not None else mark_span(text, span) if span is not None else text
    tokens = estimate_tokens(whole)
    if tokens <= max_tokens:
        return whole
    if table is None and evidence.grid is not None:
        table = _list_lines(text, evidence.grid)
    if table is not None:
        return _select_rows(table, question, span, max_tokens)
    length = len(text) * max_tokens // tokens
    start = max(0, span[1] - length // 2) if span is not None and span[1] > length else 0
    excerpt = text[start : start + length].rsplit(" ", 1)[0]
    return mark_span(excerpt, (span[0] - start, span[1] - start)) if span is not None else excerpt


def _list_lines(text: str, grid: TableGrid) -> WrittenTable:
    """Return the lines of a table as they are in its text, for one whose structure is not known."""
    head = (0, grid.head[-1].end) if grid.head else (0, 0)
    lines = [WrittenLine(text[slice(*span)], span) for span in (head, *((row.start, row.end) for row in grid.body))]
    return WrittenTable(tuple(lines[:1]), tuple(lines[1:]))


def _select_rows(table: WrittenTable, question: QuestionAnalysis, span: Span | None, max_tokens: int) -> str:
    """Return the caption, the header, the notes and rows of a table, in its order, and how many rows are left out.

    The rows are the one with the reader's answer, and those that share most with the question. A header and notes of
    more than their share of the tokens are cut.
    """
    head, notes = (
        _cut(lines, max_tokens // share) for lines, share in ((table.head, HEAD_SHARE), (table.notes, NOTES_SHARE))
    )
    wanted = _list_forms(question.original)
    rows = [(line.span, line.text, span is not None and line.span[0] <= span[0] < line.span[1]) for line in table.rows]
    room = max_tokens - estimate_tokens(head) - estimate_tokens(notes) - estimate_tokens(LEFT_OUT)
    selected = []
    for position, row, is_marked in sorted(rows, key=lambda row: (not row[2], -len(_list_forms(row[1]) & wanted))):
        room -= estimate_tokens(row)
        if room < 0 and not is_marked:
            break
        selected.append((position, row))
    left_out = len(rows) - len(selected)
    remark = LEFT_OUT.format(count=left_out, total=len(rows)) if left_out else ""
    return "\n".join(filter(None, (head, *(row for _, row in sorted(selected)), remark, notes)))


def _cut(lines: Sequence[WrittenLine], max_tokens: int) -> str:
    """Return lines as one text that is cut to about ``max_tokens``."""
    text = "\n".join(line.text for line in lines)
    return text[: len(text) * max_tokens // max(estimate_tokens(text), max_tokens, 1)]


def _list_forms(text: str) -> frozenset[str]:
    return frozenset(form for token in tokenize(text) for form in token.forms)
