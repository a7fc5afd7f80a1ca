"""The guide that predicts the next supporting passage: MDR's encoder, fine-tuned from MiniLM on gold hops.

Multi-hop dense retrieval (Xiong et al. 2021), as KGP uses it (section 3: an encoder that predicts the next supporting
passage): the question should find the first gold passage, the question with that passage the next.

Departures. Only the side that asks learns, as a low-rank change of MiniLM (`hopline.embeddings.lora`): passages keep
the
vectors that the graph has, so that nothing is embedded or indexed anew, and any collection can be asked. The negatives
are all other passages of the question's collection, which holds in-batch and hard ones alike; other gold passages
of the same hop are left out. The order of hops is that of likeness to the question, each next one to the question with
those before; a question of more than two hops gives one of its later hops a round, at random.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from hopline.embeddings.bert import Bert, embed_padded
from hopline.embeddings.lora import adapted, fresh
from hopline.embeddings.minilm import best_device, length_batches, padded, torch_minilm
from hopline.errors import UsageError
from hopline.flow.requests import Vectors
from hopline.learned.mdr import VERSION
from hopline.learned.weight_files import Card, save_weights
from hopline.training.hop_order import Hops
from hopline.training.progress import Listener, unheard
from hopline.training.training_loop import Recipe, fingerprint, fit

SHARPNESS: Final = 20.0  # what cosines are multiplied by before the softmax
RANK: Final = 16
RECIPE: Final = Recipe(epochs=3, batch=8, rate=1e-3)
CHUNK: Final = 16
HELD_OUT: Final = 10  # every tenth question measures
WITHIN: Final = 5  # recall@k of the figures


@dataclass(frozen=True, slots=True)
class Pool:
    """The passages of one collection, unit vectors (N, d) by their ids, and the questions that they answer."""

    name: str
    ids: Sequence[str]
    vectors: Vectors
    questions: Sequence[Hops]


@dataclass(frozen=True, slots=True)
class Row:
    """A question to learn from: its gold passages' places among the vectors (N, d) of its collection, hop by hop."""

    hops: Hops
    places: tuple[int, ...]
    pool: Tensor


class Guide(nn.Module):
    """The change of MiniLM that learns."""

    def __init__(self, bert: Bert[Any], *, rank: int = RANK, seed: int = 42) -> None:
        super().__init__()
        self._bert = bert
        plain = fresh(bert, rank=rank, seed=seed)
        self._names = list(plain)
        self.change = nn.ParameterList(nn.Parameter(torch.from_numpy(plain[name])) for name in self._names)

    def named(self) -> dict[str, Tensor]:
        """The change by the names of its parts."""
        return dict(zip(self._names, self.change, strict=True))

    def forward(self, tokens: Sequence[list[int]]) -> Tensor:
        """Unit vectors (n, d) of tokenised texts, in order."""
        bert = adapted(self._bert, self.named())
        found: list[Tensor] = [torch.empty(0)] * len(tokens)
        for places in length_batches([len(one) for one in tokens], CHUNK):
            ids, mask = (torch.from_numpy(part).to(bert.words.device) for part in padded(tokens, places))
            for place, vector in zip(places, embed_padded(bert, ids, mask), strict=True):
                found[place] = vector
        return torch.stack(found)


def train_mdr(
    pools: Sequence[Pool],
    folder: Path,
    *,
    recipe: Recipe = RECIPE,
    told: Mapping[str, Any] | None = None,
    listener: Listener = unheard,
) -> Card:
    """Train the guide on nine of ten questions, measure it on the tenth, write weights and card into ``folder``.

    Raises:
        UsageError: too few questions have two gold passages.
    """
    began = time.monotonic()
    device = best_device()
    bert, tokenizer = torch_minilm(device)
    rows = [row for pool in pools for row in _rows(pool, device)]
    taught = [row for n, row in enumerate(rows) if n % HELD_OUT]
    held_out = [row for n, row in enumerate(rows) if not n % HELD_OUT]
    if len(taught) < recipe.batch or not held_out:
        raise UsageError(
            f"the guide needs {2 * recipe.batch} questions with two gold passages in the collection, better hundreds "
            f"(got {len(rows)})"
        )
    encode: Tokenise = lambda texts: [one.ids for one in tokenizer.encode_batch_fast(texts)]  # noqa: E731
    torch.manual_seed(recipe.seed)
    guide = Guide(bert, seed=recipe.seed).to(device)
    before = _recall(guide, held_out, encode)
    last = fit(
        guide,
        taught,
        _loss(guide, encode),
        recipe,
        phase="guide",
        checkpoint=folder / "guide.checkpoint",
        data=fingerprint((one for pool in pools for one in (pool.name, *pool.ids, *pool.questions)), SHARPNESS),
        listener=listener,
    )
    after = _recall(guide, held_out, encode)
    data = {**(told or {}), "collections": ", ".join(pool.name for pool in pools)}
    card = Card(
        part="mdr",
        version=VERSION,
        purpose="Where, among a collection's own vectors, the passage that a question needs next should be.",
        base="all-MiniLM-L6-v2",
        shape={"rank": RANK},
        recipe={**asdict(recipe), "sharpness": SHARPNESS},
        data=data | {"questions": len(taught), "questions held out": len(held_out)},
        figures={"last loss": round(last, 4), **_told(before, after)},
        seconds=time.monotonic() - began,
        limits="English; a question with its passage is cut after 256 word pieces.",
        made=time.strftime("%Y-%m-%d"),
    )
    change = {name: value.detach().cpu().numpy().astype(np.float16) for name, value in guide.named().items()}
    signed = save_weights(folder, change, card)
    (folder / "guide.checkpoint").unlink(missing_ok=True)
    return signed


def _rows(pool: Pool, device: str) -> list[Row]:
    vectors, place = torch.from_numpy(pool.vectors).to(device), {id: n for n, id in enumerate(pool.ids)}
    known = [one for one in pool.questions if all(id in place for id in one.ids)]
    return [Row(one, tuple(place[id] for id in one.ids), vectors) for one in known]


Tokenise = Callable[[list[str]], list[list[int]]]


def _told(before: Sequence[float], after: Sequence[float]) -> dict[str, str]:
    both = enumerate(zip(before, after, strict=True), 1)
    return {f"held out, R@{WITHIN} of hop {n}, in %": f"{100 * a:.1f} -> {100 * b:.1f}" for n, (a, b) in both}


def _loss(guide: Guide, encode: Tokenise) -> Callable[[Sequence[Row], Random], Tensor]:
    def loss_of(rows: Sequence[Row], random: Random) -> Tensor:
        asked = [row.hops.question for row in rows]
        later = [random.randrange(1, len(row.places)) for row in rows]
        asked += [f"{row.hops.question} {row.hops.texts[hop - 1]}" for row, hop in zip(rows, later, strict=True)]
        vectors = guide(encode(asked))
        wanted = [*((row, 0) for row in rows), *zip(rows, later, strict=True)]
        each = [_missed(vector, row, hop) for vector, (row, hop) in zip(vectors, wanted, strict=True)]
        return torch.stack(each).mean()

    return loss_of


def _missed(vector: Tensor, row: Row, hop: int) -> Tensor:
    """The cross-entropy of the gold passage of one hop among all passages but the other gold ones."""
    logits = SHARPNESS * (row.pool @ vector)
    others = [place for place in row.places if place != row.places[hop]]
    logits = logits.index_fill(0, torch.tensor(others, device=logits.device), -1e9)
    return functional.cross_entropy(logits[None], torch.tensor([row.places[hop]], device=logits.device))


def _recall(guide: Guide, rows: Sequence[Row], encode: Tokenise) -> tuple[float, float]:
    """Share of questions whose first gold is among the nearest, and of those whose second is behind the first."""
    with torch.inference_mode():
        first = guide(encode([row.hops.question for row in rows]))
        second = guide(encode([f"{row.hops.question} {row.hops.texts[0]}" for row in rows]))
    return _share(first, rows, 0), _share(second, rows, 1)


def _share(vectors: Tensor, rows: Sequence[Row], hop: int) -> float:
    found = []
    for vector, row in zip(vectors, rows, strict=True):
        cosines = row.pool @ vector
        earlier = row.places[:hop]
        if earlier:
            cosines = cosines.index_fill(0, torch.tensor(earlier, device=cosines.device), -1.0)
        found.append(row.places[hop] in cosines.topk(min(WITHIN, len(cosines))).indices.tolist())
    return fmean(found)
