"""HTML of retrievals and answers for notebooks: self-contained, escaped, readable in light and dark themes.

Colours are inherited or translucent, so that the background of the page shows through. There are no scripts,
style sheets or external resources.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from hopline.results.answers import Answer, Citation, Sentence, list_separators
from hopline.results.evidence import Evidence, Retrieval
from hopline.results.labels import (
    MARKS,
    build_outline,
    describe_difference,
    describe_location,
    describe_state,
    format_author,
    format_model_error,
    format_model_use,
    format_retrieval_error,
    label_evidence,
    label_node,
    number_citations,
    shorten,
)
from hopline.results.paths import EvidencePath, Node

MAX_EVIDENCE = 10  # shown in a notebook; `to_dict` returns all
EXCERPT = 320  # characters of an evidence

_TINTS = {
    "entity": "255,159,28",
    "passage": "46,134,222",
    "table": "16,172,132",
    "figure": "16,172,132",
    "triple": "155,89,182",
}
_FRAME = "border:1px solid rgba(128,128,128,.35);border-radius:8px;padding:10px 14px;max-width:60em;line-height:1.5"
_PILL = (
    "border-radius:10px;padding:1px 8px;white-space:nowrap;display:inline-block;margin:2px 0;background:rgba({},.18)"
)
_FAINT = "opacity:.65;font-size:.85em"
_QUOTE = "margin:2px 0 6px;padding-left:10px;border-left:3px solid rgba(128,128,128,.5)"


def answer_to_html(answer: Answer) -> str:
    """Render an answer: its sentences with numbered citations, the cited quotes, and their evidence paths."""
    sources = number_citations(answer)
    known = label_evidence(answer.evidence)
    cited = "".join(_render_source(number, citation, known) for citation, number in sources.items())
    graph = _render_graph(answer.retrieval, known)
    above = _render_notice(format_model_error(answer))
    return _render_frame(
        answer.question, above, _render_text(answer, sources), cited, graph, _render_footer(answer.retrieval, answer)
    )


def retrieval_to_html(retrieval: Retrieval) -> str:
    """Render a retrieval: its evidence in order, each with location, text and evidence path."""
    known = label_evidence(retrieval.evidence)
    shown = [
        _render_evidence(rank, evidence, retrieval.find_path(evidence.id), known)
        for rank, evidence in enumerate(retrieval.evidence[:MAX_EVIDENCE], 1)
    ]
    if len(retrieval.evidence) > MAX_EVIDENCE:
        shown.append(f'<div style="{_FAINT}">and {len(retrieval.evidence) - MAX_EVIDENCE} more in .evidence</div>')
    graph = _render_graph(retrieval, known)
    above = _render_notice(format_retrieval_error(retrieval))
    evidence = shown or ["<p>No evidence.</p>"]
    return _render_frame(retrieval.question, above, *evidence, graph, _render_footer(retrieval))


def _render_notice(notice: str) -> str:
    return f"<p><b>{escape(notice)}</b></p>" if notice else ""


def _render_frame(question: str, *parts: str) -> str:
    return f'<div style="{_FRAME}"><div style="{_FAINT}">{escape(question)}</div>{"".join(parts)}</div>'


def _render_text(answer: Answer, sources: dict[Citation, int]) -> str:
    others = "".join(_render_nearest(sentence) for sentence in answer.nearest if sentence not in answer.claims)
    missing = f" Terms without a match: {escape(', '.join(answer.missing))}." if answer.missing else ""
    notice = f"<p>{escape(answer.notice)}</p>" if answer.notice else ""
    if answer.status == "not_found":
        return f"<p><b>Not found.</b>{missing}</p>{notice}{others}"
    head = f"<p><b>Possible answer (not sure).</b>{missing}</p>" if answer.abstained else ""
    return f"{head}<p>{_render_sentences(answer, sources)}</p>{notice}{others}"


def _render_nearest(sentence: Sentence) -> str:
    citation = sentence.citations[0]
    where = escape(describe_location(citation.evidence, citation.page))
    return f'<div style="{_QUOTE}">{escape(sentence.text)} <span style="{_FAINT}">{where}</span></div>'


def _render_sentences(answer: Answer, sources: dict[Citation, int]) -> str:
    separators = list_separators(sentence.text for sentence in answer.claims)
    parts = (_render_sentence(sentence, sources) for sentence in answer.claims)
    return "".join(before.replace("\n", "<br>") + part for before, part in zip(separators, parts, strict=True))


def _render_sentence(sentence: Sentence, sources: dict[Citation, int]) -> str:
    marks = "".join(f"<sup>[{sources[citation]}]</sup>" for citation in sentence.citations)
    state = describe_state(sentence)
    note = f' <span style="{_FAINT}">({escape(state)})</span>' if state else ""
    return f"{escape(sentence.text)}{marks}{note}"


def _render_source(number: int, citation: Citation, known: Mapping[str, str]) -> str:
    where = escape(describe_location(citation.evidence, citation.page))
    quote = f'<div style="{_QUOTE}">{escape(citation.quote)}</div>'
    difference = describe_difference(citation)
    quote += f'<div style="{_FAINT}">{escape(difference)}</div>' if difference else ""
    return f"<div><b>[{number}]</b> {where}{quote}{_render_path(citation.path, known)}</div>"


def _render_evidence(rank: int, evidence: Evidence, path: EvidencePath | None, known: Mapping[str, str]) -> str:
    head = f'<b>{rank}</b> {escape(describe_location(evidence))} <span style="{_FAINT}">{evidence.score:.3f}</span>'
    text = f'<div style="{_QUOTE}">{escape(shorten(evidence.text, EXCERPT))}</div>'
    return f"<div>{head}{text}{_render_path(path, known)}</div>"


def _render_path(path: EvidencePath | None, known: Mapping[str, str]) -> str:
    if path is None:
        return ""
    row = _render_node(path.seed, known)
    for step in path.steps:
        row += f' <span style="{_FAINT}">─{escape(step.edge)}─</span> {_render_node(step.target, known)}'
    return f'<div style="margin-bottom:8px">{row}</div>'


def _render_graph(retrieval: Retrieval, known: Mapping[str, str]) -> str:
    """Render the evidence graph as an indented list; empty if the strategy returns none."""
    rows = "".join(
        f'<div style="margin-left:{1.6 * depth:.1f}em">{_render_node(node, known)}{" …" if again else ""}</div>'
        for depth, node, again in build_outline(retrieval.graph)
    )
    return f'<div style="margin:6px 0"><div style="{_FAINT}">Evidence graph</div>{rows}</div>' if rows else ""


def _render_node(node: Node, known: Mapping[str, str]) -> str:
    style = _PILL.format(_TINTS.get(node.kind, "128,128,128"))
    name = escape(shorten(label_node(node, known), 60))
    return f'<span style="{style}" title="{escape(node.kind)}">{MARKS[node.kind]} {name}</span>'


def _render_footer(retrieval: Retrieval, answer: Answer | None = None) -> str:
    trace = retrieval.trace
    parts = [f"strategy {retrieval.strategy}", f"collection {retrieval.collection}"]
    parts += [format_author(answer)] if answer and format_author(answer) else []
    parts.append(f"{len(trace.steps)} requests in {trace.ms:.0f} ms")
    parts += [format_model_use(retrieval)] if format_model_use(retrieval) else []
    return f'<div style="{_FAINT}">{escape(" · ".join(parts))}</div>'
