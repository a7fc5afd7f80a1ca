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

from hopline.errors import UsageError
from hopline.model.weights import load_weights

VERSION: Final = 1  # raise it when the network or the form of its prompts changes
LONGEST: Final = 700  # tokens of a prompt; the middle of a longer one is cut out
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
    rank: int = 8


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


class GraphLLM(nn.Module):
    """Graph transformer, projector and changed language model."""

    def __init__(self, base: Path, *, dimension: int = 384, shape: Shape | None = None) -> None:
        super().__init__()
        from peft import LoraConfig, get_peft_model

        shape = shape or Shape()
        plain, self.tokenizer = load_base(base)
        width = plain.get_input_embeddings().embedding_dim
        lora = LoraConfig(
            r=shape.rank, lora_alpha=2 * shape.rank, lora_dropout=0.05, target_modules=["q_proj", "v_proj"]
        )
        self.llm = get_peft_model(plain, lora)
        self.graph = GraphTransformer(dimension, shape)
        self.projector = nn.Sequential(
            nn.Linear(shape.hidden, shape.between), nn.Sigmoid(), nn.Linear(shape.between, width)
        )

    def loss(self, samples: Sequence[tuple[str, str, Sequence[GraphRows]]]) -> Tensor:
        """The cross-entropy of the labels' tokens, of samples of prompt, label and graphs."""
        rows = [self._row(*sample) for sample in samples]
        longest = max(len(embedded) for embedded, _ in rows)
        embedded = torch.stack([nn.functional.pad(one, (0, 0, 0, longest - len(one))) for one, _ in rows])
        labels = torch.stack([nn.functional.pad(one, (0, longest - len(one)), value=-100) for _, one in rows])
        lengths = torch.tensor([len(one) for one, _ in rows])
        mask = (torch.arange(longest) < lengths[:, None]).long().to(embedded.device)
        loss: Tensor = self.llm(inputs_embeds=embedded, attention_mask=mask, labels=labels).loss
        return loss

    def reply(self, prompt: str, graphs: Sequence[GraphRows], *, most: int) -> str:
        """What it writes, greedily: one line."""
        with torch.inference_mode():
            embedded, _ = self._row(prompt, "", graphs)
            written = self.llm.generate(  # type: ignore[no-untyped-call]
                inputs_embeds=embedded[None], attention_mask=embedded.new_ones(1, len(embedded), dtype=torch.long),
                max_new_tokens=most, do_sample=False, pad_token_id=self.tokenizer.eos_token_id,
            )  # fmt: skip
        text: str = self.tokenizer.decode(written[0], skip_special_tokens=True)
        return text.strip().split("\n")[0].strip()

    def _row(self, prompt: str, label: str, graphs: Sequence[GraphRows]) -> tuple[Tensor, Tensor]:
        """Embedded tokens (t, width) with the soft token behind the first, and what is to be predicted, (t,)."""
        opening = [self.tokenizer.bos_token_id]
        asked = self.tokenizer(prompt, add_special_tokens=False)["input_ids"]
        asked = [*asked[: LONGEST // 2], *asked[-LONGEST // 2 :]] if len(asked) > LONGEST else asked
        wanted = self.tokenizer(f" {label}", add_special_tokens=False)["input_ids"] if label else []
        wanted += [self.tokenizer.eos_token_id] if label else []
        table = self.llm.get_input_embeddings()
        soft = self.projector(self.graph(graphs))[None]
        before, behind = (torch.tensor(part, device=soft.device) for part in (opening, [*asked, *wanted]))
        embedded = torch.cat([table(before), soft, table(behind)])
        return embedded, torch.tensor([-100] * (2 + len(asked)) + wanted, device=soft.device)


def load_base(base: Path) -> tuple[Any, Any]:
    """A causal language model and its tokeniser from a folder of transformers, or one file of GGUF.

    Raises:
        UsageError: there is no model there, or the packages that read it are not installed.
    """
    try:
        from transformers import AutoModelForCausalLM, AutoTokenizer
        from transformers.utils import logging

        logging.disable_progress_bar()  # type: ignore[no-untyped-call]

        folder, own = (base.parent, {"gguf_file": base.name}) if base.is_file() else (base, {})
        tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True, **own)
        model = AutoModelForCausalLM.from_pretrained(folder, local_files_only=True, dtype=torch.float32, **own)
    except (OSError, ValueError, ImportError) as error:
        raise UsageError(
            f"no language model can be read at {base}: wanted a folder of transformers or a .gguf file ({error})"
        ) from error
    if tokenizer.bos_token_id is None:
        tokenizer.bos_token = tokenizer.eos_token
    return model, tokenizer


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
    from hopline.model.minilm import MiniLM, shipped_folder

    tensors, card = load_weights(folder, version=VERSION)
    model = GraphLLM(Path(card.shape["base"]), shape=Shape(**card.shape["sizes"]))
    missed = model.load_state_dict(
        {name: torch.from_numpy(array.copy()) for name, array in tensors.items()}, strict=False
    )
    learned = {name for name, value in model.named_parameters() if value.requires_grad}
    if odd := sorted({*missed.unexpected_keys, *learned.intersection(missed.missing_keys)}):
        raise UsageError(f"{folder}: these weights are not those of this model ({', '.join(odd[:3])}); train it again")
    model.eval()
    return TrainedGraphLLM(model, MiniLM(shipped_folder()).embed, merged=card.shape["merged"])
