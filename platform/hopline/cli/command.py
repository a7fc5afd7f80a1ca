"""What every command shares: an open graph, one object on stdout, errors as one line."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from hopline.errors import EngineError, HoplineError, ModelError, UsageError

if TYPE_CHECKING:
    from rich.console import Console

    from hopline.client import Hopline

FAILED_DOCUMENTS, WRONG_USE, NO_ENGINE = 1, 2, 3

Collection = Annotated[str, typer.Option("--collection", "-c", help="A named set of documents.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object, and nothing else.")]


class Doors(TyperGroup):
    """The command group; an error of ours becomes one line on stderr and an exit status."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except HoplineError as error:
            complain(str(error))
            raise typer.Exit(exit_status(error)) from error


def exit_status(error: HoplineError) -> int:
    """2 where the call is wrong, 3 where engine or model are missing, else 1."""
    if isinstance(error, UsageError):
        return WRONG_USE
    return NO_ENGINE if isinstance(error, EngineError | ModelError) else FAILED_DOCUMENTS


@contextmanager
def opened() -> Iterator[Hopline]:
    """The user's graph; the first use ever fetches the engine, with a bar on stderr."""
    from hopline.client import Hopline
    from hopline.rendering.terminal import fetching

    with fetching(errors()) as progress:
        hop = Hopline.open(progress=progress)
    with hop:
        yield hop


def output() -> Console:
    """The console that answers go to."""
    from rich.console import Console

    return Console()


def errors() -> Console:
    """The console for progress and complaints."""
    from rich.console import Console

    return Console(stderr=True)


def complain(words: str) -> None:
    """One line to stderr, whatever line breaks the words have."""
    typer.echo(f"hopline: {' '.join(words.split())}", err=True)


def print_object(data: Mapping[str, Any]) -> None:
    """One JSON object on stdout; ASCII only where stdout is no UTF-8."""
    wide = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    typer.echo(json.dumps(data, ensure_ascii=not wide, indent=2, default=str))
