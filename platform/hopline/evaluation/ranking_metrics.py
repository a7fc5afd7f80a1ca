"""How well a ranking holds what it should: pure functions on lists, each in [0, 1]."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from hopline.types import Evidence


def sources(evidence: Sequence[Evidence]) -> list[frozenset[str]]:
    """The names of each source, best first, a source once.

    A source goes by its evidence's ids and its ``source_id``; passages cut from one row of a
    ``.jsonl`` share that and hold one rank together.
    """
    names: dict[str, set[str]] = {}
    for one in evidence:
        names.setdefault(one.source_id or one.id, set()).update(filter(None, (one.id, one.source_id)))
    return [frozenset(found) for found in names.values()]


def recall(ranked: Sequence[Collection[str]], gold: Collection[str], k: int) -> float:
    """Share of ``gold`` among the first ``k``."""
    wanted = set(gold)
    found = {name for names in ranked[:k] for name in names} & wanted
    return len(found) / len(wanted)


def precision(ranked: Sequence[Collection[str]], gold: Collection[str], k: int) -> float:
    """Share of the first ``k``, or of all where there are fewer, that is in ``gold``; 0 where there are none."""
    wanted, first = set(gold), ranked[:k]
    return sum(not wanted.isdisjoint(names) for names in first) / len(first) if first else 0.0


def all_found(ranked: Sequence[Collection[str]], gold: Collection[str], k: int) -> float:
    """1 where the first ``k`` hold all of ``gold``, else 0."""
    return float(recall(ranked, gold, k) == 1.0)


def reciprocal_rank(ranked: Sequence[Collection[str]], gold: Collection[str]) -> float:
    """One over the rank of the first of ``gold``; 0 where none is there."""
    wanted = set(gold)
    return next((1 / rank for rank, names in enumerate(ranked, 1) if wanted.intersection(names)), 0.0)


def pages(evidence: Sequence[Evidence]) -> list[tuple[str, int]]:
    """(document, page) of the evidence, best first, a page once."""
    return list(dict.fromkeys((one.document, page) for one in evidence for page in one.pages))
