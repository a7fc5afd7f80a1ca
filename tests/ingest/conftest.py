"""Fixture that stops the worker left by other tests."""

import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from hopline.documents.lease_holder import is_worker_running
from hopline.documents.worker_process import stop_worker
from hopline.store.graph import Store

sys.path[:0] = [
    str(Path(__file__).parent),
    str(Path(__file__).parents[1] / "platform" / "llm"),
]  # canonical.py, table_pieces.py, scripted.py


@pytest.fixture
def end_worker(store: Store) -> Callable[[], None]:
    """Ends the worker, so that a test can take the lease or start its own."""

    def end() -> None:
        stop_worker(store)
        deadline = time.monotonic() + 60
        while is_worker_running(store) and time.monotonic() < deadline:  # a lease of a dead worker is free
            time.sleep(0.2)

    return end
