"""The trained MDR encoder: MiniLM with a LoRA adapter, which predicts the vector of the next passage."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from hopline.embeddings.minilm import MiniLM, minilm_folder
from hopline.flow.requests import Vectors
from hopline.learned.weight_files import load_weights

VERSION: Final = 1  # raise it when the adapter is applied differently


class TrainedMdr:
    """Embeds a question with the passages so far; its nearest passages are the ones to retrieve next."""

    def __init__(self, encoder: MiniLM) -> None:
        self._encoder = encoder

    def __call__(self, *, texts: Sequence[str]) -> Vectors:
        """Embed texts: float32 (n, 384), unit rows, in order."""
        return self._encoder.embed(texts)


def load_mdr(folder: Path) -> TrainedMdr:
    """Load the encoder from a folder of weights.

    Raises:
        UsageError: as `load_weights`.
    """
    adapter, _ = load_weights(folder, version=VERSION)
    return TrainedMdr(MiniLM(minilm_folder(), adapter=adapter))
