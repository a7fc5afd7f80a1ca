"""Embeddings from an OpenAI-compatible endpoint."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock

import numpy as np

from hopline.errors import ModelUnavailable
from hopline.flow.requests import Vectors
from hopline.llm.endpoint import Endpoint, completion_from_error
from hopline.llm.provider import Completion
from hopline.llm.retries import with_retries
from hopline.scoring.normalization import normalize_rows

BATCH = 64


class OpenAIEmbedder:
    """One embedding model of one endpoint; ``name`` is the name of the vector property."""

    def __init__(self, name: str, model: str, endpoint: Endpoint) -> None:
        self.name = name
        self._model = model
        self._endpoint = endpoint
        self._dimension: int | None = None
        self._lock = Lock()

    @property
    def dimension(self) -> int:
        """The length of a vector; the first use embeds a text to find it."""
        with self._lock:
            if self._dimension is None:
                self._dimension = self._embed_batch(["dimension"]).shape[1]
            return self._dimension

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Embed texts: float32 (n, d), unit rows, in order.

        Raises:
            ModelUnavailable: the endpoint did not answer, or not with one vector for each text.
        """
        batches = [self._embed_batch(texts[start : start + BATCH]) for start in range(0, len(texts), BATCH)]
        return np.concatenate(batches) if batches else np.zeros((0, self.dimension), dtype=np.float32)

    def close(self) -> None:
        """Close the connections."""
        self._endpoint.close()

    def _embed_batch(self, texts: Sequence[str]) -> Vectors:
        results: list[Vectors] = []

        def attempt() -> Completion:
            from openai import APIError

            # most endpoints reject an empty text
            inputs = [text if text.strip() else "." for text in texts]
            try:
                reply = self._endpoint.client().embeddings.create(
                    model=self._model, input=inputs, encoding_format="float"
                )
            except APIError as error:
                return completion_from_error(
                    error, address=self._endpoint.address, model=self._model, timeout=self._endpoint.timeout
                )
            rows = [row.embedding for row in sorted(reply.data, key=lambda row: row.index)]
            if len(rows) != len(texts) or len({len(row) for row in rows}) != 1:
                return Completion(
                    error=f"model {self._model!r} gave {len(rows)} vectors for {len(texts)} texts", retryable=True
                )
            results.append(normalize_rows(np.array(rows, dtype=np.float32)))
            return Completion()

        completion = with_retries(attempt, retries=self._endpoint.retries, limiter=self._endpoint.limiter)
        if completion.error:
            raise ModelUnavailable(f"no embeddings: {completion.error}")
        return results[-1]
