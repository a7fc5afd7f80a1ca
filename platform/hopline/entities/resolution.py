"""Entity resolution: suggest, merge and separate entities with similar names (``hop.entities``)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hopline.entities.linking import EntityName
from hopline.entities.name_similarity import NamePair, find_similar_names
from hopline.errors import UnknownName, UsageError
from hopline.flow.columns import to_rows
from hopline.ids import stable_id
from hopline.results import Node
from hopline.text_encoding import FOLDED_LETTERS

if TYPE_CHECKING:
    from hopline.store.collection_catalog import CollectionCatalog
    from hopline.store.graph import Store

MAX_NAMES: Final = 50_000  # names to compare, by number of mentions
ENTITY_ADVICE: Final = "pass the id of an entity that was not merged, as `hop.graph.find` returns it"
DECISION_ADVICE: Final = "pass the id of a decision, as `hop.entities.decisions` returns it"
_OVERSAMPLING: Final = 5  # pairs checked in the graph per suggestion that is returned
_CO_MENTION_BONUS: Final = 0.05  # for a pair in one document: a short form often follows the long one


@dataclass(frozen=True, slots=True)
class MergeSuggestion:
    """Two entities that may be the same: ``source`` may be another name of ``target``.

    ``score`` is in (0, 1], ``sizes`` counts the evidence that mentions each, ``together`` the documents that mention
    both.
    """

    source: Node
    target: Node
    reason: str
    score: float
    sizes: tuple[int, int] = (0, 0)
    together: int = 0


@dataclass(frozen=True, slots=True)
class MergeDecision:
    """A decision about two entities: ``merged`` or rejected. ``at`` is in seconds since 1970."""

    id: str
    merged: bool
    source: str
    target: str
    at: float


class EntityResolution:
    """Suggests, merges and rejects pairs of entities, and undoes such decisions.

    A merged entity is retained outside the searched graph; its edges are redirected to the other entity and store their
    origin, so that a merge can be undone exactly.
    """

    def __init__(self, store: Store, collections: CollectionCatalog, start_worker: Callable[[], object]) -> None:
        """``start_worker`` is called when a name waits to be embedded."""
        self._store = store
        self._collections = collections
        self._start_worker = start_worker

    def similar_names(self, collection: str = "default", *, limit: int = 20) -> list[MergeSuggestion]:
        """Return pairs of entities with similar names, most certain first, without pairs that were decided.

        Raises:
            UnknownName: no such collection.
        """
        id = self._collections.require_id(collection)
        columns = self._store.read("entities/named_entities", {"collection": id, "limit": MAX_NAMES})
        names = [EntityName(**{**row, "aliases": tuple(row["aliases"])}) for row in to_rows(columns)]
        rejected = self._store.read("entities/rejected_merges", {"collection": id})
        decided = {frozenset(pair) for pair in zip(rejected["one"], rejected["other"], strict=True)}
        pairs = [
            pair for pair in find_similar_names(names) if frozenset((pair.source.id, pair.target.id)) not in decided
        ]
        return self._rate_pairs(pairs[: _OVERSAMPLING * limit])[:limit]

    def merge(self, source: str, target: str) -> None:
        """Merge one entity into another, by their ids, for every strategy; `undo` restores both exactly.

        Raises:
            UnknownName: no entity has one of the ids.
            UsageError: both ids are the same, or the entities belong to two collections.
        """
        if source == target:
            raise UsageError("an entity cannot be merged into itself; name two")
        (collection, _), (target_collection, _) = self._read_entity(source), self._read_entity(target)
        if collection != target_collection:
            raise UsageError("entities of two collections cannot be merged; name two of one collection")
        pair = {"id": build_pair_id(source, target)}
        _, merged, redirected, _ = self._store.write(
            ("entities/clear_rejected_merge", pair),
            ("entities/merge", {"source": source, "target": target}),
            ("entities/redirect_edges", {"collection": collection}),
            ("entities/update_names", {"ids": [target], "letters": FOLDED_LETTERS}),
        )
        if not merged["name"]:  # another process merged one of them in the meantime
            raise UnknownName("entity", source, advice=ENTITY_ADVICE)
        if redirected["waiting"][0]:
            self._start_worker()

    def reject(self, first: str, second: str) -> None:
        """Record that two entities, by their ids, are not the same: they are not suggested again.

        Raises:
            UnknownName: no entity has one of the ids.
        """
        (collection, name), (_, second_name) = self._read_entity(first), self._read_entity(second)
        pair = {"id": build_pair_id(first, second), "collection": collection, "one": first, "other": second}
        self._store.write(("entities/reject_merge", {**pair, "names": [name, second_name]}))

    def decisions(self, collection: str = "default") -> list[MergeDecision]:
        """Return the merged and the rejected pairs of a collection, newest first.

        Raises:
            UnknownName: no such collection.
        """
        id = self._collections.require_id(collection)
        rows = to_rows(self._store.read("entities/merge_decisions", {"collection": id}))
        return [MergeDecision(**{**row, "at": row["at"] / 1000.0}) for row in rows]

    def undo(self, decision: str) -> None:
        """Undo a decision, given by its id; a merged entity gets back its edges and its name.

        Raises:
            UnknownName: no such decision.
        """
        [cleared] = self._store.write(("entities/clear_rejected_merge", {"id": decision}))
        if cleared["names"]:
            return
        entity = self._store.read("entities/entity", {"id": decision})
        if not entity["merged"] or not entity["merged"][0]:
            raise UnknownName("decision", decision, advice=DECISION_ADVICE)
        ids = [decision, *self._store.read("entities/merge_chain", {"id": decision})["id"]]
        separated, redirected, *_ = self._store.write(
            ("entities/separate", {"id": decision, "embedding": self._store.embedding}),
            ("entities/redirect_edges", {"collection": entity["collection"][0]}),
            ("entities/update_names", {"ids": ids, "letters": FOLDED_LETTERS}),
            ("entities/delete_orphans", {"ids": ids}),
        )
        if any([*separated["waiting"], *redirected["waiting"]]):
            self._start_worker()

    def _read_entity(self, id: str) -> tuple[str, str]:
        """Return the collection and the name of an unmerged entity.

        Raises:
            UnknownName: no unmerged entity has this id.
        """
        entity = self._store.read("entities/entity", {"id": id})
        if not entity["collection"] or entity["merged"][0]:
            raise UnknownName("entity", id, advice=ENTITY_ADVICE)
        return entity["collection"][0], entity["name"][0]

    def _rate_pairs(self, pairs: Iterable[NamePair]) -> list[MergeSuggestion]:
        """Turn pairs into suggestions, best first; documents that mention both names raise the score."""
        rows = [{"one": pair.source.id, "other": pair.target.id} for pair in pairs]
        columns = self._store.read("entities/shared_documents", {"pairs": rows})
        shared = {
            (source, target): documents
            for source, target, documents in zip(columns["one"], columns["other"], columns["documents"], strict=True)
        }
        suggestions = []
        for pair in pairs:
            together = shared.get((pair.source.id, pair.target.id), 0)
            source, target = (Node(name.id, "entity", name.name) for name in (pair.source, pair.target))
            score = min(pair.score + (_CO_MENTION_BONUS if together else 0.0), 1.0)
            sizes = (pair.source.mentioned, pair.target.mentioned)
            suggestions.append(MergeSuggestion(source, target, pair.reason, score, sizes, together))
        return sorted(suggestions, key=lambda pair: (-pair.score, -pair.sizes[0], pair.source.id, pair.target.id))


def build_pair_id(first: str, second: str) -> str:
    """Return the id of a decision about two entities, in either order."""
    return stable_id("pair", *sorted((first, second)))
