"""Ranking metrics: pure functions on lists, each in [0, 1]."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import log2

from hopline.results import Evidence


def group_by_source(evidence: Sequence[Evidence]) -> list[frozenset[str]]:
    """Group a ranking by source: the ids of each source, best first.

    The ids of a source are those of its evidence and its ``source_id``; passages of one document that share the
    ``source_id`` share one rank. Rows of two ``.jsonl`` files may have the same id: they are two sources.
    """
    names: dict[tuple[str, str], set[str]] = {}
    for item in evidence:
        source = (item.document_id, item.source_id or item.id)
        names.setdefault(source, set()).update(filter(None, (item.id, item.source_id)))
    return [frozenset(ids) for ids in names.values()]


def recall(ranked: Sequence[Collection[str]], gold: Collection[str], k: int) -> float:
    """Recall@k: the fraction of ``gold`` among the first ``k``."""
    gold_ids = set(gold)
    retrieved = {name for names in ranked[:k] for name in names} & gold_ids
    return len(retrieved) / len(gold_ids)


def precision(ranked: Sequence[Collection[str]], gold: Collection[str], k: int) -> float:
    """Precision@k: the fraction of the first ``k``, or of all if fewer, that is in ``gold``; 0 for an empty ranking."""
    gold_ids, top = set(gold), ranked[:k]
    return sum(not gold_ids.isdisjoint(names) for names in top) / len(top) if top else 0.0


def all_recalled(ranked: Sequence[Collection[str]], gold: Collection[str], k: int) -> float:
    """1 if the first ``k`` contain all of ``gold``, else 0."""
    return float(recall(ranked, gold, k) == 1.0)


def reciprocal_rank(ranked: Sequence[Collection[str]], gold: Collection[str]) -> float:
    """1 / the rank of the first of ``gold``; 0 if there is none."""
    gold_ids = set(gold)
    return next((1 / rank for rank, names in enumerate(ranked, 1) if gold_ids.intersection(names)), 0.0)


def ndcg(ranked: Sequence[Collection[str]], gold: Collection[str], k: int) -> float:
    """nDCG@k with binary relevance: the discounted gain of the first ``k`` over that of a ranking with all gold first.

    The gain at rank r is 1 / log2(r + 1) where the source is in ``gold`` (Järvelin and Kekäläinen 2002). Gold ids that
    one source has together count once.
    """
    gold_ids = set(gold)
    gains = [float(not gold_ids.isdisjoint(names)) for names in ranked[:k]]
    ideal = sum(1 / log2(rank + 1) for rank in range(1, min(len(gold_ids), k) + 1))
    return min(sum(gain / log2(rank + 1) for rank, gain in enumerate(gains, 1)) / ideal, 1.0)


def list_pages(evidence: Sequence[Evidence]) -> list[tuple[str, int]]:
    """List the distinct (document, page) of the evidence, best first."""
    return list(dict.fromkeys((item.document, page) for item in evidence for page in item.pages))
