"""Documents, evidence and answers for tests, with ids as Hopline makes them."""

from __future__ import annotations

from typing import Any

from hopline.ids import collection_id, document_id, stable_id
from hopline.records import Box, Document
from hopline.results import Answer, Citation, Evidence, EvidencePath, Node, Retrieval, Sentence
from hopline.testing.state import FakeQuestion


def make_document(collection: str, name: str, **properties: Any) -> Document:
    """A document of two pages and nine passages that was processed, unless ``properties`` say otherwise."""
    defaults: dict[str, Any] = {
        "state": "ready",
        "pages": 2,
        "passages": 9,
        "title": name.rsplit(".", 1)[0],
        "sha256": "0" * 64,
    }
    return Document(document_id(collection_id(collection), name), name, collection, **(defaults | properties))


def make_answer(
    fake: FakeQuestion, text: str, *, document: str = "document.txt", page: int = 1, passage: str | None = None
) -> Answer:
    """An answer of one sentence that is a quote from one passage (``passage``, or the sentence itself)."""
    source = make_document(fake.collection, document)
    body = passage if passage is not None else text
    id = stable_id("passage", source.id, body, 0)
    box = Box(page, 72.0, 72.0, 520.0, 90.0)
    evidence = Evidence(
        id, "passage", 1.0, body, document, document_id=source.id, title=source.title, pages=(page,), boxes=(box,)
    )
    path = EvidencePath(id, Node(id, "passage"))
    start = body.index(text)
    sentence = Sentence(text, (Citation(evidence, text, start, start + len(text), path),))
    retrieval = Retrieval(fake.question, fake.strategy, fake.collection, (evidence,), (path,))
    return Answer(fake.question, (sentence,), retrieval, short=text)
