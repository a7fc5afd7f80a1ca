"""The text of an evidence as HTML, what is quoted marked; a table as a table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

from hopline.types import Evidence
from hopline_ui.markup import quoted

_RULE = re.compile(r"^\|(\s*:?-+:?\s*\|)+\s*$")
_BAR = re.compile(r"(?<!\\)\|")

Span = tuple[int, int]


def passage_html(evidence: Evidence, span: Span | None = None) -> str:
    """The whole text; ``span`` (half-open) is marked, in a table every row that it touches."""
    lines = list(_lines(evidence.text))
    if evidence.kind == "table" and any(line.startswith("|") for _, line in lines):
        return f'<div class="passage">{_table(lines, span)}</div>'
    marks = [span] if span else []
    return f'<blockquote class="passage" dir="auto">{quoted(evidence.text, marks)}</blockquote>'


def summary(evidence: Evidence) -> str:
    """What stands for the text in a list: of a table its caption and the names of its columns."""
    if evidence.kind != "table":
        return evidence.text
    lines = [line for _, line in _lines(evidence.text)]
    heads = next((" · ".join(filter(None, _cells(line))) for line in lines if line.startswith("|")), "")
    words = " ".join(line for line in lines if not line.startswith("|"))
    return " — ".join(filter(None, [words.strip(), heads])) or evidence.text


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Every line with the place where it begins."""
    at = 0
    for line in text.split("\n"):
        yield at, line
        at += len(line) + 1


def _table(lines: list[tuple[int, str]], span: Span | None) -> str:
    before = [line for _, line in lines if not line.startswith("|") and line.strip()]
    rows = [(at, line) for at, line in lines if line.startswith("|") and not _RULE.match(line)]
    body = "".join(
        _row(line, head=place == 0, marked=_touches(at, line, span)) for place, (at, line) in enumerate(rows)
    )
    caption = f'<caption dir="auto">{escape(" ".join(before))}</caption>' if before else ""
    return f"<table>{caption}{body}</table>"


def _row(line: str, *, head: bool, marked: bool) -> str:
    tag = "th" if head else "td"
    cells = "".join(f'<{tag} dir="auto">{escape(cell)}</{tag}>' for cell in _cells(line))
    return f'<tr class="quoted">{cells}</tr>' if marked else f"<tr>{cells}</tr>"


def _cells(line: str) -> list[str]:
    return [cell.strip().replace("\\|", "|") for cell in _BAR.split(line.strip())[1:-1]]


def _touches(at: int, line: str, span: Span | None) -> bool:
    return span is not None and span[0] < at + len(line) and at < span[1]
