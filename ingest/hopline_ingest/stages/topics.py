"""Topic classification: the distribution of evidence over its collection's topics, computed from its vector."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from hopline.errors import UsageError
from hopline.flow.services import Models
from hopline.store.graph import Store
from hopline.topics.topic_scope import topic_property
from hopline_ingest.batch_bisection import process_with_bisection

log = logging.getLogger(__name__)

BATCH_SIZE: Final = 4096  # evidence per step
ROWS_PER_TRANSACTION: Final = 512


class ClassifyTopics:
    """Classifies evidence; if the topic model of a collection is missing, its evidence stays without topics."""

    name = "topics"

    def __init__(self, store: Store, parts: Models) -> None:
        self.store = store
        self.parts = parts

    def step(self) -> bool:
        """Classify a batch of evidence; return False if none is waiting."""
        columns = self.store.read("topics/waiting_evidence", {"embedding": self.store.embedding, "limit": BATCH_SIZE})
        waiting: defaultdict[str, list[tuple[str, Any]]] = defaultdict(list)
        for id, vector, topic_set in zip(columns["id"], columns["vector"], columns["themes"], strict=True):
            waiting[topic_set].append((id, vector))
        for topic_set, rows in waiting.items():
            self._classify(topic_set, rows)
        return bool(waiting)

    def _classify(self, topic_set: str, rows: list[tuple[str, Any]]) -> None:
        ids = [id for id, _ in rows]
        try:
            distributions = self._compute_distribution(topic_set, rows) if topic_set else None
        except UsageError as error:
            log.warning("no topics for %s passages: %s", len(ids), error)
            distributions = None
        if distributions is None:
            self._skip(ids)
            return
        property_name = topic_property(topic_set)
        self.store.ensure_vector_index(property_name, distributions.shape[1])
        records = [
            {"id": id, "vector": row.tolist(), "theme": int(row.argmax())}
            for id, row in zip(ids, distributions, strict=True)
        ]
        for start in range(0, len(records), ROWS_PER_TRANSACTION):
            process_with_bisection(
                records[start : start + ROWS_PER_TRANSACTION],
                lambda rows: self._write(property_name, topic_set, rows),
                lambda row, _: self._skip([row["id"]]),
            )

    def _write(self, property_name: str, topic_set: str, rows: Sequence[dict[str, Any]]) -> None:
        parameters = {"property": property_name, "themes": topic_set, "rows": list(rows)}
        self.store.write(("topics/write_topics", parameters))

    def _skip(self, ids: Sequence[str]) -> None:
        self.store.write(("topics/skip_evidence", {"ids": sorted(ids)}))

    def _compute_distribution(self, topic_set: str, rows: list[tuple[str, Any]]) -> Any:
        vectors = np.asarray([vector for _, vector in rows], dtype=np.float32)
        return self.parts.infer(f"themes/{topic_set}", {"vectors": vectors})
