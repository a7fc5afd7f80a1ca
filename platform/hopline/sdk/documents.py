"""The door for documents: adding, reading on, taking out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from hopline.adding import Titles
from hopline.batch import Batch, Progress, progress_of
from hopline.inventory import Estimate, Reading
from hopline.sdk.opened import Opened
from hopline.types import Collection, Document

Paths = str | Path | Iterable[str | Path]


class Documents(Opened):
    """What goes into the graph and out of it."""

    def add(
        self, paths: Paths, collection: str = "default", *, titles: Titles = "keep", max_calls: int | None = None
    ) -> Batch:
        """Keep files and folders and have the worker read them; returns at once.

        A file that is there unchanged is left alone, a changed one replaces its old version. ``titles`` is for
        rows of ``.jsonl``: ``ignore`` and ``drop`` read them as if nobody had written titles (`add_files`).
        ``max_calls`` is how often reading may call a model for this collection from now on, beside what is left of
        an earlier cap; what is beyond it is read by rules, marked, and can be tried again. None leaves a cap as it is.

        Raises:
            UsageError: a path that is not there.
        """
        from hopline.adding import add_files
        from hopline.worker import ensure_worker

        id = self._inventory.id_of(collection)
        ids = add_files(
            self._store, self.settings, _paths(paths), Collection(id, collection), titles=titles, max_calls=max_calls
        )
        if ids:
            ensure_worker(self.settings, self._store)
        return Batch(self._store, self.settings, id, ids)

    def estimate(self, paths: Paths) -> Estimate:
        """What reading these would take, without reading them."""
        return self._inventory.estimate(self.settings, _paths(paths))

    def progress(self, collection: str = "default") -> Progress:
        """How far the worker is with all of a collection."""
        return progress_of(self._store, "read/progress_collection", {"collection": self._inventory.id_of(collection)})

    def documents(self, collection: str = "default") -> list[Document]:
        """Every document of a collection, by name."""
        return self._inventory.documents(collection)

    def remove(self, document: str | None = None, *, collection: str = "default") -> int:
        """Remove one document, by name or id, or the whole collection; returns how many documents went."""
        return self._inventory.remove(document, collection)

    def rename(self, collection: str, to: str) -> None:
        """Give a collection another name; what is in it stays as it is.

        Raises:
            UnknownName: no such collection.
            UsageError: another one has this name, or it is empty.
        """
        self._inventory.rename(collection, to)

    def retry(
        self,
        document: str | None = None,
        *,
        collection: str = "default",
        passages: bool = True,
        max_calls: int | None = None,
    ) -> int:
        """Read once more what failed: one document, by name or id, or all of the collection.

        That is documents that could not be read and, with ``passages``, passages that were read with a warning.
        Returns how many documents and passages there are. ``max_calls`` raises the collection's cap, if it has one.

        Raises:
            UnknownName: no such document.
        """
        from hopline.worker import ensure_worker

        count = self._inventory.retry(document, collection, passages=passages, max_calls=max_calls)
        if count:
            ensure_worker(self.settings, self._store)
        return count

    def reading(self, documents: Sequence[str]) -> dict[str, Reading]:
        """How far some documents are, by their ids; those that are not there are left out."""
        return self._inventory.reading(documents)

    def file(self, document: str) -> Path:
        """The kept file of a document, by the document's id.

        Raises:
            UnknownName: no such document, or it came as rows and has no file of its own.
        """
        return self._inventory.file(self.settings, document)


def _paths(paths: Paths) -> list[Path]:
    given = [paths] if isinstance(paths, str | Path) else paths
    return [Path(path).expanduser() for path in given]
