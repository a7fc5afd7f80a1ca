"""A small language model with graphs of facts as input: GraphLLM of RAS, both planner and answerer.

RAS (answerer; after GraphToken and G-Retriever): a graph transformer encodes each graph, a projector maps the mean of
its nodes to one soft token after the first token of the prompt, and LoRA adapters on q and v train the language model
to use it. Facts are also written into the prompt, in reading order, as many as it has room for (700 tokens; the paper's
has 2,500).

Several graphs, one for each sub-question, are encoded separately and their means averaged, which is how the released
code trains; a merged graph (equation 9) is a list of one. Without any graph the soft token is that of a zero vector: it
is always present.

Departures: sizes are the smallest that keep the architecture of the paper (3 layers, 8 heads), as is the language
model; names are embedded by MiniLM. The instructions are our own. A prompt has at most 700 tokens, so that some facts
may be missing in it, while the graph has all of them. In training a sub-question has the facts of its one gold passage
(`hopline.training.sub_question_data`); in use it has those of the passages that were retrieved, five in `ras`.
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

from hopline.learned.local_llm import MAX_PROMPT_TOKENS, RANK, LocalLlm
from hopline.learned.weight_files import load_weights
from hopline.text.room import fit_in_turns

VERSION: Final = 2  # raise it when the network or its prompts change
MAX_NEW_TOKENS: Final = {"plan": 40, "answer": 24}
MAX_FACTS: Final = 1000  # of all sub-questions in a prompt; its room is full before
CHARACTERS_PER_TOKEN: Final = 3  # rather few, so that the facts are not cut out of the prompt as too long
INSTRUCTIONS: Final = {
    "plan": "Say what the question still needs: [NO_RETRIEVAL], [SUBQ] and a sub-question, or [SUFFICIENT].",
    "answer": "Answer the question in a few words.",
}

Task = Literal["plan", "answer"]
Triple = tuple[str, str, str]
Rounds = Sequence[tuple[str, Sequence[Triple]]]  # sub-questions with the facts found for each


@dataclass(frozen=True, slots=True)
class GraphLlmShape:
    """Sizes of the graph transformer, the hidden size of the projector (``between``), and the rank of LoRA."""

    hidden: int = 256
    layers: int = 3
    heads: int = 8
    between: int = 512
    rank: int = RANK


@dataclass(frozen=True, slots=True)
class TripleGraph:
    """A graph of triples: vectors of nodes (n, d), edges as node indices (2, e), and vectors of edges (e, d)."""

    nodes: NDArray[np.float32]
    edges: NDArray[np.int64]
    attributes: NDArray[np.float32]


def collect_graph_texts(triples: Sequence[Triple]) -> list[str]:
    """Collect the distinct texts of a graph that need a vector: nodes, predicates, and inverse predicates."""
    nodes = [end for subject, _, object_ in triples for end in (subject, object_)]
    predicates = [text for _, predicate, _ in triples for text in (predicate, _inverse_predicate(predicate))]
    return list(dict.fromkeys([*nodes, *predicates]))


def build_triple_graph(triples: Sequence[Triple], vectors: Mapping[str, NDArray[np.float32]]) -> TripleGraph:
    """Build the graph of triples: one node for each distinct name, and each edge in both directions."""
    index: dict[str, int] = {}
    for subject, _, object_ in triples:
        index.setdefault(subject, len(index))
        index.setdefault(object_, len(index))
    pairs = [(index[subject], index[object_]) for subject, _, object_ in triples]
    edges = np.array([*pairs, *((b, a) for a, b in pairs)], dtype=np.int64).reshape(-1, 2).T
    predicates = [predicate for _, predicate, _ in triples]
    attributes = [vectors[text] for text in (*predicates, *map(_inverse_predicate, predicates))]
    return TripleGraph(np.stack([vectors[name] for name in index]), edges, np.stack(attributes))


def build_triple_graphs(
    rounds: Rounds,
    embed: Callable[[list[str]], NDArray[np.float32]],
    cache: dict[str, NDArray[np.float32]],
    *,
    merged: bool,
) -> list[TripleGraph]:
    """Build one graph for each round with facts, or one ``merged`` graph; ``cache`` caches the vectors of texts."""
    triples = [[(a, b, c) for a, b, c in facts] for _, facts in rounds if facts]
    if merged and triples:
        triples = [list(dict.fromkeys(triple for triples_of_graph in triples for triple in triples_of_graph))]
    names = list(
        dict.fromkeys(
            name for triples_of_graph in triples for name in collect_graph_texts(triples_of_graph) if name not in cache
        )
    )
    if names:
        cache |= dict(zip(names, embed(names), strict=True))
    return [build_triple_graph(triples_of_graph, cache) for triples_of_graph in triples]


def _inverse_predicate(predicate: str) -> str:
    return f"inverse of {predicate}"


def build_graph_prompt(task: Task, question: str, rounds: Rounds, *, facts: int = MAX_FACTS) -> str:
    """Build the prompt; as many facts are written into it as it has room for, at most ``facts``.

    The rounds take turns in filling it, each with its facts in their order.
    """
    texts = [[f"({a} | {b} | {c}); " for a, b, c in triples] for _, triples in rounds]
    frame = "\n".join([INSTRUCTIONS[task], *(f"[SUBQ] {item}\nFacts: " for item, _ in rounds), question])
    counts = fit_in_turns(texts, CHARACTERS_PER_TOKEN * MAX_PROMPT_TOKENS - len(frame), limit=facts)
    parts = [INSTRUCTIONS[task]]
    for (sub_question, _), facts_of_round, count in zip(rounds, texts, counts, strict=True):
        facts_text = "".join(facts_of_round[:count]).removesuffix("; ")
        parts.append(f"[SUBQ] {sub_question}\nFacts: {facts_text}" if facts else f"[SUBQ] {sub_question}")
    return "\n".join([*parts, f"Question: {question}", "Reply:"])


class GraphTransformer(nn.Module):
    """Attention along edges with their vectors; the mean over the nodes of each graph."""

    def __init__(self, dimension: int, shape: GraphLlmShape) -> None:
        super().__init__()
        from torch_geometric.nn import TransformerConv

        sizes = [dimension, *[shape.hidden] * shape.layers]
        self.layers = nn.ModuleList(
            TransformerConv(size, shape.hidden // shape.heads, heads=shape.heads, edge_dim=dimension, dropout=0.1)
            for size in sizes[:-1]
        )
        self.norms = nn.ModuleList(nn.LayerNorm(shape.hidden) for _ in range(shape.layers - 1))
        self.hidden = shape.hidden

    def forward(self, graphs: Sequence[TripleGraph]) -> Tensor:
        """Return the mean of the graphs' node means, (hidden,); zeros if there is no graph."""
        non_empty = [graph for graph in graphs if len(graph.nodes)]
        device = next(self.parameters()).device
        if not non_empty:
            return torch.zeros(self.hidden, device=device)

        def concatenate(parts: Sequence[NDArray[Any]], axis: int = 0) -> Tensor:
            return torch.from_numpy(np.concatenate(parts, axis=axis)).to(device)

        offsets = np.cumsum([0, *(len(graph.nodes) for graph in non_empty)])
        nodes = concatenate([graph.nodes for graph in non_empty])
        edges = concatenate([graph.edges + n for graph, n in zip(non_empty, offsets, strict=False)], axis=1)
        attributes = concatenate([graph.attributes for graph in non_empty])
        for index, layer in enumerate(self.layers):
            nodes = layer(nodes, edges, attributes)
            if index < len(self.norms):
                nodes = torch.relu(self.norms[index](nodes))
        graph_means = [nodes[a:b].mean(dim=0) for a, b in pairwise(offsets)]
        return torch.stack(graph_means).mean(dim=0)


class GraphLlm(LocalLlm):
    """Graph transformer, projector, and language model with LoRA adapters."""

    def __init__(self, base: Path, *, dimension: int = 384, shape: GraphLlmShape | None = None) -> None:
        shape = shape or GraphLlmShape()
        super().__init__(base, rank=shape.rank)
        self.graph = GraphTransformer(dimension, shape)
        self.projector = nn.Sequential(
            nn.Linear(shape.hidden, shape.between), nn.Sigmoid(), nn.Linear(shape.between, self.width)
        )

    def compute_loss(self, samples: Sequence[tuple[str, str, Sequence[TripleGraph]]]) -> Tensor:
        """The cross-entropy of the label tokens, over samples of prompt, label and graphs."""
        return self.compute_batch_loss(
            [self.embed_prompt(prompt, label, soft=self.encode_graphs(graphs)) for prompt, label, graphs in samples]
        )

    def generate_reply(self, prompt: str, graphs: Sequence[TripleGraph], *, max_tokens: int) -> str:
        """Generate one line, greedily."""
        with torch.inference_mode():
            embedded, _ = self.embed_prompt(prompt, soft=self.encode_graphs(graphs))
        return self.generate(embedded, max_tokens=max_tokens)

    def encode_graphs(self, graphs: Sequence[TripleGraph]) -> Tensor:
        """Encode graphs as one soft token, (1, width)."""
        token: Tensor = self.projector(self.graph(graphs))[None]
        return token


class TrainedGraphLlm:
    """GraphLLM as a model of the registry; ``merged``: whether it was trained on merged graphs."""

    def __init__(self, model: GraphLlm, embed: Any, *, merged: bool) -> None:
        self._model, self._embed, self._merged = model, embed, merged

    def __call__(self, *, task: Task, question: str, rounds: Rounds, merged: bool | None = None) -> str:
        """Generate the reply to a question after some rounds, from one graph for each or one ``merged`` graph."""
        graphs = build_triple_graphs(rounds, self._embed, {}, merged=self._merged if merged is None else merged)
        return self._model.generate_reply(
            build_graph_prompt(task, question, rounds), graphs, max_tokens=MAX_NEW_TOKENS[task]
        )


def load_graph_llm(folder: Path) -> TrainedGraphLlm:
    """Load the model from a folder of weights, on the base model that its card names.

    Raises:
        UsageError: as `load_weights` and `load_base_model`, or the weights belong to another model.
    """
    from hopline.embeddings.minilm import MiniLM, minilm_folder

    tensors, card = load_weights(folder, version=VERSION)
    model = GraphLlm(Path(card.shape["base"]), shape=GraphLlmShape(**card.shape["sizes"]))
    model.load_parameters(tensors, folder)
    return TrainedGraphLlm(model, MiniLM(minilm_folder()).embed, merged=card.shape["merged"])
