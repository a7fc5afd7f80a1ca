"""What other libraries get of a retrieval or an answer: plain texts, numbers, lists and dictionaries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from hopline.results import Answer, Citation, Evidence, EvidencePath, Retrieval
from hopline.results.labels import describe_location, format_model_error, label_evidence, label_node, number_citations

NOT_FOUND: Final = "The documents do not answer the question."
NOT_CERTAIN: Final = "This may be the answer, but it is not certain."
# Metadata that locate evidence for a program, and say nothing to a language model.
FOR_PROGRAMS: Final = ("id", "document_id", "source_id", "pages", "boxes", "score", "path", "kind")


def retrieve(
    client: Any,
    question: str,
    *,
    collection: str,
    strategy: str | None,
    k: int | None,
    filter: str,
    documents: Sequence[str],
) -> Retrieval:
    """Retrieve the evidence for a question; the filter is passed to the client only if there is one."""
    options = select_options(collection=collection, strategy=strategy, k=k, filter=filter, documents=documents)
    retrieval: Retrieval = client.retrieve(question, **options)
    return retrieval


def select_options(*, filter: str, documents: Sequence[str], **options: Any) -> dict[str, Any]:
    """Return the arguments of a question, without a filter and documents that are empty."""
    scope: dict[str, Any] = {"filter": filter} if filter else {}
    return options | scope | ({"documents": list(documents)} if documents else {})


def list_records(retrieval: Retrieval) -> list[tuple[Evidence, dict[str, Any]]]:
    """Return each evidence, best first, with its metadata for another library."""
    known = label_evidence(retrieval.evidence)
    return [(item, describe_evidence(item, retrieval.find_path(item.id), known)) for item in retrieval.evidence]


def describe_evidence(evidence: Evidence, path: EvidencePath | None, known: dict[str, str]) -> dict[str, Any]:
    """Return the metadata of an evidence: where it is from, its score, and the path that leads to it.

    ``known`` has the labels of evidence by id. ``page`` is the first page, None if it has none.
    """
    return {
        "id": evidence.id,
        "source": evidence.document or evidence.title,
        "document": evidence.document,
        "document_id": evidence.document_id,
        "source_id": evidence.source_id,
        "title": evidence.title,
        "section": list(evidence.section),
        "page": evidence.pages[0] if evidence.pages else None,
        "pages": list(evidence.pages),
        "boxes": [
            {"page": box.page, "x0": float(box.x0), "y0": float(box.y0), "x1": float(box.x1), "y1": float(box.y1)}
            for box in evidence.boxes
        ],
        "score": float(evidence.score),
        "kind": evidence.kind,
        "caption": evidence.caption,
        "path": describe_path(path, known) if path is not None else [],
    }


def describe_path(path: EvidencePath, known: dict[str, str]) -> list[str]:
    """Return the steps of a path, "Nordvik —MENTIONS→ report.pdf p. 3"; of evidence that search found, no steps."""
    return [f"{label_node(step.source, known)} —{step.edge}→ {label_node(step.target, known)}" for step in path.steps]


def format_answer(answer: Answer) -> str:
    """Return an answer as text with numbered citations below it, each with its document, page and quote."""
    numbers = number_citations(answer)
    sentences = [
        " ".join([sentence.text, *(f"[{numbers[citation]}]" for citation in sentence.citations)])
        for sentence in answer.claims
    ]
    note = {"not_found": NOT_FOUND, "possible": NOT_CERTAIN}.get(answer.status, "")
    missing = f"Not in the documents: {', '.join(answer.missing)}." if answer.missing else ""
    head = " ".join(filter(None, (note, missing, format_model_error(answer))))
    sources = "\n".join(_format_citation(citation, number) for citation, number in numbers.items())
    return "\n\n".join(filter(None, (head, "\n".join(sentences), sources)))


def _format_citation(citation: Citation, number: int) -> str:
    quote = " ".join(citation.quote.split())
    return f"[{number}] {describe_location(citation.evidence, citation.page or None)}: “{quote}”"
