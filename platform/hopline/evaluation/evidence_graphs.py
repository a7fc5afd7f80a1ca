"""Gold evidence graphs: a question, its facts, and the edges that lead through some of them to the answer.

{"id", "question", "facts": {id: text} or [text, …], "edges": [[from, to], …]}     "" is the question
a row of EntailmentBank as published
(`hopline.evaluation.entailment_bank`)
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hopline.atomic_files import read_lines
from hopline.errors import UsageError
from hopline.evaluation.entailment_bank import parse_tree
from hopline.scoring.evidence_graph import Edge, list_nodes


@dataclass(frozen=True, slots=True)
class EvidenceGraphSample:
    """A question, its facts by id, and the gold graph over some of them."""

    id: str
    question: str
    facts: Mapping[str, str]
    edges: tuple[Edge, ...]


def read_evidence_graphs(path: Path, *, limit: int | None = None) -> list[EvidenceGraphSample]:
    """Read the rows of a file, plain or gzipped; only the first ``limit`` if given.

    Raises:
        UsageError: the file cannot be read, has no row, or a row has an unknown format; names the line.
    """
    lines = [line for line in read_lines(path) if line.strip()][:limit]
    if not lines:
        raise UsageError(f"{path} has no row")
    return [_parse_graph(line, f"{path}, line {number}") for number, line in enumerate(lines, 1)]


def _parse_graph(line: str, location: str) -> EvidenceGraphSample:
    try:
        row = json.loads(line)
        return _from_row(row) if "edges" in row else _from_entailment_bank(row)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        expected = '{"question", "facts": {id: text}, "edges": [[from, to]]} or a row of EntailmentBank'
        raise UsageError(f"{location}: wanted {expected} ({type(error).__name__}: {error})") from error


def _from_row(row: Mapping[str, Any]) -> EvidenceGraphSample:
    facts_field = row["facts"]
    facts = (
        dict(facts_field) if isinstance(facts_field, Mapping) else {str(n): text for n, text in enumerate(facts_field)}
    )
    edges = tuple((str(source), str(target)) for source, target in row["edges"])
    unknown = [node for node in list_nodes(edges) if node not in facts]
    if unknown:
        raise ValueError(f"edges refer to {', '.join(unknown[:3])}, which is not one of the facts")
    return EvidenceGraphSample(str(row.get("id", "")), row["question"], facts, edges)


def _from_entailment_bank(row: Mapping[str, Any]) -> EvidenceGraphSample:
    question, _, facts, edges = parse_tree(row)
    return EvidenceGraphSample(str(row.get("id", "")), question, facts, tuple(edges))
