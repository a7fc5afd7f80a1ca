"""The forward pass of a small BERT with mean pooling, once in numpy and once in torch.

A question is one short text: numpy embeds it in milliseconds and needs no torch, whose import
takes seconds. Many passages go to torch, padded into batches. Both give the same vectors as
sentence-transformers, whose import takes longer still.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from hopline.flow.requests import Vector

if TYPE_CHECKING:
    import torch

Array = TypeVar("Array", NDArray[np.float32], "torch.Tensor")
Floats = NDArray[np.float32]

EPSILON = 1e-12
ROOT_HALF = np.float32(0.5**0.5)


@dataclass(frozen=True, slots=True)
class Pair(Generic[Array]):
    """The weight and the bias of one linear map ``(out, in), (out,)`` or one norm ``(d,), (d,)``."""

    weight: Array
    bias: Array


@dataclass(frozen=True, slots=True)
class Layer(Generic[Array]):
    """One transformer layer; ``attend`` maps to query, key and value at once."""

    attend: Pair[Array]
    merge: Pair[Array]
    merge_norm: Pair[Array]
    widen: Pair[Array]
    narrow: Pair[Array]
    norm: Pair[Array]


@dataclass(frozen=True, slots=True)
class Bert(Generic[Array]):
    """All weights; ``words`` (vocabulary, d), ``places`` (longest text, d) with the token type added."""

    heads: int
    words: Array
    places: Array
    norm: Pair[Array]
    layers: tuple[Layer[Array], ...]


def bert_of(tensors: Mapping[str, Floats], *, heads: int) -> Bert[Floats]:
    """The weights of a checkpoint by their published names.

    Those of linear maps lie column by column, so that a few tokens meet them in the order of memory:
    numpy then multiplies a question in half the time.
    """

    def pair(*names: str) -> Pair[Floats]:
        weight, bias = (np.concatenate([tensors[f"{name}.{part}"] for name in names]) for part in ("weight", "bias"))
        return Pair(np.asfortranarray(weight), bias)

    def layer(at: str) -> Layer[Floats]:
        return Layer(
            attend=pair(*(f"{at}.attention.self.{name}" for name in ("query", "key", "value"))),
            merge=pair(f"{at}.attention.output.dense"),
            merge_norm=pair(f"{at}.attention.output.LayerNorm"),
            widen=pair(f"{at}.intermediate.dense"),
            narrow=pair(f"{at}.output.dense"),
            norm=pair(f"{at}.output.LayerNorm"),
        )

    count = len({name.split(".")[2] for name in tensors if name.startswith("encoder.layer.")})
    places = tensors["embeddings.position_embeddings.weight"] + tensors["embeddings.token_type_embeddings.weight"][0]
    layers = tuple(layer(f"encoder.layer.{n}") for n in range(count))
    return Bert(heads, tensors["embeddings.word_embeddings.weight"], places, pair("embeddings.LayerNorm"), layers)


def converted(bert: Bert[Any], convert: Callable[[Any], Any]) -> Bert[Any]:
    """The same weights as another kind of array."""

    def pair(of: Pair[Any]) -> Pair[Any]:
        return Pair(convert(of.weight), convert(of.bias))

    layers = tuple(converted_layer(one, convert) for one in bert.layers)
    return Bert(bert.heads, convert(bert.words), convert(bert.places), pair(bert.norm), layers)


def converted_layer(layer: Layer[Any], convert: Callable[[Any], Any]) -> Layer[Any]:
    """One layer as another kind of array; its weights come in the order of the fields."""
    pairs = (getattr(layer, field.name) for field in fields(layer))
    return Layer(*(Pair(convert(pair.weight), convert(pair.bias)) for pair in pairs))


def embed_one(bert: Bert[Floats], tokens: list[int]) -> Vector:
    """The unit vector (d,) of one text, by numpy."""
    from scipy.special import erf  # a third of a second that only a question should cost

    x = _norm(bert.words[tokens] + bert.places[: len(tokens)], bert.norm)
    n, d = x.shape
    size = d // bert.heads
    for layer in bert.layers:
        query, key, value = _linear(x, layer.attend).reshape(n, 3, bert.heads, size).transpose(1, 2, 0, 3)
        weights = _softmax(query @ key.transpose(0, 2, 1) * np.float32(size**-0.5))
        merged = (weights @ value).transpose(1, 0, 2).reshape(n, d)
        x = _norm(_linear(merged, layer.merge) + x, layer.merge_norm)
        wide = _linear(x, layer.widen)
        wide *= (erf(wide * ROOT_HALF) + 1) * np.float32(0.5)
        x = _norm(_linear(wide, layer.narrow) + x, layer.norm)
    mean = x.mean(axis=0)
    unit: Vector = mean / np.linalg.norm(mean)
    return unit


def embed_padded(bert: Bert[Any], tokens: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """The unit vectors (b, d), float32, of texts padded to one length, by torch.

    ``tokens`` is (b, n); ``mask`` (b, n) is true where a text has a token. Weights of half the
    precision are multiplied as such; the mean and the unit length are taken in float32.
    """
    from torch.nn import functional as f

    x = through(bert.layers, embedded(bert, tokens), mask, heads=bert.heads)
    counted = mask[..., None].float()
    return f.normalize((x.float() * counted).sum(dim=1) / counted.sum(dim=1), dim=1)


def embedded(bert: Bert[Any], tokens: torch.Tensor) -> torch.Tensor:
    """The states (b, n, d) of tokens (b, n) before the first layer, by torch."""
    from torch.nn import functional as f

    return _torch_norm(f.embedding(tokens, bert.words) + bert.places[: tokens.shape[1]], bert.norm)


def through(layers: Sequence[Layer[Any]], x: torch.Tensor, mask: torch.Tensor, *, heads: int) -> torch.Tensor:
    """The states (b, n, d) behind some layers; ``mask`` as in `embed_padded`."""
    from torch.nn import functional as f

    b, n, _ = x.shape
    seen = None if bool(mask.all()) else mask[:, None, None, :]
    for layer in layers:
        query, key, value = _torch_linear(x, layer.attend).view(b, n, 3, heads, -1).permute(2, 0, 3, 1, 4)
        merged = f.scaled_dot_product_attention(query, key, value, attn_mask=seen).transpose(1, 2).reshape(b, n, -1)
        x = _torch_norm(_torch_linear(merged, layer.merge) + x, layer.merge_norm)
        x = _torch_norm(_torch_linear(f.gelu(_torch_linear(x, layer.widen)), layer.narrow) + x, layer.norm)
    return x


def _torch_norm(x: torch.Tensor, pair: Pair[torch.Tensor]) -> torch.Tensor:
    from torch.nn import functional as f

    return f.layer_norm(x, x.shape[-1:], pair.weight, pair.bias, EPSILON)


def _torch_linear(x: torch.Tensor, pair: Pair[torch.Tensor]) -> torch.Tensor:
    from torch.nn import functional as f

    return f.linear(x, pair.weight, pair.bias)


def _linear(x: Floats, pair: Pair[Floats]) -> Floats:
    return x @ pair.weight.T + pair.bias


def _norm(x: Floats, pair: Pair[Floats]) -> Floats:
    centred = x - x.mean(axis=-1, keepdims=True)
    spread = np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + np.float32(EPSILON))
    scaled: Floats = centred / spread * pair.weight + pair.bias
    return scaled


def _softmax(x: Floats) -> Floats:
    raised = np.exp(x - x.max(axis=-1, keepdims=True))
    shares: Floats = raised / raised.sum(axis=-1, keepdims=True)
    return shares
