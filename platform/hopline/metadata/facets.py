"""Facets: for each key of metadata, the values that documents have, with the number of documents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from hopline.metadata.values import Kind, Metadata, Scalar, get_kind, list_scalars


@dataclass(frozen=True, slots=True)
class FacetValue:
    """A value, and the number of documents that have it."""

    value: Scalar
    documents: int


@dataclass(frozen=True, slots=True)
class Facet:
    """A key of metadata, and the values that ``documents`` documents have for it.

    ``kind`` is that of all values, "text" if they are of several. ``values`` are the most frequent ones, at most as
    many as asked for, of the ``distinct`` ones. ``minimum`` and ``maximum`` are those of numbers and dates, else None.
    """

    key: str
    kind: Kind
    documents: int
    distinct: int
    values: tuple[FacetValue, ...]
    minimum: Scalar | None = None
    maximum: Scalar | None = None


def compute_facets(documents: Iterable[Metadata], *, limit: int) -> list[Facet]:
    """Compute the facets of documents by their metadata, sorted by key; values by descending count, then by value."""
    counts: dict[str, Counter[tuple[Kind, Scalar]]] = {}
    having: Counter[str] = Counter()
    for metadata in documents:
        having.update(metadata.keys())
        for key, value in metadata.items():
            counts.setdefault(key, Counter()).update({(get_kind(item), item) for item in list_scalars(value)})
    return [_build_facet(key, counter, having[key], limit) for key, counter in sorted(counts.items())]


def _build_facet(key: str, counter: Counter[tuple[Kind, Scalar]], documents: int, limit: int) -> Facet:
    kinds = {kind for kind, _ in counter}
    kind: Kind = next(iter(kinds)) if len(kinds) == 1 else "text"
    ordered = sorted(counter, key=lambda item: (-counter[item], *_sort_key(item)))
    values = tuple(FacetValue(item[1], counter[item]) for item in ordered[:limit])
    facet = Facet(key, kind, documents, len(counter), values)
    if kind not in {"number", "date"}:
        return facet
    lowest, highest = (choose(counter, key=_sort_key)[1] for choose in (min, max))
    return Facet(key, kind, documents, len(counter), values, lowest, highest)


def _sort_key(item: tuple[Kind, Scalar]) -> tuple[str, float, str]:
    kind, value = item
    return (kind, float(value), "") if isinstance(value, int | float) else (kind, 0.0, value)
