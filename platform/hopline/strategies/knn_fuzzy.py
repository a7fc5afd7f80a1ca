"""Half of the list by dense search, half by fuzzy string matching: the KNN baseline of KGP.

KGP (Wang et al. 2024), appendix: as many passages by the similarity of embeddings as by fuzzy matching (Levenshtein).

Departures: the fuzzy half is chosen among the ``depth`` best by BM25, by the best window of a passage instead of the
whole passage; the halves alternate, where the paper appends one to the other.
"""

from __future__ import annotations

from itertools import chain, zip_longest

from hopline.flow.requests import Flow, search
from hopline.retrieval.evidence_texts import fetch_evidence, format_evidence
from hopline.retrieval.ranking import Ranking
from hopline.retrieval.strategy_options import SearchDepth
from hopline.scoring.text_similarity import fuzzy_ratios


def rank(question: str, k: int, *, depth: SearchDepth = 200) -> Flow[Ranking]:
    """Return the first ``k`` of both lists, alternating; the score of the n-th is 1 / n."""
    dense = yield search(question, k, by="dense")
    text = yield search(question, max(depth, k), by="text")
    evidence = yield from fetch_evidence(text.ids)
    ratios = fuzzy_ratios(question, [format_evidence(item) for item in evidence])
    fuzzy = Ranking.from_scores(dict(zip((item.id for item in evidence), ratios, strict=True)), k, {})
    alternating = chain.from_iterable(zip_longest(dense.ids, fuzzy.ids))
    ids = tuple(dict.fromkeys(id for id in alternating if id is not None))[:k]
    return Ranking(ids, tuple(1.0 / n for n in range(1, len(ids) + 1)))
