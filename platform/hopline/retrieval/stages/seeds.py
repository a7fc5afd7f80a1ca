"""The first stages: search for seeds, and add the evidence about the entities that the question names."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import replace
from typing import Final, Literal

import numpy as np

from hopline.entities.question_entities import find_question_entities
from hopline.flow.columns import to_rows
from hopline.flow.requests import Flow, embed, fetch, search
from hopline.results import Node, PathStep
from hopline.retrieval.candidates import Candidates, ParentLink
from hopline.retrieval.entity_links import MAX_ABOUT

SEARCH_DEPTH: Final = 200  # hits of each list, where the graph adds little or nothing
NAME_BOOST: Final = 0.5  # of evidence about an entity of the question, over the root of the number of such evidence


def search_seeds(
    question: str, *, by: Literal["dense", "hybrid"], depth: int = SEARCH_DEPTH, dense: float = 0.6
) -> Flow[Candidates]:
    """Search the vector index, and with ``hybrid`` also the full-text index, for ``depth`` hits each.

    Columns: ``cosine``, missing for evidence without a vector; ``bm25``, missing for evidence that the full-text search
    did not return; ``similarity``, with ``dense`` the cosine, with ``hybrid`` the sum of cosine and BM25, weighted by
    ``dense`` and 1 − ``dense`` and each divided by its best score.
    """
    [vector] = yield embed([question])
    near = yield search(vector, depth, by="dense")
    cosines = dict(zip(near.ids, near.scores, strict=True))
    if by == "dense":
        candidates = Candidates(question, vector).with_cosines(cosines)
        return replace(candidates, seeds=len(candidates.ids))
    text = yield search(question, depth, by="text")
    missing = [id for id in text.ids if id not in cosines]
    columns = yield fetch("retrieval/similarity", ids=missing, vector=vector.tolist())
    cosines |= dict(zip(columns["id"], columns["score"], strict=True))
    bm25 = dict(zip(text.ids, text.scores, strict=True))
    candidates = Candidates(question, vector, dense).with_scores("bm25", bm25).with_cosines(cosines)
    return replace(candidates, seeds=len(candidates.ids))


def link_question_entities(candidates: Candidates) -> Flow[Candidates]:
    """Add the evidence about the entities that the question names, and prefer it.

    Columns: ``boost``, `NAME_BOOST` times the confidence that the evidence is about the entity, over the root of the
    number of such evidence, missing for other evidence; ``base``, similarity plus boost. Paths start at the entity.
    """
    if not candidates.ids:
        return candidates
    entities = yield from find_question_entities(candidates.question)
    columns = yield fetch(
        "hopline/evidence_about",
        entities=[entity.id for entity in entities],
        limit=MAX_ABOUT,
        vector=candidates.vector.tolist(),
    )
    rows = to_rows(columns)
    sizes = Counter(row["entity"] for row in rows)
    boosts: defaultdict[str, float] = defaultdict(float)
    for row in rows:
        boosts[row["id"]] += NAME_BOOST * row["confidence"] / math.sqrt(sizes[row["entity"]])
    candidates = candidates.with_cosines({row["id"]: row["score"] for row in rows}).with_scores("boost", boosts)
    base = candidates.column("similarity") + np.nan_to_num(candidates.column("boost"))
    nodes = {entity.id: Node(entity.id, "entity", entity.name) for entity in entities}
    steps = [PathStep(nodes[row["entity"]], "ABOUT", Node(row["id"], "passage")) for row in rows]
    linked = candidates.with_links(ParentLink(step.source.id, step.target.id, (step,)) for step in steps)
    return replace(linked.with_column("base", base), entities=tuple(entities))
