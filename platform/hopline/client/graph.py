"""The door for looking around in the graph."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from hopline.client.connections import Opened
from hopline.graph_explorer import Detail, Explorer, Found, Neighbourhood
from hopline.types import Kind, Step


class Exploring(Opened):
    """Nodes by name, what stands around them, and the ways between them."""

    def explore(self, node: str, hops: int = 1, *, limit: int = 300) -> Neighbourhood:
        """What stands around a node, by its id: at most ``limit`` edges.

        Raises:
            UnknownName: no node has this id.
        """
        return self._explorer.around(node, hops, limit)

    def find(
        self,
        text: str,
        *,
        collection: str = "default",
        kinds: Sequence[Kind] = ("entity", "document", "table", "passage"),
        limit: int = 10,
    ) -> list[Found]:
        """Nodes by name or text, kind by kind, at most ``limit`` of each; names that begin with ``text`` first.

        Raises:
            UsageError: a kind that cannot be searched for.
        """
        return self._explorer.find(text, self._inventory.id_of(collection), kinds, limit)

    def overview(self, collection: str = "default", *, limit: int = 300) -> Neighbourhood:
        """The names that a collection's evidence shares most, with that evidence: at most ``limit`` nodes.

        ``total`` counts all nodes of the collection. Of a large one a sample is looked at.
        """
        return self._explorer.overview(self._inventory.id_of(collection), limit)

    def between(self, source: str, target: str, *, limit: int = 3) -> list[tuple[Step, ...]]:
        """The shortest ways between two nodes by their ids, of equal length; none within 8 edges: an empty list."""
        return self._explorer.between(source, target, limit)

    def detail(self, node: str) -> Detail:
        """One node in full: its texts, where they name it, and its triples.

        Raises:
            UnknownName: no node has this id.
        """
        return self._explorer.detail(node)

    @cached_property
    def _explorer(self) -> Explorer:
        return Explorer(self._store)
