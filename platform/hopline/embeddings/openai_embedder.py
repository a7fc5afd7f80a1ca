"""Embeddings from an OpenAI-compatible endpoint."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock

import numpy as np

from hopline.errors import ModelUnavailable
from hopline.flow.requests import Vectors
from hopline.llm.endpoint import Endpoint, failure
from hopline.llm.provider import Said, persist

BATCH = 64


class RemoteEmbedder:
    """One embedding model of one endpoint; ``name`` is that of the vector property."""

    def __init__(self, name: str, model: str, endpoint: Endpoint) -> None:
        self.name = name
        self._model = model
        self._endpoint = endpoint
        self._dimension: int | None = None
        self._lock = Lock()

    @property
    def dimension(self) -> int:
        """Numbers in one vector; the endpoint is asked once."""
        with self._lock:
            if self._dimension is None:
                self._dimension = self._batch(["dimension"]).shape[1]
            return self._dimension

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Texts -> float32 (n, d), rows of unit length, in order.

        Raises:
            ModelUnavailable: the endpoint did not answer, or not with a vector a text.
        """
        batches = [self._batch(texts[start : start + BATCH]) for start in range(0, len(texts), BATCH)]
        return np.concatenate(batches) if batches else np.zeros((0, self.dimension), dtype=np.float32)

    def close(self) -> None:
        """Let go of connections."""
        self._endpoint.close()

    def _batch(self, texts: Sequence[str]) -> Vectors:
        came: list[Vectors] = []

        def attempt() -> Said:
            from openai import APIError

            # an empty text is refused by most endpoints
            inputs = [text if text.strip() else "." for text in texts]
            try:
                reply = self._endpoint.client().embeddings.create(
                    model=self._model, input=inputs, encoding_format="float"
                )
            except APIError as error:
                return failure(error, base_url=self._endpoint.base_url, model=self._model)
            rows = [row.embedding for row in sorted(reply.data, key=lambda row: row.index)]
            if len(rows) != len(texts) or len({len(row) for row in rows}) != 1:
                return Said(error=f"model {self._model!r} gave {len(rows)} vectors for {len(texts)} texts", again=True)
            came.append(unit_rows(np.array(rows, dtype=np.float32)))
            return Said()

        said = persist(attempt, retries=self._endpoint.retries, pace=self._endpoint.pace)
        if said.error:
            raise ModelUnavailable(f"no embeddings: {said.error}")
        return came[-1]


def unit_rows(vectors: Vectors) -> Vectors:
    """Rows of length 1 as float32; a row of zeros stays as it is."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    rows: Vectors = np.divide(vectors, lengths, out=vectors.copy(), where=lengths > 0)
    return rows
