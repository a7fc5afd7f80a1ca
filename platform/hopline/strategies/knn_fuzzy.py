"""Half of the list by vectors, half by how few letters must change: the KNN baseline of KGP.

KGP (Wang et al. 2024), appendix: as many passages by the similarity of embeddings as by fuzzy matching (Levenshtein).

Departures: the fuzzy half is sought among the ``depth`` best by BM25, by the best window of a passage rather than by
the whole of it; the halves take turns, where the paper puts one behind the other.
"""

from __future__ import annotations

from itertools import chain, zip_longest

from hopline.flow.requests import Flow, search
from hopline.retrieval.evidence_texts import read_texts, titled
from hopline.retrieval.ranking import Ranking
from hopline.scoring.text_similarity import fuzzy_ratios


def rank(question: str, k: int, *, depth: int = 200) -> Flow[Ranking]:
    """The ``k`` first of both lists in turn; the score of the n-th is 1 / n."""
    near = yield search(question, k, by="dense")
    words = yield search(question, max(depth, k), by="text")
    evidence = yield from read_texts(words.ids)
    ratios = fuzzy_ratios(question, [titled(one) for one in evidence])
    alike = Ranking.of_scores(dict(zip((one.id for one in evidence), ratios, strict=True)), k, {})
    turns = chain.from_iterable(zip_longest(near.ids, alike.ids))
    ids = tuple(dict.fromkeys(id for id in turns if id is not None))[:k]
    return Ranking(ids, tuple(1.0 / n for n in range(1, len(ids) + 1)))
