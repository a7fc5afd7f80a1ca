"""Search limited to the part of a collection whose topics match those expected of the answer.

This is the theme-scoped retrieval of RAS.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from hopline.errors import UsageError
from hopline.flow.requests import Flow, Vector, VectorFilter, fetch, infer

_SET_NAME: Final = re.compile(r"^[a-z][a-z0-9_]{0,50}$")


def topic_property(topic_set: str) -> str:
    """Return the node property of a topic set, which is also the suffix of its index name.

    Raises:
        UsageError: the name is not valid for a topic set.
    """
    if not _SET_NAME.match(topic_set):
        raise UsageError(f"the name of a topic set has lowercase letters, digits and _ only (got {topic_set!r})")
    return f"themes_{topic_set}"


@dataclass(slots=True)
class TopicScope:
    """Builds the search filters of one question; ``scope`` and ``mix`` as in `hopline.flow.requests.VectorFilter`."""

    scope: float
    mix: float
    _topic_set: str | None = field(default=None, init=False)

    def build_filter(self, vector: Vector) -> Flow[VectorFilter | None]:
        """Return the filter for a question with this vector; None if the collection has no topics.

        Raises:
            UsageError: the weights of the topic set are not on this machine; names the command that trains it.
        """
        topic_set = yield from self.load_topic_set()
        if not topic_set:
            return None
        [expected] = yield infer(f"themes/{topic_set}", vectors=vector[None], expected=True)
        return VectorFilter(topic_property(topic_set), expected, self.scope, self.mix)

    def load_topic_set(self) -> Flow[str]:
        """Return the topic set to search within, fetched once; "" if the collection has none or ``scope`` is 0."""
        if not self.scope:
            return ""
        if self._topic_set is None:
            columns = yield fetch("topics/collection_topics")
            self._topic_set = columns["themes"][0] if columns["themes"] else ""
        return self._topic_set
