"""Import of an exported folder into an empty private database with Neo4j's offline importer.

A million passages take minutes, where transactions take hours. The graph is the same as that of
`hopline.exchange.folder_import.import_folder`, with the ids of the folder.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from hopline.documents.file_store import store_file
from hopline.errors import UsageError
from hopline.exchange.folder_import import ImportedCollection, describe_import, ensure_vector_indexes, show_collection
from hopline.exchange.layout import COLLECTION
from hopline.exchange.neo4j_csv import write_csv_files
from hopline.neo4j_server.bulk_import import import_database
from hopline.neo4j_server.download import Progress, ignore_progress

if TYPE_CHECKING:
    from hopline.exchange.folder_export import OpenHome
    from hopline.exchange.folder_reader import ExportedFolder

BATCH: Final = 10_000  # nodes per transaction


def import_folder_in_bulk(
    home: OpenHome, folder: ExportedFolder, name: str, *, progress: Progress = ignore_progress
) -> ImportedCollection:
    """Create the only collection of a private database from a folder; the server is started again for it.

    ``progress`` is called with each phase.

    Raises:
        UsageError: the database is not the private one or has collections, or the vectors of the folder are of another
            embedder.
        EngineUnavailable: the importer failed; the database is empty, as before.
    """
    store, manifest = home.store, folder.manifest
    if not store.connection.private:
        raise UsageError("a bulk import needs the private server: it replaces the files of its database")
    if store.read("exchange/has_collections")["known"][0]:
        raise UsageError(
            "a bulk import needs an empty database, and this one has collections: import without bulk, or into another "
            "home (HOPLINE_HOME)"
        )
    if manifest.embedder != home.embedder:
        has = f"vectors of {manifest.embedder}" if manifest.embedder else "no vectors"
        raise UsageError(
            f"the folder has {has}, and the embedder is {home.embedder}: import it without bulk, which computes new "
            "vectors, or configure the embedder of the folder"
        )
    for original in folder.list_originals():
        store_file(home.files, original)
    with TemporaryDirectory(dir=home.files.parent, prefix=".import-") as path:
        progress(0, 0, "writing CSV files")
        arguments = write_csv_files(folder.path, Path(path), importing=True)
        import_database(store.settings, Path(path), arguments, progress=progress)
    progress(0, 0, "creating indexes")
    store.reopen()
    store.write(("exchange/touch_import", {"id": manifest.id}))
    store.write_until_done("exchange/set_empty_lists", {}, limit=BATCH, column="nodes")
    show_collection(store, next(folder.read_nodes(COLLECTION)), name)
    ensure_vector_indexes(store, folder, home.embedder)
    return describe_import(manifest, name, manifest.id, home.embedder)
