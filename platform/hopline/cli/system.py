"""Commands for the installation: doctor, upgrade, stop, ui."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import asdict
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated

import typer

from hopline.cli.command import (
    UNAVAILABLE,
    AsJson,
    get_console,
    get_error_console,
    open_client,
    print_object,
    print_worker_notice,
)
from hopline.errors import UsageError

if TYPE_CHECKING:
    from hopline.cli.diagnostics import Check

MARKS = {"good": ("✓", "green"), "note": ("·", "yellow"), "bad": ("✗", "red")}


def doctor(
    *,
    model: Annotated[
        bool,
        typer.Option(
            "--model",
            help="Check only the language model, in depth: address, key, name, JSON, context length, speed. Sends it a "
            "prompt as long as HOPLINE_MODEL_CONTEXT.",
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Check the installation and print advice for each problem."""
    from hopline.cli.diagnostics import run_checks
    from hopline.cli.model_checks import check_model_in_depth
    from hopline.client import Hopline
    from hopline.config import load_settings
    from hopline.rendering import download_bars

    checks, settings = [], load_settings()
    with download_bars(get_error_console()) as progress:
        installation = run_checks(settings, lambda: Hopline.open(progress=progress))
        for check in check_model_in_depth(settings) if model else installation:
            checks.append(check)
            if not as_json:
                _print_check(check)
    if as_json:
        print_object({"checks": [asdict(check) for check in checks]})
    if any(check.state == "bad" for check in checks):
        raise typer.Exit(UNAVAILABLE)


def _print_check(check: Check) -> None:
    from rich.text import Text

    from hopline.rendering.symbols import adapt_to_console

    mark, style = MARKS[check.state]
    console = get_console()
    line = Text.assemble((f"{mark} ", style), (f"{check.name:<13}", "bold"), check.result)
    if check.advice:
        line.append(f"\n{'':15}{check.advice}", style=style)
    console.print(adapt_to_console(line, console), highlight=False, soft_wrap=True)


def upgrade(*, as_json: AsJson = False) -> None:
    """Parse the documents of an older version again."""
    with open_client() as hop:
        count = hop.upgrade()
        print_worker_notice(hop)
    if as_json:
        print_object({"queued": count})
    elif count:
        typer.echo(f"Queued {count:,} documents; see progress with: hopline status")
    else:
        typer.echo("All documents were parsed by this version")


def stop(*, as_json: AsJson = False) -> None:
    """Stop the REST service, the worker and the private Neo4j.

    Worker and Neo4j also stop automatically when idle, and start again on demand. No data is lost. If NEO4J_URI is set,
    only the worker and the service of this machine are stopped.
    """
    from hopline.config import load_settings
    from hopline.service_file import stop_service

    settings = load_settings()
    stop_service(settings.home)
    if settings.neo4j_uri:
        from hopline.documents.worker_process import stop_workers_of_home

        stopped, subject = stop_workers_of_home(settings.home), "the worker"
    else:
        from hopline.client import Hopline

        stopped, subject = Hopline.stop(settings.home), "the worker and the private Neo4j"
    if as_json:
        print_object({"stopped": stopped})
    else:
        typer.echo(f"Stopped {subject}" if stopped else "Not running")


def ui(
    *,
    port: Annotated[
        int | None, typer.Option(min=1, max=65535, help="Port of the web page. [default: the first free one]")
    ] = None,
    address: Annotated[
        str, typer.Option(help="Address to listen on; 0.0.0.0 accepts connections from other machines.")
    ] = "127.0.0.1",
    browser: Annotated[bool, typer.Option(help="Open the page in the browser, if there is a display.")] = True,
) -> None:
    """Start the web page and open it in the browser."""
    if find_spec("hopline_ui") is None:
        raise UsageError("the web page is not installed: the package hopline_ui is missing; reinstall Hopline")
    command = [sys.executable, "-m", "hopline_ui", "--address", address]
    command += [] if port is None else ["--port", str(port)]
    command += ["--browser"] if browser else []
    if sys.platform != "win32":
        os.execv(sys.executable, command)  # noqa: S606 — signals reach the page's server, and none is left behind
    try:
        raise typer.Exit(subprocess.call(command))
    except KeyboardInterrupt:
        raise typer.Exit from None
