"""The embedders: sentence-transformers on this machine, or an OpenAI-compatible endpoint."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from threading import Lock

import numpy as np

from hopline.config import Settings
from hopline.embeddings.minilm import MiniLM, shipped_folder
from hopline.embeddings.sentence_transformer import SentenceModel
from hopline.flow.requests import Vectors
from hopline.flow.services import Embedder
from hopline.ids import stable_id

KEPT = 256  # single texts whose vectors are remembered


def load_embedder(settings: Settings) -> Embedder:
    """The embedder that the settings name; its model is read when the first text comes.

    ``minilm`` is all-MiniLM-L6-v2 as shipped in a wheel; ``openai:<model>`` asks the endpoint of
    the settings; anything else is a folder or a name that sentence-transformers knows.
    """
    wanted = settings.embedder
    if wanted == MiniLM.name:
        return Remembering(MiniLM(shipped_folder()))
    if wanted.startswith("openai:"):
        from hopline.embeddings.openai_embedder import RemoteEmbedder
        from hopline.llm.endpoint import endpoint_of

        model = wanted.removeprefix("openai:")
        return Remembering(RemoteEmbedder(property_name(model), model, endpoint_of(settings)))
    return Remembering(SentenceModel(property_name(Path(wanted).name if Path(wanted).is_dir() else wanted), wanted))


def property_name(model: str) -> str:
    """A model's name as lower-case letters, digits and underscores that begin with a letter."""
    slug = re.sub(r"[^a-z0-9]+", "_", model.lower()).strip("_")
    return slug if slug[:1].isalpha() else f"e_{slug or stable_id(model)}"


class Remembering:
    """An embedder that remembers the vectors of the last single texts: questions come again."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._kept: OrderedDict[str, Vectors] = OrderedDict()
        self._lock = Lock()

    @property
    def name(self) -> str:
        """Name of the vector property."""
        return self._embedder.name

    @property
    def dimension(self) -> int:
        """Numbers in one vector."""
        return self._embedder.dimension

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Texts -> float32 (n, d), rows of unit length, in order; no text -> (0, d)."""
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        if len(texts) > 1:
            return self._embedder.embed(texts)
        with self._lock:
            if texts[0] in self._kept:
                self._kept.move_to_end(texts[0])
                return self._kept[texts[0]].copy()
        vectors = self._embedder.embed(texts)
        with self._lock:
            self._kept[texts[0]] = vectors.copy()
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return vectors
