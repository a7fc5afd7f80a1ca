"""The worker's lease: a node of the graph, renewed by a thread, so that only one worker is active."""

from __future__ import annotations

import logging
import threading
from types import TracebackType
from typing import Final, Self

from hopline.documents.lease_holder import find_dead_holder, make_holder_name
from hopline.documents.worker_settings import WorkerSettings
from hopline.errors import EngineError
from hopline.store.graph import Store
from hopline.store.graph_version import GRAPH_VERSION

log = logging.getLogger(__name__)

SECONDS: Final = 20.0  # validity; how long a crashed worker blocks others
_RENEWAL_SECONDS: Final = 5.0


class Lease:
    """Context manager that acquires the lease if it is free, see `held`, and releases it on exit.

    ``lost`` is set when another worker acquired it, because this process could not renew it in time, or when a newer
    version of Hopline has migrated the graph. ``settings`` are recorded with it, for clients that have other ones.
    """

    def __init__(self, store: Store, settings: WorkerSettings | None = None) -> None:
        self.store = store
        self.settings = settings.to_json() if settings is not None else ""
        self.holder = make_holder_name()
        self.active = False
        self.lost = threading.Event()
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._renew, name="lease", daemon=True)

    def __enter__(self) -> Self:
        self.active = self._acquire()
        if self.active:
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._done.set()
        if self.active:
            self._thread.join()
            try:
                self.store.write(("ingest/release_lease", {"holder": self.holder}))
            except EngineError as released:
                log.warning("the lease could not be released and expires after %.0f s: %s", SECONDS, released)

    def _acquire(self) -> bool:
        parameters = {
            "holder": self.holder,
            "settings": self.settings,
            "dead": find_dead_holder(self.store),
            "seconds": SECONDS,
            "version": GRAPH_VERSION,
        }
        [row] = self.store.write(("ingest/acquire_lease", parameters))
        return bool(row["holder"][0] == self.holder)

    def _renew(self) -> None:
        while not self._done.wait(_RENEWAL_SECONDS):
            try:
                if not self._acquire():
                    log.error("the lease was lost to another worker, or the graph has a newer version")
                    self.lost.set()
                    return
            except EngineError:
                log.exception("the lease could not be renewed; retrying")
