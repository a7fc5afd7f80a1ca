"""Completion of interrupted removals."""

from __future__ import annotations

from hopline.store.graph import Store
from hopline.store.removal import resume_removals


class FinishRemovals:
    """Deletes the documents and collections that are marked for removal."""

    name = "remove"

    def __init__(self, store: Store) -> None:
        self.store = store

    def step(self) -> bool:
        """Delete what is marked for removal; return False if nothing is."""
        return resume_removals(self.store)
