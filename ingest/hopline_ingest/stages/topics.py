"""Evidence of collections that have themes gets its distribution over them, from the vector that it has."""

from __future__ import annotations

import logging
from collections import defaultdict
from typing import Any, Final

import numpy as np

from hopline.errors import UsageError
from hopline.flow.services import Parts
from hopline.store.graph import Store
from hopline.topics.topic_scope import theme_property

log = logging.getLogger(__name__)

AT_ONCE: Final = 4096  # evidence a step
WRITTEN: Final = 512  # a transaction


class ThemeEvidence:
    """Classifies evidence; a set of themes that is not there leaves its evidence without, and says so."""

    name = "themes"

    def __init__(self, store: Store, parts: Parts) -> None:
        self.store = store
        self.parts = parts

    def step(self) -> bool:
        """Classify some evidence; False where none waits."""
        columns = self.store.columns("themes/unthemed", {"embedding": self.store.embedding, "limit": AT_ONCE})
        waiting: defaultdict[str, list[tuple[str, Any]]] = defaultdict(list)
        for id, vector, themes in zip(columns["id"], columns["vector"], columns["themes"], strict=True):
            waiting[themes].append((id, vector))
        for themes, rows in waiting.items():
            self._classify(themes, rows)
        return bool(waiting)

    def _classify(self, themes: str, rows: list[tuple[str, Any]]) -> None:
        ids = [id for id, _ in rows]
        try:
            spread = self._spread(themes, rows) if themes else None
        except UsageError as error:
            log.warning("no themes for %s passages: %s", len(ids), error)
            spread = None
        if spread is None:
            self.store.write(("themes/leave", {"ids": sorted(ids)}))
            return
        name = theme_property(themes)
        self.store.ensure_vectors(name, spread.shape[1])
        found = [
            {"id": id, "vector": row.tolist(), "theme": int(row.argmax())} for id, row in zip(ids, spread, strict=True)
        ]
        for start in range(0, len(found), WRITTEN):
            given = {"property": name, "themes": themes, "rows": found[start : start + WRITTEN]}
            self.store.write(("themes/write", given))

    def _spread(self, themes: str, rows: list[tuple[str, Any]]) -> Any:
        vectors = np.asarray([vector for _, vector in rows], dtype=np.float32)
        return self.parts.infer(f"themes/{themes}", {"vectors": vectors})
