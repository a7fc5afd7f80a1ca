"""Symbols of nodes and edges, with replacements for terminals that support ASCII only."""

from __future__ import annotations

from itertools import pairwise

from rich.console import Console
from rich.text import Text

from hopline.results.labels import MARKS

STYLES = {
    "collection": "bold",
    "document": "cyan",
    "page": "cyan",
    "passage": "blue",
    "table": "green",
    "figure": "green",
    "entity": "yellow",
    "triple": "magenta",
    "reference": "cyan",
}

_ASCII = str.maketrans(
    {
        MARKS["collection"]: "{}",
        MARKS["document"]: "[D]",
        MARKS["page"]: "[ ]",
        MARKS["passage"]: "[=]",
        MARKS["table"]: "[#]",
        MARKS["figure"]: "[/]",
        MARKS["entity"]: "(o)",
        MARKS["triple"]: "<>",
        MARKS["reference"]: "[*]",
        "─": "-",
        "–": "-",
        "·": "-",
        "…": "...",
        "“": '"',
        "”": '"',
        "→": "->",
        "✓": "+",
        "✗": "x",
    }
)


def to_ascii(text: Text) -> Text:
    """Replace Hopline's own symbols in a text by ASCII; other characters are unchanged.

    Styles stay on their characters if a replacement is longer.
    """
    pieces = [Text(piece.plain.translate(_ASCII), style=piece.style) for piece in _split_by_style(text)]
    return Text("", style=text.style, justify=text.justify, overflow=text.overflow).join(pieces)


def _split_by_style(text: Text) -> list[Text]:
    edges = sorted({0, len(text), *(edge for span in text.spans for edge in (span.start, span.end))})
    pieces = []
    for start, end in pairwise(edges):
        styles = [str(span.style) for span in text.spans if span.start <= start and end <= span.end]
        pieces.append(Text(text.plain[start:end], style=" ".join(filter(None, styles))))
    return pieces


def adapt_to_console(text: Text, console: Console) -> Text:
    """Return the text in characters that the console can show."""
    return to_ascii(text) if console.options.ascii_only else text
