"""Parsing of waiting documents into pages, passages and tables; a new version replaces the old.

A result is written only if the document still waits for the bytes that were parsed: a version that is added
meanwhile is parsed next, and a document that is removed stays removed.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any, Final

from hopline.config import Settings
from hopline.documents.file_store import get_stored_path, make_document_version
from hopline.errors import DocumentError, EngineError
from hopline.store.graph import Store
from hopline_ingest.batch_bisection import process_with_bisection
from hopline_ingest.formats.parsed_document import ParsedDocument
from hopline_ingest.sandbox.document_parser import DocumentParser
from hopline_ingest.writing.document_rows import DocumentRows
from hopline_ingest.writing.document_writes import write_documents

log = logging.getLogger(__name__)

BATCH_SIZE: Final = 4  # documents parsed concurrently; each distributes its pages over all processes
_REPORT_SECONDS: Final = 0.5


class ParseDocuments:
    """Parses waiting documents with a `DocumentParser`."""

    name = "parse"

    def __init__(self, store: Store, settings: Settings, parser: DocumentParser) -> None:
        self.store = store
        self.settings = settings
        self.parser = parser

    def step(self) -> bool:
        """Parse a batch of waiting documents; return False if none is waiting."""
        waiting = self.store.read("ingest/waiting_documents", {"limit": BATCH_SIZE})
        rows = [dict(zip(waiting, values, strict=True)) for values in zip(*waiting.values(), strict=True)]
        if not rows:
            return False
        with ThreadPoolExecutor(BATCH_SIZE, thread_name_prefix="parse") as threads:
            parsing = {threads.submit(self._parse, row): row for row in rows}
            for done in as_completed(parsing):
                self._write(parsing[done], done.result())
        return True

    def _parse(self, row: dict[str, Any]) -> ParsedDocument | str:
        """Return the parsed document, or the reason for the user why it cannot be parsed."""
        path = get_stored_path(self.settings.files, row["sha256"], row["name"])
        if not path.is_file():
            return "the stored copy of the file is missing from Hopline's home folder; add the file again"
        try:
            return self.parser.parse(path, Path(row["name"]).name, on_page=self._build_progress_callback(row))
        except DocumentError as error:
            return str(error)
        except Exception:
            log.exception("parsing %s failed", row["name"])
            return "internal error of the parser; see the worker's log for details"

    def _build_progress_callback(self, row: dict[str, Any]) -> Callable[[int, int], None]:
        lock, reported = threading.Lock(), [0.0]

        def report(done: int, total: int) -> None:
            with lock:
                now = time.monotonic()
                if now - reported[0] < _REPORT_SECONDS:
                    return
                reported[0] = now
            parameters = {"id": row["id"], "sha256": row["sha256"], "pages": total, "pages_done": done}
            try:
                self.store.write(("ingest/update_parse_progress", parameters))
            except EngineError as error:  # raised within the parser, where it would fail the document
                log.warning("the progress of %s could not be stored: %s", row["name"], error)

        return report

    def _write(self, row: dict[str, Any], parsed: ParsedDocument | str) -> None:
        if isinstance(parsed, str):
            self._fail(row, parsed)
        else:
            process_with_bisection([row], lambda _: self._write_document(row, parsed), self._skip)

    def _write_document(self, row: dict[str, Any], parsed: ParsedDocument) -> None:
        rows = DocumentRows()
        rows.add(row["id"], parsed, collection=row["collection"], version=make_document_version(row["sha256"]))
        claimed = [
            {"id": document["id"], "sha256": row["sha256"], "version": document["version"]}
            for document in rows.documents
        ]
        write_documents(self.store, [("ingest/claim_documents", {"documents": claimed})], rows)

    def _skip(self, row: dict[str, Any], reason: str) -> None:
        self._fail(row, f"the parsed document could not be stored: {reason}")

    def _fail(self, row: dict[str, Any], reason: str) -> None:
        parameters = {"id": row["id"], "sha256": row["sha256"], "reason": reason}
        self.store.write(("ingest/fail_document", parameters))
