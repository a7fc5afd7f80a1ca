"""Convergence: the stages ask the graph what is missing until nothing is.

There is no job table. Killed anywhere, the next run asks the same questions and goes on.
"""

from __future__ import annotations

from collections.abc import Sequence
from threading import Event
from typing import Final, Protocol

from hopline.store.graph import Store
from hopline_ingest.memory import release

_MARKED: Final = 10_000  # nodes a transaction
_LEDGER: Final = {
    "extractor": ("ingest/mark_unread_all",),
    "embedder": ("ingest/mark_unembed_evidence", "ingest/mark_unembed_triples", "ingest/mark_unembed_entities"),
}


class Stage(Protocol):
    """One stage of ingest."""

    name: str

    def step(self) -> bool:
        """Do a bounded part of what is missing and write it; False where nothing is missing."""
        ...


def converge(first: Sequence[Stage], then: Sequence[Stage], stop: Event) -> bool:
    """Step through the stages until none finds anything; returns whether anything was done.

    ``first`` takes turns, so that a document can be asked long before the last one is read;
    ``then`` gets its turn when ``first`` has nothing left.
    """
    worked = False
    while not stop.is_set():
        done = [stage.step() for stage in first if not stop.is_set()]
        if not any(done) and not any(stage.step() for stage in then):
            break
        worked = True
        release()
    return worked


def turn_ledger(store: Store, *, extractor: str, embedder: str) -> None:
    """Mark all that another extractor or embedder wrote as missing, once."""
    for name, value in (("extractor", extractor), ("embedder", embedder)):
        [before] = store.write(("ingest/turn_ledger", {"name": name, "value": value}))
        if before["before"][0] in {None, value}:
            continue
        for statement in _LEDGER[name]:
            while store.write((statement, {"limit": _MARKED}))[0]["marked"][0]:
                pass
