"""Processing again: what failed, and the extraction of whole collections. The worker does the work."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from hopline.documents.call_limit import build_limit_writes

if TYPE_CHECKING:
    from hopline.store.graph import Store, Write


PERMANENT_REASONS: Final = (
    "password-protected",
    "is damaged and cannot be opened",
    "the PDF has no pages",
    "is not a valid",
    "the file is empty",
    "the file is not a text file",
    "nested too deeply",
    "unsupported file type",
)  # in the message of a failure that another attempt does not change


def may_succeed(reason: str) -> bool:
    """Return whether processing a document that failed for this reason may succeed: its file is not at fault."""
    return not any(permanent in reason for permanent in PERMANENT_REASONS)


def queue_extraction(store: Store, collection: str, *, model: str, max_calls: int | None) -> int:
    """Queue all evidence of a collection for extraction; returns its number.

    ``model`` is the language model that extracts now and later, "" for rules. ``max_calls`` is added to the limit of
    model calls, None for no change.
    """
    limit = build_limit_writes("ingest/limit_calls", collection, max_calls)
    parameters = {"collection": collection, "extraction_model": model}
    *_, queued = store.write(*limit, ("ingest/reextract_collection", parameters))
    return sum(queued["passages"])


def queue_failures(
    store: Store, collection: str, documents: Sequence[str], *, passages: bool, max_calls: int | None
) -> int:
    """Queue documents that could not be parsed and, with ``passages``, evidence that was extracted with a warning.

    ``documents`` are ids, none for all of the collection. ``max_calls`` raises the limit of model calls, if the
    collection has one. Returns the number of documents and evidence.
    """
    target = {"collection": collection, "documents": [*documents]}
    writes: list[Write] = [("ingest/retry_documents", target)]
    if passages:
        writes.append(("ingest/retry_evidence", {**target, "embedding": store.embedding}))
    writes += build_limit_writes("ingest/raise_call_limit", collection, max_calls)
    failed, *others = store.write(*writes)
    return len(failed["id"]) + sum(sum(row.get("evidence", ())) for row in others)
