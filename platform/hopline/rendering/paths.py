"""Evidence paths as lines of nodes and relationships."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rich.text import Text

from hopline.rendering.symbols import STYLES, to_ascii
from hopline.results import EvidencePath, Node
from hopline.results.labels import MARKS, label_node, shorten

MAX_NAME = 44  # characters of the name of a node; longer names end in an ellipsis
INDENT = 2


def path_lines(path: EvidencePath, known: Mapping[str, str], *, width: int, ascii_only: bool = False) -> list[Text]:
    """Format a path as lines of at most ``width`` cells, wrapped before a relationship, later lines indented.

        ◉ Nordvik ─MENTIONS─ ▤ report.pdf p. 3
          ─MENTIONS─ ◉ Halcyon Bank ─MENTIONS─ ▤ loans.pdf p. 1

    ``known`` has the labels of evidence by id (`hopline.results.labels.label_evidence`). A path without steps
    is marked as found directly by search.
    """
    lines = [Text()]
    for shown in _format_pieces(path, known, room=max(width - INDENT, 20)):
        piece = to_ascii(shown) if ascii_only else shown
        if lines[-1].plain.strip() and lines[-1].cell_len + piece.cell_len + 1 > width:
            lines.append(Text(" " * (INDENT - 1)))
        if lines[-1].plain:
            lines[-1].append(" ")
        lines[-1].append_text(piece)
    return lines


def _format_pieces(path: EvidencePath, known: Mapping[str, str], *, room: int) -> Iterator[Text]:
    yield _format_node(path.seed, known, room)
    if not path.steps:
        yield Text("found directly", style="dim")
    for step in path.steps:
        edge = f"─{step.edge}─ "
        yield Text.assemble((edge, "dim"), _format_node(step.target, known, room - len(edge)))


def _format_node(node: Node, known: Mapping[str, str], room: int) -> Text:
    name = Text(shorten(label_node(node, known), MAX_NAME))
    name.truncate(max(room - 2, 8), overflow="ellipsis")
    return Text.assemble((f"{MARKS[node.kind]} ", STYLES[node.kind]), name)
