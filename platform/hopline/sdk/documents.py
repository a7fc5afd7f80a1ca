"""The door for documents: adding, reading on, taking out."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from hopline.batch import Batch, Progress, progress_of
from hopline.ids import collection_id
from hopline.inventory import Estimate
from hopline.sdk.opened import Opened
from hopline.types import Document

if TYPE_CHECKING:
    from hopline.adding import Titles

Paths = str | Path | Iterable[str | Path]


class Documents(Opened):
    """What goes into the graph and out of it."""

    def add(self, paths: Paths, collection: str = "default", *, titles: Titles = "keep") -> Batch:
        """Keep files and folders and have the worker read them; returns at once.

        A file that is there unchanged is left alone, a changed one replaces its old version. ``titles`` is for
        rows of ``.jsonl``: ``ignore`` and ``drop`` read them as if nobody had written titles (`add_files`).

        Raises:
            UsageError: a path that is not there.
        """
        from hopline.adding import add_files
        from hopline.worker import ensure_worker

        ids = add_files(self._store, self.settings, _paths(paths), collection, titles=titles)
        if ids:
            ensure_worker(self.settings, self._store)
        return Batch(self._store, self.settings, collection_id(collection), ids)

    def estimate(self, paths: Paths) -> Estimate:
        """What reading these would take, without reading them."""
        return self._inventory.estimate(self.settings, _paths(paths))

    def progress(self, collection: str = "default") -> Progress:
        """How far the worker is with all of a collection."""
        return progress_of(self._store, "read/progress_collection", {"collection": collection_id(collection)})

    def documents(self, collection: str = "default") -> list[Document]:
        """Every document of a collection, by name."""
        return self._inventory.documents(collection)

    def remove(self, document: str | None = None, *, collection: str = "default") -> int:
        """Remove one document, by name or id, or the whole collection; returns how many documents went."""
        return self._inventory.remove(document, collection)

    def retry(self, collection: str = "default") -> int:
        """Read the documents that failed once more; returns how many there are."""
        from hopline.worker import ensure_worker

        count = self._inventory.retry(collection)
        if count:
            ensure_worker(self.settings, self._store)
        return count

    def file(self, document: str) -> Path:
        """The kept file of a document, by the document's id.

        Raises:
            UnknownName: no such document, or it came as rows and has no file of its own.
        """
        return self._inventory.file(self.settings, document)


def _paths(paths: Paths) -> list[Path]:
    given = [paths] if isinstance(paths, str | Path) else paths
    return [Path(path).expanduser() for path in given]
