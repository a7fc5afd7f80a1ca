"""Collections that are to be extracted or embedded again have all that is in them marked as missing."""

from __future__ import annotations

from typing import Final

from hopline.store.graph import Store

_MARKED: Final = 10_000  # nodes a transaction
_EXTRACT: Final = ("ingest/mark_unread",)
_EMBED: Final = (
    "ingest/mark_unembedded_evidence",
    "ingest/mark_unembedded_triples",
    "ingest/mark_unembedded_entities",
)


class MarkCollections:
    """Marks whole collections; each keeps its own mark until all is marked, so that it may be cut off anywhere."""

    name = "mark"

    def __init__(self, store: Store) -> None:
        self.store = store

    def step(self) -> bool:
        """Mark what is in these collections; False where there is none."""
        found = self.store.columns("ingest/marked_collections")
        for id, extract, embed in zip(found["id"], found["extract"], found["embed"], strict=True):
            if extract:
                self._mark(_EXTRACT, id)
                self.store.write(("ingest/unmark_extract", {"collection": id}))
            if embed:
                self._mark(_EMBED, id)
                self.store.write(("ingest/unmark_embed", {"collection": id}))
        return bool(found["id"])

    def _mark(self, statements: tuple[str, ...], collection: str) -> None:
        for statement in statements:
            while self.store.write((statement, {"collection": collection, "limit": _MARKED}))[0]["marked"][0]:
                pass
