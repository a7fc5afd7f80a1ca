"""Training of the passage guide: MDR's encoder, which predicts the next supporting passage, fine-tuned on gold hops.

Multi-hop dense retrieval (Xiong et al. 2021), as KGP uses it (section 3: an encoder that predicts the next supporting
passage): the question should retrieve the first gold passage, the question with that passage the next.

Departures. Only the query encoder is trained, as a LoRA adapter of MiniLM (`hopline.embeddings.lora`): passages keep
their vectors in the graph, so that nothing is embedded or indexed again, and the encoder works on any collection. The
negatives are all other passages of the question's collection, which include in-batch and hard ones; other gold passages
are left out. The order of hops is estimated where the question set does not give it (`hopline.training.hop_order`); for
a question of more than two hops, one of its later hops is used in each epoch, at random.
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

from hopline.embeddings.bert import Bert, embed_batch
from hopline.embeddings.lora import apply_lora, init_lora
from hopline.embeddings.minilm import batch_by_length, load_torch_minilm, pad_tokens, select_device
from hopline.errors import UsageError
from hopline.flow.requests import Vectors
from hopline.learned.mdr import VERSION
from hopline.learned.weight_files import ModelCard, save_weights
from hopline.training.hop_order import HopSequence
from hopline.training.progress import ProgressCallback, ignore_progress
from hopline.training.training_loop import Recipe, compute_fingerprint, fit

INVERSE_TEMPERATURE: Final = 20.0  # of the softmax over cosines
RANK: Final = 16
RECIPE: Final = Recipe(epochs=3, batch=8, rate=1e-3)
CHUNK: Final = 16
HELD_OUT: Final = 10  # every tenth question is used for evaluation
RECALL_K: Final = 5  # k of the recall in the figures


@dataclass(frozen=True, slots=True)
class TrainingCollection:
    """The passages of one collection, ids with unit vectors (N, d), and the questions that they answer."""

    name: str
    ids: Sequence[str]
    vectors: Vectors
    questions: Sequence[HopSequence]


@dataclass(frozen=True, slots=True)
class MdrSample:
    """A question, the indices of its gold passages, hop by hop, and the vectors (N, d) of its collection."""

    hops: HopSequence
    indices: tuple[int, ...]
    passages: Tensor


class PassageGuide(nn.Module):
    """MiniLM with a trainable LoRA adapter."""

    def __init__(self, bert: Bert[Any], *, rank: int = RANK, seed: int = 42) -> None:
        super().__init__()
        self._bert = bert
        initial = init_lora(bert, rank=rank, seed=seed)
        self._keys = list(initial)
        self.adapter = nn.ParameterList(nn.Parameter(torch.from_numpy(initial[name])) for name in self._keys)

    def get_weights(self) -> dict[str, Tensor]:
        """Return the adapter's weights by their keys."""
        return dict(zip(self._keys, self.adapter, strict=True))

    def forward(self, tokens: Sequence[list[int]]) -> Tensor:
        """Embed tokenized texts: unit vectors (n, d), in order."""
        bert = apply_lora(self._bert, self.get_weights())
        vectors: list[Tensor] = [torch.empty(0)] * len(tokens)
        for indices in batch_by_length([len(ids) for ids in tokens], CHUNK):
            ids, mask = (torch.from_numpy(part).to(bert.word_embeddings.device) for part in pad_tokens(tokens, indices))
            for index, vector in zip(indices, embed_batch(bert, ids, mask), strict=True):
                vectors[index] = vector
        return torch.stack(vectors)


def train_mdr(
    collections: Sequence[TrainingCollection],
    folder: Path,
    *,
    recipe: Recipe = RECIPE,
    metadata: Mapping[str, Any] | None = None,
    on_progress: ProgressCallback = ignore_progress,
) -> ModelCard:
    """Train on nine of ten questions, evaluate on the tenth, write weights and card to ``folder``.

    Raises:
        UsageError: too few questions have two gold passages.
    """
    started = time.monotonic()
    device = select_device()
    bert, tokenizer = load_torch_minilm(device)
    samples = [sample for collection in collections for sample in _build_samples(collection, device)]
    training = [sample for n, sample in enumerate(samples) if n % HELD_OUT]
    held_out = [sample for n, sample in enumerate(samples) if not n % HELD_OUT]
    if len(training) < recipe.batch or not held_out:
        raise UsageError(
            f"the guide needs {2 * recipe.batch} questions with two gold passages in the collection, better hundreds "
            f"(got {len(samples)})"
        )
    tokenize: Tokenize = lambda texts: [encoding.ids for encoding in tokenizer.encode_batch_fast(texts)]  # noqa: E731
    torch.manual_seed(recipe.seed)
    guide = PassageGuide(bert, seed=recipe.seed).to(device)
    before = _measure_recall(guide, held_out, tokenize)
    last_loss = fit(
        guide,
        training,
        _make_loss(guide, tokenize),
        recipe,
        phase="guide",
        checkpoint=folder / "guide.checkpoint",
        data=compute_fingerprint(
            (item for collection in collections for item in (collection.name, *collection.ids, *collection.questions)),
            INVERSE_TEMPERATURE,
        ),
        on_progress=on_progress,
    )
    after = _measure_recall(guide, held_out, tokenize)
    data = {**(metadata or {}), "collections": ", ".join(collection.name for collection in collections)}
    card = ModelCard(
        part="mdr",
        version=VERSION,
        purpose="Predicts the vector of the next passage that a question needs.",
        base="all-MiniLM-L6-v2",
        shape={"rank": RANK},
        recipe={**asdict(recipe), "sharpness": INVERSE_TEMPERATURE},
        data=data | {"questions": len(training), "questions held out": len(held_out)},
        figures={"last loss": round(last_loss, 4), **_format_figures(before, after)},
        seconds=time.monotonic() - started,
        limits="English; a question with its passage is cut after 256 word pieces.",
        date=time.strftime("%Y-%m-%d"),
    )
    adapter = {name: value.detach().cpu().numpy().astype(np.float16) for name, value in guide.get_weights().items()}
    saved = save_weights(folder, adapter, card)
    (folder / "guide.checkpoint").unlink(missing_ok=True)
    return saved


def _build_samples(collection: TrainingCollection, device: str) -> list[MdrSample]:
    vectors, index = torch.from_numpy(collection.vectors).to(device), {id: n for n, id in enumerate(collection.ids)}
    usable = [hops for hops in collection.questions if all(id in index for id in hops.ids)]
    return [MdrSample(hops, tuple(index[id] for id in hops.ids), vectors) for hops in usable]


Tokenize = Callable[[list[str]], list[list[int]]]


def _format_figures(before: Sequence[float], after: Sequence[float]) -> dict[str, str]:
    pairs = enumerate(zip(before, after, strict=True), 1)
    return {f"held out, R@{RECALL_K} of hop {n}, in %": f"{100 * a:.1f} -> {100 * b:.1f}" for n, (a, b) in pairs}


def _make_loss(guide: PassageGuide, tokenize: Tokenize) -> Callable[[Sequence[MdrSample], Random], Tensor]:
    def compute_loss(samples: Sequence[MdrSample], random: Random) -> Tensor:
        queries = [sample.hops.question for sample in samples]
        later_hops = [random.randrange(1, len(sample.indices)) for sample in samples]
        queries += [
            f"{sample.hops.question} {sample.hops.texts[hop - 1]}"
            for sample, hop in zip(samples, later_hops, strict=True)
        ]
        vectors = guide(tokenize(queries))
        targets = [*((sample, 0) for sample in samples), *zip(samples, later_hops, strict=True)]
        losses = [_cross_entropy(vector, sample, hop) for vector, (sample, hop) in zip(vectors, targets, strict=True)]
        return torch.stack(losses).mean()

    return compute_loss


def _cross_entropy(vector: Tensor, sample: MdrSample, hop: int) -> Tensor:
    """The cross-entropy of the gold passage of one hop among all passages except the other gold passages."""
    logits = INVERSE_TEMPERATURE * (sample.passages @ vector)
    other_gold = [index for index in sample.indices if index != sample.indices[hop]]
    logits = logits.index_fill(0, torch.tensor(other_gold, device=logits.device), -1e9)
    return functional.cross_entropy(logits[None], torch.tensor([sample.indices[hop]], device=logits.device))


def _measure_recall(guide: PassageGuide, samples: Sequence[MdrSample], tokenize: Tokenize) -> tuple[float, float]:
    """Recall@k of the first hop from the question, and of the second from the question with the first passage."""
    with torch.inference_mode():
        first = guide(tokenize([sample.hops.question for sample in samples]))
        second = guide(tokenize([f"{sample.hops.question} {sample.hops.texts[0]}" for sample in samples]))
    return _recall_at_k(first, samples, 0), _recall_at_k(second, samples, 1)


def _recall_at_k(vectors: Tensor, samples: Sequence[MdrSample], hop: int) -> float:
    hits = []
    for vector, sample in zip(vectors, samples, strict=True):
        cosines = sample.passages @ vector
        earlier_gold = sample.indices[:hop]
        if earlier_gold:
            cosines = cosines.index_fill(0, torch.tensor(earlier_gold, device=cosines.device), -1.0)
        hits.append(sample.indices[hop] in cosines.topk(min(RECALL_K, len(cosines))).indices.tolist())
    return fmean(hits)
