"""The network of bidirectional graph retrieval: which evidence follows a path, in one direction.

Graph-Hop (Zhu et al. 2024), section 4.1: question and evidence are encoded token by token; the states of a path are
one vector for each token of the question; the states attend to each evidence on the path, which updates them; a
feed-forward network decides which evidence follows.

Departures, since a network without pre-training learns nothing from the 1,313 available trees (the paper has 11,703
graphs): the encoder is MiniLM (384 dimensions, 6 layers), of which the upper layers are trained, instead of BERT-base;
updates are added to states that are initially MiniLM's, so that an untrained network ranks by similarity; the input of
the matcher are similarities and their standardised values among the candidates, besides the two vectors. One logit
instead of two with a logistic loss of each. States are masked as the question is, which the released code omits.

The names of modules and parameters are keys of the weight files.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, Final

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils.rnn import pad_sequence

from hopline.embeddings.bert import Bert, apply_layers, convert_layer, embed_tokens
from hopline.embeddings.minilm import batch_by_length, pad_tokens

MAX_TOKENS: Final = 30  # of a question or an evidence, in word pieces (section 5.2)
CHUNK: Final = 64  # texts of similar length in one batch
DROPOUT: Final = 0.1
START: Final = -1  # the parent of a path that consists of the question only
SIMILARITIES: Final = 5  # in the input of the matcher, each also standardised among the candidates


@dataclass(frozen=True, slots=True)
class TokenStates:
    """The states of n texts (n, t, d), and a mask (n, t) that is true for tokens and false for padding."""

    values: Tensor
    mask: Tensor

    def select(self, indices: Tensor) -> TokenStates:
        """Return the states of the texts at ``indices``, in that order."""
        return TokenStates(self.values[indices], self.mask[indices])

    def mean_states(self) -> Tensor:
        """Return the mean state of each text, (n, d)."""
        mask = self.mask[..., None].to(self.values.dtype)
        mean_state: Tensor = (self.values * mask).sum(dim=1) / mask.sum(dim=1)
        return mean_state


@dataclass(frozen=True, slots=True)
class PathTree:
    """P paths as a tree: a path starts at a question, or extends an earlier path by one evidence.

    ``question`` (P,) is the index of its question; ``parent`` (P,) the row of the path that it extends, or `START`;
    ``evidence`` (P,) the index of its last evidence, unused at `START`; ``candidates`` (P, c) the indices of what may
    follow, padded, and ``allowed`` (P, c) is false for padding and for evidence on the path. Parents come first.
    """

    question: Tensor
    parent: Tensor
    evidence: Tensor
    candidates: Tensor
    allowed: Tensor

    def to(self, device: torch.device) -> PathTree:
        """Copy the tree to a device."""
        return PathTree(*(getattr(self, field.name).to(device) for field in fields(self)))


class GraphHopNetwork(nn.Module):
    """The network of one direction; forward and backward networks share no trainable parameters."""

    def __init__(self, bert: Bert[Any], *, layers: int, feedforward: int = 768) -> None:
        """``bert``: its upper ``layers`` are trained; the other modules are initialised so that they change nothing."""
        super().__init__()
        d = bert.embedding_norm.weight.shape[0]
        self.heads, self.encoder = bert.heads, nn.ParameterList()
        self.layers = [convert_layer(layer, self._add_parameter) for layer in bert.layers[len(bert.layers) - layers :]]
        self.start = _zero_init(nn.Linear(d, d))
        self.update = nn.TransformerDecoderLayer(d, bert.heads, feedforward, DROPOUT, "gelu", batch_first=True)
        self.onward = _zero_init(nn.Linear(d, d))
        self.share = nn.Parameter(torch.tensor(0.5))  # weight of the evidence's own mean state in a path
        self.matcher = CandidateMatcher(d)

    def _add_parameter(self, array: Any) -> nn.Parameter:
        parameter = nn.Parameter(torch.as_tensor(array).clone().contiguous())
        self.encoder.append(parameter)
        return parameter

    def encode(self, lower_states: Sequence[Tensor]) -> TokenStates:
        """Apply the trained layers to the states (t, d) of n texts from `encode_lower_layers`."""
        encoded: list[Tensor] = [lower_states[0]] * len(lower_states)
        for indices in batch_by_length([len(states) for states in lower_states], CHUNK):
            batch = pad_states([lower_states[index] for index in indices])
            upper_states = apply_layers(self.layers, batch.values, batch.mask, heads=self.heads)
            for row, index in enumerate(indices):
                encoded[index] = upper_states[row, : len(lower_states[index])]
        return pad_states(encoded)

    def encode_paths(self, questions: TokenStates, evidence: TokenStates, tree: PathTree) -> TokenStates:
        """Compute the states of every path, (P, t, d), level by level."""
        initial = questions.values + functional.elu(self.start(questions.values))
        depth = _compute_depths(tree.parent)
        values = initial.new_zeros(len(depth), *initial.shape[1:])
        mask = questions.mask[tree.question]
        mean_states = evidence.mean_states()
        for level in range(int(depth.max()) + 1):
            indices = torch.nonzero(depth == level)[:, 0]
            if level == 0:
                states = initial[tree.question[indices]]
            else:
                last = tree.evidence[indices]
                states = self._extend(
                    values[tree.parent[indices]], mask[indices], evidence.select(last), mean_states[last]
                )
            values = values.index_put((indices,), states)
        return TokenStates(values, mask)

    def _extend(self, path_vectors: Tensor, mask: Tensor, evidence: TokenStates, mean_state: Tensor) -> Tensor:
        x = self.update(
            path_vectors, evidence.values, tgt_key_padding_mask=~mask, memory_key_padding_mask=~evidence.mask
        )
        extended: Tensor = path_vectors + self.share * mean_state[:, None] + functional.elu(self.onward(x))
        return extended

    def score_candidates(self, questions: TokenStates, evidence: TokenStates, tree: PathTree) -> Tensor:
        """Return the logits (P, c) that each of a path's candidates comes next."""
        logits: Tensor = self.matcher(self.encode_paths(questions, evidence, tree), questions, evidence, tree)
        return logits


class CandidateMatcher(nn.Module):
    """The feed-forward network that scores candidates by vectors, similarities, and standardised similarities."""

    def __init__(self, d: int, size: int = 128) -> None:
        super().__init__()
        self.vectors = nn.Linear(2 * d, size)
        self.numbers = nn.Linear(2 * SIMILARITIES + 1, size)
        self.decide = nn.Sequential(nn.GELU(), nn.Dropout(DROPOUT), nn.Linear(size, size), nn.GELU())
        self.last = _zero_init(nn.Linear(size, 1))
        self.weight = nn.Parameter(torch.tensor(10.0))  # of the similarity of path and candidate
        self.bias = nn.Parameter(torch.tensor(-6.0))

    def forward(
        self, path_states: TokenStates, questions: TokenStates, evidence: TokenStates, tree: PathTree
    ) -> Tensor:
        """Return logits (P, c)."""
        evidence_vectors = functional.normalize(evidence.mean_states(), dim=-1)
        path_vectors = functional.normalize(path_states.mean_states(), dim=-1)
        question_vectors = functional.normalize(questions.mean_states(), dim=-1)[tree.question]
        initial = (tree.parent == START)[:, None]
        last = torch.where(initial, question_vectors, evidence_vectors[tree.evidence])
        candidates = evidence_vectors[tree.candidates]
        cosines = [torch.einsum("pd,pcd->pc", vector, candidates) for vector in (path_vectors, question_vectors, last)]
        similarities = torch.stack([*cosines, *_late_interaction(path_states, evidence, tree)], dim=-1)
        standardized = _standardize(similarities, tree.allowed)
        features = torch.cat([similarities, standardized, initial[..., None].expand(*tree.allowed.shape, 1)], dim=-1)
        vectors = torch.cat([path_vectors[:, None] * candidates, (path_vectors[:, None] - candidates).abs()], dim=-1)
        correction: Tensor = self.last(self.decide(self.vectors(vectors) + self.numbers(features)))[..., 0]
        return self.weight * cosines[0] + self.bias + correction


def _late_interaction(path_states: TokenStates, evidence: TokenStates, tree: PathTree) -> tuple[Tensor, Tensor]:
    """Mean of the maximum similarities of each candidate's tokens to the path's, and the reverse; (P, c) each."""
    normalized_states = functional.normalize(path_states.values, dim=-1)
    candidate_states = functional.normalize(evidence.values, dim=-1)[tree.candidates]
    mask = evidence.mask[tree.candidates]
    similarity = torch.einsum("ptd,pcsd->pcts", normalized_states, candidate_states)
    similarity = similarity.masked_fill(~path_states.mask[:, None, :, None], -1.0)
    similarity = similarity.masked_fill(~mask[:, :, None, :], -1.0)
    candidate = (similarity.amax(dim=2) * mask).sum(dim=-1) / mask.sum(dim=-1)
    tokens = path_states.mask[:, None]
    path = (similarity.amax(dim=3) * tokens).sum(dim=-1) / tokens.sum(dim=-1)
    return candidate, path


def _standardize(values: Tensor, allowed: Tensor) -> Tensor:
    """Standardise values (P, c, n) over the allowed candidates of each path."""
    mask = allowed[..., None].to(values.dtype)
    count = mask.sum(dim=1, keepdim=True).clamp(min=1.0)
    deviations = (values - (values * mask).sum(dim=1, keepdim=True) / count) * mask
    return deviations / ((deviations * deviations).sum(dim=1, keepdim=True) / count + 1e-4).sqrt()


def encode_lower_layers(bert: Bert[Any], tokens: Sequence[Sequence[int]], *, layers: int) -> list[Tensor]:
    """Return the states (t, d) of each text before the upper ``layers``; training does not change them."""
    states: list[Tensor] = [torch.empty(0)] * len(tokens)
    truncated = [[*ids[: MAX_TOKENS - 1], ids[-1]] if len(ids) > MAX_TOKENS else list(ids) for ids in tokens]
    with torch.no_grad():
        for indices in batch_by_length([len(ids) for ids in truncated], CHUNK):
            padded, mask = (
                torch.from_numpy(array).to(bert.word_embeddings.device) for array in pad_tokens(truncated, indices)
            )
            x = apply_layers(
                bert.layers[: len(bert.layers) - layers], embed_tokens(bert, padded), mask, heads=bert.heads
            )
            for row, index in enumerate(indices):
                states[index] = x[row, : len(truncated[index])].clone()
    return states


def pad_states(states: Sequence[Tensor]) -> TokenStates:
    """Pad states (t, d) of texts of different lengths to one batch."""
    lengths = torch.tensor([len(state) for state in states])
    values = pad_sequence(list(states), batch_first=True)
    return TokenStates(values, (torch.arange(values.shape[1]) < lengths[:, None]).to(values.device))


def _zero_init(layer: nn.Linear) -> nn.Linear:
    nn.init.zeros_(layer.weight)
    nn.init.zeros_(layer.bias)
    return layer


def _compute_depths(parents: Tensor) -> Tensor:
    """Return the number of evidence on each path, (P,)."""
    depth: list[int] = []
    for parent in parents.tolist():
        depth.append(0 if parent == START else depth[parent] + 1)
    return torch.tensor(depth, device=parents.device)
