"""Embedding of evidence, triples and entities that have no vector yet."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Any, Final, Literal

from hopline.flow.columns import to_rows
from hopline.flow.services import Embedder
from hopline.store.graph import Store
from hopline_ingest.batch_bisection import process_with_bisection

Row = dict[str, Any]

BATCH_SIZE: Final = 4096  # texts per step, sorted by length to reduce padding
ROWS_PER_TRANSACTION: Final = 512  # vectors


class EmbedTexts:
    """Embeds one kind of node; writing one part overlaps with embedding the next."""

    def __init__(self, store: Store, embedder: Embedder, kind: Literal["evidence", "triple", "entity"]) -> None:
        self.name = f"embed {kind}"
        self.store = store
        self.embedder = embedder
        self.kind = kind

    def step(self) -> bool:
        """Embed a batch of nodes; return False if no node lacks a vector."""
        columns = self.store.read(f"ingest/unembedded_{self.kind}", {"limit": BATCH_SIZE})
        rows = sorted(to_rows(columns), key=lambda row: (len(row["text"]), row["id"]))
        if not rows:
            return False
        with ThreadPoolExecutor(1, thread_name_prefix="vectors") as writer:
            written: list[Future[None]] = []
            for start in range(0, len(rows), ROWS_PER_TRANSACTION):
                part = rows[start : start + ROWS_PER_TRANSACTION]
                process_with_bisection(part, lambda batch: written.append(self._embed(batch, writer)), self._skip)
            for future in written:
                future.result()
        return True

    def _embed(self, rows: Sequence[Row], writer: Executor) -> Future[None]:
        """Embed texts and submit the vectors to ``writer``, which writes them during the next embedding."""
        vectors = self.embedder.embed([row["text"] for row in rows])
        self.store.ensure_vector_indexes(vectors.shape[1])
        embedded = [
            {**{name: row[name] for name in row if name != "text"}, "vector": vector}
            for row, vector in zip(rows, vectors.tolist(), strict=True)
        ]
        return writer.submit(process_with_bisection, embedded, self._write, self._skip)

    def _skip(self, row: Row, reason: str) -> None:
        if self.kind == "evidence":
            message = f"embedding failed: {reason}"
            self.store.write(("ingest/skip_evidence", {"id": row["id"], "stage": "Unembedded", "reason": message}))
        else:
            self.store.write(("ingest/skip_node", {"id": row["id"], "reason": reason}))

    def _write(self, rows: Sequence[Row]) -> None:
        parameters = {"rows": sorted(rows, key=lambda row: str(row["id"])), "embedding": self.store.embedding}
        self.store.write((f"ingest/write_vectors_{self.kind}", parameters))
