"""Evidence, triples and entities without a vector get one."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Final, Literal

from hopline.flow.services import Embedder
from hopline.store.graph import Store
from hopline_ingest.bisection import process_by_halves

AT_ONCE: Final = 4096  # texts a step, sorted by length so that batches are even
WRITTEN: Final = 512  # vectors a transaction


class EmbedTexts:
    """Embeds one kind of node; while one part is written, the next is embedded."""

    def __init__(self, store: Store, embedder: Embedder, kind: Literal["evidence", "triple", "entity"]) -> None:
        self.name = f"embed {kind}"
        self.store = store
        self.embedder = embedder
        self.kind = kind

    def step(self) -> bool:
        """Embed some nodes; False where none is without a vector."""
        columns = self.store.columns(f"ingest/unembedded_{self.kind}", {"limit": AT_ONCE})
        rows = sorted(zip(columns["id"], columns["text"], strict=True), key=lambda row: (len(row[1]), row[0]))
        if not rows:
            return False
        with ThreadPoolExecutor(1, thread_name_prefix="vectors") as writer:
            written: list[Future[None]] = []
            for start in range(0, len(rows), WRITTEN):
                part = rows[start : start + WRITTEN]
                process_by_halves(part, lambda some: written.append(self._embed(some, writer)), self._skip)
            for one in written:
                one.result()
        return True

    def _embed(self, rows: Sequence[tuple[str, str]], writer: Executor) -> Future[None]:
        """Vectors of texts, which ``writer`` writes while the next ones are made."""
        vectors = self.embedder.embed([text for _, text in rows])
        pairs = [(id, vector) for (id, _), vector in zip(rows, vectors.tolist(), strict=True)]
        return writer.submit(process_by_halves, pairs, self._write, self._skip)

    def _skip(self, row: tuple[str, object], reason: str) -> None:
        if self.kind == "evidence":
            told = f"it could not be embedded: {reason}"
            self.store.write(("ingest/skip_evidence", {"id": row[0], "stage": "Unembedded", "reason": told}))
        else:
            self.store.write(("ingest/skip_node", {"id": row[0], "reason": reason}))

    def _write(self, pairs: Sequence[tuple[str, object]]) -> None:
        rows = [{"id": id, "vector": vector} for id, vector in pairs]
        given = {"rows": sorted(rows, key=lambda row: str(row["id"])), "embedding": self.store.embedding}
        self.store.write((f"ingest/write_vectors_{self.kind}", given))
