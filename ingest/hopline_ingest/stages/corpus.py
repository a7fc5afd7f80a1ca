"""Files of passages: every row of a ``.jsonl`` is a passage, rows of one title are a document."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, Final

from hopline.config import Settings
from hopline.errors import DocumentError
from hopline.files import kept_path, version_of
from hopline.ids import document_id
from hopline.store.graph import Store
from hopline_ingest.parse import BadRow, Row, rows
from hopline_ingest.parse.parsed import ParsedDocument, ParsedPage, ParsedPassage
from hopline_ingest.rows import Rows
from hopline_ingest.stages.parse import document_writes

AT_ONCE: Final = 1000  # documents a transaction


class ReadCorpora:
    """Turns one waiting file of rows into documents."""

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
        try:
            documents, problems = _by_title(rows(path))
        except DocumentError as error:
            reason = f"{corpus['name']} cannot be read: {error}"
            self.store.write(("ingest/corpus_failed", {"id": corpus["id"], "reason": reason}))
            return True
        self._write(corpus, documents, [f"{corpus['name']} {problem}" for problem in problems])
        return True

    def _write(self, corpus: dict[str, Any], documents: dict[str, list[ParsedPassage]], problems: list[str]) -> None:
        titles = iter(documents)
        while chunk := list(islice(titles, AT_ONCE)):
            self._write_documents(corpus, {title: documents[title] for title in chunk})
        self.store.write(("ingest/finish_corpus", {"id": corpus["id"], "problems": problems}))

    def _write_documents(self, corpus: dict[str, Any], documents: dict[str, list[ParsedPassage]]) -> None:
        collection = corpus["collection"]
        ids = {title: document_id(collection, title) for title in documents}
        known = self.store.columns("ingest/versions", {"ids": list(ids.values())})
        versions = dict(zip(known["id"], known["version"], strict=True))
        fresh = Rows()
        for title, read in documents.items():
            passages = [replace(one, title="") for one in read] if corpus["titles"] == "drop" else read
            version = _version(passages) + ("" if corpus["titles"] == "keep" else f"-{corpus['titles']}")
            if versions.get(ids[title]) != version:
                # a document without a title is about nothing outside its text; passages are searched by theirs
                known_as = title if corpus["titles"] == "keep" else ""
                parsed = ParsedDocument(known_as, (ParsedPage(1),), tuple(passages))
                fresh.add(ids[title], parsed, collection=collection, version=version)
        made = [{"id": ids[title], "name": title} for title in documents]
        replaced = [row["id"] for row in fresh.documents if row["id"] in versions]
        named = {"collection": collection, "origin": corpus["id"], "documents": made}
        self.store.write(("ingest/write_row_documents", named), *document_writes(fresh, replaced=replaced))


def _by_title(found: Iterator[Row | BadRow]) -> tuple[dict[str, list[ParsedPassage]], list[str]]:
    documents: dict[str, list[ParsedPassage]] = {}
    problems = []
    for row in found:
        if isinstance(row, BadRow):
            problems.append(f"line {row.line} {row.reason}")
        else:
            documents.setdefault(row.title or f"row {row.id}", []).append(row.passage())
    return documents, problems


def _version(passages: Sequence[ParsedPassage]) -> str:
    digest = hashlib.sha256(repr(passages).encode("utf-8", "surrogatepass"))
    return version_of(digest.hexdigest())
