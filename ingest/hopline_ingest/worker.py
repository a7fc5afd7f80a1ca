"""The worker: takes the lease, converges, waits a while for more, and leaves."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import ExitStack, closing
from threading import Event
from typing import Final

from hopline.config import Settings
from hopline.embeddings.loader import load_embedder
from hopline.flow.services import World
from hopline.learned.registry import LearnedParts
from hopline.llm.client import load_chat
from hopline.store.graph import Store
from hopline.store.removal import remove_orphans
from hopline_ingest.convergence import Stage, converge, turn_ledger
from hopline_ingest.extraction import EXTRACTOR
from hopline_ingest.lease import Lease
from hopline_ingest.process_pool import Pool, process_pool
from hopline_ingest.sandbox.reader import Reader
from hopline_ingest.shutdown import interruptible
from hopline_ingest.stages.embed import EmbedTexts
from hopline_ingest.stages.extract import ExtractEvidence
from hopline_ingest.stages.finish_removals import RemoveMarked
from hopline_ingest.stages.jsonl_files import ReadCorpora
from hopline_ingest.stages.mark_missing import MarkCollections
from hopline_ingest.stages.parse import ParseDocuments
from hopline_ingest.stages.relate import RelateEvidence
from hopline_ingest.stages.topics import ThemeEvidence
from hopline_ingest.stages.update_entities import SettleEntities

log = logging.getLogger(__name__)

_POLL_SECONDS: Final = 0.3
_MOST_PROCESSES: Final = 4


def work(
    settings: Settings, *, stay: bool = False, stop: Event | None = None, executor: Callable[[], Executor] | None = None
) -> bool:
    """Converge until nothing has been missing for ``settings.worker_idle_seconds``; ``stay``: for ever.

    Returns False at once where another worker leads. ``executor`` makes what extraction runs on;
    by default a pool of processes.
    """
    stop = stop or Event()
    embedder = load_embedder(settings)
    processes = settings.workers or min(os.cpu_count() or 1, _MOST_PROCESSES)
    with ExitStack() as stack:
        store = stack.enter_context(closing(Store.open(settings, embedder=embedder.name, dimension=embedder.dimension)))
        lease = stack.enter_context(Lease(store))
        if not lease.held:
            log.info("another worker leads")
            return False
        reader = stack.enter_context(Reader(settings, processes=processes))
        pool = stack.enter_context(closing(Pool(executor or (lambda: process_pool(processes)))))
        chat = load_chat(settings)
        turn_ledger(store, extractor=EXTRACTOR, embedder=embedder.name)
        remove_orphans(store)
        first: list[Stage] = [
            RemoveMarked(store),
            MarkCollections(store),
            ReadCorpora(store, settings),
            ParseDocuments(store, settings, reader),
            ExtractEvidence(store, pool, World(store, embedder, chat) if chat else None),
            SettleEntities(store),
            EmbedTexts(store, embedder, "evidence"),
        ]
        then: list[Stage] = [
            EmbedTexts(store, embedder, "triple"),
            EmbedTexts(store, embedder, "entity"),
            ThemeEvidence(store, LearnedParts(settings.weights)),
            RelateEvidence(store, embedder.name),
        ]
        with interruptible(stop, reader.close, pool.stop):
            _watch(first, then, lease, stop, idle=None if stay else settings.worker_idle_seconds)
    return True


def _watch(first: list[Stage], then: list[Stage], lease: Lease, stop: Event, *, idle: float | None) -> None:
    last = time.monotonic()
    while not stop.is_set() and not lease.lost.is_set():
        if converge(first, then, stop):
            last = time.monotonic()
        elif idle is not None and time.monotonic() - last > idle:
            return
        stop.wait(_POLL_SECONDS)
