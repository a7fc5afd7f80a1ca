"""Selection of the decision thresholds of Graph-Hop, and of γ, on validation graphs.

Of the `MAX_OPTIONS` thresholds that give the evidence of each direction the best F1, the pair is selected that, with γ,
gives the evidence of the merged graph the best F1, and of those the best GM. An absolute threshold alone, as in the
paper, is not enough: how confident the network is differs from question to question (F1 of the first hop on 187
questions 57.3, with a relative threshold 60.9).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from statistics import fmean
from typing import Final

import numpy as np

from hopline.evaluation.evidence_graphs import EvidenceGraphSample
from hopline.evaluation.graph_matching import compute_set_scores
from hopline.flow.requests import Flow, Infer
from hopline.learned.graph_hop import DIRECTIONS, DecisionThresholds, TrainedGraphHop
from hopline.retrieval.agent.bidirectional_search import Floats, score_with_network, search_direction
from hopline.scoring.evidence_graph import Direction, Edge, merge_graphs
from hopline.training.progress import ProgressCallback, TrainingProgress

RELATIVE: Final = (0.4, 0.5, 0.6, 0.7, 0.8)
ABSOLUTE: Final = (0.15, 0.3, 0.45, 0.6, 0.75, 0.9)
GAMMAS: Final = (0.0, 0.05, 0.1, 0.2, 0.4)
MAX_OPTIONS: Final = 6  # thresholds of each direction that are combined

EdgeLists = list[tuple[Edge, ...]]


@dataclass(frozen=True, slots=True)
class SelectedThresholds:
    """The thresholds of each direction and γ, with their scores on the validation graphs."""

    thresholds: Mapping[Direction, DecisionThresholds]
    gamma: float
    figures: Mapping[str, float]


def select_thresholds(
    network: TrainedGraphHop, graphs: Sequence[EvidenceGraphSample], on_progress: ProgressCallback
) -> SelectedThresholds:
    """Select the thresholds and γ with the best F1 on validation graphs; ties by GM, then by order."""
    options = [DecisionThresholds(relative, absolute) for relative, absolute in product(RELATIVE, ABSOLUTE)]
    edges_of = _search(network, graphs, options, on_progress)
    f1_scores = {
        direction: {option: _mean_f1(edges, graphs) for option, edges in by_option.items()}
        for direction, by_option in edges_of.items()
    }
    best = {
        direction: sorted(options, key=scores.__getitem__, reverse=True)[:MAX_OPTIONS]
        for direction, scores in f1_scores.items()
    }

    def evaluate_pair(forward: DecisionThresholds, backward: DecisionThresholds, gamma: float) -> tuple[float, float]:
        pairs = zip(edges_of["forward"][forward], edges_of["backward"][backward], strict=True)
        merged = [merge_graphs(*pair, rule="equation", gamma=gamma) for pair in pairs]
        return round(_mean_f1(merged, graphs), 4), round(_mean_gm(merged, graphs), 4)

    combinations = product(best["forward"], best["backward"], GAMMAS)
    forward, backward, gamma = max(combinations, key=lambda combination: evaluate_pair(*combination))
    f1, gm = evaluate_pair(forward, backward, gamma)
    figures = {"dev F1": f1, "dev GM": gm}
    figures |= {
        f"dev F1 {direction}, at best": round(max(f1_scores[direction].values()), 4) for direction in DIRECTIONS
    }
    return SelectedThresholds({"forward": forward, "backward": backward}, gamma, figures)


def _search(
    network: TrainedGraphHop,
    graphs: Sequence[EvidenceGraphSample],
    options: Sequence[DecisionThresholds],
    on_progress: ProgressCallback,
) -> dict[Direction, dict[DecisionThresholds, EdgeLists]]:
    """Search the graph of each question in each direction, with each of the thresholds."""
    edges_of: dict[Direction, dict[DecisionThresholds, EdgeLists]] = {
        direction: {option: [] for option in options} for direction in DIRECTIONS
    }
    for phase, direction in enumerate(DIRECTIONS):
        for n, graph in enumerate(graphs, 1):
            cached, facts = _CachedNetwork(network), list(graph.facts.items())
            for option in options:
                flow = search_direction(graph.question, facts, score_with_network, direction)
                edges_of[direction][option].append(_run_flow(flow, cached.with_thresholds(option)))
            on_progress(TrainingProgress("choosing", phase * len(graphs) + n, 2 * len(graphs)))
    return edges_of


class _CachedNetwork:
    """Caches the probabilities for one question, since different thresholds lead to the same paths."""

    def __init__(self, network: TrainedGraphHop) -> None:
        self._network = network
        self._cache: dict[tuple[str, tuple[int, ...]], Floats] = {}

    def with_thresholds(self, thresholds: DecisionThresholds) -> Callable[..., Floats]:
        """Return the network as a function that decides with these thresholds."""

        def predict(
            *, direction: Direction, question: str, facts: Sequence[str], paths: Sequence[Sequence[int]]
        ) -> Floats:
            missing = [tuple(path) for path in paths if (direction, tuple(path)) not in self._cache]
            if missing:
                rows = self._network.predict_probabilities(direction, question, facts, missing)
                self._cache |= {(direction, path): row for path, row in zip(missing, rows, strict=True)}
            probabilities = np.stack([self._cache[direction, tuple(path)] for path in paths])
            return thresholds.calibrate(probabilities, paths)

        return predict


def _run_flow(flow: Flow[tuple[Edge, ...]], predict: Callable[..., Floats]) -> tuple[Edge, ...]:
    """Run a flow whose only requests are inferences of the network."""
    try:
        request = next(flow)
        while isinstance(request, Infer):
            request = flow.send(predict(**request.inputs))
    except StopIteration as stop:
        edges: tuple[Edge, ...] = stop.value
        return edges
    raise TypeError(f"this flow may only request inferences of a trained model (got {request!r:.80})")


def _mean_f1(predicted: Sequence[Sequence[Edge]], graphs: Sequence[EvidenceGraphSample]) -> float:
    return fmean(compute_set_scores(edges, graph.edges).f1 for edges, graph in zip(predicted, graphs, strict=True))


def _mean_gm(predicted: Sequence[Sequence[Edge]], graphs: Sequence[EvidenceGraphSample]) -> float:
    return fmean(float(set(edges) == set(graph.edges)) for edges, graph in zip(predicted, graphs, strict=True))
