"""Training of Graph-Hop: the networks of both directions, on gold graphs.

Zhu et al. 2024, sections 4 and 5.2: two networks with separate weights, each trained on every path of its direction.
The loss is the logistic loss of each candidate plus the softmax loss over the candidates of a path, which trains the
order where few follow. Departures: of the distractors of a graph only a sample is shown in a step
(`hopline.training.graph_hop_batches`), half of them the most similar to the question and half at random; the paper
shows all. Decision thresholds are selected on validation graphs (`hopline.training.graph_hop_thresholds`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any, Final

import torch
from torch import Tensor
from torch.nn import functional

from hopline.embeddings.minilm import load_torch_minilm, select_device
from hopline.errors import UsageError
from hopline.evaluation.evidence_graphs import EvidenceGraphSample
from hopline.learned.graph_hop import DIRECTIONS, VERSION, TrainedGraphHop
from hopline.learned.graph_hop_network import GraphHopNetwork, encode_lower_layers
from hopline.learned.weight_files import ModelCard, save_weights
from hopline.scoring.evidence_graph import Direction
from hopline.training.graph_hop_batches import build_batch, sample_facts
from hopline.training.graph_hop_thresholds import select_thresholds
from hopline.training.progress import ProgressCallback, ignore_progress
from hopline.training.training_loop import Recipe, compute_fingerprint, fit

MIN_GRAPHS: Final = 20
HELD_OUT: Final = 10  # every tenth graph is used for validation
LOGISTIC_WEIGHT: Final = 3.0  # of the logistic loss, relative to the softmax loss
RECIPE: Final = Recipe(epochs=2, batch=8, rate=5e-4, slow=0.2)

Loss = Callable[[Sequence[EvidenceGraphSample], Random], Tensor]


@dataclass(frozen=True, slots=True)
class GraphHopConfig:
    """The number of trained ``layers`` of MiniLM, 1 to 6 (more take longer), and the hyperparameters."""

    layers: int = 1
    recipe: Recipe = RECIPE


def split_graphs(
    graphs: Sequence[EvidenceGraphSample],
) -> tuple[list[EvidenceGraphSample], list[EvidenceGraphSample]]:
    """Split graphs into training graphs and validation graphs, every tenth.

    Raises:
        UsageError: there are fewer than `MIN_GRAPHS`.
    """
    if len(graphs) < MIN_GRAPHS:
        raise UsageError(f"graph_hop needs {MIN_GRAPHS} graphs, better a thousand (got {len(graphs)})")
    return [graph for n, graph in enumerate(graphs) if n % HELD_OUT], list(graphs[::HELD_OUT])


def train_graph_hop(
    graphs: Sequence[EvidenceGraphSample],
    validation: Sequence[EvidenceGraphSample],
    folder: Path,
    *,
    config: GraphHopConfig | None = None,
    metadata: Mapping[str, Any] | None = None,
    on_progress: ProgressCallback = ignore_progress,
) -> ModelCard:
    """Train both directions, select thresholds and γ, write weights and card to ``folder``.

    ``metadata`` describes the data in the card. An interrupted training is resumed from its checkpoints.
    """
    started = time.monotonic()
    config = config or GraphHopConfig()
    bert, tokenizer = load_torch_minilm(select_device())
    networks, losses = _train_networks(graphs, folder, config, (bert, tokenizer), on_progress)
    selected = select_thresholds(
        TrainedGraphHop(networks, bert, tokenizer, layers=config.layers), validation, on_progress
    )
    card = ModelCard(
        part="graph_hop",
        version=VERSION,
        purpose="Which evidence follows a path from the question (forward) or from what answers it (backward).",
        base="all-MiniLM-L6-v2",
        shape={
            "layers": config.layers,
            "gamma": selected.gamma,
            "decides": {direction: selected.thresholds[direction].to_card() for direction in DIRECTIONS},
        },
        recipe=asdict(config.recipe),
        data={**(metadata or {}), "graphs": len(graphs), "graphs to choose on": len(validation)},
        figures={"last loss": {direction: round(losses[direction], 4) for direction in DIRECTIONS}, **selected.figures},
        seconds=time.monotonic() - started,
        limits="English sentences of at most 28 word pieces; longer ones are cut.",
        date=time.strftime("%Y-%m-%d"),
    )
    tensors = {
        f"{direction}.{name}": value.cpu().numpy()
        for direction in DIRECTIONS
        for name, value in networks[direction].state_dict().items()
    }
    saved = save_weights(folder, tensors, card)
    for direction in DIRECTIONS:
        (folder / f"{direction}.checkpoint").unlink(missing_ok=True)
    return saved


def _train_networks(
    graphs: Sequence[EvidenceGraphSample],
    folder: Path,
    config: GraphHopConfig,
    encoder: tuple[Any, Any],
    on_progress: ProgressCallback,
) -> tuple[dict[Direction, GraphHopNetwork], dict[Direction, float]]:
    """Train the network of each direction; ``encoder`` is BERT and its tokenizer. Networks and last losses."""
    bert, tokenizer = encoder
    texts = list(dict.fromkeys(text for graph in graphs for text in (graph.question, *graph.facts.values())))
    tokens = [encoding.ids for encoding in tokenizer.encode_batch_fast(texts)]
    lower_states = dict(zip(texts, encode_lower_layers(bert, tokens, layers=config.layers), strict=True))
    vectors = {text: functional.normalize(states.mean(dim=0), dim=0) for text, states in lower_states.items()}
    networks: dict[Direction, GraphHopNetwork] = {}
    losses: dict[Direction, float] = {}
    data = compute_fingerprint(graphs, config.layers)
    for direction in DIRECTIONS:
        torch.manual_seed(config.recipe.seed)
        networks[direction] = GraphHopNetwork(bert, layers=config.layers).to(bert.word_embeddings.device)
        losses[direction] = fit(
            networks[direction],
            graphs,
            _make_loss(networks[direction], lower_states, vectors, direction),
            config.recipe,
            phase=direction,
            checkpoint=folder / f"{direction}.checkpoint",
            data=data,
            on_progress=on_progress,
        )
    return networks, losses


def _make_loss(
    network: GraphHopNetwork, lower_states: Mapping[str, Tensor], vectors: Mapping[str, Tensor], direction: Direction
) -> Loss:
    def compute_loss(graphs: Sequence[EvidenceGraphSample], random: Random) -> Tensor:
        sampled = [sample_facts(graph, vectors, random) for graph in graphs]
        batch = build_batch(graphs, sampled, direction, network.share.device)
        questions = network.encode([lower_states[graph.question] for graph in graphs])
        evidence = network.encode([lower_states[text] for text in batch.facts])
        logits = network.score_candidates(questions, evidence, batch.tree)
        allowed = batch.tree.allowed
        logistic = functional.binary_cross_entropy_with_logits(logits[allowed], batch.targets[allowed])
        with_target = batch.targets.sum(dim=1) > 0
        log_probabilities = functional.log_softmax(logits.masked_fill(~allowed, -1e9), dim=1)[with_target]
        targets = batch.targets[with_target]
        return LOGISTIC_WEIGHT * logistic - ((log_probabilities * targets).sum(dim=1) / targets.sum(dim=1)).mean()

    return compute_loss
