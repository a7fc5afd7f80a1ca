"""Evidence that no extractor has read gets its entities, triples and subjects."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, Final

from hopline.errors import FlowError, ModelError
from hopline.flow.columns import rows_of
from hopline.flow.run import Budget, run
from hopline.flow.world import Scope, World
from hopline.store.graph import Store
from hopline_ingest.entities import Place, graph_rows
from hopline_ingest.extract import EXTRACTOR, read_batch
from hopline_ingest.extract.extraction import Extraction, Readable
from hopline_ingest.extract.model import MODEL_EXTRACTOR, extract_with_model, is_asked
from hopline_ingest.pool import Pool

log = logging.getLogger(__name__)

AT_ONCE: Final = 4000  # evidence a step
ASKED: Final = 64  # evidence a step where a model reads
CHUNK: Final = 64  # evidence a task of the executor
WRITTEN: Final = 512  # evidence a transaction
CAPPED: Final = "the cap on calls of the model is reached; try it again with a higher one"


class ExtractEvidence:
    """Reads evidence on an executor's processes; writes while they go on."""

    name = "extract"

    def __init__(self, store: Store, pool: Pool, world: World | None = None) -> None:
        self.store = store
        self.pool = pool
        self.world = world  # with a model that reads too; None: the parser alone

    @property
    def extractor(self) -> str:
        """What the ledger calls the extractor in use."""
        chat = self.world.chat if self.world else None
        return f"{MODEL_EXTRACTOR} {chat.name}" if chat else EXTRACTOR

    def step(self) -> bool:
        """Read some evidence; False where none is unread."""
        columns = self.store.columns("ingest/unread", {"limit": ASKED if self.world else AT_ONCE})
        if not columns["id"]:
            return False
        readables = [_readable(row) for row in rows_of(columns)]
        places = {
            row["id"]: Place(row["collection"], row["document"], row["kind"] == "table") for row in rows_of(columns)
        }
        found = self._by_collection(readables, places, self.world) if self.world else self._parsed(readables)
        for extractions in _gathered(found, WRITTEN):
            self._write(extractions, places)
        return True

    def _by_collection(
        self, readables: list[Readable], places: dict[str, Place], world: World
    ) -> Iterator[list[Extraction]]:
        """With the model, as often as the collection's cap allows; what is beyond it is read by the parser alone."""
        for collection in dict.fromkeys(places[one.id].collection for one in readables):
            inside = [one for one in readables if places[one.id].collection == collection]
            found = self.store.columns("ingest/calls_left", {"collection": collection})["left"]
            left = found[0] if found else None  # none: the collection was removed meanwhile
            beyond = [] if left is None else [one for one in inside if is_asked(one)][left:]
            asked = [one for one in inside if one not in beyond]
            if asked:
                yield self._asked(asked, world, collection, left)
            plain = [one for part in self._parsed(beyond) for one in part]
            yield [replace(one, warning=f"read without the model: {CAPPED}") for one in plain]

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
            return [replace(one, warning=f"read without the model: {error}") for one in plain]
        self._spend(collection, outcome.trace.calls)
        return outcome.result

    def _spend(self, collection: str, calls: int) -> None:
        self.store.write(("ingest/change_cap", {"collection": collection, "calls": -calls}))

    def _parsed(self, readables: list[Readable]) -> Iterator[list[Extraction]]:
        chunks = [readables[i : i + CHUNK] for i in range(0, len(readables), CHUNK)]
        broken = []
        for chunk, extractions in self.pool.results(read_batch, chunks):
            if isinstance(extractions, Exception):
                broken += chunk
            else:
                yield extractions
        for [readable], extractions in self.pool.results(read_batch, [[one] for one in broken]):
            if isinstance(extractions, Exception):
                log.error("extracting %s: %s", readable.id, extractions)
                reason = f"could not be read for entities: {extractions}"
                yield [Extraction(readable.id, EXTRACTOR, warning=reason)]
            else:
                yield extractions

    def _write(self, extractions: list[Extraction], places: dict[str, Place]) -> None:
        rows = graph_rows(extractions, places)
        self.store.write(
            ("ingest/drop_extraction", {"ids": [one.id for one in extractions]}),
            ("ingest/write_entities", {"entities": rows.entities}),
            ("merge/write_names", {"entities": rows.entities}),
            ("ingest/write_mentions", {"mentions": rows.mentions}),
            ("ingest/write_about", {"about": rows.about}),
            ("ingest/write_triples", {"triples": rows.triples}),
            ("ingest/finish_extraction", {"rows": rows.finished}),
        )


def _readable(row: dict[str, Any]) -> Readable:
    given = json.loads(row["given"]) if row["given"] else {}
    entities, triples = given.get("entities"), given.get("triples")
    flat = row["sentences"]
    return Readable(
        row["id"],
        row["kind"],
        row["text"],
        title=row["title"],
        section=tuple(row["section"]),
        caption=row["caption"],
        sentences=tuple(zip(flat[::2], flat[1::2], strict=True)),
        given_entities=None if entities is None else tuple(entities),
        given_triples=None if triples is None else tuple((s, p, o) for s, p, o in triples),
    )


def _gathered(parts: Iterable[list[Extraction]], size: int) -> Iterator[list[Extraction]]:
    held: list[Extraction] = []
    for part in parts:
        held += part
        if len(held) >= size:
            yield held
            held = []
    if held:
        yield held
