"""Gradient descent that can be stopped and taken up again: the loop that every network here is trained by.

The order of rows, what is sampled and what is dropped out depend on the seed and the step alone, so that a training
that was killed ends where one that was not would have.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final, TypeVar

from hopline.atomic_files import replace
from hopline.training.progress import Listener, Told, unheard

if TYPE_CHECKING:
    from torch import Tensor, nn

T = TypeVar("T")
Loss = Callable[[Sequence[T], Random], "Tensor"]

KEPT_EVERY: Final = 60.0  # seconds between checkpoints
WARM: Final = 40  # steps in which the rate rises
LEAST: Final = 0.03  # share of the rate that is left at the end
CLIP: Final = 1.0  # the longest gradient
DECAY: Final = 0.01


@dataclass(frozen=True, slots=True)
class Recipe:
    """How to train: AdamW, rates that rise for `WARM` steps and then fall in a line; ``slow``: the encoder's share."""

    epochs: int
    batch: int
    rate: float
    slow: float = 1.0
    seed: int = 42


def fit(
    model: nn.Module,
    rows: Sequence[T],
    loss_of: Loss[T],
    recipe: Recipe,
    *,
    phase: str,
    checkpoint: Path | None = None,
    data: str = "",
    listener: Listener = unheard,
) -> float:
    """Train ``model`` on ``rows`` in batches; the mean loss of the last epoch.

    Parameters whose name begins with "encoder" learn ``recipe.slow`` times as fast. ``checkpoint`` is written every
    minute and at the end; where one of the same recipe and the same ``data`` (a `fingerprint`) is there, the training
    goes on from it.
    """
    import torch

    batches = -(-len(rows) // recipe.batch)
    total, done, losses = recipe.epochs * batches, 0, [0.0]
    optimiser = torch.optim.AdamW(_groups(model, recipe), weight_decay=DECAY)
    falling = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min(1.0, (step + 1) / WARM) * max(LEAST, 1.0 - step / total)
    )
    told = {"phase": phase, "rows": len(rows), "data": data, **asdict(recipe)}
    if checkpoint is not None and (state := _kept(checkpoint, told)) is not None:
        model.load_state_dict(state["model"])
        optimiser.load_state_dict(state["optimiser"])
        falling.load_state_dict(state["falling"])
        done, losses = state["done"], state["losses"]
    model.train()
    kept = time.monotonic()
    while done < total:
        epoch, place = divmod(done, batches)
        losses = [] if place == 0 else losses
        order = Random(f"{recipe.seed} {phase} {epoch}").sample(range(len(rows)), len(rows))  # noqa: S311 - no secret
        torch.manual_seed(recipe.seed * 1_000_003 + done)
        some = [rows[n] for n in order[place * recipe.batch : (place + 1) * recipe.batch]]
        loss = loss_of(some, Random(f"{recipe.seed} {phase} {done}"))  # noqa: S311 - no secret
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(model.parameters(), CLIP)
        optimiser.step()
        falling.step()
        losses.append(float(loss.detach()))
        done += 1
        listener(Told(phase, done, total, sum(losses) / len(losses)))
        if checkpoint is not None and (time.monotonic() - kept > KEPT_EVERY or done == total):
            state = {"told": told, "done": done, "losses": losses, "model": model.state_dict()}
            _keep(checkpoint, {**state, "optimiser": optimiser.state_dict(), "falling": falling.state_dict()})
            kept = time.monotonic()
    model.eval()
    return sum(losses) / len(losses)


def fingerprint(rows: Iterable[object], *setup: object) -> str:
    """What tells one training from another: its rows and its setup, by how they are written, as a hash."""
    found = hashlib.sha256()
    for one in (*rows, *setup):
        found.update(f"{one!r}\n".encode())
    return found.hexdigest()


def _groups(model: nn.Module, recipe: Recipe) -> list[dict[str, Any]]:
    named = [(name, one) for name, one in model.named_parameters() if one.requires_grad]
    encoder = [one for name, one in named if name.startswith("encoder")]
    rest = [one for name, one in named if not name.startswith("encoder")]
    groups = [{"params": encoder, "lr": recipe.rate * recipe.slow}, {"params": rest, "lr": recipe.rate}]
    return [group for group in groups if group["params"]]


def _keep(checkpoint: Path, state: dict[str, Any]) -> None:
    import torch

    checkpoint.parent.mkdir(parents=True, exist_ok=True)
    replace(checkpoint, lambda fresh: torch.save(state, fresh))


def _kept(checkpoint: Path, told: dict[str, Any]) -> dict[str, Any] | None:
    """The state of a training of the same recipe on the same rows; None where there is none, or it cannot be read."""
    import torch

    if not checkpoint.exists():
        return None
    try:
        state: dict[str, Any] = torch.load(checkpoint, weights_only=True)
    except Exception:  # noqa: BLE001 - a file that was cut off in any way is no checkpoint
        return None
    return state if state.get("told") == told else None
