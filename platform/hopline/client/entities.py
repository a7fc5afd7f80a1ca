"""The door for names that mean the same."""

from __future__ import annotations

from functools import cached_property

from hopline.client.connections import Opened
from hopline.entities.resolution import Decision, Merger, Suggestion


class Merging(Opened):
    """Entities of one thing that are written in two ways: found, merged, told apart, and back."""

    def same_names(self, collection: str = "default", *, limit: int = 20) -> list[Suggestion]:
        """Pairs of entities that may be one, by how they are written; the surest first, none that was decided about."""
        return self._merger.suggestions(self._inventory.id_of(collection), limit)

    def merge(self, source: str, target: str) -> None:
        """One entity is the other from now on, for every strategy; `undo` takes it back as if it had not been.

        Raises:
            UnknownName: an id of no entity.
            UsageError: both are the same, or of two collections.
        """
        self._have_embedded(self._merger.merge(source, target))

    def refuse(self, one: str, other: str) -> None:
        """Two entities are not the same: they are not suggested again.

        Raises:
            UnknownName: an id of no entity.
        """
        self._merger.refuse(one, other)

    def decisions(self, collection: str = "default") -> list[Decision]:
        """What was merged and what was refused, the newest first."""
        return self._merger.decisions(self._inventory.id_of(collection))

    def undo(self, decision: str) -> None:
        """Take a decision back, by its id.

        Raises:
            UnknownName: no such decision.
        """
        self._have_embedded(self._merger.undo(decision))

    def _have_embedded(self, waiting: bool) -> None:  # noqa: FBT001 — one flag, named at its calls
        if waiting:
            self._workers.ensure()

    @cached_property
    def _merger(self) -> Merger:
        from hopline.entities.resolution import Merger

        return Merger(self._store)
