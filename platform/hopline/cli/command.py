"""Shared parts of the commands: the client, consoles, JSON output, error messages and exit statuses."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from typer.core import TyperGroup

from hopline.errors import EngineError, HoplineError, ModelError, UsageError
from hopline.text_encoding import clean_name

if TYPE_CHECKING:
    from rich.console import Console

    from hopline.client import Hopline

FAILED_DOCUMENTS, USAGE_ERROR, UNAVAILABLE = 1, 2, 3
_UNESCAPED_CONTROL: Final = re.compile("[\x7f-\x9f]")  # json.dumps escapes only the control characters below U+0020

Collection = Annotated[str, typer.Option("--collection", "-c", help="Name of the collection.")]
Filter = Annotated[
    str,
    typer.Option(
        "--filter", metavar="CONDITION", help="Only documents with such metadata: 'year > 2020 and tag = risk'."
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as one JSON object.")]


class CommandGroup(TyperGroup):
    """Command group that prints a `HoplineError` as one line on stderr and exits with its status."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command; an error of Hopline ends it with the exit status of that error."""
        try:
            return super().invoke(ctx)
        except HoplineError as error:
            print_error(str(error))
            raise typer.Exit(get_exit_status(error)) from error


def get_exit_status(error: HoplineError) -> int:
    """Return the exit status of an error: 2 usage error, 3 database or model unavailable, else 1."""
    if isinstance(error, UsageError):
        return USAGE_ERROR
    return UNAVAILABLE if isinstance(error, EngineError | ModelError) else FAILED_DOCUMENTS


@contextmanager
def open_client(home: Path | None = None) -> Iterator[Hopline]:
    """Open the client of a home, by default that of the settings.

    The first use downloads Neo4j, with a progress bar on stderr.
    """
    from hopline.client import Hopline
    from hopline.neo4j_server.connection import import_driver
    from hopline.rendering import download_bars

    import_driver()
    with download_bars(get_error_console()) as progress:
        hop = Hopline.open(home=home, progress=progress)
    with hop:
        yield hop


def get_console() -> Console:
    """Return a console on stdout, for results."""
    from hopline.rendering import TerminalConsole

    return TerminalConsole()


def get_error_console() -> Console:
    """Return a console on stderr, for progress and errors."""
    from hopline.rendering import TerminalConsole

    return TerminalConsole(stderr=True)


def print_error(message: str) -> None:
    """Print a message on stderr as one line, without control characters."""
    typer.echo(f"hopline: {' '.join(clean_name(message).split())}", err=True)


def print_worker_notice(hop: Hopline) -> None:
    """Print on stderr what the last action did to a worker with other settings, if anything."""
    if hop.documents.worker_notice:
        print_error(hop.documents.worker_notice)


def print_object(data: Mapping[str, Any]) -> None:
    """Print one JSON object on stdout; control characters are escaped, and all but ASCII if stdout is not UTF-8."""
    is_utf8 = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    text = json.dumps(data, ensure_ascii=not is_utf8, indent=2, default=str)
    typer.echo(_UNESCAPED_CONTROL.sub(lambda match: f"\\u{ord(match[0]):04x}", text))
