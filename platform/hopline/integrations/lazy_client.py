"""The client of a retriever: one that is open, or one that is opened at the first question."""

from __future__ import annotations

from contextlib import AbstractContextManager
from importlib import import_module
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Any, Final

from hopline.client import Hopline
from hopline.errors import UsageError

_EXTRAS: Final = {"langchain_core": "langchain", "llama_index.core": "llama-index", "haystack": "haystack"}


def check_library(module: str) -> None:
    """Check that a library can be imported.

    Raises:
        UsageError: it cannot; says what to install.
    """
    try:
        import_module(module)
    except ImportError as error:
        package = module.replace("_", "-").replace(".", "-")
        message = f"{package} cannot be imported ({error}); pip install 'hopline[{_EXTRAS[module]}]'"
        raise UsageError(message) from error


class LazyClient(AbstractContextManager["LazyClient"]):
    """A client that is opened once, when it is first needed; safe to share between threads.

    ``client`` is an open `Hopline`, or an object with its methods: its owner closes it. Otherwise one is opened for a
    ``home`` or for the database at ``uri``, both by default those of the settings, and `close` closes it.
    """

    def __init__(self, client: Any = None, home: str | Path | None = None, uri: str | None = None) -> None:
        if client is not None and (home is not None or uri is not None):
            raise UsageError("give either an open client (hopline=…) or where to open one (home=… or uri=…), not both")
        self._external = client
        self._home = home
        self._uri = uri
        self._opened: Hopline | None = None
        self._lock = Lock()

    def get(self) -> Any:
        """Return the open client.

        Raises:
            EngineUnavailable: no server could be reached or started.
        """
        if self._external is not None:
            return self._external
        with self._lock:
            if self._opened is None:
                self._opened = Hopline.open(self._home, self._uri)
            return self._opened

    def close(self) -> None:
        """Close the client if it was opened here; the next question opens another one."""
        with self._lock:
            opened, self._opened = self._opened, None
        if opened is not None:
            opened.close()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
