"""Extraction of entities, triples and subjects from evidence that has not been extracted yet."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final
from uuid import uuid4

from hopline.errors import FlowError, ModelError
from hopline.flow.run import Budget, run
from hopline.flow.services import Scope, Services
from hopline.results import TraceStep
from hopline.store.graph import Store, Write
from hopline_ingest.batch_bisection import describe_error, process_with_bisection
from hopline_ingest.extraction import EXTRACTOR, extract_batch
from hopline_ingest.extraction.llm.extractor import MODEL_EXTRACTOR, extract_with_llm, needs_llm
from hopline_ingest.extraction.records import Extraction, ExtractionInput
from hopline_ingest.extraction_window import ExtractionWindow
from hopline_ingest.process_pool import ResilientExecutor
from hopline_ingest.writing.entity_rows import Aliases, build_entity_rows

log = logging.getLogger(__name__)

BATCH_SIZE: Final = 4000  # evidence a step
LLM_BATCH_SIZE: Final = 64  # evidence per step that a language model extracts
CHUNK_SIZE: Final = 64  # evidence per task of the executor
ROWS_PER_TRANSACTION: Final = 512  # evidence
CALLS_PER_PASSAGE: Final = 2  # reserved: one, and another if the reply is invalid
CALL_LIMIT_REACHED: Final = "the limit on calls of the model is reached; retry with a higher limit"


def describe_other_model(needed: str, configured: str) -> str:
    """Return why the worker, which has the model ``configured`` ("": none), could not extract, and what to do."""
    worker = f"with HOPLINE_MODEL={configured}" if configured else "without HOPLINE_MODEL"
    return (
        f"the collection needs the model {needed!r}, but the worker was started {worker}; "
        f"set HOPLINE_MODEL={needed} and retry"
    )


class ExtractEvidence:
    """Extracts evidence on the processes of an executor and writes results meanwhile.

    Each collection is extracted as configured for it: by rules alone, or also by the named language model.
    """

    name = "extract"

    def __init__(self, store: Store, pool: ResilientExecutor, services: Services | None = None) -> None:
        self.store = store
        self.pool = pool
        self.services = services  # None if no language model is configured
        self._unsettled: list[Write] = []  # settlements of reserved calls that an outage prevented

    def step(self) -> bool:
        """Extract a batch of evidence; return False if none is left."""
        self._settle()
        window = ExtractionWindow.fetch(self.store, BATCH_SIZE, LLM_BATCH_SIZE)
        for extractions in window.batch_by_document(self._extract(window), ROWS_PER_TRANSACTION):
            self._write(extractions, window)
        return bool(window.rows)

    def _extract(self, window: ExtractionWindow) -> Iterator[list[Extraction]]:
        groups: dict[tuple[str, str], list[ExtractionInput]] = {}
        for item in window.inputs:
            row = window.rows[item.id]
            collection = (
                row["collection"] if row["model"] else ""
            )  # evidence for the rules is batched across collections
            groups.setdefault((collection, row["model"]), []).append(item)
        for (collection, model), inputs in groups.items():
            if not model:
                yield from self._extract_by_rules(inputs)
            elif self.services is None or self.services.language_model is None:
                yield self._extract_without_llm(inputs, describe_other_model(model, ""))
            elif self.services.language_model.name != model:
                yield self._extract_without_llm(inputs, describe_other_model(model, self.services.language_model.name))
            else:
                yield from self._extract_within_limit(inputs, window, self.services, collection)

    def _extract_without_llm(self, inputs: Sequence[ExtractionInput], reason: str) -> list[Extraction]:
        by_rules = [item for part in self._extract_by_rules(list(inputs)) for item in part]
        requested = {item.id for item in inputs if needs_llm(item)}
        warning = f"extracted without the model: {reason}"
        return [replace(item, warning=warning) if item.id in requested else item for item in by_rules]

    def _extract_within_limit(
        self, inputs: Sequence[ExtractionInput], window: ExtractionWindow, services: Services, collection: str
    ) -> Iterator[list[Extraction]]:
        """Extract with the model up to the collection's limit of calls, and the rest by rules alone.

        Calls are reserved before they are made, so that those of a worker that is killed are counted.
        """
        waiting = sorted(filter(needs_llm, inputs), key=lambda item: window.was_extracted_by_llm(item.id))
        target = {"collection": collection, "reservation": uuid4().hex}
        [row] = self.store.write(("ingest/reserve_calls", {**target, "calls": CALLS_PER_PASSAGE * len(waiting)}))
        reserved = row["reserved"][0] if row["reserved"] else None  # None: no limit, or removed meanwhile
        beyond = {item.id for item in waiting[reserved:]} if reserved is not None else set()
        requested = [item for item in inputs if item.id not in beyond]
        if requested:
            extractions, calls = self._extract_by_llm(requested, services, reserved)
            self._unsettled.append(("ingest/settle_calls", {**target, "calls": calls}))
            self._settle()
            yield extractions
        if beyond:
            yield self._extract_without_llm([item for item in inputs if item.id in beyond], CALL_LIMIT_REACHED)

    def _extract_by_llm(
        self, inputs: list[ExtractionInput], services: Services, limit: int | None
    ) -> tuple[list[Extraction], int]:
        """Extract with the model; if it cannot be called at all, by rules and with a warning.

        Returns the number of calls that the model answered as well.
        """
        by_rules = [item for part in self._extract_by_rules(inputs) for item in part]
        by_id = {item.id: item for item in by_rules}
        flow = extract_with_llm(inputs, lambda requested: [by_id[item.id] for item in requested])
        steps: list[TraceStep] = []
        try:
            extractions = run(flow, services, Scope(""), budget=Budget(calls=limit), on_step=steps.append).result
        except (ModelError, FlowError) as error:
            log.warning("the language model could not be called: %s", error)
            extractions = self._extract_without_llm(inputs, str(error))
        return extractions, sum(step.calls for step in steps)

    def _settle(self) -> None:
        """Return the reserved calls that were not made; after an outage this is repeated with the next step."""
        while self._unsettled:
            self.store.write(self._unsettled[0])
            del self._unsettled[0]

    def _extract_by_rules(self, inputs: Sequence[ExtractionInput]) -> Iterator[list[Extraction]]:
        chunks = [list(inputs[i : i + CHUNK_SIZE]) for i in range(0, len(inputs), CHUNK_SIZE)]
        broken = []
        for chunk, extractions in self.pool.map_unordered(extract_batch, chunks):
            if isinstance(extractions, Exception):
                broken += chunk
            else:
                yield extractions
        for [evidence], extractions in self.pool.map_unordered(extract_batch, [[item] for item in broken]):
            if isinstance(extractions, Exception):
                log.error("extraction of %s failed: %s", evidence.id, extractions)
                reason = f"entities could not be extracted: {describe_error(extractions)}"
                yield [Extraction(evidence.id, EXTRACTOR, warning=reason)]
            else:
                yield extractions

    def _write(self, extractions: Sequence[Extraction], window: ExtractionWindow) -> None:
        """Write whole documents in several transactions; evidence that cannot be written is skipped with the reason.

        If an alias now means another name, the evidence of its document that was extracted before is extracted again.
        """
        aliases, changed = window.resolve_aliases(extractions)
        parameters = {"documents": changed, "except": [item.id for item in extractions]}
        self.store.write(("ingest/reextract_documents", parameters))
        for start in range(0, len(extractions), ROWS_PER_TRANSACTION):
            part = extractions[start : start + ROWS_PER_TRANSACTION]
            process_with_bisection(part, lambda batch: self._write_part(batch, window, aliases), self._skip)

    def _write_part(self, extractions: Sequence[Extraction], window: ExtractionWindow, aliases: Aliases) -> None:
        retained = [
            item
            for item in extractions
            if item.warning and item.extractor != MODEL_EXTRACTOR and window.was_extracted_by_llm(item.id)
        ]
        fresh = [item for item in extractions if item not in retained]
        rows = build_entity_rows(fresh, {item.id: window.location(item.id) for item in fresh}, aliases)
        self.store.write(
            ("ingest/drop_extraction", {"ids": [item.id for item in fresh]}),
            ("ingest/write_entities", {"entities": rows.entities}),
            ("entities/add_aliases", {"entities": rows.entities}),
            ("ingest/write_mentions", {"mentions": rows.mentions}),
            ("ingest/write_about", {"about": rows.about}),
            ("ingest/write_triples", {"triples": rows.triples}),
            ("ingest/write_references", {"references": rows.references}),
            ("ingest/finish_extraction", {"rows": rows.extractions}),
            ("ingest/link_citations", {"documents": _list_citing_documents(fresh, window)}),
            ("ingest/warn_extraction", {"rows": [{"id": item.id, "warning": item.warning} for item in retained]}),
        )

    def _skip(self, extraction: Extraction, reason: str) -> None:
        parameters = {"id": extraction.id, "stage": "Unread", "reason": f"the extraction could not be stored: {reason}"}
        self.store.write(("ingest/skip_evidence", parameters))


def _list_citing_documents(extractions: Sequence[Extraction], window: ExtractionWindow) -> list[str]:
    """Return the ids of the documents with new citations or references, sorted."""
    citing = [item.id for item in extractions if item.references or item.citations]
    return sorted({window.location(id).document for id in citing})
