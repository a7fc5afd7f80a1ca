"""The command line: ``hopline add``, ``hopline ask``, and the rest.

``--json`` prints one object to stdout and nothing else; progress and errors go to stderr.
Exit status: 0 done, 1 some documents failed, 2 wrong use, 3 no engine or model (``ask`` still prints an answer
without its model).
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Annotated

import typer

from hopline.cli import documents, evaluation, questions, system, topics, training
from hopline.cli.command import Doors

COMMANDS: dict[str, Callable[..., None]] = {
    "add": documents.add,
    "documents": documents.documents,
    "retry": documents.retry,
    "reread": documents.reread,
    "remove": documents.remove,
    "estimate": documents.estimate,
    "status": documents.status,
    "ask": questions.ask,
    "retrieve": questions.retrieve,
    "show": questions.show,
    "strategies": questions.strategies,
    "evaluate": evaluation.evaluate,
    "prepare": evaluation.prepare,
    "train": training.train,
    "themes": topics.themes,
    "ui": system.ui,
    "doctor": system.doctor,
    "stop": system.stop,
}


def application() -> typer.Typer:
    """All commands, in the order of the help."""
    app = typer.Typer(
        cls=Doors,
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
        help="Documents into a graph, and the way from a question to the page.",
    )
    app.callback()(_root)
    for name, command in COMMANDS.items():
        app.command(name)(command)
    return app


def _show_version(wanted: bool) -> None:  # noqa: FBT001  typer calls it with the option's value
    if wanted:
        from importlib.metadata import version

        typer.echo(f"hopline {version('hopline')}")
        raise typer.Exit


def _root(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Say which.")
    ] = False,
) -> None:
    """Documents into a graph, and the way from a question to the page."""


def main() -> None:
    """Run the command that the arguments name, and exit with its status."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal that lacks a letter shows "?" and lives
    application()()
