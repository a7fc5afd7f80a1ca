"""How evidence, citations and nodes are named for people, on every door alike."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from hopline.types import EXTRACTIVE, Answer, Citation, Evidence, EvidenceGraph, Node
from hopline.types.evidence_place import short_place

MARKS = {
    "collection": "▣",
    "document": "▧",
    "page": "▯",
    "passage": "▤",
    "table": "▦",
    "entity": "◉",
    "triple": "◆",
}


def place(evidence: Evidence, page: int | None = None) -> str:
    """Where an evidence stands: document, page, and the table's number or the innermost section.

    ``page`` is that of a quote, where the evidence runs over several.
    """
    pages = (page,) if page else evidence.pages
    parts = [evidence.document or evidence.title]
    if pages:
        parts.append(f"p. {pages[0]}" if len(pages) == 1 else f"pp. {pages[0]}–{pages[-1]}")
    if evidence.kind == "table":
        parts.append(f"Table {evidence.number}".strip())
    elif evidence.section:
        parts.append(evidence.section[-1])
    return " · ".join(part for part in parts if part)


def names(evidence: Iterable[Evidence]) -> dict[str, str]:
    """A label for each evidence's node, by id."""
    return {one.id: short_place(one) for one in evidence}


def label(node: Node, known: Mapping[str, str]) -> str:
    """What a node is called: its place where it is ``known``, else its name, else its id."""
    return known.get(node.id) or node.name or node.id


def numbered(answer: Answer) -> dict[Citation, int]:
    """Every citation of an answer with its number, from 1 in order of appearance; equal ones share it."""
    cited = dict.fromkeys(citation for sentence in answer.sentences for citation in sentence.citations)
    return {citation: number for number, citation in enumerate(cited, 1)}


def model_notice(answer: Answer) -> str:
    """That the model could not be used, why, and what the answer is instead; "" where nothing is wrong."""
    if not answer.model_error:
        return ""
    reason = " ".join(answer.model_error.split()).rstrip(".")
    instead = " The answer is picked from the passages." if answer.sentences else ""
    return f"The language model could not be used: {reason}.{instead}"


def author(answer: Answer) -> str:
    """As "written by gpt-4o"; "" where the answer is picked from the evidence."""
    return "" if answer.written_by == EXTRACTIVE else f"written by {answer.written_by}"


def excerpt(text: str, length: int) -> str:
    """The first ``length`` characters at most, white space collapsed, cut after a word."""
    flat = " ".join(text.split())
    if len(flat) <= length:
        return flat
    return flat[: length - 1].rsplit(" ", 1)[0].rstrip(" ,;:") + "…"


def graph_outline(graph: EvidenceGraph) -> list[tuple[int, Node, bool]]:
    """An evidence graph as an outline: depth, node, and whether it stood before; what follows it is then left out."""
    nodes = {node.id: node for node in graph.nodes}
    after: dict[str, list[str]] = {}
    for source, target in graph.edges:
        after.setdefault(source, []).append(target)
    rows: list[tuple[int, Node, bool]] = []
    ahead = [(0, id) for id in reversed(after.get("", []))]
    seen: set[str] = set()
    while ahead:
        depth, id = ahead.pop()
        if id in nodes:
            rows.append((depth, nodes[id], id in seen))
            ahead += [(depth + 1, other) for other in reversed(after.get(id, []))] if id not in seen else []
            seen.add(id)
    return rows
