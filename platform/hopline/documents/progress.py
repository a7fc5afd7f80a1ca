"""Progress of added documents: two counts a stage, read from the graph."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from hopline.documents.remaining_time import RemainingTimeEstimator, compute_work
from hopline.documents.worker_process import WorkerSupervisor, get_worker_log
from hopline.errors import EngineError
from hopline.flow.columns import to_rows
from hopline.records import FileChange, MissingFile, SkippedFile

if TYPE_CHECKING:
    from hopline.config import Settings
    from hopline.store.graph import Store

_POLL_SECONDS: Final = 0.4
_STALL_SECONDS: Final = 60.0  # without a running worker and without progress


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress of one batch or one collection: two counts a stage.

    ``seconds_left`` is None until it can be estimated. ``passages`` counts tables too. ``reading`` lists the
    documents that are being parsed: "a.pdf: page 12 of 80". ``worker`` is what users should know of the worker, such as
    that it ended and was started again; "" while it runs. It is that of a collection, not of a batch.
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
    worker: str = ""


@dataclass(frozen=True, slots=True)
class DocumentProgress:
    """Progress of one document. ``passages`` counts tables too, and is 0 until its pages are parsed.

    ``warned`` is the number of passages with a warning, ``warning`` one of these; they can be retried.
    """

    pages: int = 0
    pages_done: int = 0
    passages: int = 0
    extracted: int = 0
    embedded: int = 0
    entities: int = 0
    warned: int = 0
    warning: str = ""

    @property
    def fraction_done(self) -> float:
        """Fraction that is done, 0 to 1: pages count one half, entities and vectors one quarter each."""
        if self.pages and self.pages_done >= self.pages and not self.passages:
            return 1.0  # all pages are empty
        pages = self.pages_done / self.pages if self.pages else float(self.passages > 0)
        done = (self.extracted + self.embedded) / (2 * self.passages) if self.passages else 0.0
        return 0.5 * min(pages, 1.0) + 0.5 * done


@dataclass(frozen=True, slots=True)
class Failure:
    """A document, row or passage that could not be processed, and the reason as a message for the user."""

    document: str
    reason: str


@dataclass(frozen=True, slots=True)
class ProcessingWarning:
    """What the user should know of a document that was processed: "page 2 has no text", "extracted by rules"."""

    document: str
    message: str


@dataclass(frozen=True, slots=True)
class BatchState:
    """Progress of added files, with the failures and warnings so far."""

    progress: Progress
    failures: tuple[Failure, ...] = ()
    warnings: tuple[ProcessingWarning, ...] = ()


class Batch:
    """The files that one call of `Hopline.add` queued for the worker.

    ``files`` says what each means for the collection. ``missing`` are files that were added from one of the given
    folders before and no longer exist: they were renamed or deleted. Their documents are in the collection, unless
    they were removed by ``remove_missing``. ``skipped`` are files in these folders that were not added. ``invalid`` are
    failures of items that are in no file: texts without content, objects that are no documents.
    """

    def __init__(
        self,
        store: Store,
        settings: Settings,
        collection: str,
        files: tuple[FileChange, ...],
        workers: WorkerSupervisor,
        *,
        missing: tuple[MissingFile, ...] = (),
        skipped: tuple[SkippedFile, ...] = (),
        invalid: tuple[Failure, ...] = (),
        show: Callable[[Callable[[], Progress]], None] | None = None,
    ) -> None:
        self.files = files
        self.missing = missing
        self.skipped = skipped
        self._invalid = invalid
        self._workers = workers
        self._store = store
        self._settings = settings
        self._collection = collection
        self._estimator = RemainingTimeEstimator()
        self._show = show

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the documents and ``.jsonl`` files."""
        return tuple(file.id for file in self.files)

    @property
    def replaced(self) -> tuple[str, ...]:
        """The names of the documents whose content was replaced by that of a changed file."""
        return tuple(file.name for file in self.files if file.change == "replaced")

    def progress(self) -> Progress:
        """Return the current progress of the batch."""
        rows = self._store.read("documents/jsonl_files", {"ids": list(self.ids)})
        files = zip(rows["state"], rows["rows"], rows["documents"], strict=True)
        pending = [max(rows - documents, 0) for state, rows, documents in files if state == "waiting"]
        parameters = {"collection": self._collection, "ids": list(self.ids)}
        parsed = _read_progress(self._store, "documents/batch_progress", parameters, self._estimator)
        return _add_waiting_rows(parsed, len(pending), sum(pending))

    def wait(self, *, progress: bool = False, timeout: float | None = None) -> Batch:
        """Wait until all documents are parsed, extracted, embedded and related; ``progress`` draws progress bars.

        Raises:
            EngineError: the worker cannot be started or keeps ending; the message quotes its log.
            TimeoutError: ``timeout`` seconds passed; the worker continues.
        """
        steps = self._watch(timeout)
        if progress and self._show is not None:
            self._show(lambda: next(steps))
        else:
            for _ in steps:
                time.sleep(_POLL_SECONDS)
        return self

    @property
    def failures(self) -> tuple[Failure, ...]:
        """Invalid items, documents that could not be parsed, invalid rows, and passages not stored or embedded."""
        documents = self._read("documents/failures")
        failures = [*self._invalid]
        failures += [Failure(row["name"], row["reason"]) for row in documents if row["reason"]]
        for row in self._read("documents/jsonl_files"):
            failures += [Failure(row["name"], problem) for problem in row["problems"]]
        return (*failures, *(Failure(*pair) for pair in self._describe_passages(failed=True)))

    @property
    def warnings(self) -> tuple[ProcessingWarning, ...]:
        """Warnings of documents that were parsed, and of passages that were extracted with one."""
        documents = [row for row in self._read("documents/failures") if not row["reason"]]
        warnings = [ProcessingWarning(row["name"], warning) for row in documents for warning in row["warnings"]]
        return (*warnings, *(ProcessingWarning(*pair) for pair in self._describe_passages(failed=False)))

    def _describe_passages(self, *, failed: bool) -> Iterator[tuple[str, str]]:
        """Yield documents with passages that failed in a stage, or were processed with a warning, and one message."""
        for row in self._read("documents/warnings"):
            if row["failed"] == failed:
                yield row["name"], describe_passages(row["passages"], row["message"])

    def _read(self, statement: str) -> list[dict[str, Any]]:
        return to_rows(self._store.read(statement, {"ids": list(self.ids)}))

    def _watch(self, timeout: float | None) -> Iterator[Progress]:
        """Yield the progress until it is done; restarts the worker if it died."""
        started = last_change = time.monotonic()
        before = None
        while not (now := self.progress()).done:
            yield now
            moment = time.monotonic()
            if timeout is not None and moment - started > timeout:
                raise TimeoutError(
                    f"not finished after {timeout:.0f} s: {now.documents_done} of {now.documents} documents are done"
                )
            state = (now.pages_done, now.extracted, now.embedded, now.related, now.triples_left, now.entities_left)
            if state != before or not self._workers.ensure_running():
                before, last_change = state, moment
            elif moment - last_change > _STALL_SECONDS:
                raise EngineError(self._describe_stop())
        yield now

    def _describe_stop(self) -> str:
        log = get_worker_log(self._settings)
        tail = "\n".join(log.read_text(errors="replace").splitlines()[-8:]) if log.is_file() else "(no log)"
        return f"the worker keeps ending without progress. The end of its log {log}:\n{tail}"


def describe_passages(number: int, message: str) -> str:
    """As "2 passages: embedding failed"."""
    return f"{number:,} passage{'' if number == 1 else 's'}: {message}"


def read_collection_progress(store: Store, collection: str) -> Progress:
    """Read the progress of a whole collection, by its id."""
    parameters = {"collection": collection}
    corpora = store.read("documents/jsonl_progress", parameters)
    parsed = _read_progress(store, "documents/collection_progress", parameters, None)
    return _add_waiting_rows(parsed, corpora["waiting"][0], corpora["remaining"][0])


def _add_waiting_rows(progress: Progress, files: int, documents: int) -> Progress:
    """Add the documents that queued ``.jsonl`` files will become."""
    if not files:
        return progress
    return replace(progress, documents=progress.documents + max(documents, int(not progress.documents)), done=False)


def _read_progress(
    store: Store, statement: str, parameters: dict[str, Any], estimator: RemainingTimeEstimator | None
) -> Progress:
    """Read the counts of one statement as a `Progress`."""
    row = {name: values[0] for name, values in store.read(statement, parameters).items()}
    reading = store.read("documents/documents_in_progress", {"collection": parameters["collection"]})
    in_progress = zip(reading["name"], reading["pages_done"], reading["pages"], strict=True)
    waiting = row["documents"] - row["done"] - row["failed"]
    work = compute_work({**row, "pages": max(row["pages"] - row["pages_done"], waiting)}) if estimator else 0.0
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
        reading=tuple(f"{name}: page {done} of {pages}" for name, done, pages in in_progress),
        seconds=estimator.seconds if estimator else 0.0,
        seconds_left=estimator.estimate_left(work) if estimator else None,
        done=waiting == 0 and missing == 0,
    )
