"""Tables as Markdown, the text of a table in the graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

_START: Final = "| "
_BAR: Final = " | "
_END: Final = " |"


def render_table(cells: Sequence[Sequence[str]]) -> tuple[str, list[list[tuple[int, int]]]]:
    """Render a table with its first row as the header; returns the text, and the span of each cell in it."""
    text = ""
    spans: list[list[tuple[int, int]]] = []
    for number, row in enumerate(cells):
        if number:
            text += "\n"
        if number == 1:
            text += "|" + " --- |" * len(cells[0]) + "\n"
        text += _START
        spans.append([])
        for column, cell in enumerate(row):
            escaped = cell.replace("|", "\\|").replace("\n", " ")
            text += _BAR if column else ""
            spans[-1].append((len(text), len(text) + len(escaped)))
            text += escaped
        text += _END
    if len(cells) == 1:
        text += "\n|" + " --- |" * len(cells[0])
    return text, spans
