"""Run the service until it is told to stop."""

from __future__ import annotations

import logging
import os
import secrets
import signal
import socket
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlunsplit

import psutil
import uvicorn

from hopline import __version__
from hopline.api.access import is_loopback
from hopline.api.app import create_app
from hopline.api.keys import KeyStore
from hopline.api.limits import ServiceLimits
from hopline.client import Hopline
from hopline.errors import UsageError
from hopline.service_file import RunningService, announce_service, compute_digest

GRACE_SECONDS: Final = 30  # for open requests when the service stops
DEFAULT_PORT: Final = 8600

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Address:
    """Host and port to listen on; port 0 takes a free one."""

    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT


def check_address(hop: Hopline, address: Address) -> None:
    """Check that a service that other machines can reach has API keys.

    Raises:
        UsageError: it has none.
    """
    if not is_loopback(address.host) and not KeyStore(hop.settings.home).list():
        raise UsageError(
            f"a service on {address.host} can be reached from other machines and needs an API key; create one with "
            "`hopline key add NAME`, or listen on 127.0.0.1"
        )


def serve(hop: Hopline, address: Address, limits: ServiceLimits, *, on_start: Any = None) -> None:
    """Serve an open client until SIGTERM or SIGINT; open requests have `GRACE_SECONDS` to end.

    ``on_start`` is called with the URL once connections are accepted.

    Raises:
        UsageError: the address cannot be used.
    """
    check_address(hop, address)
    token = secrets.token_urlsafe(32)
    with closing(_listen(address)) as listener:
        url = format_url(address.host, listener.getsockname()[1])
        config = uvicorn.Config(
            create_app(hop, limits, token=token),
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=GRACE_SECONDS,
        )
        service = RunningService(
            url, token, os.getpid(), psutil.Process().create_time(), compute_digest(hop.settings), __version__
        )
        with announce_service(hop.settings.home, service):
            if on_start:
                on_start(url)
            signal.signal(signal.SIGTERM, _ignore)  # uvicorn raises it again when it has stopped: what follows must run
            with suppress(KeyboardInterrupt):
                uvicorn.Server(config).run(sockets=[listener])


def _ignore(_signal: int, _frame: object) -> None:
    """Do nothing."""


def format_url(host: str, port: int) -> str:
    """Return the URL at which this machine reaches the service."""
    name = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104  compared, not bound
    return urlunsplit(("http", f"{f'[{name}]' if ':' in name else name}:{port}", "", "", ""))


def _listen(address: Address) -> socket.socket:
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    listener = socket.socket(family)
    try:
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((address.host, address.port))
        listener.listen(2048)
    except OSError as error:
        listener.close()
        message = f"cannot listen on {address.host} port {address.port}: {error.strerror}; choose another --port"
        raise UsageError(message) from error
    return listener
