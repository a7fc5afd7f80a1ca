"""Update of entities whose mentions changed, because evidence was extracted or removed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hopline.records import UNNAMED_KINDS
from hopline.text_encoding import FOLDED_LETTERS

if TYPE_CHECKING:
    from hopline.store.graph import Store

_ENTITIES: Final = 2000  # per transaction


def update_entities(store: Store) -> int:
    """Compute the name, kind and aliases of the entities marked as changed from their mentions; return their number."""
    parameters = {"common": sorted(UNNAMED_KINDS), "embedding": store.embedding, "letters": FOLDED_LETTERS}
    return store.write_until_done("ingest/update_entities", parameters, limit=_ENTITIES, column="settled")
