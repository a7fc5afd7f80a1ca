"""The trained guide: MiniLM with a low-rank change, whose vectors lie where the next passage is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from hopline.embeddings.minilm import MiniLM, shipped_folder
from hopline.flow.requests import Vectors
from hopline.learned.weight_files import load_weights

VERSION: Final = 1  # raise it when the change is applied in another way


class NextPassage:
    """Texts into the space of the collection's own vectors: what is near is what should be read next."""

    def __init__(self, encoder: MiniLM) -> None:
        self._encoder = encoder

    def __call__(self, *, texts: Sequence[str]) -> Vectors:
        """Texts -> float32 (n, 384), rows of unit length, in order."""
        return self._encoder.embed(texts)


def load_mdr(folder: Path) -> NextPassage:
    """The guide whose weights are in a folder.

    Raises:
        UsageError: as `load_weights`.
    """
    change, _ = load_weights(folder, version=VERSION)
    return NextPassage(MiniLM(shipped_folder(), change=change))
