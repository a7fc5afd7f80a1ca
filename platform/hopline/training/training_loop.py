"""The training loop of all networks, with checkpoints from which it can be resumed.

The order of rows, sampling and dropout depend on the seed and the step only, so that a resumed training gives the same
result as an uninterrupted one.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final, TypeVar

from hopline.atomic_files import replace_file
from hopline.training.progress import ProgressCallback, TrainingProgress, ignore_progress

if TYPE_CHECKING:
    from torch import Tensor, nn

T = TypeVar("T")
Loss = Callable[[Sequence[T], Random], "Tensor"]

CHECKPOINT_SECONDS: Final = 60.0
MIN_RATE: Final = 0.03  # fraction of the learning rate at the end
MAX_GRADIENT_NORM: Final = 1.0
WEIGHT_DECAY: Final = 0.01


@dataclass(frozen=True, slots=True)
class Recipe:
    """Hyperparameters of AdamW with linear warm-up, then linear decay.

    ``rate`` is the learning rate at the end of the warm-up, which takes the share ``warmup`` of all steps; ``slow``
    scales the rate of the encoder.
    """

    epochs: int
    batch: int
    rate: float
    slow: float = 1.0
    seed: int = 42
    warmup: float = 0.1


def fit(
    model: nn.Module,
    rows: Sequence[T],
    loss_of: Loss[T],
    recipe: Recipe,
    *,
    phase: str,
    checkpoint: Path | None = None,
    data: str = "",
    on_progress: ProgressCallback = ignore_progress,
    after_epoch: Callable[[int], None] = lambda _: None,
    continues: Callable[[], bool] = lambda: True,
) -> float:
    """Train ``model`` on ``rows`` in batches; returns the mean loss of the last epoch.

    ``after_epoch`` is called with the number of each epoch, from 1, after it, while the model is in evaluation mode,
    for model selection; a resumed training may call it again for the epoch that it was interrupted after. ``continues``
    is called after each epoch but the last, and ends the training by returning false (early stopping).

    The rate of parameters whose name begins with "encoder" is multiplied by ``recipe.slow``. ``checkpoint`` is written
    every minute and at the end; if one with the same recipe and the same ``data`` (`compute_fingerprint`) exists, the
    training is resumed from it.
    """
    import torch

    batches = -(-len(rows) // recipe.batch)
    total, done, losses = recipe.epochs * batches, 0, [0.0]
    optimiser = torch.optim.AdamW(_build_parameter_groups(model, recipe), weight_decay=WEIGHT_DECAY)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: scale_rate(step, total, recipe.warmup))
    metadata = {"phase": phase, "rows": len(rows), "data": data, **asdict(recipe)}
    if checkpoint is not None and (state := _load_checkpoint(checkpoint, metadata)) is not None:
        model.load_state_dict(state["model"])
        optimiser.load_state_dict(state["optimiser"])
        scheduler.load_state_dict(state["scheduler"])
        done, losses = state["done"], state["losses"]
    model.train()
    saved = time.monotonic()
    while done < total:
        epoch, batch = divmod(done, batches)
        losses = [] if batch == 0 else losses
        order = Random(f"{recipe.seed} {phase} {epoch}").sample(range(len(rows)), len(rows))  # noqa: S311 - no secret
        torch.manual_seed(recipe.seed * 1_000_003 + done)
        batch_rows = [rows[n] for n in order[batch * recipe.batch : (batch + 1) * recipe.batch]]
        loss = loss_of(batch_rows, Random(f"{recipe.seed} {phase} {done}"))  # noqa: S311 - no secret
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(model.parameters(), MAX_GRADIENT_NORM)
        optimiser.step()
        scheduler.step()
        losses.append(float(loss.detach()))
        done += 1
        on_progress(TrainingProgress(phase, done, total, sum(losses) / len(losses)))
        if done % batches == 0:
            model.eval()
            after_epoch(done // batches)
            model.train()
        if checkpoint is not None and (time.monotonic() - saved > CHECKPOINT_SECONDS or done == total):
            state = {"metadata": metadata, "done": done, "losses": losses, "model": model.state_dict()}
            _save_checkpoint(
                checkpoint, {**state, "optimiser": optimiser.state_dict(), "scheduler": scheduler.state_dict()}
            )
            saved = time.monotonic()
        if done % batches == 0 and done < total and not continues():
            break
    model.eval()
    return sum(losses) / len(losses)


def scale_rate(step: int, total: int, warmup: float) -> float:
    """Return the fraction of the learning rate at a step, counted from 0, of ``total``.

    It rises linearly to 1 during the share ``warmup`` of the steps, and then falls linearly to `MIN_RATE`.
    """
    rising = max(round(warmup * total), 1)
    return min((step + 1) / rising, max(MIN_RATE, (total - step) / (total - rising + 1)))


def compute_fingerprint(rows: Iterable[object], *config: object) -> str:
    """Hash the rows and the configuration of a training by their ``repr``."""
    digest = hashlib.sha256()
    for item in (*rows, *config):
        digest.update(f"{item!r}\n".encode())
    return digest.hexdigest()


def _build_parameter_groups(model: nn.Module, recipe: Recipe) -> list[dict[str, Any]]:
    trainable = [(name, item) for name, item in model.named_parameters() if item.requires_grad]
    encoder = [item for name, item in trainable if name.startswith("encoder")]
    others = [item for name, item in trainable if not name.startswith("encoder")]
    groups = [{"params": encoder, "lr": recipe.rate * recipe.slow}, {"params": others, "lr": recipe.rate}]
    return [group for group in groups if group["params"]]


def _save_checkpoint(checkpoint: Path, state: dict[str, Any]) -> None:
    import torch

    checkpoint.parent.mkdir(parents=True, exist_ok=True)
    replace_file(checkpoint, lambda file: torch.save(state, file))


def _load_checkpoint(checkpoint: Path, metadata: dict[str, Any]) -> dict[str, Any] | None:
    """Load the checkpoint of a training with the same metadata; None if there is none, or it cannot be read."""
    import torch

    if not checkpoint.exists():
        return None
    try:
        state: dict[str, Any] = torch.load(checkpoint, weights_only=True)
    except Exception:  # noqa: BLE001 - a truncated file raises many kinds of errors
        return None
    return state if state.get("metadata") == metadata else None
