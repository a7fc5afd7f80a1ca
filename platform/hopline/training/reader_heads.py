"""Networks with heads of their own that are trained from the weights of a reader."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import torch

from hopline.embeddings.minilm import load_torch_minilm, select_device
from hopline.learned.reader import load_into
from hopline.learned.reader_network import ReaderNetwork
from hopline.learned.weight_files import ModelCard, save_weights

Network = TypeVar("Network", bound=ReaderNetwork)


def build_from_reader(network_type: type[Network], base: Path, seed: int) -> tuple[Network, Any]:
    """Build a network from the reader in ``base``, its own heads at random by the seed; returns its tokenizer too."""
    bert, tokenizer = load_torch_minilm(select_device())
    tokenizer.no_truncation()
    torch.manual_seed(seed)
    network = network_type(bert)
    load_into(network, base, strict=False)
    network.to(select_device())
    return network, tokenizer


def save_trained(network: ReaderNetwork, folder: Path, card: ModelCard, checkpoint: Path | None = None) -> ModelCard:
    """Write the weights, in half precision, and the card to a folder, and remove the checkpoint of the training."""
    weights = {name: value.detach().cpu().numpy().astype(np.float16) for name, value in network.state_dict().items()}
    saved = save_weights(folder, weights, card)
    if checkpoint is not None:
        checkpoint.unlink(missing_ok=True)
    return saved
