"""The themes of a collection: a set is learned or chosen, and the worker gives every passage its distribution."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hopline.topics.topic_scope import theme_property

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hopline.store.graph import Store

_MARKED: Final = 10_000  # evidence a transaction


@dataclass(frozen=True, slots=True)
class Theme:
    """A theme and how many passages and tables are above all about it."""

    name: str
    evidence: int


@dataclass(frozen=True, slots=True)
class CollectionThemes:
    """The set of themes that a collection has ("": none), the largest theme first; ``waiting``: evidence without."""

    set: str
    themes: tuple[Theme, ...]
    waiting: int

    def __bool__(self) -> bool:
        return bool(self.set)


def own_set(collection: str) -> str:
    """The name of the set that is learned from a collection, by its id."""
    return "own_" + re.sub(r"\W", "", collection).lower()[:16]


def choose_themes(store: Store, collection: str, themes: str, labels: Sequence[str]) -> None:
    """Give a collection, by its id, a set of themes, or none where ``themes`` is empty.

    All that its evidence had goes, and the evidence waits for the worker.
    """
    if themes:
        theme_property(themes)
    store.write(("themes/choose", {"collection": collection, "themes": themes, "labels": list(labels)}))
    _until_none(store, "themes/forget", {"collection": collection, "limit": _MARKED})
    if themes:
        given = {"collection": collection, "embedding": store.embedding, "limit": _MARKED}
        _until_none(store, "themes/mark", given)


def themes_of(store: Store, collection: str) -> CollectionThemes:
    """The themes of a collection, by its id."""
    chosen = store.columns("themes/of_collection", {"collection": collection})
    if not chosen["themes"]:
        return CollectionThemes("", (), 0)
    columns = store.columns("themes/sizes", {"collection": collection})
    sizes = dict(zip(columns["theme"], columns["evidence"], strict=True))
    found = [Theme(name, sizes.get(n, 0)) for n, name in enumerate(chosen["labels"][0])]
    found.sort(key=lambda one: (-one.evidence, one.name))
    return CollectionThemes(chosen["themes"][0], tuple(found), sizes.get(-1, 0))


def _until_none(store: Store, statement: str, given: dict[str, object]) -> None:
    while store.write((statement, given))[0]["marked"][0]:
        pass
