"""Graphs of a few nodes, written by hand into the real server, each in a collection of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count, pairwise

import numpy as np
import pytest

from hopline.flow.requests import Vectors
from hopline.flow.run import Outcome, run
from hopline.flow.world import Scope, World
from hopline.ids import collection_id, document_id, entity_id, page_id, triple_id
from hopline.ranking import Ranking
from hopline.store.graph import Store
from hopline.strategies import load_strategy

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


class TinyGraph:
    """Passages "a", "b"… with vectors; ids are the letters behind the name of the collection."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.name = f"tiny-{next(_numbers)}"
        self.collection = collection_id(self.name)
        self.embedder = ToyEmbedder()
        store.write(
            ("ingest/add_documents", {"collection": self.collection, "name": self.name, "documents": []}),
        )

    def id(self, key: str) -> str:
        return f"{self.name}:{key}"

    def keys(self, ids: Sequence[str]) -> list[str]:
        return [id.removeprefix(f"{self.name}:") for id in ids]

    def passage(self, key: str, text: str, vector: Sequence[float], document: str = "one.pdf", page: int = 1) -> None:
        """One passage; passages of a document follow one another in the order of writing with `follow`."""
        doc = document_id(self.collection, document)
        named = {"collection": self.collection, "name": self.name}
        row = {"id": doc, "name": document, "sha256": "x", "version": "x-1", "reason": ""}
        properties = {
            "document": doc, "collection": self.collection, "ordinal": 0, "text": text, "section": [], "pages": [page],
            "boxes": [], "lines": [], "sentences": [0, len(text)], "source_id": key,
        }  # fmt: skip
        place = page_id(doc, page)
        self.store.write(
            ("ingest/add_documents", {**named, "documents": [row]}),
            ("ingest/write_pages", {"pages": [
                {"id": place, "document": doc, "number": page, "width": 0.0, "height": 0.0, "version": "1"}]}),
            ("ingest/write_passages", {"passages": [
                {"id": self.id(key), "pages": [place], "search": text, "version": "1", "properties": properties}]}),
            ("ingest/finish_documents", {"documents": [
                {"id": doc, "title": document, "pages": 1, "passages": 1, "tables": 0, "warnings": [], "version": "1"}]}),
            ("ingest/write_vectors_evidence", {
                "rows": [{"id": self.id(key), "vector": list(unit(vector))}], "embedding": self.store.embedding}),
            ("ingest/finish_extraction", {"rows": [{"id": self.id(key), "extractor": "hand", "warning": ""}]}),
            ("ingest/write_similar", {"ids": [self.id(key)], "pairs": [], "by": "toy"}),
        )  # fmt: skip

    def follow(self, *keys: str) -> None:
        pairs = [{"first": self.id(a), "second": self.id(b)} for a, b in pairwise(keys)]
        self.store.write(("ingest/write_order", {"pairs": pairs}))

    def entity(self, name: str, *mentioned_by: str, kind: str = "PERSON") -> str:
        id = entity_id(self.collection, name)
        row = {
            "id": id,
            "collection": self.collection,
            "name": name,
            "kind": kind,
            "named": True,
            "aliases": [],
            "search": name,
        }
        edges = [{"evidence": self.id(key), "entity": id, "count": 1, "spans": [0, 1]} for key in mentioned_by]
        self.store.write(("ingest/write_entities", {"entities": [row]}), ("ingest/write_mentions", {"mentions": edges}))
        return id

    def about(self, key: str, name: str) -> None:
        row = {"evidence": self.id(key), "entity": self.entity(name), "by": "hand", "score": 1.0}
        self.store.write(("ingest/write_about", {"about": [row]}))

    def triple(self, key: str, subject: str, predicate: str, object_: str, vector: Sequence[float]) -> str:
        evidence = self.id(key)
        id = triple_id(evidence, subject, predicate, object_)
        text = f"{subject} {predicate} {object_}"
        properties = {
            "collection": self.collection, "document": "", "evidence": evidence, "subject": subject, "text": text,
            "predicate": predicate, "object": object_, "search": text, "start": 0, "end": 1,
        }  # fmt: skip
        ends = {"subject_id": self.entity(subject), "object_id": self.entity(object_)}
        row = {"id": id, "evidence": evidence, "properties": properties, **ends}
        vectors = {"rows": [{"id": id, "vector": list(unit(vector))}], "embedding": self.store.embedding}
        self.store.write(("ingest/write_triples", {"triples": [row]}), ("ingest/write_vectors_triple", vectors))
        return id

    def rank(self, spec: str, question: str, vector: Sequence[float], k: int = 10) -> Ranking:
        """What a strategy finds when the question's vector is ``vector``."""
        self.embedder.known[question] = vector
        outcome: Outcome[Ranking] = run(
            load_strategy(spec).flow(question, k), World(self.store, self.embedder), Scope(self.collection)
        )
        return outcome.result

    def scope(self, *documents: str) -> Scope:
        return Scope(self.collection, tuple(document_id(self.collection, name) for name in documents))


def unit(vector: Sequence[float]) -> list[float]:
    array = np.asarray(vector, dtype=np.float64)
    length = np.linalg.norm(array)
    return (array / length if length else array).tolist()


@pytest.fixture
def tiny(store: Store) -> Callable[[], TinyGraph]:
    """Makes an empty graph in a collection of its own."""
    return lambda: TinyGraph(store)
