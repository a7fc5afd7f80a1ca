"""The network of bidirectional graph retrieval: which evidence follows a path, in one direction.

Graph-Hop (Zhu et al. 2024), section 4.1: question and evidence are encoded token by token; a path's states are one
vector a token of the question; the states attend to each evidence on the path, which makes new ones; a feed-forward
network decides which evidence follows.

Departures, because what starts from nothing learns nothing from the 1,313 trees there are (the paper has 11,703
graphs): the encoder is MiniLM (384 numbers, 6 layers), of which the upper layers learn, instead of BERT-base; updates
are added to states that begin as MiniLM's, so that an untrained network follows what is most alike; the matcher reads
likenesses and their standing among the candidates beside the two vectors. One logit instead of two, on which the
loss was the logistic loss of each. States are masked as the question is (CODE-NOTES 4, defect 3).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, Final

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils.rnn import pad_sequence

from hopline.embeddings.bert import Bert, converted_layer, embedded, through
from hopline.embeddings.minilm import length_batches, padded

LONGEST: Final = 30  # word pieces of a question or an evidence (section 5.2)
CHUNK: Final = 64  # texts of like length that are encoded together
DROPOUT: Final = 0.1
START: Final = -1  # the parent of a path that is the question alone
LIKENESSES: Final = 5  # numbers the matcher reads beside the vectors, and as often their standing


@dataclass(frozen=True, slots=True)
class States:
    """The states of n texts (n, t, d), and which of their t tokens are there (n, t)."""

    values: Tensor
    there: Tensor

    def at(self, places: Tensor) -> States:
        """Those of some texts, in the order of ``places``."""
        return States(self.values[places], self.there[places])

    def means(self) -> Tensor:
        """The mean state of each text, (n, d)."""
        there = self.there[..., None].to(self.values.dtype)
        mean: Tensor = (self.values * there).sum(dim=1) / there.sum(dim=1)
        return mean


@dataclass(frozen=True, slots=True)
class Paths:
    """P paths as a tree: one begins at a question, or goes on from an earlier path with one more evidence.

    ``question`` (P,) is its question's place; ``parent`` (P,) the place of the path that it goes on from, or `START`;
    ``evidence`` (P,) the place of its last evidence, unused at `START`; ``candidates`` (P, c) the places of what may
    follow, and ``open`` (P, c) which of them really may. A parent stands before its paths.
    """

    question: Tensor
    parent: Tensor
    evidence: Tensor
    candidates: Tensor
    open: Tensor

    def to(self, device: torch.device) -> Paths:
        """The same on a device."""
        return Paths(*(getattr(self, one.name).to(device) for one in fields(self)))


class Direction(nn.Module):
    """One direction of the search; forward and backward are two of these and share nothing that learns."""

    def __init__(self, bert: Bert[Any], *, layers: int, wide: int = 768) -> None:
        """``bert`` whose upper ``layers`` learn; the rest begins so that it changes nothing."""
        super().__init__()
        d = bert.norm.weight.shape[0]
        self.heads, self.encoder = bert.heads, nn.ParameterList()
        self.layers = [converted_layer(one, self._learned) for one in bert.layers[len(bert.layers) - layers :]]
        self.start = _silent(nn.Linear(d, d))
        self.update = nn.TransformerDecoderLayer(d, bert.heads, wide, DROPOUT, "gelu", batch_first=True)
        self.onward = _silent(nn.Linear(d, d))
        self.share = nn.Parameter(torch.tensor(0.5))  # how much an evidence itself adds to a path
        self.matcher = Matcher(d)

    def _learned(self, array: Any) -> nn.Parameter:
        parameter = nn.Parameter(torch.as_tensor(array).clone().contiguous())
        self.encoder.append(parameter)
        return parameter

    def encode(self, below: Sequence[Tensor]) -> States:
        """States (t, d) of n texts below the layers that learn (`lower_states`) -> states above them."""
        found: list[Tensor] = [below[0]] * len(below)
        for places in length_batches([len(one) for one in below], CHUNK):
            part = together([below[place] for place in places])
            above = through(self.layers, part.values, part.there, heads=self.heads)
            for row, place in enumerate(places):
                found[place] = above[row, : len(below[place])]
        return together(found)

    def walk(self, questions: States, evidence: States, paths: Paths) -> States:
        """The states of every path, (P, t, d), level by level."""
        begun = questions.values + functional.elu(self.start(questions.values))
        depth = _depths(paths.parent)
        values = begun.new_zeros(len(depth), *begun.shape[1:])
        there = questions.there[paths.question]
        means = evidence.means()
        for level in range(int(depth.max()) + 1):
            places = torch.nonzero(depth == level)[:, 0]
            if level == 0:
                found = begun[paths.question[places]]
            else:
                last = paths.evidence[places]
                found = self._updated(values[paths.parent[places]], there[places], evidence.at(last), means[last])
            values = values.index_put((places,), found)
        return States(values, there)

    def _updated(self, path: Tensor, there: Tensor, read: States, mean: Tensor) -> Tensor:
        x = self.update(path, read.values, tgt_key_padding_mask=~there, memory_key_padding_mask=~read.there)
        out: Tensor = path + self.share * mean[:, None] + functional.elu(self.onward(x))
        return out

    def follows(self, questions: States, evidence: States, paths: Paths) -> Tensor:
        """Logits (P, c) that each of a path's candidates comes next."""
        logits: Tensor = self.matcher(self.walk(questions, evidence, paths), questions, evidence, paths)
        return logits


class Matcher(nn.Module):
    """The feed-forward network that decides, on vectors, likenesses, and their standing among the candidates."""

    def __init__(self, d: int, size: int = 128) -> None:
        super().__init__()
        self.vectors = nn.Linear(2 * d, size)
        self.numbers = nn.Linear(2 * LIKENESSES + 1, size)
        self.decide = nn.Sequential(nn.GELU(), nn.Dropout(DROPOUT), nn.Linear(size, size), nn.GELU())
        self.last = _silent(nn.Linear(size, 1))
        self.weight = nn.Parameter(torch.tensor(10.0))  # of the likeness of path and candidate
        self.bias = nn.Parameter(torch.tensor(-6.0))

    def forward(self, walked: States, questions: States, evidence: States, paths: Paths) -> Tensor:
        """Logits (P, c)."""
        unit = functional.normalize(evidence.means(), dim=-1)
        path = functional.normalize(walked.means(), dim=-1)
        asked = functional.normalize(questions.means(), dim=-1)[paths.question]
        begun = (paths.parent == START)[:, None]
        last = torch.where(begun, asked, unit[paths.evidence])
        candidates = unit[paths.candidates]
        cosines = [torch.einsum("pd,pcd->pc", vector, candidates) for vector in (path, asked, last)]
        likenesses = torch.stack([*cosines, *_late(walked, evidence, paths)], dim=-1)
        standing = _standing(likenesses, paths.open)
        numbers = torch.cat([likenesses, standing, begun[..., None].expand(*paths.open.shape, 1)], dim=-1)
        both = torch.cat([path[:, None] * candidates, (path[:, None] - candidates).abs()], dim=-1)
        judged: Tensor = self.last(self.decide(self.vectors(both) + self.numbers(numbers)))[..., 0]
        return self.weight * cosines[0] + self.bias + judged


def _late(walked: States, evidence: States, paths: Paths) -> tuple[Tensor, Tensor]:
    """How well each candidate's tokens are met by the path's, and the path's by each candidate's, (P, c)."""
    own = functional.normalize(walked.values, dim=-1)
    theirs = functional.normalize(evidence.values, dim=-1)[paths.candidates]
    there = evidence.there[paths.candidates]
    met = torch.einsum("ptd,pcsd->pcts", own, theirs)
    met = met.masked_fill(~walked.there[:, None, :, None], -1.0).masked_fill(~there[:, :, None, :], -1.0)
    candidate = (met.amax(dim=2) * there).sum(dim=-1) / there.sum(dim=-1)
    tokens = walked.there[:, None]
    path = (met.amax(dim=3) * tokens).sum(dim=-1) / tokens.sum(dim=-1)
    return candidate, path


def _standing(values: Tensor, open: Tensor) -> Tensor:
    """Each value as deviations from the mean of the candidates that may follow, (P, c, n)."""
    there = open[..., None].to(values.dtype)
    count = there.sum(dim=1, keepdim=True).clamp(min=1.0)
    away = (values - (values * there).sum(dim=1, keepdim=True) / count) * there
    return away / ((away * away).sum(dim=1, keepdim=True) / count + 1e-4).sqrt()


def lower_states(bert: Bert[Any], tokens: Sequence[Sequence[int]], *, layers: int) -> list[Tensor]:
    """The states (t, d) of each text below the upper ``layers``, which no training changes."""
    found: list[Tensor] = [torch.empty(0)] * len(tokens)
    cut = [[*one[: LONGEST - 1], one[-1]] if len(one) > LONGEST else list(one) for one in tokens]
    with torch.no_grad():
        for places in length_batches([len(one) for one in cut], CHUNK):
            ids, there = (torch.from_numpy(part).to(bert.words.device) for part in padded(cut, places))
            x = through(bert.layers[: len(bert.layers) - layers], embedded(bert, ids), there, heads=bert.heads)
            for row, place in enumerate(places):
                found[place] = x[row, : len(cut[place])].clone()
    return found


def together(states: Sequence[Tensor]) -> States:
    """States (t, d) of texts of any length as one."""
    lengths = torch.tensor([len(one) for one in states])
    values = pad_sequence(list(states), batch_first=True)
    return States(values, (torch.arange(values.shape[1]) < lengths[:, None]).to(values.device))


def _silent(layer: nn.Linear) -> nn.Linear:
    nn.init.zeros_(layer.weight)
    nn.init.zeros_(layer.bias)
    return layer


def _depths(parents: Tensor) -> Tensor:
    """How many evidence each path has, (P,)."""
    depth: list[int] = []
    for parent in parents.tolist():
        depth.append(0 if parent == START else depth[parent] + 1)
    return torch.tensor(depth, device=parents.device)
