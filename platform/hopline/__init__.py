"""Hopline: documents into a graph, and the way from a question to the page."""

from __future__ import annotations

import typing as _typing

if _typing.TYPE_CHECKING:
    from hopline.client import Hopline
    from hopline.errors import HoplineError
    from hopline.types import Answer, Evidence, EvidencePath, Retrieval

    __version__: str

__all__ = ["Answer", "Evidence", "EvidencePath", "Hopline", "HoplineError", "Retrieval", "__version__"]

_HOME = {
    "Hopline": "hopline.client",
    "HoplineError": "hopline.errors",
    "Answer": "hopline.types",
    "Evidence": "hopline.types",
    "EvidencePath": "hopline.types",
    "Retrieval": "hopline.types",
}


def __getattr__(name: str) -> _typing.Any:
    """The public names, each imported when first used: `import hopline` stays light."""
    if name == "__version__":
        from importlib.metadata import version

        return version("hopline")
    if name not in _HOME:
        raise AttributeError(f"module 'hopline' has no attribute {name!r}; there are: {', '.join(__all__)}")
    from importlib import import_module

    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
