"""Command line interface: ``hopline add``, ``hopline ask`` and further commands.

With ``--json`` a command prints one JSON object to stdout and nothing else; progress and errors go to stderr.
Exit status: 0 success, 1 some documents failed, 2 usage error, 3 database or language model unavailable (``ask``
still prints an extractive answer without the model).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Annotated

import typer

from hopline.cli import (
    corrections,
    documents,
    evaluation,
    exchange,
    feedback,
    graph,
    metadata,
    questions,
    service,
    system,
    topics,
    training,
)
from hopline.cli.command import CommandGroup

COMMANDS: dict[str, Callable[..., None]] = {
    "add": documents.add,
    "documents": documents.documents,
    "outline": documents.outline,
    "metadata": metadata.set_metadata,
    "retry": documents.retry,
    "extract": documents.extract,
    "remove": documents.remove,
    "corrections": corrections.corrections,
    "feedback": feedback.feedback,
    "estimate": documents.estimate,
    "status": documents.status,
    "ask": questions.ask,
    "retrieve": questions.retrieve,
    "context": questions.context,
    "show": questions.show,
    "strategies": questions.strategies,
    "evaluate": evaluation.evaluate,
    "prepare": evaluation.prepare,
    "train": training.train,
    "topics": topics.topics,
    "export": exchange.export,
    "import": exchange.import_,
    "backup": exchange.backup,
    "restore": exchange.restore,
    "cypher": graph.cypher,
    "neo4j": graph.neo4j,
    "ui": system.ui,
    "serve": service.serve,
    "mcp": service.mcp,
    "doctor": system.doctor,
    "upgrade": system.upgrade,
    "stop": system.stop,
}


def application() -> typer.Typer:
    """Build the application with all commands, in the order of the help."""
    app = typer.Typer(
        cls=CommandGroup,
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
        help="Build a knowledge graph from documents and answer questions with quotes and evidence paths.",
    )
    app.callback()(_main_options)
    for name, command in COMMANDS.items():
        app.command(name)(command)
    app.add_typer(service.keys, name="key", cls=CommandGroup)
    return app


def _show_version(requested: bool) -> None:  # noqa: FBT001  typer calls it with the option's value
    if requested:
        from importlib.metadata import version

        typer.echo(f"hopline {version('hopline')}")
        raise typer.Exit


def _main_options(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Build a knowledge graph from documents and answer questions with quotes and evidence paths."""


def main() -> None:
    """Run the command of the process's arguments and exit with its status."""
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # idle threads of torch leave the cores to other processes
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # characters that the terminal lacks are printed as "?"
    application()()
