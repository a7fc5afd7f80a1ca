"""α and β of GNN-Ret and RGNN-Ret, by gradient descent on exact subgradients.

GNN-Ret (Li et al. 2024), equations 3 and 5: a hinge loss that requires the mean distance of the gold evidence to be
smaller, by ``margin``, than that of the ``competitors`` nearest evidence that are not gold. Full batches, learning rate
1; training stops when the gradient is below .001 or the loss has risen five times in a row.

Departures: the gradients printed in the appendix are not those of the printed loss, ours are exact, by automatic
differentiation; parameters are clamped to [0, 1] and the best ones are returned; the number of rounds is limited. The
competitors are the nearest by the integrated distance, with the parameters of the round. The paper trains on 20
questions, and RGNN-Ret on 5 with sub-questions written by hand; ``hopline train`` takes the first 20 for both unless it
is told otherwise, with the sub-questions of the question set, for MuSiQue's relations by
`hopline.evaluation.relation_questions`. Gold evidence is that of each step where the set has it, else assigned as in
appendix B, except that the last step gets all that is left; a step without its own or later gold evidence has no loss,
and the count of these is returned. The graph is that of `gnn_ret` with its defaults (dense search, names in at most 20
passages, smallest message, both kinds of edges), also if the parameters are used with other options. Message passing is
one scatter operation of torch, so that torch-geometric is not needed. The loss compares mean distances, not ranks:
training need not improve recall, and for GNN-Ret, on our three sets, it did not (benchmarks/README.md); RGNN-Ret was
not measured.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from hopline.errors import UsageError
from hopline.training.gnn_samples import GnnQuery, GnnSample
from hopline.training.progress import ProgressCallback, TrainingProgress, ignore_progress

if TYPE_CHECKING:
    from torch import Tensor

MIN_GRADIENT: Final = 1e-3  # a gradient below this ends the training
MAX_RISES: Final = 5  # consecutive rises of the loss that end it
MAX_ROUNDS: Final = 500


@dataclass(frozen=True, slots=True)
class GnnConfig:
    """Hyperparameters of the training; the defaults are the paper's for GNN-Ret (RGNN-Ret: `RECURRENT`)."""

    layers: int = 1
    nodes: int = 5
    competitors: int = 25
    alpha: float = 0.1
    beta: float = 1.0
    margin: float = 0.01
    rate: float = 1.0
    recurrent: bool = False


RECURRENT: Final = GnnConfig(competitors=10, alpha=1.0, beta=1.0, recurrent=True)


@dataclass(frozen=True, slots=True)
class GnnTrainingResult:
    """Trained parameters in [0, 1] with the size and the losses of the training; losses are means over the samples.

    ``steps`` are the queries that have a loss, ``steps_left_out`` those of the same questions without gold evidence,
    and ``questions_left_out`` the questions none of whose gold evidence is in the collection.
    """

    alphas: tuple[float, ...]
    beta: float
    questions: int
    rounds: int
    loss_before: float
    loss_after: float
    steps: int = 0
    steps_left_out: int = 0
    questions_left_out: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Convert to the form that is stored with the collection."""
        return {
            "alphas": [round(alpha, 4) for alpha in self.alphas],
            "beta": round(self.beta, 4),
            "questions": self.questions,
            "rounds": self.rounds,
            "loss_before": self.loss_before,
            "loss_after": self.loss_after,
            "steps": self.steps,
            "steps_left_out": self.steps_left_out,
            "questions_left_out": self.questions_left_out,
        }


def train_gnn(
    samples: Sequence[GnnSample], config: GnnConfig, on_progress: ProgressCallback = ignore_progress
) -> GnnTrainingResult:
    """Train on samples; returns the parameters with the smallest loss.

    Raises:
        UsageError: no sample has gold evidence.
    """
    import torch

    usable = [sample for sample in samples if any(len(query.gold) for query in sample.queries)]
    if not usable:
        raise UsageError("training needs at least one question whose gold evidence is in the collection (got none)")
    values = torch.tensor([*[config.alpha] * config.layers, config.beta], dtype=torch.float64, requires_grad=True)
    losses: list[float] = []
    best = (float("inf"), values.detach().clone())
    for done in range(1, MAX_ROUNDS + 1):
        loss = torch.stack([_compute_loss(sample, values, config) for sample in usable]).mean()
        [gradient] = torch.autograd.grad(loss, values)
        if not config.recurrent:
            gradient[-1] = 0.0
        losses.append(float(loss.detach()))
        on_progress(TrainingProgress("rounds, at most", done, MAX_ROUNDS, losses[-1]))
        if losses[-1] < best[0]:
            best = (losses[-1], values.detach().clone())
        if float(gradient.abs().max()) < MIN_GRADIENT or _is_rising(losses):
            break
        with torch.no_grad():
            values = (values - config.rate * gradient).clamp(0.0, 1.0).requires_grad_()
    *alphas, beta = best[1].tolist()
    queries = [query for sample in usable for query in sample.queries]
    steps = sum(len(query.gold) > 0 for query in queries)
    return GnnTrainingResult(
        tuple(alphas),
        beta,
        len(usable),
        len(losses),
        losses[0],
        best[0],
        steps=steps,
        steps_left_out=len(queries) - steps,
        questions_left_out=len(samples) - len(usable),
    )


def _is_rising(losses: Sequence[float]) -> bool:
    last = losses[-MAX_RISES - 1 :]
    return len(last) > MAX_RISES and all(after > running for running, after in pairwise(last))


def _compute_loss(sample: GnnSample, values: Tensor, config: GnnConfig) -> Tensor:
    """The mean over the queries with gold of max(0, r + mean ĥ of gold − mean ĥ of the competitors) (eq. 3, 5)."""
    import torch

    running: Tensor | None = None
    terms = []
    for query in sample.queries:
        h = propagate_query(query, values, nodes=config.nodes)
        running = h if running is None else values[-1] * h + (1.0 - values[-1]) * running
        if not len(query.gold):
            continue
        gold = torch.as_tensor(query.gold)
        competitors = torch.argsort(running.detach(), stable=True)[: config.competitors]
        competitors = competitors[~torch.isin(competitors, gold)]
        gap = running[gold].mean() - (
            running[competitors].mean() if len(competitors) else running[gold].mean().detach()
        )
        terms.append(torch.clamp(config.margin + gap, min=0.0))
    return torch.stack(terms).mean()


def propagate_query(query: GnnQuery, values: Tensor, *, nodes: int) -> Tensor:
    """Compute the distances after the last layer (eq. 1, 2), (N,); ``values`` are the α of each layer, then β."""
    import torch

    h = torch.as_tensor(query.distances, dtype=torch.float64)
    senders, receivers = torch.as_tensor(query.senders), torch.as_tensor(query.receivers)
    for layer in range(len(values) - 1):
        nearest = torch.argsort(h.detach(), stable=True)[:nodes]
        is_sent = torch.isin(senders, nearest)
        infinite = torch.full_like(h, float("inf"))
        message = infinite.scatter_reduce(0, receivers[is_sent], h[senders[is_sent]], "amin")
        received = torch.isfinite(message)
        message = torch.where(received, message, h)
        h = torch.where(received, values[layer] * h + (1.0 - values[layer]) * message, h)
    return h
