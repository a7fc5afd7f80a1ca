"""Files of passages: every row of a ``.jsonl`` is a passage, rows of one title are a document."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any, Final

from hopline.config import Settings
from hopline.documents.file_store import kept_path, version_of
from hopline.errors import DocumentError
from hopline.ids import row_document_id
from hopline.store.graph import Store
from hopline.store.removal import finish_documents
from hopline_ingest.bisection import process_by_halves
from hopline_ingest.formats.jsonl_spool import RowSpool
from hopline_ingest.formats.parsed_document import ParsedDocument, ParsedPage, ParsedPassage
from hopline_ingest.stages.parse import document_writes
from hopline_ingest.writing.document_rows import Rows

AT_ONCE: Final = 1000  # passages a transaction, but for the rest of the last document

Titled = tuple[str, list[ParsedPassage]]  # a title, and the passages under it


class ReadCorpora:
    """Turns one waiting file of rows into documents.

    Another version of the file that was added meanwhile is read next. Documents that the file holds no longer are
    removed when it is done.
    """

    name = "corpus"

    def __init__(self, store: Store, settings: Settings) -> None:
        self.store = store
        self.settings = settings

    def step(self) -> bool:
        """Read one file; False where none waits."""
        waiting = self.store.columns("ingest/waiting_corpora")
        if not waiting["id"]:
            return False
        corpus = {name: values[0] for name, values in waiting.items()}
        path = kept_path(self.settings.files, corpus["sha256"], corpus["name"])
        with closing(RowSpool()) as spool:
            try:
                spool.fill(path, max_mb=self.settings.max_file_mb)
            except DocumentError as error:
                reason = f"{corpus['name']} cannot be read: {error}"
                given = {"id": corpus["id"], "sha256": corpus["sha256"], "reason": reason}
                self.store.write(("ingest/corpus_failed", given))
            else:
                self._write(corpus, spool)
        return True

    def _write(self, corpus: dict[str, Any], spool: RowSpool) -> None:
        named = {"id": corpus["id"], "sha256": corpus["sha256"]}
        self.store.write(("ingest/corpus_rows", {**named, "rows": spool.titles}))
        for documents in spool.documents(AT_ONCE):
            process_by_halves(
                documents,
                lambda some: self._write_documents(corpus, some),
                lambda one, reason: self._fail(corpus, one[0], reason),
            )
        told = [f"{corpus['name']} {problem}" for problem in spool.problems]
        finished = {**named, "titles": corpus["titles"], "problems": told}
        [found] = self.store.write(("ingest/finish_corpus", finished))
        finish_documents(self.store, [id for gone in found["gone"] for id in gone])

    def _fail(self, corpus: dict[str, Any], title: str, reason: str) -> None:
        given = {
            "collection": corpus["collection"],
            "origin": corpus["id"],
            "sha256": corpus["sha256"],
            "id": row_document_id(corpus["id"], title),
            "name": title,
            "reason": f"its rows could not be stored: {reason}",
        }
        self.store.write(("ingest/row_document_failed", given))

    def _write_documents(self, corpus: dict[str, Any], documents: Sequence[Titled]) -> None:
        ids = {title: row_document_id(corpus["id"], title) for title, _ in documents}
        known = self.store.columns("ingest/known_versions", {"ids": list(ids.values())})
        versions = dict(zip(known["id"], known["version"], strict=True))
        titles = corpus["titles"]
        fresh, claimed, unchanged = Rows(), [], []
        for title, read in documents:
            passages = [replace(one, title="") for one in read] if titles == "drop" else read
            version = _version(passages) + ("" if titles == "keep" else f"-{titles}")
            if versions.get(ids[title]) == version:
                unchanged.append(ids[title])
                continue
            # a document without a title is about nothing outside its text; passages are searched by theirs
            known_as = title if titles == "keep" else ""
            parsed = ParsedDocument(known_as, (ParsedPage(1),), tuple(passages))
            fresh.add(ids[title], parsed, collection=corpus["collection"], version=version)
            claimed.append({"id": ids[title], "name": title, "version": version})
        claim = {"origin": corpus["id"], "sha256": corpus["sha256"], "titles": titles, "unchanged": unchanged}
        self.store.write(("ingest/claim_row_documents", {**claim, "documents": claimed}), *document_writes(fresh))


def _version(passages: Sequence[ParsedPassage]) -> str:
    digest = hashlib.sha256(repr(passages).encode("utf-8", "surrogatepass"))
    return version_of(digest.hexdigest())
