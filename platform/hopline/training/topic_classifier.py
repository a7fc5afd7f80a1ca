"""A classifier over named themes, and the shifter from a question's themes to those of what answers it (RAS).

The encoder is frozen (CODE-NOTES 5: no gradient reached it in the released code either): rows are vectors that are
there anyway, and a training takes seconds to minutes. Head: d -> 512 -> themes, ReLU, dropout .1, logistic loss on each
theme; it begins at how often each theme comes (Lin et al. 2017, section 3.3). Shifter: themes -> 512 -> 256 -> themes,
dropout .2, softmax, KL divergence, Adam at 1e-3, batches of 32, until the divergence on a tenth has not fallen for
`PATIENCE` epochs; the best is kept, and measured on another tenth.

Departures: the head's rate is higher and its epochs are more than the paper's, for hundreds of rows instead of hundreds
of thousands (298 labels from 876 texts, micro F1 on 110 others: 46 after 40 epochs, 83 after 160); inputs of the
shifter go through the same `distribution` in training and in use; a shifter that is no nearer than the question's own
themes on the tenth that stops it is not kept.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from hopline.errors import UsageError
from hopline.evaluation.labels import label_f1
from hopline.learned.topic_classifier import VERSION, Themes, distribution, network_of
from hopline.learned.weight_files import Card, save_weights
from hopline.training.progress import Listener, Told, unheard
from hopline.training.training_loop import Recipe, fit

if TYPE_CHECKING:
    from hopline.flow.requests import Vectors

HIDDEN: Final = 512
NARROW: Final = 256  # the shifter's second layer
BATCH: Final = 32
RATE: Final = 1e-3
STEPS: Final = 6000  # that a classifier needs, however few its rows
EPOCHS: Final = 200  # at most
SHIFTING: Final = Recipe(epochs=100, batch=BATCH, rate=RATE)
PATIENCE: Final = 5  # epochs
HELD_OUT: Final = 10  # every tenth row measures
LEAST: Final = 20  # rows
UNSHIFTED, SHIFTED = "held out, KL unshifted", "held out, KL shifted"  # figures of a card
BAR: Final = 0.5  # the chance from which on a text is said to be about a theme


@dataclass(frozen=True, slots=True)
class Taught:
    """What is learned from: vectors (N, d) of texts, which of the ``labels`` each is about, (N, L), and ``pairs``.

    A pair is the vectors (M, d) of a question and of the passage that answers it.
    """

    labels: Sequence[str]
    vectors: Vectors
    about: NDArray[np.bool_]
    pairs: tuple[Vectors, Vectors]


def recipe_for(rows: int, *, epochs: int | None = None) -> Recipe:
    """How a classifier learns from so many rows: in `STEPS` steps or `EPOCHS` epochs, or as many as are wanted."""
    enough = min(EPOCHS, -(-STEPS * BATCH // max(rows, 1)))
    return Recipe(epochs=epochs or enough, batch=BATCH, rate=RATE)


class Perceptron(nn.Module):
    """Linear layers with ReLU and dropout between them."""

    def __init__(self, *sizes: int, dropout: float) -> None:
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in pairwise(sizes))
        self.dropout = nn.Dropout(dropout)

    def forward(self, values: Tensor) -> Tensor:
        """(n, first) -> (n, last), no activation at the end."""
        for place, layer in enumerate(self.layers):
            values = layer(self.dropout(functional.relu(values)) if place else values)
        return values

    def begin_at(self, chances: Tensor) -> None:
        """Let the last layer say these (last,), in (0, 1), before it has learned anything."""
        with torch.no_grad():
            self.get_parameter(f"layers.{len(self.layers) - 1}.bias").copy_(torch.logit(chances))

    def tensors(self, name: str) -> dict[str, NDArray[np.float32]]:
        """Weights and biases, named ``<name>.0.weight`` and so on."""
        return {
            f"{name}.{key.removeprefix('layers.')}": value.numpy().copy() for key, value in self.state_dict().items()
        }


def train_themes(
    taught: Taught,
    folder: Path,
    name: str,
    *,
    recipe: Recipe | None = None,
    told: Mapping[str, Any] | None = None,
    listener: Listener = unheard,
) -> Card:
    """Train classifier and shifter on nine of ten rows, measure on the tenth; weights and card go to ``folder/name``.

    Raises:
        UsageError: there are fewer than `LEAST` rows, or no pair.
    """
    count, dimension = taught.vectors.shape
    if count < LEAST or len(taught.pairs[0]) < LEAST:
        raise UsageError(
            f"themes need {LEAST} texts and as many pairs (got {count} and {len(taught.pairs[0])}), better hundreds"
        )
    began = time.monotonic()
    recipe = recipe or recipe_for(count)
    places = np.arange(count)
    rows, held_out = places[places % HELD_OUT > 0], places[places % HELD_OUT == 0]
    torch.manual_seed(recipe.seed)
    head = Perceptron(dimension, HIDDEN, len(taught.labels), dropout=0.1)
    vectors, about = torch.from_numpy(taught.vectors.copy()), torch.from_numpy(taught.about.astype(np.float32))
    often = (about[rows].sum(dim=0) + 0.5) / (len(rows) + 1)
    head.begin_at(often)

    def loss_of(some: Sequence[int], random: Random) -> Tensor:  # noqa: ARG001 - the form of every loss
        batch = torch.as_tensor(some)
        return functional.binary_cross_entropy_with_logits(head(vectors[batch]), about[batch])

    last = fit(head, rows.tolist(), loss_of, recipe, phase="themes", listener=listener)
    tensors = head.tensors("head")
    alone = Themes(taught.labels, network_of("head", tensors), [])
    f1 = label_f1(alone.chances(taught.vectors[held_out]) >= BAR, taught.about[held_out])
    shifter, wins, shifted = _shifted(alone, taught.pairs, listener)
    card = Card(
        part=f"themes/{name}",
        version=VERSION,
        purpose="What a passage is about, and what the passage that answers a question should be about.",
        base=f"vectors of length {dimension}",
        shape={"labels": list(taught.labels)},
        recipe={"classifier": asdict(recipe), "shifter": asdict(SHIFTING)},
        data={**(told or {}), "texts": len(rows), "texts held out": len(held_out), "pairs": len(taught.pairs[0])},
        figures={"last loss": round(last, 4), **{f"held out, {name}": value for name, value in f1.items()}, **shifted},
        seconds=time.monotonic() - began,
        made=time.strftime("%Y-%m-%d"),
    )
    if wins:
        tensors |= shifter.tensors("shifter")
    return save_weights(folder / name, tensors, card)


def _shifted(
    themes: Themes, pairs: tuple[Vectors, Vectors], listener: Listener
) -> tuple[Perceptron, bool, dict[str, float]]:
    """The shifter of least divergence on one tenth, whether it wins there, and its figures on another, in nats."""
    asked, wanted = (torch.from_numpy(distribution(themes.chances(side))) for side in pairs)
    places = np.arange(len(asked))
    rows = places[places % HELD_OUT > 1]
    stopping, held_out = (torch.from_numpy(places[places % HELD_OUT == tenth]) for tenth in (1, 0))
    torch.manual_seed(SHIFTING.seed)
    shifter = Perceptron(len(themes.labels), HIDDEN, NARROW, len(themes.labels), dropout=0.2)
    optimiser = torch.optim.Adam(shifter.parameters(), lr=SHIFTING.rate)
    best, kept, since = float("inf"), shifter.state_dict(), 0
    for epoch in range(SHIFTING.epochs):
        shifter.train()
        order = Random(f"{SHIFTING.seed} shifter {epoch}").sample(rows.tolist(), len(rows))  # noqa: S311 - no secret
        for start in range(0, len(order), SHIFTING.batch):
            batch = torch.as_tensor(order[start : start + SHIFTING.batch])
            loss = _divergence(shifter(asked[batch]), wanted[batch])
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
        shifter.eval()
        with torch.inference_mode():
            now = float(_divergence(shifter(asked[stopping]), wanted[stopping]))
        listener(Told("shifter", epoch + 1, SHIFTING.epochs, now))
        since += 1
        if now < best:
            best, since = now, 0
            kept = {name: value.clone() for name, value in shifter.state_dict().items()}
        if since == PATIENCE:
            break
    listener(Told("shifter", SHIFTING.epochs, SHIFTING.epochs, best))
    shifter.load_state_dict(kept)
    wins = best < float(_divergence(asked[stopping].log(), wanted[stopping]))
    with torch.inference_mode():
        shifted = float(_divergence(shifter(asked[held_out]), wanted[held_out]))
    plain = float(_divergence(asked[held_out].log(), wanted[held_out]))
    return shifter, wins, {UNSHIFTED: round(plain, 4), SHIFTED: round(shifted, 4)}


def _divergence(logits: Tensor, wanted: Tensor) -> Tensor:
    return functional.kl_div(functional.log_softmax(logits, dim=-1), wanted, reduction="batchmean")
