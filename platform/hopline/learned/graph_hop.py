"""The trained network of Graph-Hop as a part that a flow can ask."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from hopline.embeddings.minilm import torch_minilm
from hopline.learned.graph_hop_network import START, Direction, Paths, States, lower_states, together
from hopline.learned.weight_files import load_weights
from hopline.scoring.evidence_graph import Way

VERSION: Final = 2  # raise it when the network, or what it decides by, changes
WAYS: Final[tuple[Way, Way]] = ("forward", "backward")
KEPT: Final = 4000  # encoded texts that are remembered, of each direction

LEAST: Final = 1e-6  # chances are kept so far from 0 and 1

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Decision:
    """What follows a path: what has ``share`` of the chance of the likeliest, and behind the first step ``bar`` itself.

    Both in (0, 1). Some evidence always follows the question; how sure the network is differs from one to another.
    """

    share: float
    bar: float

    def certainties(self, chances: Floats, paths: Sequence[Sequence[int]]) -> Floats:
        """The chances (paths, facts) with odds such that what follows has .5 or more."""
        bars = self.share * chances.max(axis=1, keepdims=True)
        behind = np.array([[len(path) > 0] for path in paths])
        bars = np.where(behind, np.maximum(bars, self.bar), bars).clip(LEAST, 1.0 - LEAST)
        kept = chances.clip(LEAST, 1.0 - LEAST)
        against = (1.0 - kept) / kept * bars / (1.0 - bars)
        return np.asarray((chances > 0) / (1.0 + against), dtype=np.float32)


class GraphHop:
    """Which facts follow which paths, as it ``decides`` in each direction.

    Not safe to call from several threads at once.
    """

    def __init__(
        self,
        directions: Mapping[Way, Direction],
        bert: Any,
        tokenizer: Any,
        *,
        layers: int,
        decides: Mapping[Way, Decision] | None = None,
    ) -> None:
        self._directions, self._bert, self._tokenizer, self._layers = directions, bert, tokenizer, layers
        self._decides = decides or {}
        self._read: dict[Way, OrderedDict[str, Tensor]] = {way: OrderedDict() for way in WAYS}

    @classmethod
    def load(cls, folder: Path) -> GraphHop:
        """The network whose weights are in a folder.

        Raises:
            UsageError: as `load_weights`.
        """
        tensors, card = load_weights(folder, version=VERSION)
        bert, tokenizer = torch_minilm()
        directions: dict[Way, Direction] = {}
        for way in WAYS:
            directions[way] = Direction(bert, layers=card.shape["layers"])
            own = {name.removeprefix(f"{way}."): array for name, array in tensors.items() if name.startswith(f"{way}.")}
            directions[way].load_state_dict({name: torch.from_numpy(array.copy()) for name, array in own.items()})
            directions[way].eval()
        decides: dict[Way, Decision] = {way: Decision(**card.shape["decides"][way]) for way in WAYS}
        return cls(directions, bert, tokenizer, layers=card.shape["layers"], decides=decides)

    def __call__(self, *, way: Way, question: str, facts: Sequence[str], paths: Sequence[Sequence[int]]) -> Floats:
        """How sure it is that each fact comes next on each path, (paths, facts): .5 or more for what follows."""
        return self._decides[way].certainties(self.chances(way, question, facts, paths), paths)

    def chances(self, way: Way, question: str, facts: Sequence[str], paths: Sequence[Sequence[int]]) -> Floats:
        """The chance that each fact comes next on each path, float32 (paths, facts); 0 for what is on the path."""
        with torch.inference_mode():
            encoded = self._encoded(way, [question, *facts])
            walked = laid_out([tuple(path) for path in paths], len(facts))
            there = walked.paths.to(encoded[0].device)
            logits = self._directions[way].follows(together(encoded[:1]), together(encoded[1:]), there)
            chances = (torch.sigmoid(logits) * there.open)[walked.asked]
        found: Floats = chances.cpu().numpy()
        return found

    def _encoded(self, way: Way, texts: Sequence[str]) -> list[Tensor]:
        known = self._read[way]
        new = [text for text in dict.fromkeys(texts) if text not in known]
        if new:
            tokens = [one.ids for one in self._tokenizer.encode_batch_fast(new)]
            above: States = self._directions[way].encode(lower_states(self._bert, tokens, layers=self._layers))
            for text, values, there in zip(new, above.values, above.there, strict=True):
                known[text] = values[: int(there.sum())]
        found = [known[text] for text in texts]
        while len(known) > KEPT:
            known.popitem(last=False)
        return found


@dataclass(frozen=True, slots=True)
class LaidOut:
    """Paths of one question with all that they go on from; ``asked`` are the places of those that were asked for."""

    paths: Paths
    asked: list[int]


def laid_out(paths: Sequence[tuple[int, ...]], facts: int) -> LaidOut:
    """Paths over ``facts`` facts of one question as the network takes them."""
    place: dict[tuple[int, ...], int] = {}
    for path in sorted({whole[:n] for whole in paths for n in range(len(whole) + 1)}, key=len):
        place[path] = len(place)
    every = list(place)
    open = torch.ones(len(every), facts, dtype=torch.bool)
    for row, path in enumerate(every):
        open[row, list(path)] = False
    built = Paths(
        question=torch.zeros(len(every), dtype=torch.long),
        parent=torch.tensor([place[path[:-1]] if path else START for path in every]),
        evidence=torch.tensor([path[-1] if path else 0 for path in every]),
        candidates=torch.arange(facts).expand(len(every), facts),
        open=open,
    )
    return LaidOut(built, [place[path] for path in paths])
