"""Documents that wait become pages, passages and tables; a new version replaces the old at once.

What was read is written only where the document still waits for the bytes that were read: another version that
was added meanwhile is read next, and a document that was removed stays removed.
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
from hopline.documents.file_store import kept_path, version_of
from hopline.errors import DocumentError
from hopline.store.graph import Store, Write
from hopline_ingest.bisection import process_by_halves
from hopline_ingest.formats.parsed_document import ParsedDocument
from hopline_ingest.sandbox.reader import Reader
from hopline_ingest.writing.document_rows import Rows

log = logging.getLogger(__name__)

AT_ONCE: Final = 4  # documents read side by side; each spreads its pages over all processes
_TELL_SECONDS: Final = 0.5


class ParseDocuments:
    """Reads waiting documents with a `Reader`, whose processes have limits."""

    name = "parse"

    def __init__(self, store: Store, settings: Settings, reader: Reader) -> None:
        self.store = store
        self.settings = settings
        self.reader = reader

    def step(self) -> bool:
        """Read some waiting documents; False where none waits."""
        waiting = self.store.columns("ingest/waiting_documents", {"limit": AT_ONCE})
        rows = [dict(zip(waiting, values, strict=True)) for values in zip(*waiting.values(), strict=True)]
        if not rows:
            return False
        with ThreadPoolExecutor(AT_ONCE, thread_name_prefix="parse") as threads:
            reading = {threads.submit(self._read, row): row for row in rows}
            for done in as_completed(reading):
                self._write(reading[done], done.result())
        return True

    def _read(self, row: dict[str, Any]) -> ParsedDocument | str:
        """The document, or in words why it cannot be read."""
        path = kept_path(self.settings.files, row["sha256"], row["name"])
        if not path.is_file():
            return "the file that was added is no longer in Hopline's home folder; add it again"
        try:
            return self.reader.read(path, Path(row["name"]).name, on_page=self._teller(row))
        except DocumentError as error:
            return str(error)
        except Exception:
            log.exception("reading %s", row["name"])
            return "an error inside Hopline's reader; the worker's log has the details"

    def _teller(self, row: dict[str, Any]) -> Callable[[int, int], None]:
        lock, told = threading.Lock(), [0.0]

        def tell(done: int, total: int) -> None:
            with lock:
                now = time.monotonic()
                if now - told[0] < _TELL_SECONDS:
                    return
                told[0] = now
            given = {"id": row["id"], "sha256": row["sha256"], "pages": total, "pages_done": done}
            self.store.write(("ingest/document_reading", given))

        return tell

    def _write(self, row: dict[str, Any], parsed: ParsedDocument | str) -> None:
        if isinstance(parsed, str):
            self._fail(row, parsed)
        else:
            process_by_halves([row], lambda _: self._write_document(row, parsed), self._skip)

    def _write_document(self, row: dict[str, Any], parsed: ParsedDocument) -> None:
        rows = Rows()
        rows.add(row["id"], parsed, collection=row["collection"], version=version_of(row["sha256"]))
        claim = [{"id": one["id"], "sha256": row["sha256"], "version": one["version"]} for one in rows.documents]
        self.store.write(("ingest/claim_documents", {"documents": claim}), *document_writes(rows))

    def _skip(self, row: dict[str, Any], reason: str) -> None:
        self._fail(row, f"what was read of it could not be stored: {reason}")

    def _fail(self, row: dict[str, Any], reason: str) -> None:
        given = {"id": row["id"], "sha256": row["sha256"], "reason": reason}
        self.store.write(("ingest/document_failed", given))


def document_writes(rows: Rows) -> list[Write]:
    """The writes of documents that were claimed earlier in the same transaction, in place of what they held."""
    return [
        ("ingest/drop_order", {"documents": rows.documents}),
        ("ingest/write_pages", {"pages": rows.pages}),
        ("ingest/write_passages", {"passages": rows.passages}),
        ("ingest/write_tables", {"tables": rows.tables}),
        ("ingest/write_order", {"pairs": rows.order}),
        ("ingest/drop_stale_evidence", {"documents": rows.documents}),
        ("ingest/drop_stale_pages", {"documents": rows.documents}),
        ("ingest/finish_documents", {"documents": rows.documents}),
    ]
