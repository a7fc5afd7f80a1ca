"""Convergence of the graph: the stages query the graph for missing work until there is none.

There is no job table. After a crash at any point the next run issues the same queries and continues.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Event
from typing import Final, Protocol

from hopline.errors import is_outage
from hopline.store.graph import Store
from hopline_ingest.process_memory import release_memory

log = logging.getLogger(__name__)

PAUSE_SECONDS: Final = 30.0  # of a stage that failed
MAX_FAILING_SECONDS: Final = 600.0  # of a stage without success; then an idle worker does not wait for its next attempt


class Stage(Protocol):
    """One stage of ingestion."""

    @property
    def name(self) -> str:
        """The name in logs and progress."""
        ...

    def step(self) -> bool:
        """Process and write a bounded part of the missing work; return False if nothing is missing."""
        ...


@dataclass(slots=True)
class IsolatedStage:
    """A stage whose errors do not stop the others: it pauses after one. An outage is raised, as it stops all stages."""

    stage: Stage
    resume_at: float = 0.0
    failing_since: float | None = None

    @property
    def name(self) -> str:
        """Name of the stage."""
        return self.stage.name

    @property
    def will_retry(self) -> bool:
        """Whether it pauses after an error, and has failed for less than `MAX_FAILING_SECONDS`."""
        now = time.monotonic()
        return self.failing_since is not None and now < min(self.resume_at, self.failing_since + MAX_FAILING_SECONDS)

    def step(self) -> bool:
        """Run the step of the stage; return False if it fails, or failed less than `PAUSE_SECONDS` ago."""
        if time.monotonic() < self.resume_at:
            return False
        try:
            worked = self.stage.step()
        except Exception as error:
            if is_outage(error):
                raise
            log.exception("the stage %s failed and pauses for %.0f s; the others continue", self.name, PAUSE_SECONDS)
            now = time.monotonic()
            self.resume_at, self.failing_since = now + PAUSE_SECONDS, self.failing_since or now
            return False
        self.failing_since = None
        return worked


def converge(first: Sequence[Stage], then: Sequence[Stage], stop: Event) -> bool:
    """Run the stages until none has work left; return whether any work was done.

    The ``first`` stages alternate, so that a document can be queried long before the last one is parsed;
    the ``then`` stages run when the ``first`` ones have nothing left.
    """
    worked = False
    while not stop.is_set():
        done = [stage.step() for stage in first if not stop.is_set()]
        if not any(done) and not any(stage.step() for stage in then if not stop.is_set()):
            break
        worked = True
        release_memory()
    return worked


def record_versions(store: Store, *, extractor: str, embedder: str) -> None:
    """Record in the graph which extractor version and which embedder are in use.

    The same transaction marks the collections that were processed by others, for `MarkOutdated`. A collection that
    a language model extracts is left to an explicit request, since extracting it again costs money.
    """
    store.write(
        ("ingest/switch_extractor", {"extractor": extractor}),
        ("ingest/switch_embedder", {"embedder": embedder}),
    )
