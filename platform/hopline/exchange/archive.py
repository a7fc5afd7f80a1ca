"""Archives of all collections of a home: a ZIP file with an exported folder for each (``hop.backup``)."""

from __future__ import annotations

import json
import re
import shutil
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from hopline.atomic_files import create_temporary_file, move_into_place
from hopline.errors import UsageError
from hopline.exchange.folder_export import ExportOptions
from hopline.exchange.folder_import import ImportedCollection, import_folder
from hopline.exchange.folder_reader import ExportedFolder
from hopline.exchange.layout import Manifest
from hopline.exchange.service import export_collection, open_home
from hopline.records import check_collection_name
from hopline.store.removal import remove_collection

if TYPE_CHECKING:
    from hopline.connections import Connections

FORMAT: Final = "hopline-backup"
FORMAT_VERSION: Final = 1
CONTENTS: Final = "backup.json"
_MEMBER: Final = re.compile(r"(\w+/)?[\w.]+|files/[0-9a-f]{64}[\w.]*", re.ASCII)  # of a collection's folder


def write_backup(connections: Connections, file: Path, *, unfinished: bool) -> list[Manifest]:
    """Write all collections into a new ZIP file, one at a time; see `hopline.client.Hopline.backup`."""
    if file.exists():
        raise UsageError(f"{file} exists; choose another name, or remove it first")
    names = [collection.name for collection in connections.collections.list_collections()]
    if not names:
        raise UsageError("there is no collection to back up")
    manifests = []
    try:
        with create_temporary_file(file.parent) as partial:
            with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED) as archive:
                for number, name in enumerate(names):
                    manifests.append(_add_collection(connections, archive, name, number, unfinished=unfinished))
                archive.writestr(CONTENTS, _format_contents(names))
            move_into_place(partial, file)
    except OSError as error:
        raise UsageError(f"{file} cannot be written: {error}") from error
    return manifests


def _add_collection(
    connections: Connections, archive: zipfile.ZipFile, name: str, number: int, *, unfinished: bool
) -> Manifest:
    with TemporaryDirectory(dir=connections.settings.home, prefix=".backup-") as folder:
        exported = Path(folder) / "collection"
        manifest = export_collection(connections, name, exported, ExportOptions(), unfinished=unfinished)
        for path in sorted(exported.rglob("*")):
            if path.is_file():
                archive.write(path, f"{number}/{path.relative_to(exported).as_posix()}")
    return manifest


def _format_contents(names: Sequence[str]) -> str:
    created = datetime.now(UTC).isoformat(timespec="seconds")
    head = {"format": FORMAT, "format_version": FORMAT_VERSION, "created_at": created, "hopline": version("hopline")}
    return json.dumps({**head, "collections": list(names)}, ensure_ascii=False, indent=2) + "\n"


def restore_backup(connections: Connections, file: Path, *, force: bool) -> list[ImportedCollection]:
    """Import all collections of an archive, or none; see `hopline.client.Hopline.restore`."""
    with _open_archive(file) as backup:
        _check_target(connections, backup.names, force=force)
        restored: list[ImportedCollection] = []
        try:
            for number, name in enumerate(backup.names):
                restored += [_restore_collection(connections, backup, number, name)]
        except BaseException:
            for collection in restored:
                remove_collection(connections.store, collection.id)
            raise
    return restored


def _check_target(connections: Connections, names: Sequence[str], *, force: bool) -> None:
    known = {collection.name for collection in connections.collections.list_collections()}
    if known and not force:
        raise UsageError(
            f"{connections.settings.home} has {len(known)} collections already; restore into a new home, or with force "
            "beside them"
        )
    if both := sorted(known & set(names)):
        raise UsageError(
            f"there are collections called {', '.join(both)} already, and none is overwritten; rename them"
        )


def _restore_collection(connections: Connections, backup: Backup, number: int, name: str) -> ImportedCollection:
    connections.settings.home.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=connections.settings.home, prefix=".restore-") as folder:
        backup.extract(number, Path(folder))
        return import_folder(open_home(connections), ExportedFolder.open(Path(folder)), name)


@dataclass(frozen=True, slots=True)
class Backup:
    """An open archive with the names of its collections."""

    archive: zipfile.ZipFile
    names: tuple[str, ...]

    def extract(self, number: int, folder: Path) -> None:
        """Extract the folder of a collection, by its number: regular files below ``folder`` only.

        Raises:
            UsageError: a member has another name than an export gives it, or the disk has too little space.
        """
        prefix = f"{number}/"
        members = [info for info in self.archive.infolist() if info.filename.startswith(prefix)]
        size, free = sum(info.file_size for info in members), shutil.disk_usage(folder).free
        if size > free:
            raise UsageError(f"the archive needs {size / 1e6:,.0f} MB, and {folder} has {free / 1e6:,.0f} MB")
        for info in members:
            path = info.filename.removeprefix(prefix)
            if not _MEMBER.fullmatch(path) or ".." in path:
                raise UsageError(f"the archive has a file that no export has: {info.filename!r:.80}")
            target = folder / path
            target.parent.mkdir(exist_ok=True)
            with self.archive.open(info) as source, target.open("wb") as copy:
                shutil.copyfileobj(source, copy)


@contextmanager
def _open_archive(file: Path) -> Iterator[Backup]:
    try:
        with zipfile.ZipFile(file) as archive:
            yield Backup(archive, _read_names(archive.read(CONTENTS)))
    except (OSError, KeyError, zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise UsageError(f"{file} is no backup, or is damaged: {error}") from error


def _read_names(text: bytes) -> tuple[str, ...]:
    try:
        data = json.loads(text)
        kind, version, names = data["format"], data["format_version"], data["collections"]
    except (ValueError, TypeError, KeyError) as error:
        raise UsageError(f"{CONTENTS} cannot be read: {error!r}") from error
    if (kind, version) != (FORMAT, FORMAT_VERSION):
        raise UsageError(f"the archive is {kind} {version}; this Hopline reads {FORMAT} {FORMAT_VERSION}")
    return tuple(map(check_collection_name, names))
