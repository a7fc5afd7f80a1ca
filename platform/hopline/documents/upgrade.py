"""Documents that an older version of the parser parsed: counting them, and queueing them for parsing.

Extraction rules and embedders of another version are noticed by the worker, which processes their collections again.
"""

from __future__ import annotations

from hopline.documents.file_store import PARSER_VERSION
from hopline.store.graph import Store


def count_outdated_documents(store: Store) -> int:
    """Count the documents that another version of the parser parsed, and that do not wait for parsing."""
    return int(store.read("documents/outdated_documents", {"parser": PARSER_VERSION})["documents"][0])


def queue_outdated_documents(store: Store) -> int:
    """Queue the documents that another version of the parser parsed; returns their number.

    They are parsed from the files in the home folder. The earlier content is found until the new one replaces it.
    """
    parser = {"parser": PARSER_VERSION}
    queued = store.write(("ingest/queue_outdated_documents", parser), ("ingest/queue_outdated_jsonl_files", parser))
    return sum(sum(columns["documents"]) for columns in queued)
