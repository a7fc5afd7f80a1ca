"""Export of a collection as a folder of JSONL files (`hopline.exchange.layout`)."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from hopline.documents.file_store import get_stored_path
from hopline.errors import UsageError
from hopline.exchange.graph_reader import GraphPart, NodeRow, read_collection_parts
from hopline.exchange.layout import (
    COLLECTION,
    DOCUMENTS,
    FILES,
    JSONL_FILES,
    MANIFEST,
    NODE_KINDS,
    RELATIONSHIP_KINDS,
    ExportedFile,
    Manifest,
    NodeKind,
    get_node_path,
    get_relationship_path,
    get_vector_path,
)
from hopline.exchange.vector_files import ARRAY, IDS, VectorWriter
from hopline.store.graph_version import GRAPH_VERSION
from hopline.store.schema import get_vector_property

if TYPE_CHECKING:
    from hopline.store.graph import Store


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """What is exported in addition to the graph: ``vectors``, and the added files (``originals``)."""

    vectors: bool = True
    originals: bool = True


@dataclass(frozen=True, slots=True)
class OpenHome:
    """An open graph, the folder of its added files, and the name of the embedding model in use."""

    store: Store
    files: Path
    embedder: str


@contextmanager
def create_folder(folder: Path) -> Iterator[Path]:
    """Create a folder that appears when the block ends without an error.

    Raises:
        UsageError: there is a file, or a folder with files, at this path.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} exists and is not an empty folder; choose another one")
    partial = folder.with_name(f".{folder.name}.part")
    try:
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        yield partial
        if folder.exists():
            folder.rmdir()
        partial.rename(folder)
    except OSError as error:
        raise UsageError(f"{folder} cannot be written: {error}") from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def export_folder(home: OpenHome, collection: str, folder: Path, options: ExportOptions) -> Manifest:
    """Write a collection, by its id, into an existing empty folder; return its manifest, which is written last."""
    names = {get_vector_property(home.embedder)}
    with _FolderWriter(folder, names if options.vectors else set(), topics=options.vectors) as writer:
        for part in read_collection_parts(home.store, collection):
            writer.write(part)
            if options.originals and part.kind in {DOCUMENTS, JSONL_FILES}:
                writer.copy_originals(home.files, part.nodes)
        root = writer.collection
    if root is None:
        raise UsageError("the collection was removed while it was exported")
    manifest = Manifest(
        collection=root.properties["name"],
        id=collection,
        exported_at=datetime.now(UTC).isoformat(timespec="seconds"),
        hopline=version("hopline"),
        graph_version=GRAPH_VERSION,
        embedder=home.embedder if options.vectors else "",
        counts=writer.counts,
        files={path: ExportedFile(rows, compute_sha256(folder / path)) for path, rows in sorted(writer.rows.items())},
        missing_originals=writer.missing_originals,
        has_originals=options.originals,
    )
    (folder / MANIFEST).write_text(manifest.to_json(), encoding="utf-8")
    return manifest


def to_line(row: Mapping[str, Any]) -> str:
    """Return a row as canonical JSON: sorted keys, no blanks, one line."""
    return json.dumps(row, ensure_ascii=False, sort_keys=True, separators=(",", ":")) + "\n"


def compute_sha256(path: Path) -> str:
    """Return the SHA-256 of a file, in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class _FolderWriter:
    """The open files of a folder."""

    def __init__(self, folder: Path, vectors: set[str], *, topics: bool) -> None:
        self.folder = folder
        self.rows: dict[str, int] = {}
        self.counts: dict[str, int] = {}
        self.collection: NodeRow | None = None
        self.missing_originals = 0
        self._vector_names = vectors
        self._topics = topics
        self._stack = ExitStack()
        self._files: dict[str, IO[str]] = {}
        self._vectors: dict[str, VectorWriter] = {}

    def __enter__(self) -> _FolderWriter:
        (self.folder / "relationships").mkdir()
        for path in (*map(get_node_path, NODE_KINDS), *map(get_relationship_path, RELATIONSHIP_KINDS)):
            file = (self.folder / path).open("w", encoding="utf-8", newline="\n")
            self._files[path] = self._stack.enter_context(file)
            self.rows[path] = 0
        return self

    def __exit__(self, *error: Any) -> None:
        self._stack.__exit__(*error)
        for path, writer in self._vectors.items():
            self.rows |= {path + ARRAY: writer.rows, path + IDS: writer.rows}
        self.counts = {kind.file: self.rows[get_node_path(kind)] for kind in NODE_KINDS}
        self.counts |= {kind.type: self.rows[get_relationship_path(kind)] for kind in RELATIONSHIP_KINDS}

    def write(self, part: GraphPart) -> None:
        """Write nodes with their vectors and relationships."""
        if part.kind is COLLECTION and part.nodes:
            [self.collection] = part.nodes
        path = get_node_path(part.kind)
        for node in part.nodes:
            states = {"labels": list(node.states)} if node.states else {}
            self._files[path].write(to_line({**node.properties, **states}))
            for name, vector in sorted(node.vectors.items()):
                if name in self._vector_names or (self._topics and name.startswith("themes_")):
                    self._write_vector(part.kind, name, node.id, vector)
        self.rows[path] += len(part.nodes)
        for row in part.relationships:
            path = get_relationship_path(_RELATIONSHIPS[row.type])
            properties = {"properties": row.properties} if row.properties else {}
            self._files[path].write(to_line({"source": row.source, "target": row.target, **properties}))
            self.rows[path] += 1

    def _write_vector(self, kind: NodeKind, name: str, id: str, vector: list[float]) -> None:
        path = get_vector_path(kind, name)
        if path not in self._vectors:
            (self.folder / "vectors").mkdir(exist_ok=True)
            self._vectors[path] = self._stack.enter_context(VectorWriter(self.folder / path))
        self._vectors[path].write(id, vector)

    def copy_originals(self, files: Path, nodes: tuple[NodeRow, ...]) -> None:
        """Copy the added files of documents, each once."""
        for node in nodes:
            for sha256 in {node.properties.get("sha256"), node.properties.get("waiting_sha256")} - {None, ""}:
                source = get_stored_path(files, str(sha256), node.properties["name"])
                target = self.folder / FILES / source.name
                target.parent.mkdir(exist_ok=True)
                if target.exists():
                    continue
                if source.is_file():
                    shutil.copyfile(source, target)
                else:
                    self.missing_originals += 1


_RELATIONSHIPS = {kind.type: kind for kind in RELATIONSHIP_KINDS}
