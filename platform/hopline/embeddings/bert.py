"""The forward pass of a small BERT, for arrays of numpy and tensors of torch, and mean pooling of its states.

A question is one short text: numpy embeds it in milliseconds and does not need torch, whose import
takes seconds. Many passages are embedded by torch in padded batches, and training needs its gradients.
The pass is written once; only the four operations of `_Operations` differ. Both give the same vectors
as sentence-transformers, whose import takes even longer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from hopline.flow.requests import Vector
from hopline.scoring.normalization import softmax

if TYPE_CHECKING:
    import torch

Array = TypeVar("Array", NDArray[np.float32], "torch.Tensor")
Floats = NDArray[np.float32]

EPSILON = 1e-12
ROOT_HALF = np.float32(0.5**0.5)


@dataclass(frozen=True, slots=True)
class Affine(Generic[Array]):
    """Weight and bias of a linear layer ``(out, in), (out,)`` or of a layer norm ``(d,), (d,)``."""

    weight: Array
    bias: Array


@dataclass(frozen=True, slots=True)
class BertLayer(Generic[Array]):
    """The parameters of one transformer layer."""

    query_key_value: Affine[Array]
    attention_output: Affine[Array]
    attention_norm: Affine[Array]
    intermediate: Affine[Array]
    output: Affine[Array]
    output_norm: Affine[Array]


@dataclass(frozen=True, slots=True)
class Bert(Generic[Array]):
    """All parameters; word embeddings (vocabulary, d), position embeddings (longest text, d) plus the token type's."""

    heads: int
    word_embeddings: Array
    position_embeddings: Array
    embedding_norm: Affine[Array]
    layers: tuple[BertLayer[Array], ...]


def bert_from_tensors(tensors: Mapping[str, Floats], *, heads: int) -> Bert[Floats]:
    """Build the parameters from the tensors of a checkpoint, by their published names.

    Weights of linear layers are stored in column-major order, in which numpy multiplies the few
    tokens of a question in half the time.
    """

    def affine(*names: str) -> Affine[Floats]:
        weight, bias = (np.concatenate([tensors[f"{name}.{part}"] for name in names]) for part in ("weight", "bias"))
        return Affine(np.asfortranarray(weight), bias)

    def layer(prefix: str) -> BertLayer[Floats]:
        return BertLayer(
            query_key_value=affine(*(f"{prefix}.attention.self.{name}" for name in ("query", "key", "value"))),
            attention_output=affine(f"{prefix}.attention.output.dense"),
            attention_norm=affine(f"{prefix}.attention.output.LayerNorm"),
            intermediate=affine(f"{prefix}.intermediate.dense"),
            output=affine(f"{prefix}.output.dense"),
            output_norm=affine(f"{prefix}.output.LayerNorm"),
        )

    layer_count = len({name.split(".")[2] for name in tensors if name.startswith("encoder.layer.")})
    position_embeddings = (
        tensors["embeddings.position_embeddings.weight"] + tensors["embeddings.token_type_embeddings.weight"][0]
    )
    layers = tuple(layer(f"encoder.layer.{n}") for n in range(layer_count))
    return Bert(
        heads, tensors["embeddings.word_embeddings.weight"], position_embeddings, affine("embeddings.LayerNorm"), layers
    )


def convert_bert(bert: Bert[Any], convert: Callable[[Any], Any]) -> Bert[Any]:
    """Convert every array of the parameters with ``convert``."""

    def convert_affine(affine: Affine[Any]) -> Affine[Any]:
        return Affine(convert(affine.weight), convert(affine.bias))

    layers = tuple(convert_layer(layer, convert) for layer in bert.layers)
    return Bert(
        bert.heads,
        convert(bert.word_embeddings),
        convert(bert.position_embeddings),
        convert_affine(bert.embedding_norm),
        layers,
    )


def convert_layer(layer: BertLayer[Any], convert: Callable[[Any], Any]) -> BertLayer[Any]:
    """Convert every array of one layer; ``convert`` is called in the order of the fields, weight before bias."""
    parameters = (getattr(layer, field.name) for field in fields(layer))
    return BertLayer(*(Affine(convert(affine.weight), convert(affine.bias)) for affine in parameters))


def embed_text(bert: Bert[Floats], tokens: list[int]) -> Vector:
    """Embed the tokens of one text with numpy; a unit vector (d,)."""
    [states] = apply_layers(bert.layers, embed_tokens(bert, np.array([tokens])), None, heads=bert.heads)
    mean = states.mean(axis=0)
    normalized: Vector = mean / np.linalg.norm(mean)
    return normalized


def embed_batch(bert: Bert[Any], tokens: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Embed texts padded to one length with torch; unit vectors (b, d), float32.

    ``tokens`` is (b, n); ``mask`` (b, n) is true for tokens, false for padding. Half-precision parameters
    are multiplied in half precision; the mean and the normalisation are computed in float32.
    """
    from torch.nn import functional as f

    states = apply_layers(bert.layers, embed_tokens(bert, tokens), mask, heads=bert.heads)
    weights = mask[..., None].float()
    return f.normalize((states.float() * weights).sum(dim=1) / weights.sum(dim=1), dim=1)


def embed_tokens(bert: Bert[Array], tokens: Any, *, segments: Array | None = None) -> Array:
    """Return the states (b, n, d) of tokens (b, n) before the first layer; ``segments`` (b, n, d) are added to them."""
    x: Any = bert.word_embeddings[tokens] + bert.position_embeddings[: tokens.shape[1]]
    x = x if segments is None else x + segments
    states: Array = _select_operations(x).apply_norm(x, bert.embedding_norm)
    return states


def apply_layers(layers: Sequence[BertLayer[Any]], x: Array, mask: torch.Tensor | None, *, heads: int) -> Array:
    """Apply layers to states ``x`` (b, n, d); ``mask`` as in `embed_batch`, None in numpy, where nothing is padded."""
    operations = _select_operations(x)
    b, n, _ = x.shape
    attention_mask = None if mask is None or bool(mask.all()) else mask[:, None, None, :]
    states: Any = x
    for layer in layers:
        projected = operations.apply_linear(states, layer.query_key_value).reshape(b, n, 3, heads, -1)
        query, key, value = (projected[:, :, part].swapaxes(1, 2) for part in range(3))
        context = operations.attend(query, key, value, attention_mask).swapaxes(1, 2).reshape(b, n, -1)
        attended = operations.apply_linear(context, layer.attention_output)
        states = operations.apply_norm(attended + states, layer.attention_norm)
        hidden = operations.apply_gelu(operations.apply_linear(states, layer.intermediate))
        states = operations.apply_norm(operations.apply_linear(hidden, layer.output) + states, layer.output_norm)
    result: Array = states
    return result


@dataclass(frozen=True, slots=True)
class _Operations:
    """The operations of a layer that numpy and torch have in different forms."""

    apply_linear: Callable[[Any, Affine[Any]], Any]
    apply_norm: Callable[[Any, Affine[Any]], Any]
    apply_gelu: Callable[[Any], Any]
    attend: Callable[[Any, Any, Any, Any], Any]


def _select_operations(x: Any) -> _Operations:
    if isinstance(x, np.ndarray):
        return _Operations(_apply_linear, _apply_norm, _apply_gelu, _attend)
    from torch.nn import functional

    return _Operations(_torch_apply_linear, _torch_apply_norm, functional.gelu, _torch_attend)


def _apply_linear(x: Floats, affine: Affine[Floats]) -> Floats:
    rows = x.reshape(-1, x.shape[-1]) @ affine.weight.T  # one product takes half the time of one for each text
    return rows.reshape(*x.shape[:-1], -1) + affine.bias


def _torch_apply_linear(x: torch.Tensor, affine: Affine[torch.Tensor]) -> torch.Tensor:
    from torch.nn import functional as f

    return f.linear(x, affine.weight, affine.bias)


def _apply_norm(x: Floats, affine: Affine[Floats]) -> Floats:
    centred = x - x.mean(axis=-1, keepdims=True)
    deviation = np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + np.float32(EPSILON))
    normalized: Floats = centred / deviation * affine.weight + affine.bias
    return normalized


def _torch_apply_norm(x: torch.Tensor, affine: Affine[torch.Tensor]) -> torch.Tensor:
    from torch.nn import functional as f

    return f.layer_norm(x, x.shape[-1:], affine.weight, affine.bias, EPSILON)


def _apply_gelu(x: Floats) -> Floats:
    from scipy.special import erf  # the import takes a third of a second: only when a question is embedded

    return np.asarray(x * ((erf(x * ROOT_HALF) + 1) * np.float32(0.5)), dtype=np.float32)


def _attend(query: Floats, key: Floats, value: Floats, mask: None) -> Floats:
    """Scaled dot-product attention over all tokens."""
    del mask
    weights = softmax(query @ key.swapaxes(-1, -2) * np.float32(query.shape[-1] ** -0.5))
    context: Floats = weights @ value
    return context


def _torch_attend(
    query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, mask: torch.Tensor | None
) -> torch.Tensor:
    """Scaled dot-product attention. On a CPU, the backward pass of torch's own takes twice the time of products."""
    import torch
    from torch.nn import functional as f

    if query.device.type != "cpu" or not query.requires_grad:
        return f.scaled_dot_product_attention(query, key, value, attn_mask=mask)
    with torch.autocast("cpu", enabled=False):  # the softmax, too, in the precision of the products
        scores = query * query.shape[-1] ** -0.5 @ key.transpose(-1, -2)
        if mask is not None:
            scores = scores + torch.zeros(mask.shape, dtype=query.dtype).masked_fill(~mask, -1e4)
        weights: torch.Tensor = scores.softmax(dim=-1)
        return weights @ value
