"""LoRA adapters: a low-rank update of each linear layer of an encoder (Hu et al. 2022).

W + up · down, with ``down`` (r, in) and ``up`` (out, r), for every linear layer of every transformer layer. The
adapter is merged once, when it is loaded, so that a question takes no longer than without. It takes a megabyte instead
of the ninety of the encoder.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import numpy as np

from hopline.embeddings.bert import Bert, BertLayer, Floats

LINEAR_LAYERS: Final = {  # names in weight files -> fields of `BertLayer`; its other fields are layer norms
    "attend": "query_key_value",
    "merge": "attention_output",
    "widen": "intermediate",
    "narrow": "output",
}


def init_lora(bert: Bert[Floats], *, rank: int, seed: int) -> dict[str, Floats]:
    """Initialise an adapter: ``down`` random, ``up`` 0, by the keys ``<layer>.<name>.down`` and ``….up``."""
    generator = np.random.default_rng(seed)
    adapter: dict[str, Floats] = {}
    for n, layer in enumerate(bert.layers):
        for name, field in LINEAR_LAYERS.items():
            out_features, in_features = getattr(layer, field).weight.shape
            adapter[f"{n}.{name}.down"] = generator.normal(0, in_features**-0.5, (rank, in_features)).astype(np.float32)
            adapter[f"{n}.{name}.up"] = np.zeros((out_features, rank), dtype=np.float32)
    return adapter


def apply_lora(bert: Bert[Any], adapter: Mapping[str, Any]) -> Bert[Any]:
    """Merge an adapter into an encoder; both have arrays of numpy, or both tensors of torch."""

    def apply_to_layer(layer: BertLayer[Any], n: int) -> BertLayer[Any]:
        adapted = {
            field: replace(linear, weight=linear.weight + adapter[f"{n}.{name}.up"] @ adapter[f"{n}.{name}.down"])
            for name, field in LINEAR_LAYERS.items()
            if f"{n}.{name}.up" in adapter and (linear := getattr(layer, field))
        }
        return replace(layer, **adapted)

    return replace(bert, layers=tuple(apply_to_layer(layer, n) for n, layer in enumerate(bert.layers)))
