"""The topics of collections: list them, and assign a trained set of topics (``hop.topics``)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from hopline.learned.registry import ModelRegistry
from hopline.learned.topic_classifier import VERSION
from hopline.learned.weight_files import ModelCard, load_weights
from hopline.topics.collection_topics import CollectionTopics, assign_topics, read_topics

if TYPE_CHECKING:
    from hopline.store.collection_catalog import CollectionCatalog
    from hopline.store.graph import Store


class TopicService:
    """The topics of all collections; the strategy ``ras`` searches within them."""

    def __init__(
        self, store: Store, collections: CollectionCatalog, weights: Path, start_worker: Callable[[], object]
    ) -> None:
        """``weights`` is the folder of trained models; ``start_worker`` is called when evidence waits for topics."""
        self._store = store
        self._collections = collections
        self._weights = weights
        self._start_worker = start_worker

    def list(self, collection: str = "default") -> CollectionTopics:
        """Return the topics of a collection with the amount of evidence of each; empty if it has no topic set.

        Raises:
            UnknownName: no such collection.
        """
        return read_topics(self._store, self._collections.require_id(collection))

    def assign(self, name: str, collection: str = "default") -> None:
        """Assign a trained topic set to a collection; the name "" removes its topics.

        Raises:
            UnknownName: no such collection.
            UsageError: no topic set has this name.
        """
        id = self._collections.require_id(collection)
        if name:
            self.assign_card(id, self._load_card(name))
        else:
            assign_topics(self._store, id, "", ())

    def assign_card(self, collection: str, card: ModelCard) -> None:
        """Assign the topic set that a model card describes to a collection, given by its id."""
        assign_topics(self._store, collection, card.part.split("/")[1], card.shape["labels"])
        self._start_worker()

    def _load_card(self, name: str) -> ModelCard:
        folder = ModelRegistry(self._weights).folder(f"themes/{name}")
        return load_weights(folder, version=VERSION)[1]
