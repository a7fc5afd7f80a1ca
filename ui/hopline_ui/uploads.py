"""Add uploaded files to a collection."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import BinaryIO

from hopline.client import Hopline
from hopline.documents.estimate import Estimate
from hopline.documents.progress import Batch
from hopline.documents.protected_pdfs import remove_password
from hopline.documents.source_files import find_files
from hopline.documents.uploads import Upload, write_uploads


def add_files(
    hop: Hopline,
    files: Sequence[BinaryIO],
    collection: str,
    *,
    max_calls: int | None = None,
    passwords: Mapping[str, str] | None = None,
) -> Batch:
    """Add uploaded files under their own names; a file replaces the document of its name, if there is one.

    ``max_calls``: see `DocumentLibrary.add`. ``passwords`` of PDFs by their names: copies without them are added.

    Raises:
        UsageError: a password is wrong; nothing is added.
    """
    with write_uploads([Upload(file.name, file) for file in files]) as paths:
        for source in find_files(paths):
            if password := (passwords or {}).get(source.path.name):
                remove_password(source.path, password)
        return hop.documents.add(paths, collection=collection, max_calls=max_calls, uploaded=True)


def estimate_files(hop: Hopline, files: Sequence[BinaryIO], collection: str) -> Estimate:
    """Estimate the processing of uploaded files in a collection."""
    with write_uploads([Upload(file.name, file) for file in files]) as paths:
        return hop.documents.estimate(paths, collection)
