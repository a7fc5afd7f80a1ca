"""Convergence: the stages ask the graph what is missing until nothing is.

There is no job table. Killed anywhere, the next run asks the same questions and goes on.
"""

from __future__ import annotations

from collections.abc import Sequence
from threading import Event
from typing import Protocol

from hopline.store.graph import Store
from hopline_ingest.extraction.llm.extractor import MODEL_EXTRACTOR
from hopline_ingest.memory import release


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
    """Have the graph say which rules and which embedder are in use.

    In the same transaction, collections that others have read or embedded are marked, for `MarkCollections`. A
    collection that a model extracts is left to `Hopline.reread`: reading it again costs money.
    """
    store.write(
        ("ingest/adopt_model", {"prefix": MODEL_EXTRACTOR.partition("-")[0]}),
        ("ingest/mark_extractor", {"extractor": extractor}),
        ("ingest/mark_embedder", {"embedder": embedder}),
    )
