"""The command about themes: what a collection is about."""

from __future__ import annotations

import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from hopline.cli.command import AsJson, Collection, errors, opened, output, print_object
from hopline.errors import UsageError

if TYPE_CHECKING:
    from hopline.client import CollectionThemes, Hopline

PAUSE: Final = 0.5  # seconds between looks at what still waits


def themes(
    *,
    collection: Collection = "default",
    learn: Annotated[bool, typer.Option("--learn", help="Learn themes from the collection anew.")] = False,
    count: Annotated[int | None, typer.Option(min=2, help="So many themes; else by the collection's size.")] = None,
    questions: Annotated[
        Path | None, typer.Option(help="Questions with gold: they teach what answers a question is about.")
    ] = None,
    use: Annotated[str | None, typer.Option(metavar="SET", help="Use a set that `train themes` made.")] = None,
    drop: Annotated[bool, typer.Option("--drop", help="Take the collection's themes away.")] = False,
    as_json: AsJson = False,
) -> None:
    """Learn and list what a collection is about."""
    if sum([learn, use is not None, drop]) > 1:
        raise UsageError("--learn, --use and --drop exclude one another")
    if (count or questions) and (use or drop):
        raise UsageError("--count and --questions go with learning themes")
    with opened() as hop:
        found = hop.themes(collection)
        if use is not None or drop:
            hop.use_themes(use or "", collection)
        elif learn or count or questions or not found:
            _learn(hop, collection, count, questions)
        found = _waited(hop, collection)
    if as_json:
        print_object({"collection": collection, **asdict(found)})
    else:
        _print(found, collection)


def _learn(hop: Hopline, collection: str, count: int | None, questions: Path | None) -> None:
    from hopline.cli.training import told_as_bars
    from hopline.evaluation import read_questions

    asked = read_questions(questions) if questions else []
    with told_as_bars() as listener:
        hop.learn_themes(collection, count=count, questions=asked, listener=listener)


def _waited(hop: Hopline, collection: str) -> CollectionThemes:
    """The themes once all evidence has its own; at Ctrl-C as they are."""
    found = hop.themes(collection)
    with errors().status("The worker sorts passages into themes"):
        try:
            while found.waiting:
                time.sleep(PAUSE)
                before, found = found.waiting, hop.themes(collection)
                if found.waiting == before and not hop.status().worker:
                    break
        except KeyboardInterrupt:
            pass
    return found


def _print(found: CollectionThemes, collection: str) -> None:
    from rich.table import Table

    if not found:
        typer.echo(f"{collection} has no themes; hopline themes -c {collection} learns them")
        return
    table = Table("theme", "passages and tables", box=None)
    table.columns[1].justify = "right"
    for theme in found.themes:
        table.add_row(theme.name, f"{theme.evidence:,}")
    output().print(table)
    if found.waiting:
        typer.echo(f"{found.waiting:,} passages and tables wait for the worker, or have no vector yet")
    typer.echo(f"use them: hopline ask … -c {collection} -s ras")
