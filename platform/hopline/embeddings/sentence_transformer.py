"""A sentence-transformers model on this machine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Lock
from typing import Any

import numpy as np

from hopline.errors import ModelUnavailable
from hopline.flow.requests import Vectors

BATCH = 32


class SentenceModel:
    """Any model that sentence-transformers can read from a folder or from its local cache.

    Nothing is downloaded: a name must have been fetched before. Torch is imported, and the
    model read, when the first text comes.
    """

    def __init__(self, name: str, source: str) -> None:
        self.name = name
        self._source = source
        self._model: Any = None
        self._lock = Lock()

    @property
    def dimension(self) -> int:
        """Numbers in one vector."""
        with self._lock:
            return int(self._loaded().get_embedding_dimension())

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Texts -> float32 (n, d), rows of unit length, in order; batches are sorted by length."""
        with self._lock:
            model = self._loaded()
            if not texts:
                return np.zeros((0, int(model.get_embedding_dimension())), dtype=np.float32)
            rows = model.encode(list(texts), batch_size=BATCH, normalize_embeddings=True, show_progress_bar=False)
        return np.asarray(rows, dtype=np.float32)

    def _loaded(self) -> Any:
        if self._model is None:
            from sentence_transformers import SentenceTransformer

            with _quiet():
                try:
                    self._model = SentenceTransformer(self._source, local_files_only=True)
                except (OSError, ValueError) as error:
                    raise ModelUnavailable(
                        f"the embedder {self._source!r} is neither a folder with a sentence-transformers model nor in "
                        f"the local cache; fetch it first with: hf download {self._source} ({error})"
                    ) from error
        return self._model


@contextmanager
def _quiet() -> Iterator[None]:
    """Read weights without a progress bar."""
    from transformers.utils import logging

    progress: Any = logging
    shown = progress.is_progress_bar_enabled()
    progress.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            progress.enable_progress_bar()
