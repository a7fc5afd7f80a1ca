"""Selection of the best epoch of a training by a score on validation data."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from torch import nn

from hopline.atomic_files import replace_file


class BestEpoch:
    """Stores the parameters of the epoch with the highest score in a file, so that a training can be resumed."""

    def __init__(self, model: nn.Module, evaluate: Callable[[], tuple[float, ...]], file: Path, *, data: str) -> None:
        """``evaluate`` returns the score of the model as it is; ``data`` identifies the training."""
        self._model, self._evaluate, self._file, self._data = model, evaluate, file, data

    def update(self, epoch: int) -> None:
        """Evaluate the model after ``epoch``, and store it if its score is higher than that of all epochs before."""
        score, best = list(self._evaluate()), self._load()
        if best is None or score > best["score"]:
            state = {"data": self._data, "score": score, "epoch": epoch, "model": self._model.state_dict()}
            self._file.parent.mkdir(parents=True, exist_ok=True)
            replace_file(self._file, lambda file: torch.save(state, file))

    def restore(self) -> int:
        """Load the parameters of the best epoch into the model; returns its number, from 1, or 0 if none is stored."""
        best = self._load()
        if best is None:
            return 0
        self._model.load_state_dict(best["model"])
        epoch: int = best["epoch"]
        return epoch

    def _load(self) -> dict[str, Any] | None:
        """Load the best epoch of the same training; None if there is none, or it cannot be read."""
        if not self._file.exists():
            return None
        try:
            state: dict[str, Any] = torch.load(self._file, weights_only=True)
        except Exception:  # noqa: BLE001 - a truncated file raises many kinds of errors
            return None
        return state if state.get("data") == self._data else None
