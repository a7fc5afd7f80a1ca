"""Merging entities in the graph, refusing to, and taking either back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hopline.entities.linking import Name
from hopline.entities.name_similarity import Alike, alike
from hopline.errors import UnknownName, UsageError
from hopline.flow.columns import rows_of
from hopline.ids import stable_id
from hopline.types import Node

if TYPE_CHECKING:
    from hopline.store.graph import Store

MOST: Final = 50_000  # names that are compared, the most mentioned first
_WEIGHED: Final = 5  # times as many pairs as are wanted are looked up in the graph
_TOGETHER: Final = 0.05  # for a pair that one document mentions: a short form follows the long one


@dataclass(frozen=True, slots=True)
class Suggestion:
    """``source`` may be another name of ``target``. ``together`` counts the documents that mention both."""

    source: Node
    target: Node
    reason: str
    score: float
    sizes: tuple[int, int] = (0, 0)
    together: int = 0


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided about two names: ``merged``, or else refused. ``at`` is in seconds since 1970."""

    id: str
    merged: bool
    source: str
    target: str
    at: float


class Merger:
    """A merged entity is kept beside the graph: what led to it leads to the other, and remembers whose it was."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def suggestions(self, collection: str, limit: int) -> list[Suggestion]:
        """Pairs that nobody has decided about, the surest first; ``collection`` is its id."""
        columns = self._store.columns("merge/names", {"collection": collection, "limit": MOST})
        names = [Name(**{**row, "aliases": tuple(row["aliases"])}) for row in rows_of(columns)]
        refused = self._store.columns("merge/refused", {"collection": collection})
        gone = {frozenset(pair) for pair in zip(refused["one"], refused["other"], strict=True)}
        open_ = [one for one in alike(names) if frozenset((one.source.id, one.target.id)) not in gone]
        return self._weighed(open_[: _WEIGHED * limit])[:limit]

    def merge(self, source: str, target: str) -> bool:
        """One entity is another from now on; returns whether a name waits for the worker to embed it.

        Raises:
            UnknownName: one of the two is no entity.
            UsageError: both are the same, or of two collections.
        """
        if source == target:
            raise UsageError("an entity cannot be merged into itself; name two")
        (collection, _), (other, _) = self._entity(source), self._entity(target)
        if collection != other:
            raise UsageError("entities of two collections cannot be merged; name two of one collection")
        pair = {"id": _pair(source, target)}
        given = {"source": source, "target": target}
        _, merged, settled, _ = self._store.write(
            ("merge/allow", pair),
            ("merge/merge", given),
            ("merge/settle", {"collection": collection}),
            ("merge/gather", {"ids": [target]}),
        )
        if not merged["name"]:  # somebody merged one of them meanwhile
            raise UnknownName("entity", source, ())
        return bool(settled["waiting"][0])

    def refuse(self, one: str, other: str) -> None:
        """Two entities are not the same; they are not suggested again.

        Raises:
            UnknownName: one of the two is no entity.
        """
        (collection, name), (_, other_name) = self._entity(one), self._entity(other)
        given = {"id": _pair(one, other), "collection": collection, "one": one, "other": other}
        self._store.write(("merge/refuse", {**given, "names": [name, other_name]}))

    def decisions(self, collection: str) -> list[Decision]:
        """What was decided in a collection, the newest first."""
        rows = rows_of(self._store.columns("merge/decisions", {"collection": collection}))
        return [Decision(**{**row, "at": row["at"] / 1000.0}) for row in rows]

    def undo(self, decision: str) -> bool:
        """Take a decision back, by its id: what was the merged entity's own is its own again. Returns as `merge`.

        Raises:
            UnknownName: no such decision.
        """
        [allowed] = self._store.write(("merge/allow", {"id": decision}))
        if allowed["names"]:
            return False
        found = self._store.columns("merge/collection", {"id": decision})
        if not found["merged"] or not found["merged"][0]:
            raise UnknownName("decision", decision, ())
        ids = [decision, *self._store.columns("merge/above", {"id": decision})["id"]]
        parted, settled, *_ = self._store.write(
            ("merge/part", {"id": decision, "embedding": self._store.embedding}),
            ("merge/settle", {"collection": found["collection"][0]}),
            ("merge/gather", {"ids": ids}),
            ("merge/sweep", {"ids": ids}),
        )
        return any([*parted["waiting"], *settled["waiting"]])

    def _entity(self, id: str) -> tuple[str, str]:
        """The collection and the name of an entity that is not merged; UnknownName where there is none."""
        found = self._store.columns("merge/collection", {"id": id})
        if not found["collection"] or found["merged"][0]:
            raise UnknownName("entity", id, ())
        return found["collection"][0], found["name"][0]

    def _weighed(self, found: Iterable[Alike]) -> list[Suggestion]:
        """With how many documents mention both, which makes a pair surer."""
        pairs = [{"one": one.source.id, "other": one.target.id} for one in found]
        columns = self._store.columns("merge/together", {"pairs": pairs})
        shared = {
            (one, other): documents
            for one, other, documents in zip(columns["one"], columns["other"], columns["documents"], strict=True)
        }
        suggestions = []
        for one in found:
            together = shared.get((one.source.id, one.target.id), 0)
            source, target = (Node(each.id, "entity", each.name) for each in (one.source, one.target))
            score = min(one.score + (_TOGETHER if together else 0.0), 1.0)
            sizes = (one.source.mentioned, one.target.mentioned)
            suggestions.append(Suggestion(source, target, one.reason, score, sizes, together))
        return sorted(suggestions, key=lambda one: (-one.score, -one.sizes[0], one.source.id, one.target.id))


def _pair(one: str, other: str) -> str:
    """Id of what is said about two entities, whichever is named first."""
    return stable_id("pair", *sorted((one, other)))
