"""The trained network of Graph-Hop as a model of the registry."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from hopline.embeddings.minilm import load_torch_minilm
from hopline.learned.graph_hop_network import START, GraphHopNetwork, PathTree, encode_lower_layers, pad_states
from hopline.learned.weight_files import load_weights
from hopline.scoring.evidence_graph import GAMMA, Direction

VERSION: Final = 2  # raise it when the network or its decision rule changes
DIRECTIONS: Final[tuple[Direction, Direction]] = ("forward", "backward")
CACHE_SIZE: Final = 4000  # encoded texts of each direction

EPSILON: Final = 1e-6  # probabilities are clipped to this distance from 0 and 1

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class DecisionThresholds:
    """Which candidates follow a path, by their probabilities; both thresholds in (0, 1).

    A candidate follows if its probability is at least ``relative`` times that of the most likely candidate and, after
    the first hop, also at least ``absolute``. At the first hop the relative one alone decides, so that some evidence
    always follows the question: how confident the network is differs from question to question.
    """

    relative: float
    absolute: float

    @classmethod
    def from_card(cls, values: Mapping[str, float]) -> DecisionThresholds:
        """Read the thresholds of a model card."""
        return cls(values["share"], values["bar"])

    def to_card(self) -> dict[str, float]:
        """Convert to the form of a model card."""
        return {"share": self.relative, "bar": self.absolute}

    def calibrate(self, probabilities: Floats, paths: Sequence[Sequence[int]]) -> Floats:
        """Rescale the odds of probabilities (paths, facts) so that what follows has .5 or more."""
        thresholds = self.relative * probabilities.max(axis=1, keepdims=True)
        after_first_hop = np.array([[len(path) > 0] for path in paths])
        thresholds = np.where(after_first_hop, np.maximum(thresholds, self.absolute), thresholds)
        thresholds = thresholds.clip(EPSILON, 1.0 - EPSILON)
        clipped = probabilities.clip(EPSILON, 1.0 - EPSILON)
        odds_against = (1.0 - clipped) / clipped * thresholds / (1.0 - thresholds)
        return np.asarray((probabilities > 0) / (1.0 + odds_against), dtype=np.float32)


class TrainedGraphHop:
    """Predicts which facts follow which paths, in each direction, with the ``thresholds`` of that direction.

    Not safe to call from several threads at once.
    """

    def __init__(
        self,
        networks: Mapping[Direction, GraphHopNetwork],
        bert: Any,
        tokenizer: Any,
        *,
        layers: int,
        thresholds: Mapping[Direction, DecisionThresholds] | None = None,
        gamma: float = GAMMA,
    ) -> None:
        """``gamma`` is that of the merge (`hopline.scoring.evidence_graph.merge_graphs`) that was selected with it."""
        self.gamma = gamma
        self._networks, self._bert, self._tokenizer, self._layers = networks, bert, tokenizer, layers
        self._thresholds = thresholds or {}
        self._cache: dict[Direction, OrderedDict[str, Tensor]] = {direction: OrderedDict() for direction in DIRECTIONS}

    @classmethod
    def load(cls, folder: Path) -> TrainedGraphHop:
        """Load the network from a folder of weights.

        Raises:
            UsageError: as `load_weights`.
        """
        tensors, card = load_weights(folder, version=VERSION)
        bert, tokenizer = load_torch_minilm()
        layers = card.shape["layers"]
        networks: dict[Direction, GraphHopNetwork] = {}
        for direction in DIRECTIONS:
            networks[direction] = GraphHopNetwork(bert, layers=layers)
            own = {
                name.removeprefix(f"{direction}."): array
                for name, array in tensors.items()
                if name.startswith(f"{direction}.")
            }
            networks[direction].load_state_dict({name: torch.from_numpy(array.copy()) for name, array in own.items()})
            networks[direction].eval()
        thresholds = {
            direction: DecisionThresholds.from_card(card.shape["decides"][direction]) for direction in DIRECTIONS
        }
        return cls(
            networks, bert, tokenizer, layers=layers, thresholds=thresholds, gamma=card.shape.get("gamma", GAMMA)
        )

    def __call__(
        self,
        *,
        output: Literal["probabilities", "gamma"] = "probabilities",
        direction: Direction = "forward",
        question: str = "",
        facts: Sequence[str] = (),
        paths: Sequence[Sequence[int]] = (),
    ) -> Any:
        """Return the calibrated probability that each fact comes next on each path, (paths, facts): .5 decides.

        ``output="gamma"`` returns γ of the training instead, and needs no other argument.
        """
        if output == "gamma":
            return self.gamma
        probabilities = self.predict_probabilities(direction, question, facts, paths)
        return self._thresholds[direction].calibrate(probabilities, paths)

    def predict_probabilities(
        self, direction: Direction, question: str, facts: Sequence[str], paths: Sequence[Sequence[int]]
    ) -> Floats:
        """Return the probability that each fact comes next on each path, float32 (paths, facts); 0 for facts on it."""
        with torch.inference_mode():
            encoded = self._encode(direction, [question, *facts])
            batch = batch_paths([tuple(path) for path in paths], len(facts))
            tree = batch.tree.to(encoded[0].device)
            logits = self._networks[direction].score_candidates(pad_states(encoded[:1]), pad_states(encoded[1:]), tree)
            probabilities = (torch.sigmoid(logits) * tree.allowed)[batch.rows]
        result: Floats = probabilities.cpu().numpy()
        return result

    def _encode(self, direction: Direction, texts: Sequence[str]) -> list[Tensor]:
        cache = self._cache[direction]
        new = [text for text in dict.fromkeys(texts) if text not in cache]
        if new:
            tokens = [encoding.ids for encoding in self._tokenizer.encode_batch_fast(new)]
            states = self._networks[direction].encode(encode_lower_layers(self._bert, tokens, layers=self._layers))
            for text, values, mask in zip(new, states.values, states.mask, strict=True):
                cache[text] = values[: int(mask.sum())]
        encoded = [cache[text] for text in texts]
        while len(cache) > CACHE_SIZE:
            cache.popitem(last=False)
        return encoded


@dataclass(frozen=True, slots=True)
class PathBatch:
    """Paths of one question with all their prefixes; ``rows`` are the rows of the requested paths in the tree."""

    tree: PathTree
    rows: list[int]


def batch_paths(paths: Sequence[tuple[int, ...]], facts: int) -> PathBatch:
    """Arrange paths over ``facts`` facts of one question as the input of the network."""
    rows: dict[tuple[int, ...], int] = {}
    for path in sorted({whole[:n] for whole in paths for n in range(len(whole) + 1)}, key=len):
        rows[path] = len(rows)
    prefixes = list(rows)
    allowed = torch.ones(len(prefixes), facts, dtype=torch.bool)
    for row, path in enumerate(prefixes):
        allowed[row, list(path)] = False
    tree = PathTree(
        question=torch.zeros(len(prefixes), dtype=torch.long),
        parent=torch.tensor([rows[path[:-1]] if path else START for path in prefixes]),
        evidence=torch.tensor([path[-1] if path else 0 for path in prefixes]),
        candidates=torch.arange(facts).expand(len(prefixes), facts),
        allowed=allowed,
    )
    return PathBatch(tree, [rows[path] for path in paths])
