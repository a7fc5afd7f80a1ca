"""The door for documents: adding, reading on, taking out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from hopline.client.connections import Opened
from hopline.documents.addition import Titles
from hopline.documents.library import Estimate, Reading
from hopline.documents.progress import Batch, Progress, collection_progress
from hopline.errors import UsageError
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
            UsageError: a path that is not there, or a cap that is none.
        """
        from hopline.documents.addition import add_files

        _check_calls(max_calls)
        id = self._inventory.id_of(collection)
        ids = add_files(
            self._store, self.settings, _paths(paths), Collection(id, collection), titles=titles, max_calls=max_calls
        )
        if ids:
            self._workers.ensure()
        return Batch(self._store, self.settings, id, ids, self._workers, show=_draw_progress)

    def estimate(self, paths: Paths, collection: str = "default") -> Estimate:
        """What reading these into a collection would take, without reading them.

        ``calls`` are of the model that extracts in this collection: the one that was chosen when it was made.
        """
        return self._inventory.estimate(self.settings, _paths(paths), collection)

    def progress(self, collection: str = "default") -> Progress:
        """How far the worker is with all of a collection; a worker that is not there any more is started again.

        Raises:
            UnknownName: no such collection.
        """
        found = collection_progress(self._store, self._inventory.known_id(collection))
        if not found.done:
            self._workers.ensure()
        return found

    def documents(self, collection: str = "default") -> list[Document]:
        """Every document of a collection, by name.

        Raises:
            UnknownName: no such collection.
        """
        return self._inventory.documents(collection)

    def remove(self, document: str | None = None, *, collection: str = "default") -> int:
        """Remove one document, by name or id, or the whole collection; returns how many documents went.

        It is hidden at once and deleted in parts; a removal that is cut off is finished by the worker.

        Raises:
            UnknownName: no such document or collection.
        """
        count = self._inventory.remove(document, collection)
        self._workers.ensure_if_needed()
        return count

    def reread(self, collection: str = "default", *, model: bool | None = None, max_calls: int | None = None) -> int:
        """Extract entities and triples of a whole collection again; returns how many passages it has.

        ``model``: by the language model of the settings, or by rules (False), from now on; None: as it was chosen
        before. ``max_calls`` is how often the model may be called for this, beside what is left of an earlier cap;
        replies that are remembered cost none.

        Raises:
            UnknownName: no such collection.
            UsageError: a model is wanted and none is configured.
        """
        _check_calls(max_calls)
        chosen = self._inventory.extraction_model(collection, "")
        if model is not None:
            chosen = self.settings.model if model else ""
        if model and not chosen:
            raise UsageError("extracting with a model needs one; set HOPLINE_MODEL (got none)")
        count = self._inventory.reread(collection, chosen, max_calls)
        self._workers.ensure()
        return count

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
        _check_calls(max_calls)
        count = self._inventory.retry(document, collection, passages=passages, max_calls=max_calls)
        if count:
            self._workers.ensure()
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


def _draw_progress(next_progress: Callable[[], Progress]) -> None:
    from rich.console import Console

    from hopline.rendering.terminal import follow

    follow(next_progress, Console(stderr=True))


def _check_calls(max_calls: int | None) -> None:
    if max_calls is not None and (isinstance(max_calls, bool) or not isinstance(max_calls, int) or max_calls < 0):
        raise UsageError(f"max_calls must be a whole number from 0 on, or None for no change (got {max_calls!r})")


def _paths(paths: Paths) -> list[Path]:
    given = [paths] if isinstance(paths, str | Path) else paths
    return [Path(path).expanduser() for path in given]
