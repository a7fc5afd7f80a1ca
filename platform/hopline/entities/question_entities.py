"""What a question names, asked of the graph."""

from __future__ import annotations

from typing import Final

from hopline.entities.linking import Name, named_in
from hopline.flow.requests import Flow, fetch, search

LOOKED_AT: Final = 50  # entities whose names share a word with the question


def question_names(question: str) -> Flow[list[Name]]:
    """The entities that the question names, the longest names first."""
    hits = yield search(question, LOOKED_AT, over="entity", by="text")
    columns = yield fetch("read/named", entities=hits.ids)
    found = zip(*(columns[name] for name in ("id", "name", "aliases", "kind", "mentioned")), strict=True)
    return named_in(question, [Name(*row) for row in found])
