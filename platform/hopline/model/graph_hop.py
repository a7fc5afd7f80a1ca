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

from hopline.model.hopping import START, Direction, Paths, States, lower_states, together
from hopline.model.minilm import torch_minilm
from hopline.model.weights import load_weights
from hopline.scoring.evidence_graph import Way

VERSION: Final = 1  # raise it when the network changes
WAYS: Final[tuple[Way, Way]] = ("forward", "backward")
KEPT: Final = 4000  # encoded texts that are remembered, of each direction

Floats = NDArray[np.float32]


class GraphHop:
    """Which facts follow which paths. Not safe to call from several threads at once."""

    def __init__(self, directions: Mapping[Way, Direction], bert: Any, tokenizer: Any, *, layers: int) -> None:
        self._directions, self._bert, self._tokenizer, self._layers = directions, bert, tokenizer, layers
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
        return cls(directions, bert, tokenizer, layers=card.shape["layers"])

    def __call__(self, *, way: Way, question: str, facts: Sequence[str], paths: Sequence[Sequence[int]]) -> Floats:
        """The chance that each fact comes next on each path, float32 (paths, facts); 0 for what is on the path."""
        with torch.inference_mode():
            encoded = self._encoded(way, [question, *facts])
            walked = laid_out([tuple(path) for path in paths], len(facts))
            logits = self._directions[way].follows(together(encoded[:1]), together(encoded[1:]), walked.paths)
            chances = (torch.sigmoid(logits) * walked.paths.open)[walked.asked]
        found: Floats = chances.numpy()
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
