"""The command for corrections of what was read from documents."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Final

import typer

from hopline.cli.command import AsJson, Collection, get_console, open_client, print_object

if TYPE_CHECKING:
    from hopline.records import Correction


LEFT_OUT: Final = "(left out)"  # in place of the text of a triple that is wrong


def corrections(
    *,
    collection: Collection = "default",
    document: Annotated[str | None, typer.Option(help="Only corrections of this document.")] = None,
    undo: Annotated[str | None, typer.Option(metavar="ID", help="Undo a correction, by its id.")] = None,
    as_json: AsJson = False,
) -> None:
    """List the corrections of a collection, or undo one."""
    with open_client() as hop:
        if undo is not None:
            hop.corrections.undo(undo)
            if as_json:
                print_object({"undone": undo})
            else:
                typer.echo(f"Undone: {undo}")
            return
        listed = hop.corrections.list(collection, document=document)
    if as_json:
        print_object({"collection": collection, "corrections": [asdict(correction) for correction in listed]})
    else:
        _print_corrections(listed, collection)


def _print_corrections(listed: Sequence[Correction], collection: str) -> None:
    from rich.table import Table
    from rich.text import Text

    if not listed:
        typer.echo(f"Collection {collection} has no corrections")
        return
    table = Table("Id", "Document", "Page", "Read", "Corrected", "By", "Date", "State", box=None)
    for item in listed:
        date = time.strftime("%Y-%m-%d", time.localtime(item.at))
        state = "applied" if item.applies else "no longer applies"
        page = str(item.pages[0]) if item.pages else ""
        cells = (item.id, item.document, page, item.original, item.corrected or LEFT_OUT, item.author, date, state)
        table.add_row(*map(Text, cells))
    get_console().print(table)
