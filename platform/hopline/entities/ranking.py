"""The entities of a collection that most of its passages and tables mention."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hopline.entities.types import describe_type, list_kinds
from hopline.flow.columns import to_rows
from hopline.results import Node

if TYPE_CHECKING:
    from hopline.store.graph import Store

CANDIDATES: Final = 5  # entities per entity wanted


@dataclass(frozen=True, slots=True)
class RankedEntity:
    """An entity with its type, such as "person", or "" if it is unknown, and the numbers of what mentions it.

    ``passages`` counts passages and tables, ``documents`` the documents that contain them.
    """

    node: Node
    type: str
    passages: int
    documents: int


def list_ranked_entities(
    store: Store,
    collection: str,
    limit: int,
    *,
    types: Sequence[str] = (),
    unlinked: Sequence[str] = (),
    documents: Sequence[str] = (),
    candidates: int = CANDIDATES,
) -> list[RankedEntity]:
    """List the most mentioned entities of a collection, by its id: of these types, of no kind in ``unlinked``.

    ``candidates`` are the entities per entity wanted that are counted without documents that are being removed.

    Raises:
        UnknownName: there is no such type.
    """
    parameters = {"kinds": list_kinds(types), "unlinked": list(unlinked), "documents": list(documents), "limit": limit}
    parameters |= {"collection": collection, "candidates": candidates * limit}
    return [
        RankedEntity(
            Node(row["id"], "entity", row["name"]), describe_type(row["kind"]), row["passages"], row["documents"]
        )
        for row in to_rows(store.read("explore/ranked_entities", parameters))
    ]
