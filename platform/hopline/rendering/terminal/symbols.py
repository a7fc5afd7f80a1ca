"""What stands for a node or an edge, also where the terminal knows ASCII only."""

from __future__ import annotations

from itertools import pairwise

from rich.console import Console
from rich.text import Text

from hopline.rendering.labels import MARKS

STYLES = {
    "collection": "bold",
    "document": "cyan",
    "page": "cyan",
    "passage": "blue",
    "table": "green",
    "entity": "yellow",
    "triple": "magenta",
}

_PLAIN = str.maketrans(
    {
        MARKS["collection"]: "{}",
        MARKS["document"]: "[D]",
        MARKS["page"]: "[ ]",
        MARKS["passage"]: "[=]",
        MARKS["table"]: "[#]",
        MARKS["entity"]: "(o)",
        MARKS["triple"]: "<>",
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


def plain(text: Text) -> Text:
    """The text with our own signs in ASCII; what a document brings along is left as it is.

    A style stands where its characters went, also when a sign grew.
    """
    pieces = [Text(piece.plain.translate(_PLAIN), style=piece.style) for piece in _pieces(text)]
    return Text("", style=text.style, justify=text.justify, overflow=text.overflow).join(pieces)


def _pieces(text: Text) -> list[Text]:
    edges = sorted({0, len(text), *(edge for span in text.spans for edge in (span.start, span.end))})
    pieces = []
    for start, end in pairwise(edges):
        styles = [str(span.style) for span in text.spans if span.start <= start and end <= span.end]
        pieces.append(Text(text.plain[start:end], style=" ".join(filter(None, styles))))
    return pieces


def fitted(text: Text, console: Console) -> Text:
    """The text as this console can show it."""
    return plain(text) if console.options.ascii_only else text
