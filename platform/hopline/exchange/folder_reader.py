"""Reading of an exported folder: every file is checked before any row is used."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from hopline.errors import UsageError
from hopline.exchange.folder_export import compute_sha256
from hopline.exchange.graph_reader import NodeRow, RelationshipRow
from hopline.exchange.layout import (
    FILES,
    MANIFEST,
    NODE_KINDS,
    RELATIONSHIP_KINDS,
    VECTOR_KINDS,
    VECTOR_NAME,
    Manifest,
    NodeKind,
    RelationshipKind,
    get_node_path,
    get_relationship_path,
    get_vector_path,
)
from hopline.exchange.vector_files import ARRAY, IDS, read_vectors
from hopline.records import check_collection_name
from hopline.store.graph_version import GRAPH_VERSION

_PROPERTY: Final = re.compile(r"[a-z][a-z0-9_]{0,62}")
_SHA256: Final = re.compile(r"[0-9a-f]{64}")
_ORIGINAL: Final = re.compile(r"([0-9a-f]{64})(\.[a-z0-9.]{1,20})?")
_MAX_LINE: Final = 256_000_000  # characters


@dataclass(frozen=True, slots=True)
class ExportedFolder:
    """A checked folder. Only files whose paths follow from the layout are read, none through a symbolic link."""

    path: Path
    manifest: Manifest

    @classmethod
    def open(cls, path: Path) -> ExportedFolder:
        """Open a folder and check its manifest and the hash of every file that it lists.

        Raises:
            UsageError: the folder is no export, is damaged, or was exported from another version of the graph.
        """
        manifest_file = _check_path(path, MANIFEST)
        try:
            manifest = Manifest.from_json(manifest_file.read_text("utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"{manifest_file} cannot be read: {error}") from error
        check_collection_name(manifest.collection)
        if manifest.graph_version != GRAPH_VERSION:
            raise UsageError(
                f"{path} was exported from a graph of version {manifest.graph_version}, and this Hopline has version "
                f"{GRAPH_VERSION}: import it with Hopline {manifest.hopline}, upgrade, and export it again"
            )
        folder = cls(path, manifest)
        folder._check_files()
        return folder

    def _check_files(self) -> None:
        required = {*map(get_node_path, NODE_KINDS), *map(get_relationship_path, RELATIONSHIP_KINDS)}
        known = required | {path + suffix for path in self._list_vector_paths() for suffix in (ARRAY, IDS)}
        if not required <= self.manifest.files.keys() <= known:
            wrong = sorted((required - self.manifest.files.keys()) | (self.manifest.files.keys() - known))
            raise UsageError(f"{self.path / MANIFEST} lacks or does not know the files {', '.join(wrong)}")
        for path, entry in self.manifest.files.items():
            if compute_sha256(_check_path(self.path, path)) != entry.sha256:
                raise UsageError(f"{self.path / path} is damaged or was changed: its SHA-256 is not that of {MANIFEST}")

    def _list_vector_paths(self) -> Iterator[str]:
        names = {Path(path).name.split(".")[1] for path in self.manifest.files if path.startswith("vectors/")}
        for name in names:
            if VECTOR_NAME.fullmatch(name):
                yield from (get_vector_path(kind, name) for kind in VECTOR_KINDS)

    def read_nodes(self, kind: NodeKind, vectors: frozenset[str] = frozenset()) -> Iterator[NodeRow]:
        """Read the nodes of a kind in order, with their vectors of these properties."""
        streams = {
            name: _VectorStream(self.path / get_vector_path(kind, name))
            for name in sorted(vectors)
            if get_vector_path(kind, name) + ARRAY in self.manifest.files
        }
        path = get_node_path(kind)
        for number, row in self._read_rows(path):
            states = row.pop("labels", [])
            location = f"{self.path / path}:{number}"
            _check_properties(row, location)
            if not isinstance(states, list) or not set(states) <= kind.states:
                raise UsageError(f"{location}: unknown labels {states!r}")
            if not isinstance(id := row.get("id"), str) or not id:
                raise UsageError(f"{location}: a node has an id, a text that is not empty")
            yield NodeRow(id, tuple(states), row, {name: v for name, s in streams.items() if (v := s.take(id))})
        for name, stream in streams.items():
            stream.check_end(f"{self.path / path}: vectors of {name}")

    def read_relationships(self, kind: RelationshipKind) -> Iterator[RelationshipRow]:
        """Read the relationships of a type."""
        path = get_relationship_path(kind)
        for number, row in self._read_rows(path):
            location = f"{self.path / path}:{number}"
            source, target, properties = row.get("source"), row.get("target"), row.get("properties", {})
            if not isinstance(source, str) or not isinstance(target, str) or not isinstance(properties, dict):
                raise UsageError(f"{location}: a relationship has a source, a target and properties")
            _check_properties(properties, location)
            yield RelationshipRow(kind.type, source, target, properties)

    def list_originals(self) -> Iterator[Path]:
        """List the added files that the folder has, after a check that each has the hash of its name.

        Raises:
            UsageError: a file has another name or another content.
        """
        folder = self.path / FILES
        if not folder.exists():
            return
        if folder.is_symlink():
            raise UsageError(f"{folder} is a symbolic link, which is not followed")
        for file in sorted(folder.iterdir()):
            match = _ORIGINAL.fullmatch(file.name)
            if not match or compute_sha256(_check_path(self.path, f"{FILES}/{file.name}")) != match[1]:
                raise UsageError(f"{file} is damaged: its name is not the SHA-256 of its content")
            yield file

    def _read_rows(self, path: str) -> Iterator[tuple[int, dict[str, Any]]]:
        with _check_path(self.path, path).open(encoding="utf-8", newline="\n") as file:
            number = 0
            while line := file.readline(_MAX_LINE):
                number += 1
                try:
                    row = json.loads(line)
                except ValueError as error:
                    raise UsageError(f"{self.path / path}:{number} is not JSON: {error}") from error
                if not isinstance(row, dict):
                    raise UsageError(f"{self.path / path}:{number} is no object")
                yield number, row


class _VectorStream:
    """Vectors in the order of the nodes; not every node has one."""

    def __init__(self, path: Path) -> None:
        self._rows = read_vectors(path)
        self._next = next(self._rows, None)

    def take(self, id: str) -> list[float] | None:
        if self._next is None or self._next[0] != id:
            return None
        vector = self._next[1]
        self._next = next(self._rows, None)
        return vector

    def check_end(self, location: str) -> None:
        if self._next is not None:
            raise UsageError(f"{location}: {self._next[0]} is no node, or stands in another order")


def check_sha256(value: object, location: str) -> None:
    """Check a property that names a stored file: a SHA-256 in hexadecimal digits, or nothing.

    Raises:
        UsageError: it is something else, such as a path.
    """
    if value not in {None, ""} and not (isinstance(value, str) and _SHA256.fullmatch(value)):
        raise UsageError(f"{location} is no SHA-256: {value!r:.80}")


def _check_properties(properties: dict[str, Any], location: str) -> None:
    for name, value in properties.items():
        if not _PROPERTY.fullmatch(name) or VECTOR_NAME.fullmatch(name):
            raise UsageError(f"{location}: {name!r:.80} is no name of a property")
        if name in {"sha256", "waiting_sha256"}:
            check_sha256(value, f"{location}: {name}")
        items = value if isinstance(value, list) else [value]
        kinds = {type(item) for item in items}
        if len(kinds) > 1 or not kinds <= {str, int, float, bool}:
            raise UsageError(f"{location}: {name} is no text, number, truth value, or list of one of these")


def _check_path(folder: Path, path: str) -> Path:
    """Return the path of a file in the folder; neither the file nor a folder above it may be a symbolic link."""
    file = folder / path
    linked = any(part.is_symlink() for part in (file, *file.parents[: len(Path(path).parents) - 1]))
    if linked or not file.is_file():
        raise UsageError(f"{file} is {'a symbolic link, which is not followed' if linked else 'missing'}")
    return file
