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


class SentenceTransformerEmbedder:
    """Any model that sentence-transformers can load from a folder or from its local cache.

    Nothing is downloaded: a named model must be in the local cache. Torch is imported, and the
    model loaded, with the first text.
    """

    def __init__(self, name: str, source: str) -> None:
        self.name = name
        self._source = source
        self._model: Any = None
        self._lock = Lock()

    @property
    def is_loaded(self) -> bool:
        """Whether the model is in memory."""
        return self._model is not None

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        with self._lock:
            return int(self._load().get_embedding_dimension())

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Embed texts: float32 (n, d), unit rows, in order; batches are sorted by length."""
        with self._lock:
            model = self._load()
            if not texts:
                return np.zeros((0, int(model.get_embedding_dimension())), dtype=np.float32)
            rows = model.encode(list(texts), batch_size=BATCH, normalize_embeddings=True, show_progress_bar=False)
        return np.asarray(rows, dtype=np.float32)

    def _load(self) -> Any:
        if self._model is None:
            from sentence_transformers import SentenceTransformer

            with _disable_progress_bar():
                try:
                    self._model = SentenceTransformer(self._source, local_files_only=True)
                except (OSError, ValueError) as error:
                    raise ModelUnavailable(
                        f"the embedder {self._source!r} is neither a folder with a sentence-transformers model nor in "
                        f"the local cache; download it first with: hf download {self._source} ({error})"
                    ) from error
        return self._model


@contextmanager
def _disable_progress_bar() -> Iterator[None]:
    """Hide the progress bar of transformers while a model is loaded."""
    from transformers.utils import logging

    transformers_logging: Any = logging
    was_enabled = transformers_logging.is_progress_bar_enabled()
    transformers_logging.disable_progress_bar()
    try:
        yield
    finally:
        if was_enabled:
            transformers_logging.enable_progress_bar()
