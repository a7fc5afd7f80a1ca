"""Selection of the epoch, of the decision thresholds and of γ of Graph-Hop on validation graphs.

Zhu et al. 2024, section 5.1: the model with the best retrieval accuracy on dev after an epoch is tested; GM is the
measure that counts most, as edges and evidence must be right. `evaluate_direction` scores an epoch of one direction by
the GM of its own graphs, with the best of a few thresholds, ties by F1. `select_thresholds` then combines the
`MAX_OPTIONS` best thresholds of each direction, and selects the pair that, with γ, gives the merged graphs the best GM,
ties by F1. An absolute threshold alone, as in the paper, is not enough: how confident the network is differs from
question to question (F1 of the first hop on 187 questions 57.3, with a relative threshold 60.9).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from statistics import fmean
from typing import Final, NamedTuple

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

OPTIONS: Final = tuple(DecisionThresholds(relative, absolute) for relative, absolute in product(RELATIVE, ABSOLUTE))
EPOCH_OPTIONS: Final = tuple(
    DecisionThresholds(relative, absolute) for relative, absolute in product(RELATIVE[::2], ABSOLUTE[1::2])
)

EdgeLists = list[tuple[Edge, ...]]


class GraphScores(NamedTuple):
    """Means over graphs, in [0, 1]; compared by GM first, then by F1 of the evidence."""

    gm: float
    f1: float


@dataclass(frozen=True, slots=True)
class SelectedThresholds:
    """The thresholds of each direction and γ, with their scores on the validation graphs."""

    thresholds: Mapping[Direction, DecisionThresholds]
    gamma: float
    figures: Mapping[str, float]


def evaluate_direction(
    network: TrainedGraphHop, graphs: Sequence[EvidenceGraphSample], direction: Direction
) -> GraphScores:
    """Return the best scores of the graphs of one direction over `EPOCH_OPTIONS`."""
    edges_of = _search_direction(network, graphs, direction, EPOCH_OPTIONS)
    return max(_compute_scores(edges, graphs) for edges in edges_of.values())


def select_thresholds(
    network: TrainedGraphHop, graphs: Sequence[EvidenceGraphSample], on_progress: ProgressCallback
) -> SelectedThresholds:
    """Select the thresholds and γ with the best GM on validation graphs; ties by F1, then by order."""
    edges_of: dict[Direction, dict[DecisionThresholds, EdgeLists]] = {}
    for phase, direction in enumerate(DIRECTIONS):
        edges_of[direction] = _search_direction(
            network,
            graphs,
            direction,
            OPTIONS,
            lambda n, phase=phase: on_progress(  # type: ignore[misc]
                TrainingProgress("choosing", phase * len(graphs) + n, 2 * len(graphs))
            ),
        )
    scores_of = {
        direction: {option: _compute_scores(edges, graphs) for option, edges in by_option.items()}
        for direction, by_option in edges_of.items()
    }
    best = {
        direction: sorted(OPTIONS, key=scores.__getitem__, reverse=True)[:MAX_OPTIONS]
        for direction, scores in scores_of.items()
    }

    def evaluate_pair(forward: DecisionThresholds, backward: DecisionThresholds, gamma: float) -> GraphScores:
        pairs = zip(edges_of["forward"][forward], edges_of["backward"][backward], strict=True)
        return _compute_scores([merge_graphs(*pair, rule="equation", gamma=gamma) for pair in pairs], graphs)

    combinations = product(best["forward"], best["backward"], GAMMAS)
    forward, backward, gamma = max(combinations, key=lambda combination: evaluate_pair(*combination))
    selected = evaluate_pair(forward, backward, gamma)
    figures = {"dev GM": selected.gm, "dev F1": selected.f1}
    for direction in DIRECTIONS:
        own = max(scores_of[direction].values())
        figures |= {f"dev GM {direction}, at best": own.gm, f"dev F1 {direction}, there": own.f1}
    return SelectedThresholds({"forward": forward, "backward": backward}, gamma, figures)


def _search_direction(
    network: TrainedGraphHop,
    graphs: Sequence[EvidenceGraphSample],
    direction: Direction,
    options: Sequence[DecisionThresholds],
    on_graph: Callable[[int], None] = lambda _: None,
) -> dict[DecisionThresholds, EdgeLists]:
    """Search the graph of each question in one direction, with each of the thresholds."""
    edges_of: dict[DecisionThresholds, EdgeLists] = {option: [] for option in options}
    for n, graph in enumerate(graphs, 1):
        cached, facts = _CachedNetwork(network), list(graph.facts.items())
        for option in options:
            flow = search_direction(graph.question, facts, score_with_network, direction)
            edges_of[option].append(_run_flow(flow, cached.with_thresholds(option)))
        on_graph(n)
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


def _compute_scores(predicted: Sequence[Sequence[Edge]], graphs: Sequence[EvidenceGraphSample]) -> GraphScores:
    pairs = list(zip(predicted, graphs, strict=True))
    gm = fmean(float(set(edges) == set(graph.edges)) for edges, graph in pairs)
    f1 = fmean(compute_set_scores(edges, graph.edges).f1 for edges, graph in pairs)
    return GraphScores(round(gm, 4), round(f1, 4))
