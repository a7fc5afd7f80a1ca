"""Right graphs of evidence: rows of a question, its facts, and the edges that lead over some of them to an answer.

{"id", "question", "facts": {id: text} or [text, …], "edges": [[from, to], …]}     "" is the question
a row of EntailmentBank, as it is published
(`hopline.evaluation.entailment_bank`)
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hopline.atomic_files import text_lines
from hopline.errors import UsageError
from hopline.evaluation.entailment_bank import read_tree
from hopline.scoring.evidence_graph import Edge, nodes_of


@dataclass(frozen=True, slots=True)
class Graph:
    """A question, its facts by their ids, and the right graph over some of them."""

    id: str
    question: str
    facts: Mapping[str, str]
    edges: tuple[Edge, ...]


def read_graphs(path: Path, *, limit: int | None = None) -> list[Graph]:
    """The rows of a file, plain or gzipped, the first ``limit`` of them.

    Raises:
        UsageError: the file cannot be read, has no row, or a row is of no form that is known; names the line.
    """
    lines = [line for line in text_lines(path) if line.strip()][:limit]
    if not lines:
        raise UsageError(f"{path} has no row")
    return [_graph(line, f"{path}, line {number}") for number, line in enumerate(lines, 1)]


def _graph(line: str, place: str) -> Graph:
    try:
        row = json.loads(line)
        return _own(row) if "edges" in row else _published(row)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        wanted = '{"question", "facts": {id: text}, "edges": [[from, to]]} or a row of EntailmentBank'
        raise UsageError(f"{place}: wanted {wanted} ({type(error).__name__}: {error})") from error


def _own(row: Mapping[str, Any]) -> Graph:
    given = row["facts"]
    facts = dict(given) if isinstance(given, Mapping) else {str(n): text for n, text in enumerate(given)}
    edges = tuple((str(source), str(target)) for source, target in row["edges"])
    unknown = [node for node in nodes_of(edges) if node not in facts]
    if unknown:
        raise ValueError(f"edges name {', '.join(unknown[:3])}, which is none of the facts")
    return Graph(str(row.get("id", "")), row["question"], facts, edges)


def _published(row: Mapping[str, Any]) -> Graph:
    question, _, facts, edges = read_tree(row)
    return Graph(str(row.get("id", "")), question, facts, tuple(edges))
