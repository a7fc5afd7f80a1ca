"""Export and import of collections by name (``hop.export``, ``hop.import_collection``)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from hopline.documents.progress import read_collection_progress
from hopline.errors import UsageError
from hopline.exchange.bulk_import import import_folder_in_bulk
from hopline.exchange.folder_export import ExportOptions, OpenHome, create_folder, export_folder
from hopline.exchange.folder_import import ImportedCollection, import_folder
from hopline.exchange.folder_reader import ExportedFolder
from hopline.exchange.forms import JSONL, check_form, convert_folder
from hopline.exchange.layout import Manifest
from hopline.neo4j_server.download import Progress, ignore_progress
from hopline.records import check_collection_name

if TYPE_CHECKING:
    from hopline.connections import Connections


def export_collection(
    connections: Connections,
    collection: str,
    folder: str | Path,
    options: ExportOptions,
    *,
    form: str = JSONL,
    unfinished: bool = False,
) -> Manifest:
    """Export a collection, by its name, to a new folder; see `hopline.client.Hopline.export`."""
    check_form(form)
    scope = connections.resolve_scope(collection)
    if scope.excluded:
        raise UsageError(f"documents of {collection!r} are being removed; export it when they are gone")
    progress = read_collection_progress(connections.store, scope.collection)
    if not progress.done and not unfinished:
        raise UsageError(
            f"collection {collection!r} is being processed; wait until `hopline status` shows no queued documents, or "
            "export it unfinished: what waits is processed after the import"
        )
    with create_folder(Path(folder).expanduser()) as partial:
        manifest = _export(connections, scope.collection, partial, options, form)
        if connections.resolve_scope(collection).excluded or progress != read_collection_progress(
            connections.store, scope.collection
        ):
            raise UsageError(f"collection {collection!r} changed while it was exported; export it again")
    return manifest


def open_home(connections: Connections) -> OpenHome:
    """Return the part of the connections that export and import need."""
    return OpenHome(connections.store, connections.settings.files, connections.services.embedder.name)


def _export(connections: Connections, id: str, folder: Path, options: ExportOptions, form: str) -> Manifest:
    home = open_home(connections)
    if form == JSONL:
        return export_folder(home, id, folder, options)
    with TemporaryDirectory(dir=folder.parent, prefix=".export-") as rows:
        manifest = export_folder(home, id, Path(rows), replace(options, originals=False))
        convert_folder(form, Path(rows), folder)
    return manifest


def import_collection(
    connections: Connections,
    folder: str | Path,
    collection: str | None,
    *,
    bulk: bool = False,
    progress: Progress | None = None,
) -> ImportedCollection:
    """Import a folder as a new collection; see `hopline.client.Hopline.import_collection`."""
    if collection is not None:
        check_collection_name(collection)
    opened = ExportedFolder.open(Path(folder).expanduser())
    name = opened.manifest.collection if collection is None else collection
    if bulk:
        return import_folder_in_bulk(open_home(connections), opened, name, progress=progress or ignore_progress)
    return import_folder(open_home(connections), opened, name)
