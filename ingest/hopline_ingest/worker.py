"""The worker: acquires the lease, runs the stages, waits for further work, and exits when idle."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack, closing
from itertools import chain
from threading import Event
from typing import Final

from hopline.config import Settings
from hopline.documents.worker_process import has_work
from hopline.documents.worker_settings import WorkerSettings
from hopline.embeddings.loader import load_embedder
from hopline.errors import EngineError, EngineRefused, ModelUnavailable, is_outage
from hopline.flow.services import Services
from hopline.learned.registry import ModelRegistry
from hopline.llm.client import load_llm
from hopline.store.graph import Store
from hopline.store.removal import remove_orphans
from hopline_ingest.extraction import EXTRACTOR
from hopline_ingest.lease import Lease
from hopline_ingest.process_pool import ResilientExecutor, create_process_pool
from hopline_ingest.sandbox.document_parser import DocumentParser
from hopline_ingest.shutdown import interruptible
from hopline_ingest.stage_runner import IsolatedStage, Stage, converge, record_versions
from hopline_ingest.stages.embed import EmbedTexts
from hopline_ingest.stages.extract import ExtractEvidence
from hopline_ingest.stages.finish_removals import FinishRemovals
from hopline_ingest.stages.jsonl_files import ParseJsonlFiles
from hopline_ingest.stages.mark_outdated import MarkOutdated
from hopline_ingest.stages.parse import ParseDocuments
from hopline_ingest.stages.relate import RelateEvidence
from hopline_ingest.stages.topics import ClassifyTopics
from hopline_ingest.stages.update_entities import UpdateEntities

log = logging.getLogger(__name__)

_POLL_SECONDS: Final = 0.3
_MAX_PROCESSES: Final = 4
OUTAGE_POLL_SECONDS: Final = 5.0  # between attempts while the database or the embedder is not available
MAX_OUTAGE_SECONDS: Final = 600.0  # until a worker that does not stay gives up; a client starts the next one


def run_worker(
    settings: Settings, *, stay: bool = False, stop: Event | None = None, executor: Callable[[], Executor] | None = None
) -> bool:
    """Run the stages until there has been no work for ``settings.worker_idle_seconds``; forever with ``stay``.

    Returns False at once if another worker is active. ``executor`` creates the executor of the extraction,
    by default a pool of processes.
    """
    stop = stop or Event()
    embedder = load_embedder(settings)
    processes = settings.workers or min(os.cpu_count() or 1, _MAX_PROCESSES)
    with ExitStack() as stack:
        stack.enter_context(closing(embedder))
        store = stack.enter_context(closing(Store.open(settings, embedder=embedder.name)))
        lease = stack.enter_context(Lease(store, WorkerSettings.from_settings(settings, stays=stay)))
        if not lease.active:
            log.info("another worker is active")
            return False
        parser = stack.enter_context(DocumentParser(settings, processes=processes))
        pool = stack.enter_context(closing(ResilientExecutor(executor or (lambda: create_process_pool(processes)))))
        llm = load_llm(settings)
        if llm is not None:
            stack.enter_context(closing(llm))
        record_versions(store, extractor=EXTRACTOR, embedder=embedder.name)
        remove_orphans(store)
        first: list[Stage] = [
            FinishRemovals(store),
            MarkOutdated(store),
            ParseJsonlFiles(store, settings),
            ParseDocuments(store, settings, parser),
            ExtractEvidence(store, pool, Services(store, embedder, llm) if llm else None),
            UpdateEntities(store),
            EmbedTexts(store, embedder, "evidence"),
        ]
        then: list[Stage] = [
            EmbedTexts(store, embedder, "triple"),
            EmbedTexts(store, embedder, "entity"),
            ClassifyTopics(store, ModelRegistry(settings.weights)),
            RelateEvidence(store, embedder.name),
        ]
        with interruptible(stop, parser.close, pool.stop):
            _converge_until_idle(
                first,
                then,
                lease=lease,
                stop=stop,
                has_work=lambda: has_work(store, embedder.name),
                idle=None if stay else settings.worker_idle_seconds,
            )
    return True


def _converge_until_idle(
    first: Sequence[Stage],
    then: Sequence[Stage],
    *,
    lease: Lease,
    stop: Event,
    has_work: Callable[[], bool],
    idle: float | None,
) -> None:
    """Run the stages until there was no work for ``idle`` seconds; None: until ``stop``. An outage is waited for.

    A stage that fails does not stop the others. The time until it is retried does not count as idle.
    ``has_work`` is called before each pass: an idle worker runs one statement per poll instead of one per stage.

    Raises:
        EngineError, ModelUnavailable: the database or the embedder was not available for `MAX_OUTAGE_SECONDS`, or
            the database refuses the connection.
    """
    isolated_first, isolated_then = ([IsolatedStage(stage) for stage in group] for group in (first, then))
    last_work = time.monotonic()
    outage_start: float | None = None
    while not stop.is_set() and not lease.lost.is_set():
        try:
            worked = has_work() and converge(isolated_first, isolated_then, stop)
        except (EngineError, ModelUnavailable) as error:
            now = time.monotonic()
            outage_start = outage_start or now
            is_over = idle is not None and now - outage_start >= MAX_OUTAGE_SECONDS
            if is_over or not is_outage(error) or isinstance(error, EngineRefused):
                raise
            log.warning("waiting, since no stage can continue: %s", error)
            stop.wait(OUTAGE_POLL_SECONDS)
            continue
        outage_start = None
        if worked or any(stage.will_retry for stage in chain(isolated_first, isolated_then)):
            last_work = time.monotonic()
        elif idle is not None and time.monotonic() - last_work > idle:
            return
        stop.wait(_POLL_SECONDS)
