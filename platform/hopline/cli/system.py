"""Commands about this machine: doctor, stop, ui."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import asdict
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated

import typer

from hopline.cli.command import NO_ENGINE, AsJson, errors, output, print_object
from hopline.errors import UsageError

if TYPE_CHECKING:
    from hopline.cli.diagnostics import Check

SIGNS = {"good": ("✓", "green"), "note": ("·", "yellow"), "bad": ("✗", "red")}


def doctor(*, as_json: AsJson = False) -> None:
    """Check what Hopline needs here; say what to do about it."""
    from hopline.cli.diagnostics import examine
    from hopline.client import Hopline
    from hopline.config import load_settings
    from hopline.rendering.terminal import fetching

    checks = []
    with fetching(errors()) as progress:
        for check in examine(load_settings(), lambda: Hopline.open(progress=progress)):
            checks.append(check)
            if not as_json:
                _draw(check)
    if as_json:
        print_object({"checks": [asdict(check) for check in checks]})
    if any(check.state == "bad" for check in checks):
        raise typer.Exit(NO_ENGINE)


def _draw(check: Check) -> None:
    from rich.text import Text

    from hopline.rendering.terminal.symbols import fitted

    sign, style = SIGNS[check.state]
    console = output()
    words = Text.assemble((f"{sign} ", style), (f"{check.name:<13}", "bold"), check.found)
    if check.advice:
        words.append(f"\n{'':15}{check.advice}", style=style)
    console.print(fitted(words, console), highlight=False, soft_wrap=True)


def stop(*, as_json: AsJson = False) -> None:
    """Stop the worker and the private Neo4j now.

    Both stop by themselves when nobody uses them, and start when they are needed. Nothing is lost.
    """
    from hopline.config import load_settings

    settings = load_settings()
    if settings.neo4j_uri:
        raise UsageError(f"{settings.neo4j_uri} is a server of your own; stop only ends Hopline's private one")
    from hopline.client import Hopline

    stopped = Hopline.stop(settings.home)
    if as_json:
        print_object({"stopped": stopped})
    else:
        typer.echo("stopped" if stopped else "it did not run")


def ui(
    *,
    port: Annotated[
        int | None, typer.Option(min=1, max=65535, help="Where the page listens; else the first free.")
    ] = None,
    address: Annotated[str, typer.Option(help="From where it can be reached; 0.0.0.0: from everywhere.")] = "127.0.0.1",
) -> None:
    """Open the page in the browser."""
    if find_spec("hopline_ui") is None:
        raise UsageError(
            "the page is not installed; wanted the package hopline_ui beside hopline: install Hopline again"
        )
    where = ["--address", address, *([] if port is None else ["--port", str(port)])]
    try:
        raise typer.Exit(subprocess.call([sys.executable, "-m", "hopline_ui", *where]))
    except KeyboardInterrupt:
        raise typer.Exit from None
