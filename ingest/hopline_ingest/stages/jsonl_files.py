"""JSONL files: every row is a passage, and the rows with one title form a document."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from hopline.config import Settings
from hopline.documents.file_store import get_stored_path, make_document_version
from hopline.errors import DocumentError, is_outage
from hopline.flow.columns import to_rows
from hopline.ids import row_document_id
from hopline.metadata.values import encode_metadata
from hopline.store.graph import Store, Write
from hopline.store.removal import delete_marked_documents
from hopline_ingest.batch_bisection import describe_error, process_with_bisection
from hopline_ingest.formats.jsonl_spool import JsonlSpool, RowDocument
from hopline_ingest.formats.parsed_document import ParsedDocument, ParsedPage, ParsedPassage
from hopline_ingest.writing.document_rows import DocumentRows
from hopline_ingest.writing.document_writes import write_documents

log = logging.getLogger(__name__)

BATCH_SIZE: Final = 1000  # passages per transaction, plus the rest of the last document
MAX_FILES: Final = 50  # small files that are parsed together
SMALL_FILE: Final = 65_536  # bytes: writing such a file takes less time than the transactions that it would have alone


class ParseJsonlFiles:
    """Parses waiting JSONL files into documents, one at a time, or small ones together.

    A version of the file that is added meanwhile is parsed next. Documents that the file no longer contains are
    removed at the end.
    """

    name = "parse jsonl"

    def __init__(self, store: Store, settings: Settings) -> None:
        self.store = store
        self.settings = settings

    def step(self) -> bool:
        """Parse one file, or several small ones together; return False if none is waiting."""
        waiting = to_rows(self.store.read("ingest/waiting_jsonl_files", {"limit": MAX_FILES}))
        if not waiting:
            return False
        small = [file for file in waiting if self._is_small(file)]
        if len(small) > 1:
            process_with_bisection(small, self._parse_together, lambda file, _: self._parse_alone(file))
        else:
            self._parse_alone(waiting[0])
        return True

    def _is_small(self, file: dict[str, Any]) -> bool:
        path = self._get_path(file)
        return path.suffix == ".jsonl" and path.is_file() and path.stat().st_size <= SMALL_FILE

    def _get_path(self, file: dict[str, Any]) -> Path:
        return get_stored_path(self.settings.files, file["sha256"], file["name"])

    def _parse_together(self, files: Sequence[dict[str, Any]]) -> None:
        """Parse small files and write them in two transactions; any error is raised, and leaves them waiting."""
        fresh, claims, finished = DocumentRows(), [], []
        for file in files:
            with closing(JsonlSpool(file["name"])) as spool:
                spool.load(self._get_path(file), max_mb=self.settings.max_file_mb)
                documents = [document for batch in spool.iter_documents(BATCH_SIZE) for document in batch]
                claims.append(self._add_documents(file, documents, fresh))
                finished.append(_build_finish(file, spool.problems))
        write_documents(self.store, claims, fresh)
        self._finish(finished)

    def _finish(self, finished: Sequence[Write]) -> None:
        removed = [id for columns in self.store.write(*finished) for ids in columns["removed"] for id in ids]
        delete_marked_documents(self.store, removed)

    def _parse_alone(self, file: dict[str, Any]) -> None:
        try:
            self._parse(file)
        except DocumentError as error:
            self._fail_file(file, f"cannot be parsed: {error}")
        except Exception as error:
            if is_outage(error):
                raise
            log.exception("parsing %s failed", file["name"])
            self._fail_file(file, f"could not be stored: {describe_error(error)}")

    def _parse(self, file: dict[str, Any]) -> None:
        with closing(JsonlSpool(file["name"])) as spool:
            spool.load(self._get_path(file), max_mb=self.settings.max_file_mb)
            self._write(file, spool)

    def _fail_file(self, file: dict[str, Any], reason: str) -> None:
        parameters = {"id": file["id"], "sha256": file["sha256"], "reason": f"{file['name']} {reason}"}
        self.store.write(("ingest/fail_jsonl_file", parameters))

    def _write(self, file: dict[str, Any], spool: JsonlSpool) -> None:
        file_version = {"id": file["id"], "sha256": file["sha256"]}
        self.store.write(("ingest/set_jsonl_document_count", {**file_version, "rows": spool.document_count}))
        for documents in spool.iter_documents(BATCH_SIZE):
            process_with_bisection(
                documents,
                lambda batch: self._write_documents(file, batch),
                lambda document, reason: self._fail(file, document.title, reason),
            )
        self._finish([_build_finish(file, spool.problems)])

    def _fail(self, file: dict[str, Any], title: str, reason: str) -> None:
        parameters = {
            "collection": file["collection"],
            "origin": file["id"],
            "sha256": file["sha256"],
            "id": row_document_id(file["id"], title),
            "name": title,
            "reason": f"its rows could not be stored: {reason}",
        }
        self.store.write(("ingest/fail_jsonl_document", parameters))

    def _write_documents(self, file: dict[str, Any], documents: Sequence[RowDocument]) -> None:
        fresh = DocumentRows()
        write_documents(self.store, [self._add_documents(file, documents, fresh)], fresh)

    def _add_documents(self, file: dict[str, Any], documents: Sequence[RowDocument], fresh: DocumentRows) -> Write:
        """Add the rows of documents that are new or changed to ``fresh``; returns the write that claims all of them."""
        ids = {document.title: row_document_id(file["id"], document.title) for document in documents}
        known = self.store.read("ingest/document_versions", {"ids": list(ids.values())})
        versions = dict(zip(known["id"], known["version"], strict=True))
        titles = file["titles"]
        claimed, unchanged = [], []
        for row in documents:
            title, passages = row.title, row.passages
            if titles == "drop":
                passages = [replace(passage, title="") for passage in passages]
            version = _make_version(passages) + ("" if titles == "keep" else f"-{titles}")
            if versions.get(ids[title]) == version:
                unchanged.append({"id": ids[title], "metadata": encode_metadata(row.metadata)})
                continue
            # without a document title the subjects come from the text alone; passages are searched by their own titles
            document = ParsedDocument(
                title if titles == "keep" else "",
                (ParsedPage(1),),
                tuple(passages),
                metadata=tuple(row.metadata.items()),
            )
            fresh.add(ids[title], document, collection=file["collection"], version=version)
            claimed.append({"id": ids[title], "name": title, "version": version})
        claim = {"origin": file["id"], "sha256": file["sha256"], "titles": titles, "unchanged": unchanged}
        return "ingest/claim_jsonl_documents", {**claim, "documents": claimed}


def _build_finish(file: dict[str, Any], problems: Sequence[str]) -> Write:
    version = {"id": file["id"], "sha256": file["sha256"], "titles": file["titles"]}
    return "ingest/finish_jsonl_file", {**version, "problems": [f"{file['name']} {problem}" for problem in problems]}


def _make_version(passages: Sequence[ParsedPassage]) -> str:
    digest = hashlib.sha256(repr(passages).encode("utf-8", "surrogatepass"))
    return make_document_version(digest.hexdigest())
