"""The trainable parameters of a large network as a separate module."""

from __future__ import annotations

from torch import nn


class TrainableParameters(nn.Module):
    """Holds the trainable parameters of a model, so that checkpoints are small; training it trains the model."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        for n, value in enumerate(value for value in model.parameters() if value.requires_grad):
            self.register_parameter(f"p{n}", value)
        self._model = [model]

    def train(self, mode: bool = True) -> TrainableParameters:  # noqa: FBT001, FBT002 - the signature of torch
        """Set the mode of the model, training or evaluation."""
        self._model[0].train(mode)
        return self
