"""The front door for Python.

    with Hopline.open() as hop:
        hop.add(["reports/"]).wait(progress=True)
        answer = hop.ask("Which lender finances an asset of Nordvik?")
        answer.sentences[0].citations[0].page
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from hopline.types import Answer, Collection, Document, Retrieval, TraceStep

Listener = Callable[[TraceStep], None]  # called after every request of a flow, on the caller's thread


@dataclass(frozen=True, slots=True)
class Progress:
    """Two counts a stage, of one batch or one collection. ``seconds_left`` is None until it can be told."""

    documents: int = 0
    documents_done: int = 0
    documents_failed: int = 0
    pages: int = 0  # of the documents opened so far
    pages_done: int = 0
    passages: int = 0  # passages and tables
    extracted: int = 0
    embedded: int = 0
    related: int = 0
    reading: tuple[str, ...] = ()  # "report.pdf: page 12 of 80"
    seconds: float = 0.0
    seconds_left: float | None = None
    done: bool = False


@dataclass(frozen=True, slots=True)
class Failure:
    """One document, page or row that could not be read, and why, in words for the user."""

    document: str
    reason: str


class Batch:
    """What one `Hopline.add` put in; the worker converges on it."""

    ids: tuple[str, ...]

    def progress(self) -> Progress: ...
    def wait(self, *, progress: bool = False, timeout: float | None = None) -> Batch: ...
    @property
    def failures(self) -> tuple[Failure, ...]: ...


class Hopline:
    """One open graph. Use as a context manager, or call `close`."""

    @classmethod
    def open(cls, home: str | Path | None = None, uri: str | None = None, **settings: Any) -> Hopline: ...
    def close(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None: ...

    def add(self, paths: str | Path | Iterable[str | Path], collection: str = "default") -> Batch: ...
    def ask(
        self, question: str, *, collection: str = "default", documents: Sequence[str] = (), strategy: str | None = None,
        k: int | None = None, listener: Listener | None = None,
    ) -> Answer: ...
    def retrieve(
        self, question: str, *, collection: str = "default", documents: Sequence[str] = (), strategy: str | None = None,
        k: int | None = None, listener: Listener | None = None,
    ) -> Retrieval: ...
    def compare(self, question: str, *, strategies: Sequence[str], collection: str = "default", k: int | None = None) -> dict[str, Retrieval]: ...
    def collections(self) -> list[Collection]: ...
    def documents(self, collection: str = "default") -> list[Document]: ...
    def progress(self, collection: str = "default") -> Progress: ...
    def remove(self, document: str | None = None, *, collection: str = "default") -> int: ...
    def retry(self, collection: str = "default") -> int: ...
    def estimate(self, paths: str | Path | Iterable[str | Path]) -> Any: ...
    def explore(self, node: str, hops: int = 1, *, limit: int = 300) -> Any: ...
    def file(self, document: str) -> Path: ...
