"""An answer to take along: as Markdown, as JSON, and as one HTML file with the pictures of its pages."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from html import escape

from hopline.rendering.labels import author, model_notice, names, numbered, place
from hopline.types import Answer, Citation
from hopline_ui.formatting import path_lines

Pictures = Callable[[Citation], Sequence[bytes]]  # the pages of a quote as PNG, highlighted; none where there are none

_LOOK = (
    "body{font:16px/1.55 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem;color:#292524}"
    "h1{font-size:1.4rem}.short{font-size:1.5rem;font-weight:600}blockquote{margin:.5rem 0;padding-left:1rem;"
    "border-left:3px solid #d6d3d1;white-space:pre-wrap}img{max-width:100%;border:1px solid #d6d3d1;border-radius:8px}"
    "small,.doubt{color:#57534e}"
)


def as_json(answer: Answer) -> str:
    """What ``hopline ask --json`` prints."""
    return json.dumps(answer.to_dict(), ensure_ascii=False, indent=1)


def as_markdown(answer: Answer) -> str:
    """The question, the answer with numbered notes, and each source with its quote and its way."""
    sources = numbered(answer)
    lines = [f"# {_flat(answer.question)}", ""]
    if answer.short:
        lines += [f"**{_flat(answer.short)}**", ""]
    lines += [f"*{_flat(model_notice(answer))}*", ""] if answer.model_error else []
    lines += [_said(answer, sources), "", _meant(answer), ""]
    known = names(answer.evidence)
    for citation, number in sources.items():
        lines += [f"## [{number}] {_flat(place(citation.evidence, citation.page))}", ""]
        lines += [f"> {line}" for line in citation.quote.splitlines()] + [""]
        lines += [f"{step}. {_flat(words)}" for step, words in enumerate(_way(citation, known), 1)] + [""]
    return "\n".join(line for line in lines) + "\n"


def as_page(answer: Answer, pictures: Pictures) -> str:
    """One HTML file that needs nothing else: the same, with the pages on which the quotes stand."""
    sources = numbered(answer)
    known = names(answer.evidence)
    short = f'<p class="short">{escape(answer.short)}</p>' if answer.short else ""
    notice = f'<p class="doubt">{escape(model_notice(answer))}</p>' if answer.model_error else ""
    parts = [f"<h1>{escape(answer.question)}</h1>{short}{notice}<p>{escape(_said(answer, sources))}</p>"]
    parts.append(f"<p><small>{escape(_meant(answer))}</small></p>")
    for citation, number in sources.items():
        way = "".join(f"<li>{escape(words)}</li>" for words in _way(citation, known))
        drawn = "".join(
            f'<p><img alt="The page with the quote" src="data:image/png;base64,{b64encode(png).decode()}"></p>'
            for png in pictures(citation)
        )
        parts.append(
            f"<h2>[{number}] {escape(place(citation.evidence, citation.page))}</h2>"
            f"<blockquote>{escape(citation.quote)}</blockquote>{drawn}<ol>{way}</ol>"
        )
    head = f'<meta charset="utf-8"><title>{escape(answer.question)}</title><style>{_LOOK}</style>'
    return f'<!doctype html><html lang="en"><head>{head}</head><body dir="auto">{"".join(parts)}</body></html>'


def _said(answer: Answer, sources: Mapping[Citation, int]) -> str:
    if answer.abstained or not answer.sentences:
        missing = f" Not met: {', '.join(answer.missing)}." if answer.missing else ""
        return f"Not found in these documents.{missing}"
    said = []
    for sentence in answer.sentences:
        marks = "".join(f" [{sources[citation]}]" for citation in sentence.citations)
        said.append(f"{sentence.text}{marks}{'' if sentence.backed and sentence.citations else ' (not backed)'}")
    return " ".join(said)


def _meant(answer: Answer) -> str:
    found = answer.retrieval
    asked = f"Understood as: {found.question} · " if found.question not in {answer.question, ""} else ""
    by = f" · {author(answer)}" if author(answer) else ""
    return f"{asked}Collection {found.collection} · strategy {found.strategy}{by}"


def _way(citation: Citation, known: Mapping[str, str]) -> list[str]:
    return path_lines(citation.path, known) if citation.path else []


def _flat(text: str) -> str:
    """A text on one line."""
    return " ".join(text.split())
