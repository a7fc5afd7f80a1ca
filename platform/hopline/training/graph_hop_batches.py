"""Training batches of Graph-Hop: sampled facts of several graphs, their paths, and what follows each path."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

import torch
from torch import Tensor

from hopline.evaluation.evidence_graphs import EvidenceGraphSample
from hopline.learned.graph_hop_network import START, PathTree
from hopline.scoring.evidence_graph import Direction, list_nodes
from hopline.training.graph_hop_samples import enumerate_paths

MIN_FACTS: Final = 14  # of one graph in one step


@dataclass(frozen=True, slots=True)
class GraphHopBatch:
    """The facts of several graphs in sequence, their paths, and what follows each: ``targets`` (P, c), 0 or 1."""

    facts: list[str]
    tree: PathTree
    targets: Tensor


def sample_facts(graph: EvidenceGraphSample, vectors: Mapping[str, Tensor], random: Random) -> list[str]:
    """Sample the facts of a graph for one step: all gold facts, similar distractors, and random ones."""
    gold = set(list_nodes(graph.edges))
    distractors = sorted(
        (id for id in graph.facts if id not in gold),
        key=lambda id: -float(vectors[graph.facts[id]] @ vectors[graph.question]),
    )
    count = max(MIN_FACTS - len(gold), MIN_FACTS // 3)
    similar, rest = distractors[: count // 2], distractors[count // 2 :]
    sampled = gold.union(similar, random.sample(rest, min(count - len(similar), len(rest))))
    return [id for id in graph.facts if id in sampled]


def build_batch(
    graphs: Sequence[EvidenceGraphSample],
    sampled: Sequence[Sequence[str]],
    direction: Direction,
    device: torch.device | None = None,
) -> GraphHopBatch:
    """Build the batch of all paths through graphs in one direction; ``sampled`` are the ids of each graph's facts."""
    width = max(map(len, sampled))
    facts: list[str] = []
    rows: list[tuple[int, int, int, list[int], list[bool], list[float]]] = []
    for n, (graph, ids) in enumerate(zip(graphs, sampled, strict=True)):
        first_fact, first_row = len(facts), len(rows)
        index = {id: first_fact + offset for offset, id in enumerate(ids)}
        facts += [graph.facts[id] for id in ids]
        padding = width - len(ids)
        for path in enumerate_paths(graph.edges, direction):
            parent = START if path.parent is None else first_row + path.parent
            allowed = [id not in path.evidence for id in ids] + [False] * padding
            targets = [float(id in path.targets) for id in ids] + [0.0] * padding
            last = index[path.evidence[-1]] if path.evidence else 0
            rows.append((n, parent, last, [*index.values(), *[first_fact] * padding], allowed, targets))
    columns = [torch.tensor(column, device=device) for column in zip(*rows, strict=True)]
    return GraphHopBatch(facts, PathTree(*columns[:-1]), columns[-1])
