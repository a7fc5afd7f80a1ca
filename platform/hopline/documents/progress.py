"""What was added, and how far the worker is with it: two counts a stage, read from the graph."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from hopline.documents.worker_process import Workers, worker_log
from hopline.errors import EngineError

if TYPE_CHECKING:
    from hopline.config import Settings
    from hopline.store.graph import Store

_POLL_SECONDS: Final = 0.4
_PATIENCE_SECONDS: Final = 60.0  # without a worker that leads and without progress
_TELLING_SECONDS: Final = 8.0  # of work, before its pace can be told
# What a unit of each stage costs, relative to a page; only used to guess the time that is left.
_WEIGHTS: Final = {
    "pages": 1.0,
    "unread": 0.15,
    "unembedded": 0.12,
    "unrelated": 0.01,
    "triples": 0.02,
    "entities": 0.01,
}
_PASSAGES_A_PAGE: Final = 4.0


@dataclass(frozen=True, slots=True)
class Progress:
    """Two counts a stage, of one batch or one collection. ``seconds_left`` is None until it can be told.

    ``passages`` counts tables too. ``reading`` says which documents are open: "a.pdf: page 12 of 80".
    """

    documents: int = 0
    documents_done: int = 0
    documents_failed: int = 0
    pages: int = 0
    pages_done: int = 0
    passages: int = 0
    extracted: int = 0
    embedded: int = 0
    related: int = 0
    triples_left: int = 0
    entities_left: int = 0
    reading: tuple[str, ...] = ()
    seconds: float = 0.0
    seconds_left: float | None = None
    done: bool = False


@dataclass(frozen=True, slots=True)
class Failure:
    """One document, page or row that could not be read, and why, in words for the user."""

    document: str
    reason: str


class Batch:
    """What one `Hopline.add` put in; the worker converges on it."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        collection: str,
        ids: tuple[str, ...],
        workers: Workers,
        *,
        show: Callable[[Callable[[], Progress]], None] | None = None,
    ) -> None:
        self.ids = ids
        self._workers = workers
        self._store = store
        self._settings = settings
        self._collection = collection
        self._clock = Clock()
        self._show = show

    def progress(self) -> Progress:
        """How far it is now."""
        rows = self._store.columns("read/corpora", {"ids": list(self.ids)})
        counts = zip(rows["state"], rows["rows"], rows["documents"], strict=True)
        ahead = [max(rows - there, 0) for state, rows, there in counts if state == "waiting"]
        given = {"collection": self._collection, "ids": list(self.ids)}
        found = _progress(self._store, "read/progress_batch", given, self._clock)
        return _with_rows(found, len(ahead), sum(ahead))

    def wait(self, *, progress: bool = False, timeout: float | None = None) -> Batch:
        """Wait until all of it is read, embedded and related; ``progress`` draws bars meanwhile.

        Raises:
            EngineError: the worker cannot be started or keeps dying; quotes its log.
            TimeoutError: ``timeout`` seconds passed; the worker goes on.
        """
        watched = self._watched(timeout)
        if progress and self._show is not None:
            self._show(lambda: next(watched))
        else:
            for _ in watched:
                time.sleep(_POLL_SECONDS)
        return self

    @property
    def failures(self) -> tuple[Failure, ...]:
        """Documents that could not be read, and pages, rows and passages of others that could not."""
        found = self._store.columns("read/failures", {"ids": list(self.ids)})
        failed = []
        for name, reason, warnings in zip(found["name"], found["reason"], found["warnings"], strict=True):
            failed += [Failure(name, reason)] if reason else [Failure(name, warning) for warning in warnings]
        rows = self._store.columns("read/corpora", {"ids": list(self.ids)})
        for name, problems in zip(rows["name"], rows["problems"], strict=True):
            failed += [Failure(name, problem) for problem in problems]
        warned = self._store.columns("read/warned", {"ids": list(self.ids)})
        for name, passages, warning in zip(warned["name"], warned["passages"], warned["warning"], strict=True):
            failed.append(Failure(name, f"{passages} of its passages: {warning}"))
        return tuple(failed)

    def _watched(self, timeout: float | None) -> Iterator[Progress]:
        """Progress again and again until it is done; the worker is started again if it died."""
        begun = seen = time.monotonic()
        before = None
        while not (now := self.progress()).done:
            yield now
            moment = time.monotonic()
            if timeout is not None and moment - begun > timeout:
                raise TimeoutError(
                    f"still reading after {timeout:.0f} s: {now.documents_done} of {now.documents} documents"
                )
            state = (now.pages_done, now.extracted, now.embedded, now.related, now.triples_left, now.entities_left)
            if state != before or not self._workers.ensure():
                before, seen = state, moment
            elif moment - seen > _PATIENCE_SECONDS:
                raise EngineError(self._stopped())
        yield now

    def _stopped(self) -> str:
        log = worker_log(self._settings)
        tail = "\n".join(log.read_text(errors="replace").splitlines()[-8:]) if log.is_file() else "it wrote no log"
        return f"the worker ended again and again without doing anything. The end of {log}:\n{tail}"


class Clock:
    """Guesses the seconds that are left from the work that was done so far."""

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._waited = 0.0  # seconds until anything was done: the worker starts and loads its models
        self._moved = False
        self._first = 0.0
        self._whole: float | None = None

    @property
    def seconds(self) -> float:
        """Seconds since it was made."""
        return time.monotonic() - self._begun

    def left(self, work_left: float) -> float | None:
        """Seconds left at the pace so far, smoothed; None while there is no pace to speak of."""
        self._first = max(self._first, work_left)
        done = self._first - work_left
        if work_left <= 0:
            return 0.0
        self._moved = self._moved or done > 0
        if not self._moved:
            self._waited = self.seconds
        worked = self.seconds - self._waited
        if done < 0.1 * self._first or worked < _TELLING_SECONDS:
            return None
        whole = worked * self._first / done
        self._whole = whole if self._whole is None else 0.8 * self._whole + 0.2 * whole
        return max(self._whole - worked, 1.0)


def collection_progress(store: Store, collection: str) -> Progress:
    """How far the worker is with all of a collection, by its id."""
    given = {"collection": collection}
    corpora = store.columns("read/progress_corpora", given)
    found = _progress(store, "read/progress_collection", given, None)
    return _with_rows(found, corpora["waiting"][0], corpora["ahead"][0])


def _with_rows(progress: Progress, files: int, documents: int) -> Progress:
    """With the documents that waiting files of rows are still to become."""
    if not files:
        return progress
    return replace(progress, documents=progress.documents + max(documents, int(not progress.documents)), done=False)


def _progress(store: Store, statement: str, given: dict[str, Any], clock: Clock | None) -> Progress:
    """Counts of one statement as progress."""
    row = {name: values[0] for name, values in store.columns(statement, given).items()}
    reading = store.columns("read/reading", {"collection": given["collection"]})
    open_now = zip(reading["name"], reading["pages_done"], reading["pages"], strict=True)
    waiting = row["documents"] - row["done"] - row["failed"]
    ahead = max(row["pages"] - row["pages_done"], waiting)
    later = ahead * _PASSAGES_A_PAGE  # passages that are not there yet
    counts = {"pages": ahead, "unrelated": row["unrelated"], "triples": row["triples"], "entities": row["entities"]}
    counts |= {"unread": row["unread"] + later, "unembedded": row["unembedded"] + later}
    work = sum(_WEIGHTS[name] * count for name, count in counts.items())
    missing = row["unread"] + row["unembedded"] + row["unrelated"] + row["triples"] + row["entities"] + row["fresh"]
    missing += row["settling"] + row["marking"]
    return Progress(
        documents=row["documents"],
        documents_done=row["done"],
        documents_failed=row["failed"],
        pages=row["pages"],
        pages_done=row["pages_done"],
        passages=row["passages"],
        extracted=max(row["passages"] - row["unread"], 0),
        embedded=max(row["passages"] - row["unembedded"], 0),
        related=max(row["passages"] - row["unrelated"] - row["unembedded"], 0),
        triples_left=row["triples"],
        entities_left=row["entities"],
        reading=tuple(f"{name}: page {done} of {pages}" for name, done, pages in open_now),
        seconds=clock.seconds if clock else 0.0,
        seconds_left=clock.left(work) if clock else None,
        done=waiting == 0 and missing == 0,
    )
