"""An evidence path as a line of nodes and edges."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rich.text import Text

from hopline.rendering.labels import MARKS, excerpt, label
from hopline.rendering.terminal.symbols import STYLES, plain
from hopline.types import EvidencePath, Node

LONGEST = 44  # characters of a node's name; a longer one ends in an ellipsis
INDENT = 2


def path_lines(path: EvidencePath, known: Mapping[str, str], *, width: int, ascii_only: bool = False) -> list[Text]:
    """The path in lines of at most ``width`` cells, broken before an edge, later lines indented.

        ◉ Nordvik ─MENTIONS─ ▤ report.pdf p. 3
          ─MENTIONS─ ◉ Halcyon Bank ─MENTIONS─ ▤ loans.pdf p. 1

    ``known`` names evidence by id (`hopline.rendering.labels.names`). A path without steps says that
    search found its evidence directly.
    """
    lines = [Text()]
    for shown in _pieces(path, known, room=max(width - INDENT, 20)):
        piece = plain(shown) if ascii_only else shown
        if lines[-1].plain.strip() and lines[-1].cell_len + piece.cell_len + 1 > width:
            lines.append(Text(" " * (INDENT - 1)))
        if lines[-1].plain:
            lines[-1].append(" ")
        lines[-1].append_text(piece)
    return lines


def _pieces(path: EvidencePath, known: Mapping[str, str], *, room: int) -> Iterator[Text]:
    yield _node(path.seed, known, room)
    if not path.steps:
        yield Text("found directly", style="dim")
    for step in path.steps:
        edge = f"─{step.edge}─ "
        yield Text.assemble((edge, "dim"), _node(step.target, known, room - len(edge)))


def _node(node: Node, known: Mapping[str, str], room: int) -> Text:
    name = Text(excerpt(label(node, known), LONGEST))
    name.truncate(max(room - 2, 8), overflow="ellipsis")
    return Text.assemble((f"{MARKS[node.kind]} ", STYLES[node.kind]), name)
