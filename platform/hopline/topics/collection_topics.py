"""Topics of a collection: assign a topic set, and read the topics with their amount of evidence.

A topic set is trained or chosen by name; the ingest worker then computes the topic distribution of every passage.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hopline.topics.topic_scope import topic_property

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hopline.store.graph import Store

_BATCH_SIZE: Final = 10_000  # evidence per transaction


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic; ``evidence`` counts the passages and tables whose main topic it is."""

    name: str
    evidence: int


@dataclass(frozen=True, slots=True)
class CollectionTopics:
    """The topic set of a collection ("" if it has none) with its topics, largest first.

    ``waiting`` counts the evidence that has no topics yet.
    """

    set: str
    topics: tuple[Topic, ...]
    waiting: int

    def __bool__(self) -> bool:
        return bool(self.set)


def build_own_set_name(collection: str) -> str:
    """Return the name of the topic set that is trained on a collection, given by its id."""
    return "own_" + re.sub(r"\W", "", collection).lower()[:16]


def assign_topics(store: Store, collection: str, topic_set: str, labels: Sequence[str]) -> None:
    """Assign a topic set to a collection, given by its id; an empty ``topic_set`` removes its topics.

    The topics that its evidence had are deleted, and the evidence is marked for the worker.
    """
    if topic_set:
        topic_property(topic_set)
    store.write(("topics/set_topics", {"collection": collection, "themes": topic_set, "labels": list(labels)}))
    _repeat_until_done(store, "topics/clear_topics", {"collection": collection, "limit": _BATCH_SIZE})
    if topic_set:
        parameters = {"collection": collection, "embedding": store.embedding, "limit": _BATCH_SIZE}
        _repeat_until_done(store, "topics/mark_evidence", parameters)


def read_topics(store: Store, collection: str) -> CollectionTopics:
    """Return the topics of a collection, given by its id."""
    chosen = store.read("topics/collection_topics", {"collection": collection})
    if not chosen["themes"]:
        return CollectionTopics("", (), 0)
    columns = store.read("topics/evidence_counts", {"collection": collection})
    sizes = dict(zip(columns["theme"], columns["evidence"], strict=True))
    topics = [Topic(name, sizes.get(n, 0)) for n, name in enumerate(chosen["labels"][0])]
    topics.sort(key=lambda topic: (-topic.evidence, topic.name))
    return CollectionTopics(chosen["themes"][0], tuple(topics), sizes.get(-1, 0))


def _repeat_until_done(store: Store, statement: str, parameters: dict[str, object]) -> None:
    while store.write((statement, parameters))[0]["marked"][0]:
        pass
