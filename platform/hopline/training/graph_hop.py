"""Training of Graph-Hop: the networks of both directions, on gold graphs.

Zhu et al. 2024, sections 4 and 5.2: two networks with separate weights, each trained on every path of its direction.
The loss is the logistic loss of each candidate plus the softmax loss over the candidates of a path, which trains the
order where few follow. After each epoch the network is tested on validation graphs, and the best one is kept (section
5.1), here for each direction by the GM of its own graphs, ties by F1.

Departures: the paper trains for 20 epochs at a learning rate of 1e-5, `RECIPE` for 4 at 5e-4 (1e-4 for the layers of
the encoder), since an epoch of both directions over 1,313 graphs takes about 5 minutes of one CPU core; ``epochs`` of
the recipe (``--epochs``) sets another number. The rate decays linearly after a warm-up of a tenth of the steps
(released code: cosine after one epoch of warm-up), the weight decay is .01 (1e-4), and one seed is used where the paper
averages three. Of the distractors of a graph only a sample is shown in a step (`hopline.training.graph_hop_batches`),
half of them the most similar to the question and half at random; the paper shows all. Decision thresholds and γ are
selected on validation graphs (`hopline.training.graph_hop_thresholds`). `hopline.learned.graph_hop_network` lists the
departures of the network. The data set of the paper is not available; the training takes EntailmentBank and MuSiQue
(`hopline.evaluation.evidence_graphs`).
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
from hopline.training.best_epoch import BestEpoch
from hopline.training.graph_hop_batches import build_batch, sample_facts
from hopline.training.graph_hop_thresholds import GraphScores, evaluate_direction, select_thresholds
from hopline.training.progress import ProgressCallback, ignore_progress
from hopline.training.training_loop import Recipe, compute_fingerprint, fit

MIN_GRAPHS: Final = 20
HELD_OUT: Final = 10  # every tenth graph is used for validation
LOGISTIC_WEIGHT: Final = 3.0  # of the logistic loss, relative to the softmax loss
RECIPE: Final = Recipe(epochs=4, batch=8, rate=5e-4, slow=0.2)

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
    """Train both directions, select their best epochs, thresholds and γ, write weights and card to ``folder``.

    ``metadata`` describes the data in the card. An interrupted training is resumed from its checkpoints.
    """
    started = time.monotonic()
    config = config or GraphHopConfig()
    bert, tokenizer = load_torch_minilm(select_device())
    trained = _train_networks((graphs, validation), folder, config, (bert, tokenizer), on_progress)
    networks = trained.networks
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
        figures={
            "last loss": {direction: round(trained.losses[direction], 4) for direction in DIRECTIONS},
            "best epoch": dict(trained.epochs),
            **selected.figures,
        },
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
        for suffix in ("checkpoint", "best"):
            (folder / f"{direction}.{suffix}").unlink(missing_ok=True)
    return saved


@dataclass(frozen=True, slots=True)
class _TrainedNetworks:
    """The network of each direction, at its best epoch, with the losses of the last one."""

    networks: dict[Direction, GraphHopNetwork]
    losses: dict[Direction, float]
    epochs: dict[Direction, int]


def _train_networks(
    splits: tuple[Sequence[EvidenceGraphSample], Sequence[EvidenceGraphSample]],
    folder: Path,
    config: GraphHopConfig,
    encoder: tuple[Any, Any],
    on_progress: ProgressCallback,
) -> _TrainedNetworks:
    """Train the network of each direction on the first of ``splits``, and select its best epoch on the second.

    ``encoder`` is BERT and its tokenizer.
    """
    (graphs, validation), (bert, tokenizer) = splits, encoder
    texts = list(dict.fromkeys(text for graph in graphs for text in (graph.question, *graph.facts.values())))
    tokens = [encoding.ids for encoding in tokenizer.encode_batch_fast(texts)]
    lower_states = dict(zip(texts, encode_lower_layers(bert, tokens, layers=config.layers), strict=True))
    vectors = {text: functional.normalize(states.mean(dim=0), dim=0) for text, states in lower_states.items()}
    trained = _TrainedNetworks({}, {}, {})
    data = compute_fingerprint([*graphs, *validation], config.layers)
    for direction in DIRECTIONS:
        torch.manual_seed(config.recipe.seed)
        network = GraphHopNetwork(bert, layers=config.layers).to(bert.word_embeddings.device)

        def evaluate(network: GraphHopNetwork = network, direction: Direction = direction) -> GraphScores:
            part = TrainedGraphHop({direction: network}, bert, tokenizer, layers=config.layers)
            return evaluate_direction(part, validation, direction)

        best = BestEpoch(network, evaluate, folder / f"{direction}.best", data=f"{data} {config.recipe}")
        trained.losses[direction] = fit(
            network,
            graphs,
            _make_loss(network, lower_states, vectors, direction),
            config.recipe,
            phase=direction,
            checkpoint=folder / f"{direction}.checkpoint",
            data=data,
            on_progress=on_progress,
            after_epoch=best.update,
        )
        trained.networks[direction], trained.epochs[direction] = network, best.restore()
    return trained


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
