"""A service over the session's graph, on a port of its own."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
import uvicorn

from hopline import Hopline, RemoteHopline
from hopline.api.app import create_app
from hopline.api.limits import ServiceLimits


@contextmanager
def run_service(hop: Hopline, limits: ServiceLimits | None = None, token: str = "") -> Iterator[str]:
    """Run a service over an open client in a thread; yields its URL."""
    config = uvicorn.Config(create_app(hop, limits, token=token), port=0, log_config=None, access_log=False)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.01)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join()


@pytest.fixture(scope="session")
def service(hop: Hopline) -> Iterator[str]:
    with run_service(hop) as url:
        yield url


@pytest.fixture(scope="session")
def remote(service: str) -> Iterator[RemoteHopline]:
    with Hopline.connect(service) as client:
        yield client


Start = Callable[..., str]


@pytest.fixture
def start_service() -> Iterator[Start]:
    """``start_service(hop, limits)`` runs a service until the end of the test and returns its URL."""
    from contextlib import ExitStack

    with ExitStack() as stack:
        yield lambda *arguments, **options: stack.enter_context(run_service(*arguments, **options))
