"""Removals that were cut off are finished."""

from __future__ import annotations

from hopline.store.graph import Store
from hopline.store.removal import finish_removals


class RemoveMarked:
    """Deletes the documents and collections that are marked to be removed."""

    name = "remove"

    def __init__(self, store: Store) -> None:
        self.store = store

    def step(self) -> bool:
        """Finish what was begun; False where nothing waits."""
        return finish_removals(self.store)
