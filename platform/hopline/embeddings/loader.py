"""Loading of embedders: the bundled MiniLM, local sentence-transformers, OpenAI-compatible endpoints."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock

import numpy as np

from hopline.config import Settings
from hopline.embeddings.minilm import MiniLM, minilm_folder
from hopline.embeddings.sentence_transformer import SentenceTransformerEmbedder
from hopline.flow.requests import Vectors
from hopline.flow.services import Embedder
from hopline.ids import stable_id

CACHE_SIZE = 256  # vectors of single texts
_REMOTE = "openai:"  # before the name of a model of an endpoint


def load_embedder(settings: Settings) -> CachedEmbedder:
    """Create the embedder that the settings name; its model is loaded with the first text.

    ``minilm`` is all-MiniLM-L6-v2 from its wheel; ``openai:<model>`` is a model of the endpoint in
    the settings; anything else is a folder or a name for sentence-transformers.
    """
    model, name = settings.embedder, get_embedder_name(settings)
    if model == MiniLM.name:
        return CachedEmbedder(MiniLM(minilm_folder()))
    if model.startswith(_REMOTE):
        from hopline.embeddings.openai_embedder import OpenAIEmbedder
        from hopline.llm.endpoint import endpoint_from_settings

        remote = OpenAIEmbedder(name, model.removeprefix(_REMOTE), endpoint_from_settings(settings))
        return CachedEmbedder(remote, remote.close)
    return CachedEmbedder(SentenceTransformerEmbedder(name, model))


def get_embedder_name(settings: Settings) -> str:
    """Return the name of the embedder that the settings name, without creating it."""
    model = settings.embedder
    if model.startswith(_REMOTE):
        return to_property_name(model.removeprefix(_REMOTE))
    return to_property_name(Path(model).name if model != MiniLM.name and Path(model).is_dir() else model)


def to_property_name(model: str) -> str:
    """Convert a model's name to lower-case letters, digits and underscores that begin with a letter."""
    slug = re.sub(r"[^a-z0-9]+", "_", model.lower()).strip("_")
    return slug if slug[:1].isalpha() else f"e_{slug or stable_id(model)}"


class CachedEmbedder:
    """An embedder with an LRU cache of `CACHE_SIZE` vectors of single texts, since questions are repeated.

    ``close`` closes its connections, if it has any.
    """

    def __init__(self, embedder: Embedder, close: Callable[[], None] | None = None) -> None:
        self._embedder = embedder
        self._close = close
        self._cache: OrderedDict[str, Vectors] = OrderedDict()
        self._lock = Lock()

    @property
    def name(self) -> str:
        """The name of the vector property."""
        return self._embedder.name

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        return self._embedder.dimension

    @property
    def known_dimension(self) -> int | None:
        """The length of a vector, or None if a model has to be loaded or a server to be asked for it."""
        return self._embedder.dimension if isinstance(self._embedder, MiniLM) else None

    @property
    def is_loaded(self) -> bool:
        """Whether the model is in memory; a model of an endpoint never is."""
        return isinstance(self._embedder, MiniLM | SentenceTransformerEmbedder) and self._embedder.is_loaded

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Embed texts: float32 (n, d), unit rows, in order; (0, d) for no texts."""
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        if len(texts) > 1:
            return self._embedder.embed(texts)
        with self._lock:
            if texts[0] in self._cache:
                self._cache.move_to_end(texts[0])
                return self._cache[texts[0]].copy()
        vectors = self._embedder.embed(texts)
        with self._lock:
            self._cache[texts[0]] = vectors.copy()
            while len(self._cache) > CACHE_SIZE:
                self._cache.popitem(last=False)
        return vectors

    def close(self) -> None:
        """Close the connections of a remote embedder."""
        if self._close is not None:
            self._close()
