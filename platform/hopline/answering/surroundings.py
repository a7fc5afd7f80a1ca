"""What the graph knows around evidence."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from hopline.answering.unit import Around, Mention
from hopline.flow.requests import Flow, fetch
from hopline.types import Evidence

_MENTIONED: Final = ("id", "entity", "name", "kind", "aliases", "spans")
_OPENING: Final = 4  # passages that a document begins with: title, authors, dates, who it is about
_MOST_CHARACTERS: Final = 1500  # of them


def surroundings(evidence: Sequence[Evidence]) -> Flow[dict[str, Around]]:
    """By the evidence's id: the passages beside it, how its document begins, and the names in it."""
    ids = [one.id for one in evidence]
    documents = list(dict.fromkeys(one.document_id for one in evidence))
    beside = yield fetch("answer/beside", ids=ids)
    openings = yield fetch("answer/openings", ids=documents, passages=_OPENING)
    mentions = yield fetch("answer/mentions", ids=ids)
    fronts = {
        id: "\n".join(texts)[:_MOST_CHARACTERS] for id, texts in zip(openings["id"], openings["texts"], strict=True)
    }
    before = dict(zip(beside["id"], beside["before"], strict=True))
    after = dict(zip(beside["id"], beside["after"], strict=True))
    named: defaultdict[str, list[Mention]] = defaultdict(list)
    for row in zip(*(mentions[column] for column in _MENTIONED), strict=True):
        id, entity, name, kind, aliases, spans = row
        pairs = zip(spans[::2], spans[1::2], strict=True)
        named[id] += (Mention(start, end, name, kind, tuple(aliases), entity) for start, end in pairs)
    return {
        one.id: Around(
            before.get(one.id, ""), after.get(one.id, ""), fronts.get(one.document_id, ""), tuple(named[one.id])
        )
        for one in evidence
    }
