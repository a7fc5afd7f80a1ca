"""The door for themes: what a collection is about, learned from itself or from labelled texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from hopline.client.connections import Opened
from hopline.evaluation.labels import Labelled
from hopline.evaluation.questions import Question
from hopline.learned.weight_files import Card
from hopline.topics.collection_topics import CollectionThemes
from hopline.training.progress import Told
from hopline.training.training_loop import Recipe


class Theming(Opened):
    """Themes of collections, for `ras` and for people."""

    def themes(self, collection: str = "default") -> CollectionThemes:
        """The themes of a collection with how much evidence each has; empty where it has none.

        Raises:
            UnknownName: no such collection.
        """
        from hopline.topics.collection_topics import themes_of

        return themes_of(self._store, self._inventory.known_id(collection))

    def learn_themes(
        self,
        collection: str = "default",
        *,
        count: int | None = None,
        questions: Sequence[Question] = (),
        listener: Callable[[Told], None] | None = None,
    ) -> Card:
        """Cluster a collection's passages into ``count`` themes, name them, teach them to a classifier, and use it.

        ``questions`` with gold teach what the passages that answer are about; without any, a sentence of a passage
        stands for a question that the passage answers. Names are written by the configured model, or are the words
        that tell. New passages get their themes as they are read.

        Raises:
            UnknownName: no such collection.
            UsageError: it has too few passages.
        """
        from hopline.training.progress import unheard
        from hopline.training.topic_sets import learn_themes

        scope = self._scope(collection, ())
        weights = self.settings.weights / "themes"
        card = learn_themes(
            self._world, scope, weights, count=count, questions=questions, listener=listener or unheard,
            by_model=self._chat is not None,
        )  # fmt: skip
        self._choose(scope.collection, card)
        return card

    def train_themes(
        self,
        rows: Sequence[Labelled],
        name: str,
        *,
        recipe: Recipe | None = None,
        told: Mapping[str, Any] | None = None,
        listener: Callable[[Told], None] | None = None,
    ) -> Card:
        """Teach the labels of texts to a classifier, a set of themes that any collection can use by its ``name``.

        ``told`` says in the card what the data is.

        Raises:
            UsageError: too few rows, or no set can have this name.
        """
        from hopline.training.progress import unheard
        from hopline.training.topic_sets import teach_themes

        folder, embedder = self.settings.weights / "themes", self._world.embedder
        return teach_themes(embedder, rows, folder, name, recipe=recipe, told=told, listener=listener or unheard)

    def use_themes(self, name: str, collection: str = "default") -> None:
        """Give a collection a set of themes that was trained; "" takes its themes away.

        Raises:
            UnknownName: no such collection.
            UsageError: nothing was trained under this name.
        """
        from hopline.topics.collection_topics import choose_themes

        id = self._inventory.known_id(collection)
        if name:
            self._choose(id, self._themes_card(name))
        else:
            choose_themes(self._store, id, "", ())

    def _themes_card(self, name: str) -> Card:
        from hopline.learned.registry import LearnedParts
        from hopline.learned.topic_classifier import VERSION
        from hopline.learned.weight_files import load_weights

        folder: Path = LearnedParts(self.settings.weights).folder(f"themes/{name}")
        return load_weights(folder, version=VERSION)[1]

    def _choose(self, collection: str, card: Card) -> None:
        from hopline.topics.collection_topics import choose_themes

        choose_themes(self._store, collection, card.part.split("/")[1], card.shape["labels"])
        self._workers.ensure()
