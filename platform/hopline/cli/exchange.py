"""Commands for export and import: export, import."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from hopline.cli.command import AsJson, Collection, open_client, print_error, print_object

if TYPE_CHECKING:
    from hopline.exchange.forms import ExportForm

NewCollection = Annotated[
    str | None,
    typer.Option("--collection", "-c", help="Name of the new collection. [default: as exported]"),
]


def export(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder to create.")],
    *,
    collection: Collection = "default",
    form: Annotated[str, typer.Option("--as", help="Form: jsonl, graphml, csv, turtle or parquet.")] = "jsonl",
    vectors: Annotated[bool, typer.Option("--vectors/--no-vectors", help="Export the vectors.")] = True,
    originals: Annotated[bool, typer.Option("--files/--no-files", help="Export the added files (jsonl only).")] = True,
    unfinished: Annotated[
        bool, typer.Option("--unfinished", help="Export a collection that is being processed, as it is.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Export a collection: documents, passages, tables, entities, triples and all relationships.

    The form jsonl can be imported again. The others are for other programs.
    """
    with open_client() as hop:
        manifest = hop.export(
            collection,
            folder,
            form=cast("ExportForm", form),
            vectors=vectors,
            originals=originals,
            unfinished=unfinished,
        )
    if as_json:
        print_object({"folder": str(folder), "form": form, "counts": manifest.counts})
        return
    typer.echo(f"Exported collection {collection} to {folder}: {_format_counts(manifest.counts)}")
    if manifest.missing_originals:
        print_error(f"warning: {manifest.missing_originals:,} added files are not in the home folder")


def import_(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A folder that `hopline export` has written.")],
    *,
    collection: NewCollection = None,
    as_json: AsJson = False,
) -> None:
    """Create a collection from an exported folder: all of it, or nothing if the folder is damaged."""
    with open_client() as hop:
        imported = hop.import_collection(folder, collection)
    if as_json:
        print_object(asdict(imported))
        return
    typer.echo(f"Imported collection {imported.name}: {_format_counts(asdict(imported))}")
    if imported.notice:
        print_error(imported.notice)


def _format_counts(counts: Mapping[str, int]) -> str:
    names = ("documents", "passages", "tables", "entities", "triples")
    return ", ".join(f"{counts.get(name, 0):,} {name}" for name in names)
