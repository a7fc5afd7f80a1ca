"""Graphs of a few nodes, written by hand to a real server where no ingest worker runs, each in its own collection."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count, pairwise
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from hopline import Hopline
from hopline.config import Settings, load_settings
from hopline.documents.worker_process import stop_worker
from hopline.flow.requests import Reply, Vectors
from hopline.flow.run import Budget, Outcome, run
from hopline.flow.services import LanguageModel, Models, Prompt, Scope, Services
from hopline.ids import collection_id, document_id, entity_id, page_id, triple_id
from hopline.retrieval.ranking import Ranking
from hopline.store.graph import Store
from hopline.store.lucene import add_folded_words
from hopline.strategies import load_strategy

sys.path.insert(0, str(Path(__file__).parent))  # table_text.py, small_tables.py

_numbers = count()


class ToyEmbedder:
    """Vectors by hand: a text's is looked up, and any other text points along the last axis."""

    name = "toy"
    dimension = 4

    def __init__(self) -> None:
        self.known: dict[str, Sequence[float]] = {}

    def embed(self, texts: Sequence[str]) -> Vectors:
        rows = [unit(self.known.get(text, (0, 0, 0, 1))) for text in texts]
        return np.asarray(rows, dtype=np.float32).reshape(len(texts), 4)


class CannedChat:
    """Returns its replies in turn, then repeats the last: data, "" for an unusable reply, or an error to raise."""

    name = "canned"

    def __init__(self, *replies: Any) -> None:
        self.replies = list(replies)
        self.prompts: list[Prompt] = []

    def complete(self, prompts: Sequence[Prompt]) -> list[Reply]:
        return [self._reply(prompt) for prompt in prompts]

    def _reply(self, prompt: Prompt) -> Reply:
        reply = self.replies[min(len(self.prompts), len(self.replies) - 1)]
        self.prompts.append(prompt)
        if isinstance(reply, Exception):
            raise reply
        return (
            Reply(str(reply), reply, "", 10, 5)
            if reply != ""
            else Reply("…", None, "the reply contains no JSON", 10, 5)
        )


class FillingChat:
    """Replies with the same value of each type of a schema: words of the corpus, false, 1, one item in a list."""

    name = "filling"

    def complete(self, prompts: Sequence[Prompt]) -> list[Reply]:
        return [Reply("", fill(prompt.schema or {}), "", 10, 5) for prompt in prompts]


def fill(schema: Any) -> Any:
    """A value that fits a schema."""
    if "enum" in schema:
        return schema["enum"][0]
    match schema.get("type"):
        case "object":
            return {name: fill(property_schema) for name, property_schema in schema["properties"].items()}
        case "array":
            return [fill(schema["items"])]
        case "boolean":
            return False
        case "integer":
            return 1
        case _:
            return "Ingrid Vale studied in Bergen"


class TinyGraph:
    """Passages "a", "b"… with vectors; ids are the letters behind the name of the collection.

    What a test adds before it uses the store or the collection is written in one transaction, because each transaction that changes
    full-text and vector indexes takes about as much time as all of its statements. Each statement is run once for all rows.
    """

    _unwritten: ClassVar[list[TinyGraph]] = []

    def __init__(self, store: Store) -> None:
        self._store = store
        self._pending: list[tuple[str, dict[str, Any]]] | None = []
        self._unwritten.append(self)
        self._name = f"tiny-{next(_numbers)}"
        self._collection = collection_id(self._name)
        self.embedder = ToyEmbedder()
        self.documents: dict[str, str] = {}  # id of the document of each evidence
        self._write(
            (
                "ingest/add_documents",
                {"collection": self._collection, "name": self._name, "extraction_model": "", "documents": []},
            ),
        )

    @property
    def store(self) -> Store:
        """The store, which contains all that was added to this graph and to others."""
        self.write_pending()
        return self._store

    @property
    def name(self) -> str:
        """Name of the collection, which is written."""
        self.write_pending()
        return self._name

    @property
    def collection(self) -> str:
        """Id of the collection, which is written."""
        self.write_pending()
        return self._collection

    def write_pending(self) -> None:
        """Write what was added to this graph and to others."""
        while self._unwritten:
            graph = self._unwritten.pop()
            pending, graph._pending = graph._pending or [], None
            self._store.write(*pending)

    def _write(self, *statements: tuple[str, dict[str, Any]]) -> None:
        """Write statements, or add them to the pending ones: rows of the same statement are written by one."""
        if self._pending is None:
            self._store.write(*statements)
            return
        for name, parameters in statements:
            rows = next(key for key, value in parameters.items() if isinstance(value, list))
            options = parameters.keys() - {rows}
            for pending, earlier in self._pending:
                if pending == name and all(earlier[key] == parameters[key] for key in options):
                    earlier[rows] += parameters[rows]
                    break
            else:
                self._pending.append((name, {**parameters, rows: list(parameters[rows])}))

    def id(self, key: str) -> str:
        return f"{self._name}:{key}"

    def keys(self, ids: Sequence[str]) -> list[str]:
        return [id.removeprefix(f"{self._name}:") for id in ids]

    def passage(
        self,
        key: str,
        text: str,
        vector: Sequence[float],
        document: str = "one.pdf",
        page: int = 1,
        pages: int = 1,
        section: Sequence[str] = (),
    ) -> None:
        """One passage on one page; passages of a document follow one another in the order of writing with `follow`."""
        row = {"text": text, "lines": [], "sentences": [0, len(text)], "source_id": key, "section": list(section)}
        self._evidence("passage", key, text, vector, row, document, page, pages)

    def table(
        self,
        key: str,
        number: str,
        text: str,
        vector: Sequence[float],
        document: str = "one.pdf",
        page: int = 1,
        pages: int = 1,
    ) -> None:
        """One table on one page; tables of a page stand in the order of their keys."""
        row = {"text": text, "number": number, "caption": f"Table {number}", "markdown": text, "cells": "[]"}
        self._evidence("table", key, text, vector, row, document, page, pages)

    def figure(
        self, key: str, number: str, text: str, vector: Sequence[float], document: str = "one.pdf", page: int = 1
    ) -> None:
        """One figure, whose caption is ``text``."""
        row = {"text": text, "number": number, "caption": text, "lines": [], "sentences": [0, len(text)]}
        self._evidence("figure", key, text, vector, row, document, page, 1)

    def _evidence(
        self,
        kind: str,
        key: str,
        text: str,
        vector: Sequence[float],
        own: dict[str, Any],
        document: str,
        page: int,
        pages: int,
    ) -> None:
        doc = self.documents[key] = document_id(self._collection, document)
        named = {"collection": self._collection, "name": self._name, "extraction_model": ""}
        row = {"id": doc, "name": document, "sha256": "x", "version": "x-1", "reason": ""}
        claim = {"id": doc, "sha256": "x", "version": "1"}
        properties = {
            "document": doc, "collection": self._collection, "ordinal": 0, "section": [], "pages": [page], "boxes": [], **own,
        }  # fmt: skip
        page_node = page_id(doc, page)
        evidence = {
            "id": self.id(key), "pages": [page_node], "search": add_folded_words(text), "version": "1", "properties": properties,
        }  # fmt: skip
        self._write(
            ("ingest/add_documents", {**named, "documents": [row]}),
            ("ingest/claim_documents", {"documents": [claim]}),
            ("ingest/write_pages", {"pages": [
                {"id": page_node, "document": doc, "number": page, "width": 0.0, "height": 0.0, "version": "1"}]}),
            ("ingest/write_passages", {"passages": [evidence] if kind == "passage" else []}),
            ("ingest/write_tables", {"tables": [evidence] if kind == "table" else []}),
            ("ingest/write_figures", {"figures": [evidence] if kind == "figure" else []}),
            ("ingest/finish_documents", {"documents": [
                {"id": doc, "title": document, "pages": pages, "passages": 1, "tables": 0, "warnings": [], "version": "1"}]}),
            ("ingest/write_vectors_evidence", {
                "rows": [{"id": self.id(key), "vector": list(unit(vector))}], "embedding": self._store.embedding}),
            ("ingest/finish_extraction", {"rows": [
                {"id": self.id(key), "extractor": "hand", "warning": "", "aliases": []}]}),
            ("ingest/write_similar_edges", {"rows": [
                {"id": self.id(key), "others": [], "scores": [], "related": True}], "by": "toy"}),
        )  # fmt: skip

    def similar(self, key: str, other: str, score: float) -> None:
        """Write one edge, which replaces an earlier one from ``key``."""
        row = {"id": self.id(key), "others": [self.id(other)], "scores": [score], "related": True}
        self._write(("ingest/write_similar_edges", {"rows": [row], "by": "toy"}))

    def follow(self, *keys: str) -> None:
        pairs = [{"first": self.id(a), "second": self.id(b)} for a, b in pairwise(keys)]
        self._write(("ingest/write_passage_order", {"pairs": pairs}))

    def entity(self, name: str, *mentioned_by: str, kind: str = "PERSON", spans: Sequence[int] = (0, 1)) -> str:
        return self.entity_at(name, dict.fromkeys(mentioned_by, spans), kind=kind)

    def entity_at(self, name: str, spans_by_evidence: Mapping[str, Sequence[int]], *, kind: str = "PERSON") -> str:
        """Write an entity with its spans in each evidence; returns its id."""
        row = self._entity(name, kind)
        edges = [
            {"evidence": self.id(key), "entity": row["id"], "count": 1, "spans": list(spans)}
            for key, spans in spans_by_evidence.items()
        ]
        self._write(("ingest/write_entities", {"entities": [row]}), ("ingest/write_mentions", {"mentions": edges}))
        return str(row["id"])

    def about(self, key: str, name: str) -> None:
        entity = self._entity(name)
        row = {"evidence": self.id(key), "entity": entity["id"], "by": "hand", "score": 1.0}
        self._write(("ingest/write_entities", {"entities": [entity]}), ("ingest/write_about", {"about": [row]}))

    def _entity(self, name: str, kind: str = "PERSON") -> dict[str, Any]:
        """A row of an entity; it is written together with what leads to it, or a worker would delete it."""
        return {
            "id": entity_id(self._collection, name),
            "collection": self._collection,
            "name": name,
            "kind": kind,
            "named": True,
            "aliases": [],
            "search": add_folded_words(name),
        }

    def triple(
        self, key: str, subject: str, predicate: str, object_: str, vector: Sequence[float], confidence: float = 1.0
    ) -> str:
        evidence = self.id(key)
        id = triple_id(evidence, subject, predicate, object_)
        text = f"{subject} {predicate} {object_}"
        properties = {
            "collection": self._collection, "document": self.documents[key], "evidence": evidence, "subject": subject, "text": text,
            "predicate": predicate, "object": object_, "search": add_folded_words(text), "start": 0, "end": 1,
            "confidence": confidence,
        }  # fmt: skip
        entities = [self._entity(subject), self._entity(object_)]
        row = {"id": id, "evidence": evidence, "properties": properties}
        row |= {"subject_id": entities[0]["id"], "object_id": entities[1]["id"]}
        vectors = {"rows": [{"id": id, "vector": list(unit(vector))}], "embedding": self._store.embedding}
        self._write(
            ("ingest/write_entities", {"entities": entities}),
            ("ingest/write_triples", {"triples": [row]}),
            ("ingest/write_vectors_triple", vectors),
        )
        return id

    def rank(
        self,
        spec: str,
        question: str,
        vector: Sequence[float],
        k: int = 10,
        *,
        chat: LanguageModel | None = None,
        parts: Models | None = None,
        **budget: Any,
    ) -> Ranking:
        """What a strategy finds when the question's vector is ``vector``."""
        return self.outcome(spec, question, vector, k, chat=chat, parts=parts, **budget).result

    def outcome(
        self,
        spec: str,
        question: str,
        vector: Sequence[float],
        k: int = 10,
        *,
        chat: LanguageModel | None = None,
        parts: Models | None = None,
        **budget: Any,
    ) -> Outcome[Ranking]:
        """The same with the trace, recorded for replay."""
        self.embedder.known[question] = vector
        services = Services(self.store, self.embedder, chat, models=parts)
        flow = load_strategy(spec).flow(question, k)
        return run(flow, services, Scope(self.collection), budget=Budget(**budget), record=True)

    def remove(self, document: str) -> Scope:
        """Mark a document for removal, as the first step of a removal does; returns the scope without it."""
        id = document_id(self.collection, document)
        self.store.write(("removal/mark_document", {"id": id}))
        return Scope(self.collection, excluded=(id,))

    def scope(self, *documents: str) -> Scope:
        return Scope(self.collection, tuple(document_id(self.collection, name) for name in documents))


def unit(vector: Sequence[float]) -> list[float]:
    array = np.asarray(vector, dtype=np.float64)
    length = np.linalg.norm(array)
    return (array / length if length else array).tolist()


@pytest.fixture
def make_chat() -> type[CannedChat]:
    """Makes a model that returns the replies of a test."""
    return CannedChat


@pytest.fixture(scope="session")
def fill_schema() -> Callable[[Any], Any]:
    """Returns a value that fits a schema."""
    return fill


@pytest.fixture(scope="session")
def schema_chat() -> FillingChat:
    """A model whose replies fit every schema."""
    return FillingChat()


@pytest.fixture(scope="session")
def graph_settings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """Settings of the server of the hand-made graphs.

    A worker would complete and correct what a test wrote by hand, so this is not the server of ``hop``, unless
    NEO4J_URI names one server for everything.
    """
    folder = tmp_path_factory.mktemp("graphs")
    settings = load_settings(home=folder)
    yield settings
    if not settings.neo4j_uri:
        Hopline.stop(folder)


@pytest.fixture(scope="session")
def graph_store(graph_settings: Settings) -> Iterator[Store]:
    """A store of hand-made graphs; its embedder "toy" has four dimensions, so that vectors can be written by hand."""
    opened = Store.open(graph_settings, embedder="toy", dimension=4)
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def tiny(graph_store: Store) -> Callable[[], TinyGraph]:
    """Makes an empty graph in a separate collection."""

    def make() -> TinyGraph:
        if not graph_store.connection.private:
            stop_worker(graph_store)
        return TinyGraph(graph_store)

    return make
