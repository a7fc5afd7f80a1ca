"""The part of a large network that learns, as a network of its own."""

from __future__ import annotations

from torch import nn


class Learning(nn.Module):
    """What a checkpoint keeps of a model of which little learns; trained, it trains the whole."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        for n, value in enumerate(value for value in model.parameters() if value.requires_grad):
            self.register_parameter(f"p{n}", value)
        self._model = [model]

    def train(self, mode: bool = True) -> Learning:  # noqa: FBT001, FBT002 - torch's own form
        self._model[0].train(mode)
        return self
