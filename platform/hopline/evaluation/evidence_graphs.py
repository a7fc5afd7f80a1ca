"""Gold evidence graphs: a question, its facts, and the edges that lead through some of them to the answer.

{"id", "question", "facts": {id: text} or [text, …], "edges": [[from, to], …]}     "" is the question
a row of EntailmentBank as published (`hopline.evaluation.entailment_bank`)
a row of MuSiQue as published: paragraphs, and steps that refer to earlier answers by "#1"

Of MuSiQue, the facts are the paragraphs of the question; a step's supporting paragraph is a node that follows those of
the steps that it refers to, or else the question. A paragraph that supports several steps is one node. The data set of
Graph-Hop, ReasonGraphQA, is not available here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from hopline.atomic_files import read_lines
from hopline.errors import UsageError
from hopline.evaluation.entailment_bank import parse_tree
from hopline.scoring.evidence_graph import QUESTION, Edge, attach_to_question, list_nodes, remove_cycles

_REFERENCE: Final = re.compile(r"#(\d+)")


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
        if "edges" in row:
            return _from_row(row)
        return _from_musique(row) if "question_decomposition" in row else _from_entailment_bank(row)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        expected = '{"question", "facts": {id: text}, "edges": [[from, to]]} or a row of EntailmentBank or MuSiQue'
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


def _from_musique(row: Mapping[str, Any]) -> EvidenceGraphSample:
    facts = {str(item["idx"]): f"{item['title']}: {item['paragraph_text']}" for item in row["paragraphs"]}
    steps = row["question_decomposition"]
    nodes = [str(step["paragraph_support_idx"]) for step in steps]
    unknown = [node for node in nodes if node not in facts]
    if unknown:
        raise ValueError(f"a step is supported by paragraph {unknown[0]}, which is not one of the paragraphs")
    edges = [(QUESTION, node) for node in nodes]
    for n, (step, node) in enumerate(zip(steps, nodes, strict=True)):
        numbers = map(int, _REFERENCE.findall(step["question"]))
        sources = [nodes[number - 1] for number in numbers if 0 < number <= n]
        edges += [(source, node) for source in sources if source != node]
    edges = attach_to_question(remove_cycles(edges))
    return EvidenceGraphSample(str(row.get("id", "")), row["question"], facts, tuple(edges))
