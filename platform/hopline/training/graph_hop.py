"""Both directions of Graph-Hop, trained on right graphs, with what decides at the end chosen on other graphs.

Zhu et al. 2024, sections 4 and 5.2: two networks with separate weights, each trained on every path of its direction.
The loss is the logistic one on each candidate, and beside it that of the softmax over a path's candidates, which
teaches order where few follow. Departures: of the facts that no graph needs only `SHOWN` less the needed are shown in a
step, the half most like the question and others at random; the paper shows all. What decides at the end is chosen on
``dev``: of the `TRIED` decisions that give each direction's evidence the best F1, the pair, with γ, that gives the
merged graph's evidence the best F1, and of those the best GM. A bar alone, the paper's, does not do: how sure the
network is differs from question to question (F1 of the first step on 187 dev questions 57.3, by a share 60.9).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from hopline.embeddings.minilm import best_device, torch_minilm
from hopline.errors import UsageError
from hopline.evaluation.evidence_graphs import Graph
from hopline.evaluation.graph_matching import set_scores
from hopline.flow.requests import Flow, Infer
from hopline.learned.graph_hop import VERSION, WAYS, Decision, GraphHop
from hopline.learned.graph_hop_network import START, Direction, Paths, lower_states
from hopline.learned.weight_files import Card, save_weights
from hopline.retrieval.agent.bidirectional_search import Floats, by_network, searched
from hopline.scoring.evidence_graph import Edge, Way, merged, nodes_of
from hopline.training.graph_hop_samples import walks
from hopline.training.progress import Listener, Told, unheard
from hopline.training.training_loop import Recipe, fingerprint, fit

LEAST: Final = 20  # graphs
TENTH: Final = 10
SHOWN: Final = 14  # facts of one graph in one step, at least
LOGISTIC: Final = 3.0  # weight of the logistic loss beside the softmax
RECIPE: Final = Recipe(epochs=2, batch=8, rate=5e-4, slow=0.2)
SHARES: Final = (0.4, 0.5, 0.6, 0.7, 0.8)
BARS: Final = (0.15, 0.3, 0.45, 0.6, 0.75, 0.9)
TRIED: Final = 6  # decisions of each direction
GAMMAS: Final = (0.0, 0.05, 0.1, 0.2, 0.4)


@dataclass(frozen=True, slots=True)
class Setup:
    """How to train: ``layers`` of MiniLM that learn, 1 to 6: the more, the longer."""

    layers: int = 1
    recipe: Recipe = RECIPE


def split(graphs: Sequence[Graph]) -> tuple[list[Graph], list[Graph]]:
    """Graphs to learn from, and every tenth to choose on.

    Raises:
        UsageError: there are fewer than `LEAST`.
    """
    if len(graphs) < LEAST:
        raise UsageError(f"graph_hop needs {LEAST} graphs, better a thousand (got {len(graphs)})")
    return [one for n, one in enumerate(graphs) if n % TENTH], list(graphs[::TENTH])


def train_graph_hop(
    graphs: Sequence[Graph],
    dev: Sequence[Graph],
    folder: Path,
    *,
    setup: Setup | None = None,
    told: Mapping[str, Any] | None = None,
    listener: Listener = unheard,
) -> Card:
    """Train both directions, choose bars and γ, write weights and card into ``folder``; ``told`` says what the data is.

    A training that was stopped goes on from its checkpoints.
    """
    began = time.monotonic()
    setup = setup or Setup()
    device = best_device()
    bert, tokenizer = torch_minilm(device)
    texts = list(dict.fromkeys(text for graph in graphs for text in (graph.question, *graph.facts.values())))
    tokens = [one.ids for one in tokenizer.encode_batch_fast(texts)]
    below = dict(zip(texts, lower_states(bert, tokens, layers=setup.layers), strict=True))
    near = {text: functional.normalize(states.mean(dim=0), dim=0) for text, states in below.items()}
    directions: dict[Way, Direction] = {}
    losses = {}
    data = fingerprint(graphs, setup.layers)
    for way in WAYS:
        torch.manual_seed(setup.recipe.seed)
        directions[way] = Direction(bert, layers=setup.layers).to(device)
        losses[way] = fit(
            directions[way],
            graphs,
            _loss(directions[way], below, near, way),
            setup.recipe,
            phase=way,
            checkpoint=folder / f"{way}.checkpoint",
            data=data,
            listener=listener,
        )
    network = GraphHop(directions, bert, tokenizer, layers=setup.layers)
    chosen = _choose(network, dev, listener)
    card = Card(
        part="graph_hop",
        version=VERSION,
        purpose="Which evidence follows a path from the question (forward) or from what answers it (backward).",
        base="all-MiniLM-L6-v2",
        shape={
            "layers": setup.layers,
            "gamma": chosen.gamma,
            "decides": {way: asdict(chosen.decides[way]) for way in WAYS},
        },
        recipe=asdict(setup.recipe),
        data={**(told or {}), "graphs": len(graphs), "graphs to choose on": len(dev)},
        figures={"last loss": {way: round(losses[way], 4) for way in WAYS}, **chosen.figures},
        seconds=time.monotonic() - began,
        limits="English sentences of at most 28 word pieces; longer ones are cut.",
        made=time.strftime("%Y-%m-%d"),
    )
    tensors = {
        f"{way}.{name}": value.cpu().numpy() for way in WAYS for name, value in directions[way].state_dict().items()
    }
    signed = save_weights(folder, tensors, card)
    for way in WAYS:
        (folder / f"{way}.checkpoint").unlink(missing_ok=True)
    return signed


Loss = Callable[[Sequence[Graph], Random], Tensor]


def _loss(direction: Direction, below: Mapping[str, Tensor], near: Mapping[str, Tensor], way: Way) -> Loss:
    def loss_of(graphs: Sequence[Graph], random: Random) -> Tensor:
        batch = _batch(graphs, [_shown(graph, near, random) for graph in graphs], way, direction.share.device)
        questions = direction.encode([below[graph.question] for graph in graphs])
        logits = direction.follows(questions, direction.encode([below[text] for text in batch.facts]), batch.paths)
        open = batch.paths.open
        each = functional.binary_cross_entropy_with_logits(logits[open], batch.targets[open])
        some = batch.targets.sum(dim=1) > 0
        shares = functional.log_softmax(logits.masked_fill(~open, -1e9), dim=1)[some]
        wanted = batch.targets[some]
        return LOGISTIC * each - ((shares * wanted).sum(dim=1) / wanted.sum(dim=1)).mean()

    return loss_of


def _shown(graph: Graph, near: Mapping[str, Tensor], random: Random) -> list[str]:
    """The facts of a graph that one step sees: all that it needs, and of the others some near and some at random."""
    needed = set(nodes_of(graph.edges))
    others = sorted(
        (id for id in graph.facts if id not in needed),
        key=lambda id: -float(near[graph.facts[id]] @ near[graph.question]),
    )
    room = max(SHOWN - len(needed), SHOWN // 3)
    hard, rest = others[: room // 2], others[room // 2 :]
    chosen = needed.union(hard, random.sample(rest, min(room - len(hard), len(rest))))
    return [id for id in graph.facts if id in chosen]


@dataclass(frozen=True, slots=True)
class Batch:
    """Facts of several graphs one after another, their paths, and what follows each: ``targets`` (P, c), 0 or 1."""

    facts: list[str]
    paths: Paths
    targets: Tensor


def _batch(
    graphs: Sequence[Graph], shown: Sequence[Sequence[str]], way: Way, device: torch.device | None = None
) -> Batch:
    most = max(map(len, shown))
    facts: list[str] = []
    rows: list[tuple[int, int, int, list[int], list[bool], list[float]]] = []
    for n, (graph, ids) in enumerate(zip(graphs, shown, strict=True)):
        first, begun = len(facts), len(rows)
        place = {id: first + offset for offset, id in enumerate(ids)}
        facts += [graph.facts[id] for id in ids]
        lack = most - len(ids)
        for walk in walks(graph.edges, way):
            parent = START if walk.parent is None else begun + walk.parent
            open = [id not in walk.on for id in ids] + [False] * lack
            targets = [float(id in walk.next) for id in ids] + [0.0] * lack
            last = place[walk.on[-1]] if walk.on else 0
            rows.append((n, parent, last, [*place.values(), *[first] * lack], open, targets))
    columns = [torch.tensor(column, device=device) for column in zip(*rows, strict=True)]
    return Batch(facts, Paths(*columns[:-1]), columns[-1])


@dataclass(frozen=True, slots=True)
class Chosen:
    """What decides, as it was chosen on other graphs, and what it reaches there."""

    decides: Mapping[Way, Decision]
    gamma: float
    figures: Mapping[str, float]


def _choose(network: GraphHop, dev: Sequence[Graph], listener: Listener) -> Chosen:
    options = [Decision(share, bar) for share, bar in product(SHARES, BARS)]
    found: dict[Way, dict[Decision, list[tuple[Edge, ...]]]] = {way: {one: [] for one in options} for way in WAYS}
    for phase, way in enumerate(WAYS):
        for n, graph in enumerate(dev, 1):
            chances, facts = _Remembered(network), list(graph.facts.items())
            for one in options:
                flow = searched(graph.question, facts, by_network, way)
                found[way][one].append(_driven(flow, chances.decided(one)))
            listener(Told("choosing", phase * len(dev) + n, 2 * len(dev)))

    alone = {way: {one: _f1(graphs, dev) for one, graphs in found[way].items()} for way in WAYS}
    tried = {way: sorted(options, key=alone[way].__getitem__, reverse=True)[:TRIED] for way in WAYS}

    def worth(forward: Decision, backward: Decision, gamma: float) -> tuple[float, float]:
        pairs = zip(found["forward"][forward], found["backward"][backward], strict=True)
        graphs = [merged(*pair, rule="equation", gamma=gamma) for pair in pairs]
        return round(_f1(graphs, dev), 4), round(_gm(graphs, dev), 4)

    every = product(tried["forward"], tried["backward"], GAMMAS)
    forward, backward, gamma = max(every, key=lambda one: worth(*one))
    f1, gm = worth(forward, backward, gamma)
    best = {f"dev F1 {way}, at best": round(max(alone[way].values()), 4) for way in WAYS}
    return Chosen({"forward": forward, "backward": backward}, gamma, {"dev F1": f1, "dev GM": gm, **best})


class _Remembered:
    """The network's chances for one question, each asked for once: who decides more strictly meets no others."""

    def __init__(self, network: GraphHop) -> None:
        self._network = network
        self._known: dict[tuple[str, tuple[int, ...]], Floats] = {}

    def decided(self, decision: Decision) -> Callable[..., Floats]:
        """The network, if it decided so."""

        def answers(*, way: Way, question: str, facts: Sequence[str], paths: Sequence[Sequence[int]]) -> Floats:
            new = [tuple(path) for path in paths if (way, tuple(path)) not in self._known]
            if new:
                rows = self._network.chances(way, question, facts, new)
                self._known |= {(way, path): row for path, row in zip(new, rows, strict=True)}
            chances = np.stack([self._known[way, tuple(path)] for path in paths])
            return decision.certainties(chances, paths)

        return answers


def _driven(flow: Flow[tuple[Edge, ...]], answers: Callable[..., Floats]) -> tuple[Edge, ...]:
    """What a flow that asks the network alone returns."""
    try:
        request = next(flow)
        while isinstance(request, Infer):
            request = flow.send(answers(**request.inputs))
    except StopIteration as stop:
        edges: tuple[Edge, ...] = stop.value
        return edges
    raise TypeError(f"this flow asks for more than a trained part: {request!r:.80}")


def _f1(graphs: Sequence[Sequence[Edge]], right: Sequence[Graph]) -> float:
    return fmean(set_scores(found, graph.edges).f1 for found, graph in zip(graphs, right, strict=True))


def _gm(graphs: Sequence[Sequence[Edge]], right: Sequence[Graph]) -> float:
    return fmean(float(set(found) == set(graph.edges)) for found, graph in zip(graphs, right, strict=True))
