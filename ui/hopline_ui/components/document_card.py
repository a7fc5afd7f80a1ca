"""The card of a document: what its pages state about it, each value with the page that it is read from."""

from __future__ import annotations

from html import escape

from hopline.bibliography import CardLine, build_card, describe_source
from hopline.records import Document

SHORT = ("authors", "organisation", "date")  # of the first line, without labels


def render(document: Document) -> str:
    """Return the card as HTML, abstract and fields folded; "" if the pages state nothing but title and language."""
    lines = [line for line in build_card(document.bibliography) if line.key not in {"title", "language"}]
    shown = [_render_value(line) for line in lines if line.key in SHORT]
    shown += [_render_value(line, label=True) for line in lines if line.key not in {*SHORT, "abstract", "field"}]
    parts = [f'<p class="card" dir="auto">{" · ".join(shown)}</p>'] if shown else []
    for line in lines:
        if line.key == "abstract":
            summary = f"<summary>Abstract{_render_source(line)}</summary>"
            parts.append(f'<details class="about">{summary}<p dir="auto">{escape(line.text)}</p></details>')
    if fields := [line for line in lines if line.key == "field"]:
        rows = "".join(
            f'<tr><th scope="row" dir="auto">{escape(line.label)}</th>'
            f'<td dir="auto">{escape(line.text)}{_render_source(line)}</td></tr>'
            for line in fields
        )
        summary = f"<summary>Fields · {len(fields)}</summary>"
        parts.append(f'<details class="about">{summary}<table class="fields">{rows}</table></details>')
    return "".join(parts)


def _render_value(line: CardLine, *, label: bool = False) -> str:
    shown = f"{line.label} {line.text}" if label else line.text
    return f"{escape(shown)}{_render_source(line)}"


def _render_source(line: CardLine) -> str:
    return f' <span class="source">({escape(describe_source(line))})</span>'
