"""One worker leads: the lease is a node of the graph, renewed by a thread."""

from __future__ import annotations

import logging
import threading
from types import TracebackType
from typing import Final, Self

from hopline.documents.worker_process import dead_holder, holder_name
from hopline.errors import EngineError
from hopline.store.graph import Store

log = logging.getLogger(__name__)

SECONDS: Final = 20.0  # how long a worker that died holds others up
_RENEWED: Final = 5.0


class Lease:
    """Taken on entering if it is free; see `held`. Given back on leaving.

    ``lost`` is set when somebody else took it, because this process could not renew in time.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self.holder = holder_name()
        self.held = False
        self.lost = threading.Event()
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._renew, name="lease", daemon=True)

    def __enter__(self) -> Self:
        self.held = self._take()
        if self.held:
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._done.set()
        if self.held:
            self._thread.join()
            self.store.write(("ingest/give_lease", {"holder": self.holder}))

    def _take(self) -> bool:
        given = {"holder": self.holder, "dead": dead_holder(self.store), "seconds": SECONDS}
        [row] = self.store.write(("ingest/take_lease", given))
        return bool(row["holder"][0] == self.holder)

    def _renew(self) -> None:
        while not self._done.wait(_RENEWED):
            try:
                if not self._take():
                    log.error("another worker took the lease")
                    self.lost.set()
                    return
            except EngineError:
                log.exception("renewing the lease")
