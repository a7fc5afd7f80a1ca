"""Update of entities whose mentions changed: their name, kind and aliases."""

from __future__ import annotations

from hopline.store.entity_update import update_entities
from hopline.store.graph import Store


class UpdateEntities:
    """Updates all entities marked as changed; the result does not depend on the order of writes."""

    name = "update entities"

    def __init__(self, store: Store) -> None:
        self.store = store

    def step(self) -> bool:
        """Update the entities; return False if none is marked."""
        return bool(update_entities(self.store))
