"""Entities whose mentions changed get the name, kind and aliases that these say."""

from __future__ import annotations

from hopline.store.graph import Store
from hopline.store.removal import settle_entities


class SettleEntities:
    """Settles all entities that wait for it, whatever the order in which their mentions were written."""

    name = "settle"

    def __init__(self, store: Store) -> None:
        self.store = store

    def step(self) -> bool:
        """Settle them; False where none waits."""
        return bool(settle_entities(self.store))
