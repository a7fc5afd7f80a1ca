"""Commands for export and import: export, import, backup, restore."""

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
    """Export a collection with all nodes and relationships.

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
    bulk: Annotated[
        bool, typer.Option("--bulk", help="Write the files of an empty private database; for large collections.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Create a collection from an exported folder.

    All of it is imported, or nothing if the folder is damaged.
    """

    def show_phase(_done: int, _total: int, phase: str) -> None:
        if bulk and not as_json:
            typer.echo(f"{phase} …", err=True)

    with open_client() as hop:
        imported = hop.import_collection(folder, collection, bulk=bulk, progress=show_phase)
    if as_json:
        print_object(asdict(imported))
        return
    typer.echo(f"Imported collection {imported.name}: {_format_counts(asdict(imported))}")
    if imported.notice:
        print_error(imported.notice)


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The ZIP file to create.")],
    *,
    unfinished: Annotated[
        bool, typer.Option("--unfinished", help="Include collections that are being processed, as they are.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Write all collections into one ZIP file.

    It has their vectors and added files, but no trained weights, cached replies of models or settings.
    """
    with open_client() as hop:
        manifests = hop.backup(file, unfinished=unfinished)
    if as_json:
        print_object({"file": str(file), "collections": {item.collection: item.counts for item in manifests}})
        return
    for manifest in manifests:
        typer.echo(f"Saved collection {manifest.collection}: {_format_counts(manifest.counts)}")


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A ZIP file that `hopline backup` has written.")],
    *,
    home: Annotated[Path | None, typer.Option(help="Home folder to create. [default: HOPLINE_HOME]")] = None,
    force: Annotated[bool, typer.Option("--force", help="Restore beside other collections.")] = False,
    as_json: AsJson = False,
) -> None:
    """Create all collections of a backup in a new home, or none.

    No collection is overwritten, also with --force.
    """
    with open_client(home) as hop:
        restored = hop.restore(file, force=force)
    if as_json:
        print_object({"collections": [asdict(collection) for collection in restored]})
        return
    for collection in restored:
        typer.echo(f"Restored collection {collection.name}: {_format_counts(asdict(collection))}")
        if collection.notice:
            print_error(collection.notice)


def _format_counts(counts: Mapping[str, int]) -> str:
    names = ("documents", "passages", "tables", "entities", "triples")
    return ", ".join(f"{counts.get(name, 0):,} {name}" for name in names)
