"""Marking of outdated collections: all their nodes are marked as missing, to be extracted or embedded again."""

from __future__ import annotations

from typing import Final

from hopline.store.graph import Store

_NODES_PER_TRANSACTION: Final = 10_000
_EXTRACT: Final = ("ingest/mark_unextracted_evidence",)
_EMBED: Final = (
    "ingest/mark_unembedded_evidence",
    "ingest/mark_unembedded_triples",
    "ingest/mark_unembedded_entities",
)


class MarkOutdated:
    """Marks the nodes of outdated collections; a collection's own mark is cleared last, so a crash loses nothing."""

    name = "mark outdated"

    def __init__(self, store: Store) -> None:
        self.store = store

    def step(self) -> bool:
        """Mark the nodes of all outdated collections; return False if there is none."""
        collections = self.store.read("ingest/collections_to_process")
        for id, extract, embed in zip(collections["id"], collections["extract"], collections["embed"], strict=True):
            if extract:
                self._mark(_EXTRACT, id)
                self.store.write(("ingest/clear_extract_mark", {"collection": id}))
            if embed:
                self._mark(_EMBED, id)
                self.store.write(("ingest/clear_embed_mark", {"collection": id}))
        return bool(collections["id"])

    def _mark(self, statements: tuple[str, ...], collection: str) -> None:
        for statement in statements:
            self.store.write_until_done(
                statement, {"collection": collection}, limit=_NODES_PER_TRANSACTION, column="marked"
            )
