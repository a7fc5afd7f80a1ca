"""Links from evidence that mentions an entity to the evidence about that entity."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hopline.entities.linking import EntityName, extract_question_stems, has_stem
from hopline.flow.columns import to_rows
from hopline.flow.requests import Flow, Vector, fetch
from hopline.results import PathStep
from hopline.retrieval.ranking import build_steps

MAX_ABOUT: Final = 50  # evidence about one entity
CONTEXT_BEFORE, CONTEXT_AFTER = 60, 30  # characters around a mention that describe its role


@dataclass(frozen=True, slots=True)
class EntityLink:
    """A link from ``source``, which mentions an entity, to ``target``, which is about it.

    ``weight`` in [0, 2] combines confidence with whether the question asks for the link; ``cosine`` is that of the
    target to the question.
    """

    weight: float
    entity: str
    name: str
    source: str
    target: str
    steps: tuple[PathStep, ...]
    cosine: float = 0.0


def fetch_entity_links(
    sources: Sequence[str], entities: Sequence[EntityName], question: str, vector: Vector, *, overlap: float = 1.0
) -> Flow[list[EntityLink]]:
    """Fetch the links from ``sources``, heaviest first, ties in the order of the sources.

    The weight is the confidence of the ABOUT edge, divided by the number of evidence about the entity, times 1 +
    ``overlap`` if words of the question around the mention ask for it; names of ``entities`` are no such words.
    """
    columns = yield fetch(
        "hopline/mention_links",
        seeds=list(sources),
        before=CONTEXT_BEFORE,
        after=CONTEXT_AFTER,
        limit=MAX_ABOUT,
        vector=vector.tolist(),
    )
    stems = extract_question_stems(question, [entity.name for entity in entities])
    rows = to_rows(columns)
    shared = Counter((row["seed"], row["entity"]) for row in rows)
    links = [
        EntityLink(
            row["confidence"] * (1.0 + overlap * has_stem(row["words"], stems)) / shared[row["seed"], row["entity"]],
            row["entity"],
            row["name"],
            row["seed"],
            row["id"],
            build_steps(row["seed"], row["id"], ("MENTIONS", row["entity"], row["name"], "ABOUT")),
            row["score"],
        )
        for row in rows
    ]
    return sorted(links, key=lambda link: (-link.weight, sources.index(link.source), link.entity))
