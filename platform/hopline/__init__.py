"""Hopline: question answering over a knowledge graph of documents, with quotes and evidence paths."""

from __future__ import annotations

import typing as _typing

if _typing.TYPE_CHECKING:
    from hopline.async_client import AsyncHopline
    from hopline.client import Hopline
    from hopline.documents.memory_files import NamedBytes
    from hopline.errors import HoplineError
    from hopline.remote.client import RemoteHopline
    from hopline.results import Answer, Evidence, EvidencePath, Retrieval

    __version__: str

__all__ = [
    "Answer",
    "AsyncHopline",
    "Evidence",
    "EvidencePath",
    "Hopline",
    "HoplineError",
    "NamedBytes",
    "RemoteHopline",
    "Retrieval",
    "__version__",
]

_MODULES = {
    "AsyncHopline": "hopline.async_client",
    "Hopline": "hopline.client",
    "HoplineError": "hopline.errors",
    "NamedBytes": "hopline.documents.memory_files",
    "RemoteHopline": "hopline.remote.client",
    "Answer": "hopline.results",
    "Evidence": "hopline.results",
    "EvidencePath": "hopline.results",
    "Retrieval": "hopline.results",
}


def __getattr__(name: str) -> _typing.Any:
    """Import a public name on first use, which keeps `import hopline` fast."""
    if name == "__version__":
        from importlib.metadata import version

        return version("hopline")
    if name not in _MODULES:
        raise AttributeError(f"module 'hopline' has no attribute {name!r}; available: {', '.join(__all__)}")
    from importlib import import_module

    return getattr(import_module(_MODULES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
