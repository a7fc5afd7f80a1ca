"""Retrievals and answers as HTML for notebooks: self-contained, escaped, readable on light and dark.

Colours are inherited or translucent, so that the page's own background shows through; there is
no script, no style sheet and nothing that is fetched.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape

from hopline.rendering.labels import MARKS, author, excerpt, graph_outline, label, model_notice, names, numbered, place
from hopline.types import Answer, Citation, Evidence, EvidencePath, Node, Retrieval

SHOWN = 10  # evidence drawn in a notebook; `to_dict` has all
EXCERPT = 320  # characters of an evidence

_TINTS = {"entity": "255,159,28", "passage": "46,134,222", "table": "16,172,132", "triple": "155,89,182"}
_FRAME = "border:1px solid rgba(128,128,128,.35);border-radius:8px;padding:10px 14px;max-width:60em;line-height:1.5"
_PILL = (
    "border-radius:10px;padding:1px 8px;white-space:nowrap;display:inline-block;margin:2px 0;background:rgba({},.18)"
)
_FAINT = "opacity:.65;font-size:.85em"
_QUOTE = "margin:2px 0 6px;padding-left:10px;border-left:3px solid rgba(128,128,128,.5)"


def answer_html(answer: Answer) -> str:
    """The sentences with numbered citations, what each cites, and the path that leads there."""
    sources = numbered(answer)
    known = names(answer.evidence)
    found = "".join(_source(number, citation, known) for citation, number in sources.items())
    graph = _graph(answer.retrieval, known)
    notice = model_notice(answer)
    above = f"<p><b>{escape(notice)}</b></p>" if notice else ""
    return _framed(answer.question, above, _said(answer, sources), found, graph, _footer(answer.retrieval, answer))


def retrieval_html(retrieval: Retrieval) -> str:
    """The evidence in order, each with its place, its text and the path that leads to it."""
    known = names(retrieval.evidence)
    shown = [
        _hit(rank, evidence, retrieval.path_of(evidence.id), known)
        for rank, evidence in enumerate(retrieval.evidence[:SHOWN], 1)
    ]
    if len(retrieval.evidence) > SHOWN:
        shown.append(f'<div style="{_FAINT}">and {len(retrieval.evidence) - SHOWN} more in .evidence</div>')
    graph = _graph(retrieval, known)
    return _framed(retrieval.question, *(shown or ["<p>No evidence.</p>"]), graph, _footer(retrieval))


def _framed(question: str, *parts: str) -> str:
    return f'<div style="{_FRAME}"><div style="{_FAINT}">{escape(question)}</div>{"".join(parts)}</div>'


def _said(answer: Answer, sources: dict[Citation, int]) -> str:
    if answer.abstained:
        missing = f" Not met: {escape(', '.join(answer.missing))}." if answer.missing else ""
        return f"<p><b>Not found.</b>{missing}</p>"
    return "<p>" + " ".join(_sentences(answer, sources)) + "</p>"


def _sentences(answer: Answer, sources: dict[Citation, int]) -> Iterator[str]:
    for sentence in answer.sentences:
        marks = "".join(f"<sup>[{sources[citation]}]</sup>" for citation in sentence.citations)
        doubt = "" if sentence.backed else f' <span style="{_FAINT}">(its quote was not found)</span>'
        yield f"{escape(sentence.text)}{marks}{doubt}"


def _source(number: int, citation: Citation, known: Mapping[str, str]) -> str:
    where = escape(place(citation.evidence, citation.page))
    quote = f'<div style="{_QUOTE}">{escape(citation.quote)}</div>'
    return f"<div><b>[{number}]</b> {where}{quote}{_path(citation.path, known)}</div>"


def _hit(rank: int, evidence: Evidence, path: EvidencePath | None, known: Mapping[str, str]) -> str:
    head = f'<b>{rank}</b> {escape(place(evidence))} <span style="{_FAINT}">{evidence.score:.3f}</span>'
    text = f'<div style="{_QUOTE}">{escape(excerpt(evidence.text, EXCERPT))}</div>'
    return f"<div>{head}{text}{_path(path, known)}</div>"


def _path(path: EvidencePath | None, known: Mapping[str, str]) -> str:
    if path is None:
        return ""
    row = _pill(path.seed, known)
    for step in path.steps:
        row += f' <span style="{_FAINT}">─{escape(step.edge)}─</span> {_pill(step.target, known)}'
    return f'<div style="margin-bottom:8px">{row}</div>'


def _graph(retrieval: Retrieval, known: Mapping[str, str]) -> str:
    """What follows from what, indented; empty where the strategy says nothing of it."""
    rows = "".join(
        f'<div style="margin-left:{1.6 * depth:.1f}em">{_pill(node, known)}{" …" if again else ""}</div>'
        for depth, node, again in graph_outline(retrieval.graph)
    )
    return f'<div style="margin:6px 0"><div style="{_FAINT}">What follows from what</div>{rows}</div>' if rows else ""


def _pill(node: Node, known: Mapping[str, str]) -> str:
    style = _PILL.format(_TINTS.get(node.kind, "128,128,128"))
    name = escape(excerpt(label(node, known), 60))
    return f'<span style="{style}" title="{escape(node.kind)}">{MARKS[node.kind]} {name}</span>'


def _footer(retrieval: Retrieval, answer: Answer | None = None) -> str:
    trace = retrieval.trace
    parts = [f"strategy {retrieval.strategy}", f"collection {retrieval.collection}"]
    parts += [author(answer)] if answer and author(answer) else []
    parts.append(f"{len(trace.steps)} requests in {trace.ms:.0f} ms")
    if trace.calls:
        parts.append(f"{trace.calls} model calls, {trace.tokens} tokens")
    return f'<div style="{_FAINT}">{escape(" · ".join(parts))}</div>'
