"""Evidence, triples and entities without a vector get one."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Final, Literal

from hopline.flow.world import Embedder
from hopline.store.graph import Store

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
            written = []
            for start in range(0, len(rows), WRITTEN):
                part = rows[start : start + WRITTEN]
                vectors = self.embedder.embed([text for _, text in part])
                pairs = zip(part, vectors.tolist(), strict=True)
                written.append(writer.submit(self._write, [{"id": id, "vector": v} for (id, _), v in pairs]))
            for one in written:
                one.result()
        return True

    def _write(self, rows: list[dict[str, object]]) -> None:
        given = {"rows": sorted(rows, key=lambda row: str(row["id"])), "embedding": self.store.embedding}
        self.store.write((f"ingest/write_vectors_{self.kind}", given))
