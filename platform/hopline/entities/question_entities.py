"""Entity linking of a question against the graph."""

from __future__ import annotations

from typing import Final

from hopline.entities.linking import EntityName, link_entities
from hopline.flow.requests import Flow, fetch, search

MAX_ENTITIES: Final = 50  # entities whose names share a word with the question


def find_question_entities(question: str) -> Flow[list[EntityName]]:
    """Return the entities that the question names, longest names first."""
    hits = yield search(question, MAX_ENTITIES, over="entity", by="text")
    columns = yield fetch("retrieval/entities", entities=hits.ids)
    rows = zip(*(columns[name] for name in ("id", "name", "aliases", "kind", "mentioned")), strict=True)
    return link_entities(question, [EntityName(*row) for row in rows])
