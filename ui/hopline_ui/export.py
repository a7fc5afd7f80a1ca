"""Export an answer as Markdown, as JSON, or as one HTML file with images of the cited pages."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from html import escape

from hopline.results import Answer, Citation
from hopline.results.answers import join_sentences
from hopline.results.labels import (
    describe_difference,
    describe_location,
    describe_short_answer,
    describe_state,
    format_author,
    format_model_error,
    label_evidence,
    number_citations,
)
from hopline_ui.formatting import describe_path

PageRenderer = Callable[[Citation], Sequence[bytes]]  # PNGs of a citation's pages, highlighted; may be empty

_STYLE = (
    "body{font:16px/1.55 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem;color:#292524}"
    "h1{font-size:1.4rem}.short{font-size:1.5rem;font-weight:600}blockquote{margin:.5rem 0;padding-left:1rem;"
    "border-left:3px solid #d6d3d1;white-space:pre-wrap}img{max-width:100%;border:1px solid #d6d3d1;border-radius:8px}"
    "small,.warning{color:#57534e}"
)


def to_json(answer: Answer) -> str:
    """Return the JSON that ``hopline ask --json`` prints."""
    return json.dumps(answer.to_dict(), ensure_ascii=False, indent=1)


def to_markdown(answer: Answer) -> str:
    """Return question, answer with numbered citations, and each source with its quote and evidence path."""
    sources = number_citations(answer)
    lines = [f"# {_to_line(answer.question)}", ""]
    if answer.short:
        note = describe_short_answer(answer)
        lines += [f"**{_to_line(answer.short)}**" + (f" ({note})" if note else ""), ""]
    notice = format_model_error(answer)
    lines += [f"*{_to_line(notice)}*", ""] if notice else []
    lines += [_escape_blocks(_format_answer(answer, sources)), ""]
    lines += [_to_line(answer.notice), ""] if answer.notice else []
    lines += [_format_origin(answer), ""]
    known = label_evidence(answer.evidence)
    for citation, number in sources.items():
        lines += [f"## [{number}] {_to_line(describe_location(citation.evidence, citation.page))}", ""]
        lines += [f"> {line}" for line in citation.quote.splitlines()] + [""]
        lines += [describe_difference(citation), ""] if citation.claimed else []
        lines += [f"{step}. {_to_line(text)}" for step, text in enumerate(_describe_path(citation, known), 1)] + [""]
    return "\n".join(lines) + "\n"


def to_html(answer: Answer, render_pages: PageRenderer) -> str:
    """Return one self-contained HTML file: the content of `to_markdown` with images of the cited pages."""
    sources = number_citations(answer)
    known = label_evidence(answer.evidence)
    note = describe_short_answer(answer)
    hint = f" <small>{escape(note)}</small>" if note else ""
    short = f'<p class="short">{escape(answer.short)}{hint}</p>' if answer.short else ""
    notice = format_model_error(answer)
    warning = f'<p class="warning">{escape(notice)}</p>' if notice else ""
    parts = [f"<h1>{escape(answer.question)}</h1>{short}{warning}<p>{_to_html(_format_answer(answer, sources))}</p>"]
    parts += [f"<p>{escape(answer.notice)}</p>"] if answer.notice else []
    parts.append(f"<p><small>{escape(_format_origin(answer))}</small></p>")
    for citation, number in sources.items():
        path = "".join(f"<li>{escape(line)}</li>" for line in _describe_path(citation, known))
        difference = f"<p><small>{escape(describe_difference(citation))}</small></p>" if citation.claimed else ""
        images = "".join(
            f'<p><img alt="Page with the quote highlighted" src="data:image/png;base64,{b64encode(png).decode()}"></p>'
            for png in render_pages(citation)
        )
        parts.append(
            f"<h2>[{number}] {escape(describe_location(citation.evidence, citation.page))}</h2>"
            f"<blockquote>{escape(citation.quote)}</blockquote>{difference}{images}<ol>{path}</ol>"
        )
    head = f'<meta charset="utf-8"><title>{escape(answer.question)}</title><style>{_STYLE}</style>'
    return f'<!doctype html><html lang="en"><head>{head}</head><body dir="auto">{"".join(parts)}</body></html>'


def _format_answer(answer: Answer, sources: Mapping[Citation, int]) -> str:
    missing = f" Terms without a match: {', '.join(answer.missing)}." if answer.missing else ""
    if not answer.claims:
        notice = f" {answer.notice}" if answer.notice else ""
        return f"Not found in the documents.{notice}{missing}"
    sentences = []
    for sentence in answer.claims:
        marks = "".join(f" [{sources[citation]}]" for citation in sentence.citations)
        state = describe_state(sentence)
        sentences.append(f"{sentence.text}{marks}{f' ({state})' if state else ''}")
    text = join_sentences(sentences)
    return f"Possible answer, not sure.{missing}\n\n{text}" if answer.abstained else text


def _format_origin(answer: Answer) -> str:
    """Return the rewritten question if any, collection, strategy and author."""
    retrieval = answer.retrieval
    rewritten = f"Interpreted as: {retrieval.question} · " if retrieval.question not in {answer.question, ""} else ""
    author = f" · {format_author(answer)}" if format_author(answer) else ""
    return f"{rewritten}Collection {retrieval.collection} · strategy {retrieval.strategy}{author}"


def _describe_path(citation: Citation, known: Mapping[str, str]) -> list[str]:
    return describe_path(citation.path, known) if citation.path else []


def _escape_blocks(text: str) -> str:
    """Escape what a reply of a model must not add to an export: headings, quotes, images, links and HTML."""
    escaped = re.sub(r"(?m)^(\s*)([#>])", r"\1\\\2", text)
    return escaped.replace("](", "]\\(").replace("<", "&lt;")


def _to_html(text: str) -> str:
    return escape(text).replace("\n", "<br>")


def _to_line(text: str) -> str:
    """Collapse white space, line breaks included."""
    return " ".join(text.split())
