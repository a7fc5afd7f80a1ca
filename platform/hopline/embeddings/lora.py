"""What a trained encoder has beyond the one it stands on: a low-rank change of each linear map.

LoRA (Hu et al. 2022): W + up · down, with ``down`` (r, in) and ``up`` (out, r), for every linear map of every layer.
The change is added once, when it is read, so that a question costs what it cost before. A megabyte instead of ninety.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import numpy as np

from hopline.embeddings.bert import Bert, Floats, Layer

MAPS: Final = ("attend", "merge", "widen", "narrow")  # the linear maps of a layer; the rest are norms


def fresh(bert: Bert[Floats], *, rank: int, seed: int) -> dict[str, Floats]:
    """A change of nothing: ``down`` random, ``up`` 0, by ``<layer>.<map>.down`` and ``….up``."""
    random = np.random.default_rng(seed)
    change: dict[str, Floats] = {}
    for n, layer in enumerate(bert.layers):
        for name in MAPS:
            out, into = getattr(layer, name).weight.shape
            change[f"{n}.{name}.down"] = random.normal(0, into**-0.5, (rank, into)).astype(np.float32)
            change[f"{n}.{name}.up"] = np.zeros((out, rank), dtype=np.float32)
    return change


def adapted(bert: Bert[Any], change: Mapping[str, Any]) -> Bert[Any]:
    """The encoder with the change added; arrays of numpy or tensors of torch, as ``bert`` and ``change`` are."""

    def with_change(layer: Layer[Any], n: int) -> Layer[Any]:
        new = {
            name: replace(pair, weight=pair.weight + change[f"{n}.{name}.up"] @ change[f"{n}.{name}.down"])
            for name in MAPS
            if f"{n}.{name}.up" in change and (pair := getattr(layer, name))
        }
        return replace(layer, **new)

    return replace(bert, layers=tuple(with_change(layer, n) for n, layer in enumerate(bert.layers)))
