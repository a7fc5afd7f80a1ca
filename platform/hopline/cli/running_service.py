"""The running service of a home, which answers the questions of commands without loading models again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from typing import TYPE_CHECKING

from hopline.cli.command import open_client, print_error

if TYPE_CHECKING:
    from hopline.client import Hopline
    from hopline.remote.client import RemoteHopline


@contextmanager
def open_service_or_client(
    check: Callable[[], None], *, local: bool, verbose: bool
) -> Iterator[Hopline | RemoteHopline]:
    """Yield a client of the service that runs for the home and the settings, or an open client.

    ``check`` checks the arguments before a database is started for them; a service checks them itself. ``local``: use
    no service. ``verbose``: print which of both it is.
    """
    service = None if local else find_running_service()
    if service is not None:
        if verbose:
            print_error(f"answered by the service at {service.url}")
        with service:
            yield service
        return
    check()
    if verbose:
        print_error("answered by this process; a running `hopline serve` with the same settings would be faster")
    with open_client() as hop:
        yield hop


def find_running_service() -> RemoteHopline | None:
    """Return a client of the service that runs for the home with the same settings and version, None if none does."""
    from hopline.config import load_settings
    from hopline.service_file import compute_digest, find_service

    settings = load_settings()
    service = find_service(settings.home)
    if service is None or service.settings != compute_digest(settings) or service.version != version("hopline"):
        return None
    from hopline.remote.client import RemoteHopline

    return RemoteHopline(service.url, service.token)
