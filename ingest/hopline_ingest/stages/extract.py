"""Evidence that no extractor has read gets its entities, triples and subjects."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from hopline.errors import FlowError, ModelError
from hopline.flow.run import Budget, run
from hopline.flow.services import Scope, World
from hopline.store.graph import Store
from hopline_ingest.bisection import describe, process_by_halves
from hopline_ingest.extraction import EXTRACTOR, read_batch
from hopline_ingest.extraction.llm.extractor import MODEL_EXTRACTOR, extract_with_model, is_asked
from hopline_ingest.extraction.records import Extraction, Readable
from hopline_ingest.extraction_window import Window
from hopline_ingest.process_pool import Pool
from hopline_ingest.writing.entity_rows import Aliases, graph_rows

log = logging.getLogger(__name__)

AT_ONCE: Final = 4000  # evidence a step
ASKED: Final = 64  # evidence a step where a model reads
CHUNK: Final = 64  # evidence a task of the executor
WRITTEN: Final = 512  # evidence a transaction
CAPPED: Final = "the cap on calls of the model is reached; try it again with a higher one"


class ExtractEvidence:
    """Reads evidence on an executor's processes; writes while they go on.

    Each collection is read as it was chosen for it: by rules, or by the model of this name as well.
    """

    name = "extract"

    def __init__(self, store: Store, pool: Pool, world: World | None = None) -> None:
        self.store = store
        self.pool = pool
        self.world = world  # with a model; None: none is configured

    def step(self) -> bool:
        """Read some evidence; False where none is unread."""
        window = Window.fetch(self.store, AT_ONCE, ASKED)
        for extractions in window.whole_documents(self._read(window), WRITTEN):
            self._write(extractions, window)
        return bool(window.rows)

    def _read(self, window: Window) -> Iterator[list[Extraction]]:
        by_model: dict[tuple[str, str], list[Readable]] = {}
        for one in window.readables:
            row = window.rows[one.id]
            collection = row["collection"] if row["model"] else ""  # what rules read is read together
            by_model.setdefault((collection, row["model"]), []).append(one)
        for (collection, model), readables in by_model.items():
            if not model:
                yield from self._parsed(readables)
            elif self.world is None or self.world.chat is None or self.world.chat.name != model:
                configured = self.world.chat.name if self.world and self.world.chat else "not set"
                yield self._without_model(readables, f"it is to be {model!r}, and HOPLINE_MODEL is {configured}")
            else:
                yield from self._capped(readables, window, self.world, collection)

    def _without_model(self, readables: Sequence[Readable], reason: str) -> list[Extraction]:
        plain = [one for part in self._parsed(list(readables)) for one in part]
        asked = {one.id for one in readables if is_asked(one)}
        warning = f"read without the model: {reason}"
        return [replace(one, warning=warning) if one.id in asked else one for one in plain]

    def _capped(
        self, readables: Sequence[Readable], window: Window, world: World, collection: str
    ) -> Iterator[list[Extraction]]:
        """With the model, as often as the collection's cap allows; what is beyond it is read by the parser alone."""
        found = self.store.columns("ingest/calls_left", {"collection": collection})["left"]
        left = found[0] if found else None  # none: the collection was removed meanwhile
        waiting = sorted(filter(is_asked, readables), key=lambda one: window.was_read_by_model(one.id))
        beyond = {one.id for one in waiting[left:]} if left is not None else set()
        asked = [one for one in readables if one.id not in beyond]
        if asked:
            yield self._asked(asked, world, collection, left)
        if beyond:
            yield self._without_model([one for one in readables if one.id in beyond], CAPPED)

    def _asked(self, readables: list[Readable], world: World, collection: str, left: int | None) -> list[Extraction]:
        """With the model; where it cannot be asked at all, what the parser finds, and a warning."""
        plain = [one for part in self._parsed(readables) for one in part]
        by_id = {one.id: one for one in plain}
        flow = extract_with_model(readables, lambda asked: [by_id[one.id] for one in asked])
        try:
            outcome = run(flow, world, Scope(""), budget=Budget(calls=left))
        except (ModelError, FlowError) as error:
            log.warning("the model could not be asked: %s", error)
            self._spend(collection, sum(map(is_asked, readables)))  # at most; what was answered is kept by its hash
            return self._without_model(readables, str(error))
        self._spend(collection, outcome.trace.calls)
        return outcome.result

    def _spend(self, collection: str, calls: int) -> None:
        self.store.write(("ingest/change_cap", {"collection": collection, "calls": -calls}))

    def _parsed(self, readables: Sequence[Readable]) -> Iterator[list[Extraction]]:
        chunks = [list(readables[i : i + CHUNK]) for i in range(0, len(readables), CHUNK)]
        broken = []
        for chunk, extractions in self.pool.results(read_batch, chunks):
            if isinstance(extractions, Exception):
                broken += chunk
            else:
                yield extractions
        for [readable], extractions in self.pool.results(read_batch, [[one] for one in broken]):
            if isinstance(extractions, Exception):
                log.error("extracting %s: %s", readable.id, extractions)
                reason = f"could not be read for entities: {describe(extractions)}"
                yield [Extraction(readable.id, EXTRACTOR, warning=reason)]
            else:
                yield extractions

    def _write(self, extractions: Sequence[Extraction], window: Window) -> None:
        """Write whole documents, a part a transaction; what cannot be written is skipped, with the reason.

        Where an alias stands for another name than before, what was read of its document before is read again.
        """
        aliases, changed = window.aliases(extractions)
        again = {"documents": changed, "except": [one.id for one in extractions]}
        self.store.write(("ingest/reread_documents", again))
        for start in range(0, len(extractions), WRITTEN):
            part = extractions[start : start + WRITTEN]
            process_by_halves(part, lambda some: self._write_part(some, window, aliases), self._skip)

    def _write_part(self, extractions: Sequence[Extraction], window: Window, aliases: Aliases) -> None:
        kept = [
            one
            for one in extractions
            if one.warning and one.extractor != MODEL_EXTRACTOR and window.was_read_by_model(one.id)
        ]
        fresh = [one for one in extractions if one not in kept]
        rows = graph_rows(fresh, {one.id: window.place(one.id) for one in fresh}, aliases)
        self.store.write(
            ("ingest/drop_extraction", {"ids": [one.id for one in fresh]}),
            ("ingest/write_entities", {"entities": rows.entities}),
            ("merge/write_names", {"entities": rows.entities}),
            ("ingest/write_mentions", {"mentions": rows.mentions}),
            ("ingest/write_about", {"about": rows.about}),
            ("ingest/write_triples", {"triples": rows.triples}),
            ("ingest/finish_extraction", {"rows": rows.finished}),
            ("ingest/warn_extraction", {"rows": [{"id": one.id, "warning": one.warning} for one in kept]}),
        )

    def _skip(self, extraction: Extraction, reason: str) -> None:
        given = {"id": extraction.id, "stage": "Unread", "reason": f"its entities could not be stored: {reason}"}
        self.store.write(("ingest/skip_evidence", given))
