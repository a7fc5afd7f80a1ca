"""A small language model that is shown graphs of facts: GraphLLM of RAS, planner and answerer in one.

RAS (answerer; after GraphToken and G-Retriever): a graph transformer reads each graph, the mean of its nodes goes
through a projector into one soft token behind the opening token of the prompt, and low-rank changes of q and v teach
the language model to use it. Facts are also written into the prompt, as in the paper.

Several graphs, one a sub-question, are each encoded and their means averaged, which is how the paper trains; one
merged graph is the list of one. Where there is no graph the token is that of a vector of noughts: it is always there.
Sizes are the smallest that keep the paper's form (3 layers, 8 heads), as is the model they stand before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from hopline.learned.local_llm import RANK, LocalLLM
from hopline.learned.weight_files import load_weights

VERSION: Final = 1  # raise it when the network or the form of its prompts changes
WRITTEN: Final = {"plan": 40, "answer": 24}  # tokens that it writes at most
FACTS: Final = 12  # of one sub-question in a prompt
INSTRUCTIONS: Final = {
    "plan": "Say what the question still needs: [NO_RETRIEVAL], [SUBQ] and a sub-question, or [SUFFICIENT].",
    "answer": "Answer the question in a few words.",
}

Task = Literal["plan", "answer"]
Triple = tuple[str, str, str]
Rounds = Sequence[tuple[str, Sequence[Triple]]]  # sub-questions with the facts that each found


@dataclass(frozen=True, slots=True)
class Shape:
    """Sizes of the graph transformer and of the projector, and the rank of the change."""

    hidden: int = 256
    layers: int = 3
    heads: int = 8
    between: int = 512
    rank: int = RANK


@dataclass(frozen=True, slots=True)
class GraphRows:
    """Nodes (n, d), edges as places (2, e), and the edges' attributes (e, d)."""

    nodes: NDArray[np.float32]
    edges: NDArray[np.int64]
    attributes: NDArray[np.float32]


def names_of(triples: Sequence[Triple]) -> list[str]:
    """Every text that the graph of some triples needs a vector of: nodes, predicates, and their inverses."""
    nodes = [end for subject, _, object_ in triples for end in (subject, object_)]
    predicates = [text for _, predicate, _ in triples for text in (predicate, _inverse(predicate))]
    return list(dict.fromkeys([*nodes, *predicates]))


def graph_rows(triples: Sequence[Triple], vectors: Mapping[str, NDArray[np.float32]]) -> GraphRows:
    """The graph of some triples: a node for each name, as it is written, and each edge in both directions."""
    place: dict[str, int] = {}
    for subject, _, object_ in triples:
        place.setdefault(subject, len(place))
        place.setdefault(object_, len(place))
    pairs = [(place[subject], place[object_]) for subject, _, object_ in triples]
    edges = np.array([*pairs, *((b, a) for a, b in pairs)], dtype=np.int64).reshape(-1, 2).T
    said = [predicate for _, predicate, _ in triples]
    attributes = [vectors[text] for text in (*said, *map(_inverse, said))]
    return GraphRows(np.stack([vectors[name] for name in place]), edges, np.stack(attributes))


def graphs_of(
    rounds: Rounds,
    embed: Callable[[list[str]], NDArray[np.float32]],
    known: dict[str, NDArray[np.float32]],
    *,
    merged: bool,
) -> list[GraphRows]:
    """The graphs of the rounds that found facts, one each, or one of them all; ``known`` keeps the vectors of names."""
    triples = [[(a, b, c) for a, b, c in facts] for _, facts in rounds if facts]
    if merged and triples:
        triples = [list(dict.fromkeys(triple for some in triples for triple in some))]
    names = list(dict.fromkeys(name for some in triples for name in names_of(some) if name not in known))
    if names:
        known |= dict(zip(names, embed(names), strict=True))
    return [graph_rows(some, known) for some in triples]


def _inverse(predicate: str) -> str:
    return f"inverse of {predicate}"


def prompt_of(task: Task, question: str, rounds: Rounds, *, facts: int = FACTS) -> str:
    """What the model reads; ``facts`` of each round are written out."""
    parts = [INSTRUCTIONS[task]]
    for asked, triples in rounds:
        told = "; ".join(f"({a} | {b} | {c})" for a, b, c in triples[:facts])
        parts.append(f"[SUBQ] {asked}\nFacts: {told}" if facts else f"[SUBQ] {asked}")
    return "\n".join([*parts, f"Question: {question}", "Reply:"])


class GraphTransformer(nn.Module):
    """Attention along edges with their attributes; the mean over the nodes of each graph."""

    def __init__(self, dimension: int, shape: Shape) -> None:
        super().__init__()
        from torch_geometric.nn import TransformerConv

        sizes = [dimension, *[shape.hidden] * shape.layers]
        self.layers = nn.ModuleList(
            TransformerConv(size, shape.hidden // shape.heads, heads=shape.heads, edge_dim=dimension, dropout=0.1)
            for size in sizes[:-1]
        )
        self.norms = nn.ModuleList(nn.LayerNorm(shape.hidden) for _ in range(shape.layers - 1))
        self.hidden = shape.hidden

    def forward(self, graphs: Sequence[GraphRows]) -> Tensor:
        """The mean of the graphs' means, (hidden,); noughts where there is none."""
        some = [graph for graph in graphs if len(graph.nodes)]
        device = next(self.parameters()).device
        if not some:
            return torch.zeros(self.hidden, device=device)

        def joined(parts: Sequence[NDArray[Any]], axis: int = 0) -> Tensor:
            return torch.from_numpy(np.concatenate(parts, axis=axis)).to(device)

        starts = np.cumsum([0, *(len(graph.nodes) for graph in some)])
        nodes = joined([graph.nodes for graph in some])
        edges = joined([graph.edges + n for graph, n in zip(some, starts, strict=False)], axis=1)
        attributes = joined([graph.attributes for graph in some])
        for place, layer in enumerate(self.layers):
            nodes = layer(nodes, edges, attributes)
            if place < len(self.norms):
                nodes = torch.relu(self.norms[place](nodes))
        means = [nodes[a:b].mean(dim=0) for a, b in pairwise(starts)]
        return torch.stack(means).mean(dim=0)


class GraphLLM(LocalLLM):
    """Graph transformer, projector and changed language model."""

    def __init__(self, base: Path, *, dimension: int = 384, shape: Shape | None = None) -> None:
        shape = shape or Shape()
        super().__init__(base, rank=shape.rank)
        self.graph = GraphTransformer(dimension, shape)
        self.projector = nn.Sequential(
            nn.Linear(shape.hidden, shape.between), nn.Sigmoid(), nn.Linear(shape.between, self.width)
        )

    def loss(self, samples: Sequence[tuple[str, str, Sequence[GraphRows]]]) -> Tensor:
        """The cross-entropy of the labels' tokens, of samples of prompt, label and graphs."""
        return self.loss_of([self.row(prompt, label, soft=self.soft(graphs)) for prompt, label, graphs in samples])

    def reply(self, prompt: str, graphs: Sequence[GraphRows], *, most: int) -> str:
        """What it writes, greedily: one line."""
        with torch.inference_mode():
            embedded, _ = self.row(prompt, soft=self.soft(graphs))
        return self.written(embedded, most=most)

    def soft(self, graphs: Sequence[GraphRows]) -> Tensor:
        """The token that tells of some graphs, (1, width)."""
        token: Tensor = self.projector(self.graph(graphs))[None]
        return token


class TrainedGraphLLM:
    """The trained model as a part that a flow can ask; ``merged`` says which graphs it was trained on."""

    def __init__(self, model: GraphLLM, embed: Any, *, merged: bool) -> None:
        self._model, self._embed, self._merged = model, embed, merged

    def __call__(self, *, task: Task, question: str, rounds: Rounds, merged: bool | None = None) -> str:
        """What it replies to a question after some rounds, from a graph of each or a ``merged`` one."""
        graphs = graphs_of(rounds, self._embed, {}, merged=self._merged if merged is None else merged)
        return self._model.reply(prompt_of(task, question, rounds), graphs, most=WRITTEN[task])


def load_graph_llm(folder: Path) -> TrainedGraphLLM:
    """The model whose weights are in a folder, before the base that its card names.

    Raises:
        UsageError: as `load_weights` and `load_base`, or the weights are another model's.
    """
    from hopline.embeddings.minilm import MiniLM, shipped_folder

    tensors, card = load_weights(folder, version=VERSION)
    model = GraphLLM(Path(card.shape["base"]), shape=Shape(**card.shape["sizes"]))
    model.take(tensors, folder)
    return TrainedGraphLLM(model, MiniLM(shipped_folder()).embed, merged=card.shape["merged"])
