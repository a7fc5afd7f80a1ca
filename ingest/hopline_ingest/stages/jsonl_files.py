"""JSONL files: every row is a passage, and the rows with one title form a document."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any, Final

from hopline.config import Settings
from hopline.documents.file_store import get_stored_path, make_document_version
from hopline.errors import DocumentError, is_outage
from hopline.ids import row_document_id
from hopline.metadata.values import encode_metadata
from hopline.store.graph import Store
from hopline.store.removal import delete_marked_documents
from hopline_ingest.batch_bisection import describe_error, process_with_bisection
from hopline_ingest.formats.jsonl_spool import JsonlSpool, RowDocument
from hopline_ingest.formats.parsed_document import ParsedDocument, ParsedPage, ParsedPassage
from hopline_ingest.writing.document_rows import DocumentRows
from hopline_ingest.writing.document_writes import write_documents

log = logging.getLogger(__name__)

BATCH_SIZE: Final = 1000  # passages per transaction, plus the rest of the last document


class ParseJsonlFiles:
    """Parses one waiting JSONL file into documents.

    A version of the file that is added meanwhile is parsed next. Documents that the file no longer contains are
    removed at the end.
    """

    name = "parse jsonl"

    def __init__(self, store: Store, settings: Settings) -> None:
        self.store = store
        self.settings = settings

    def step(self) -> bool:
        """Parse one file; return False if none is waiting."""
        waiting = self.store.read("ingest/waiting_jsonl_files")
        if not waiting["id"]:
            return False
        file = {name: values[0] for name, values in waiting.items()}
        try:
            self._parse(file)
        except DocumentError as error:
            self._fail_file(file, f"cannot be parsed: {error}")
        except Exception as error:
            if is_outage(error):
                raise
            log.exception("parsing %s failed", file["name"])
            self._fail_file(file, f"could not be stored: {describe_error(error)}")
        return True

    def _parse(self, file: dict[str, Any]) -> None:
        path = get_stored_path(self.settings.files, file["sha256"], file["name"])
        with closing(JsonlSpool(file["name"])) as spool:
            spool.load(path, max_mb=self.settings.max_file_mb)
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
        problems = [f"{file['name']} {problem}" for problem in spool.problems]
        finished = {**file_version, "titles": file["titles"], "problems": problems}
        [removed] = self.store.write(("ingest/finish_jsonl_file", finished))
        delete_marked_documents(self.store, [id for ids in removed["removed"] for id in ids])

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
        ids = {document.title: row_document_id(file["id"], document.title) for document in documents}
        known = self.store.read("ingest/document_versions", {"ids": list(ids.values())})
        versions = dict(zip(known["id"], known["version"], strict=True))
        titles = file["titles"]
        fresh, claimed, unchanged = DocumentRows(), [], []
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
        write_documents(self.store, [("ingest/claim_jsonl_documents", {**claim, "documents": claimed})], fresh)


def _make_version(passages: Sequence[ParsedPassage]) -> str:
    digest = hashlib.sha256(repr(passages).encode("utf-8", "surrogatepass"))
    return make_document_version(digest.hexdigest())
