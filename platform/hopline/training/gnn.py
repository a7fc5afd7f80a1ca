"""α and β of GNN-Ret and RGNN-Ret, by gradient descent on exact subgradients.

GNN-Ret (Li et al. 2024), equations 3 and 5: a hinge that wants the mean distance of the gold evidence smaller, by
``margin``, than that of the ``competitors`` nearest evidence that are not gold. Full batches, learning rate 1, stop
where the gradient is below .001 or the loss has risen five times running.

Departures: the gradients printed in the appendix are not those of the printed loss (CODE-NOTES 1), ours are
exact, by automatic differentiation; parameters are clamped to [0, 1] and the best seen are kept; there is a cap on
rounds; T is chosen among the evidence whose neighbours were fetched. The message passing is one scatter of
torch's own, so that torch-geometric is not needed for it. The loss compares mean distances and not ranks: what it
learns need not raise recall, and on our three sets it did not (benchmarks/README.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from hopline.errors import UsageError
from hopline.training.gnn_samples import Sample, Turn
from hopline.training.progress import Listener, Told, unheard

if TYPE_CHECKING:
    from torch import Tensor

STILL: Final = 1e-3  # a gradient below this ends the training
RISES: Final = 5  # rises of the loss, one after another, that end it
MOST: Final = 500  # rounds


@dataclass(frozen=True, slots=True)
class Setup:
    """How to train; the defaults are the paper's for GNN-Ret (RGNN-Ret: `RECURRENT`)."""

    layers: int = 1
    nodes: int = 5
    competitors: int = 25
    alpha: float = 0.1
    beta: float = 1.0
    margin: float = 0.01
    rate: float = 1.0
    recurrent: bool = False


RECURRENT: Final = Setup(competitors=10, alpha=1.0, beta=1.0, recurrent=True)


@dataclass(frozen=True, slots=True)
class Learned:
    """Parameters in [0, 1] with what they were learned on; losses are means over the samples."""

    alphas: tuple[float, ...]
    beta: float
    questions: int
    rounds: int
    loss_before: float
    loss_after: float

    def figures(self) -> dict[str, Any]:
        """As plain data: what is kept with the collection."""
        return {
            "alphas": [round(alpha, 4) for alpha in self.alphas],
            "beta": round(self.beta, 4),
            "questions": self.questions,
            "rounds": self.rounds,
            "loss_before": self.loss_before,
            "loss_after": self.loss_after,
        }


def train(samples: Sequence[Sample], setup: Setup, listener: Listener = unheard) -> Learned:
    """The parameters of smallest loss on the way down.

    Raises:
        UsageError: no sample has gold evidence.
    """
    import torch

    usable = [sample for sample in samples if all(len(turn.gold) for turn in sample.turns)]
    if not usable:
        raise UsageError("training needs at least one question whose gold evidence is in the collection (got none)")
    values = torch.tensor([*[setup.alpha] * setup.layers, setup.beta], dtype=torch.float64, requires_grad=True)
    losses: list[float] = []
    best = (float("inf"), values.detach().clone())
    for done in range(1, MOST + 1):
        loss = torch.stack([_loss(sample, values, setup) for sample in usable]).mean()
        [gradient] = torch.autograd.grad(loss, values)
        if not setup.recurrent:
            gradient[-1] = 0.0
        losses.append(float(loss.detach()))
        listener(Told("rounds, at most", done, MOST, losses[-1]))
        if losses[-1] < best[0]:
            best = (losses[-1], values.detach().clone())
        if float(gradient.abs().max()) < STILL or _keeps_rising(losses):
            break
        with torch.no_grad():
            values = (values - setup.rate * gradient).clamp(0.0, 1.0).requires_grad_()
    *alphas, beta = best[1].tolist()
    return Learned(tuple(alphas), beta, len(usable), len(losses), losses[0], best[0])


def _keeps_rising(losses: Sequence[float]) -> bool:
    last = losses[-RISES - 1 :]
    return len(last) > RISES and all(after > before for before, after in pairwise(last))


def _loss(sample: Sample, values: Tensor, setup: Setup) -> Tensor:
    """The mean over the turns of max(0, r + mean ĥ of gold − mean ĥ of the nearest others) (eq. 3, 5)."""
    import torch

    before: Tensor | None = None
    terms = []
    for turn in sample.turns:
        h = _passed(turn, values, setup)
        before = h if before is None else values[-1] * h + (1.0 - values[-1]) * before
        gold = torch.as_tensor(turn.gold)
        others = torch.argsort(before.detach(), stable=True)[: setup.competitors]
        others = others[~torch.isin(others, gold)]
        gap = before[gold].mean() - (before[others].mean() if len(others) else before[gold].mean().detach())
        terms.append(torch.clamp(setup.margin + gap, min=0.0))
    return torch.stack(terms).mean()


def _passed(turn: Turn, values: Tensor, setup: Setup) -> Tensor:
    """The distances after every layer (eq. 1, 2)."""
    import torch

    h = torch.as_tensor(turn.distances, dtype=torch.float64)
    senders, receivers = torch.as_tensor(turn.senders), torch.as_tensor(turn.receivers)
    for layer in range(setup.layers):
        nearest = torch.argsort(h.detach(), stable=True)[: setup.nodes]
        sent = torch.isin(senders, nearest)
        start = torch.full_like(h, float("inf"))
        message = start.scatter_reduce(0, receivers[sent], h[senders[sent]], "amin")
        received = torch.isfinite(message)
        message = torch.where(received, message, h)
        h = torch.where(received, values[layer] * h + (1.0 - values[layer]) * message, h)
    return h
