"""Layout of an exported folder: its files, what each has, and its manifest.

manifest.json                     version, counts, embedder, SHA-256 of every file
collection.jsonl, documents.jsonl, passages.jsonl, …      a node a line
relationships/MENTIONS.jsonl, …   a relationship a line: source, target, properties
vectors/passages.vector_minilm.npy, .ids                  float32 vectors, and the id of the node of each row
files/SHA256.pdf                  the added files
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Self

from hopline.errors import UsageError

FORMAT: Final = "hopline-collection"
FORMAT_VERSION: Final = 1
MANIFEST: Final = "manifest.json"
FILES: Final = "files"


@dataclass(frozen=True, slots=True)
class NodeKind:
    """A kind of node: its file, its labels, and the labels of waiting work that a node may have in addition."""

    file: str
    labels: tuple[str, ...]
    states: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class RelationshipKind:
    """A type of relationship; ``statement`` creates it, "" if it is created with its target."""

    type: str
    statement: str = ""


_EVIDENCE_STATES: Final = frozenset({"Unread", "Unembedded", "Unrelated", "Unthemed", "Warned"})
COLLECTION: Final = NodeKind("collection", ("Collection",), frozenset({"ToExtract", "ToEmbed"}))
DOCUMENTS: Final = NodeKind("documents", ("Document",), frozenset({"Waiting"}))
JSONL_FILES: Final = NodeKind("jsonl_files", ("Corpus",), frozenset({"Waiting"}))
PAGES: Final = NodeKind("pages", ("Page",))
PASSAGES: Final = NodeKind("passages", ("Evidence", "Passage"), _EVIDENCE_STATES)
TABLES: Final = NodeKind("tables", ("Evidence", "Table"), _EVIDENCE_STATES)
FIGURES: Final = NodeKind("figures", ("Evidence", "Figure"), _EVIDENCE_STATES)
ENTITIES: Final = NodeKind("entities", ("Entity",), frozenset({"Unsettled", "UnembeddedEntity", "Unlinked"}))
MERGED_ENTITIES: Final = NodeKind("merged_entities", ("Merged",))
REJECTED_MERGES: Final = NodeKind("rejected_merges", ("Refused",))
TRIPLES: Final = NodeKind("triples", ("Triple",), frozenset({"UnembeddedTriple"}))
REFERENCES: Final = NodeKind("references", ("Reference",))
CORRECTIONS: Final = NodeKind("corrections", ("Correction",))
FEEDBACK: Final = NodeKind("feedback", ("Feedback",))
LEARNED: Final = NodeKind("learned", ("Learned",))

# In the order of import: a node follows the one that it is created with.
NODE_KINDS: Final = (
    COLLECTION,
    JSONL_FILES,
    DOCUMENTS,
    PAGES,
    PASSAGES,
    TABLES,
    FIGURES,
    ENTITIES,
    MERGED_ENTITIES,
    REJECTED_MERGES,
    TRIPLES,
    REFERENCES,
    CORRECTIONS,
    FEEDBACK,
    LEARNED,
)
RELATIONSHIP_KINDS: Final = (
    RelationshipKind("HAS_DOCUMENT"),
    RelationshipKind("HAS_PAGE"),
    RelationshipKind("STATES"),
    RelationshipKind("LISTS"),
    RelationshipKind("HAS_PASSAGE", "exchange/relate_page_evidence"),
    RelationshipKind("HAS_TABLE", "exchange/relate_page_evidence"),
    RelationshipKind("HAS_FIGURE", "exchange/relate_page_evidence"),
    RelationshipKind("NEXT", "exchange/relate_evidence"),
    RelationshipKind("MENTIONS", "exchange/relate_evidence_entities"),
    RelationshipKind("ABOUT", "exchange/relate_evidence_entities"),
    RelationshipKind("SUBJECT", "exchange/relate_triple_entities"),
    RelationshipKind("OBJECT", "exchange/relate_triple_entities"),
    RelationshipKind("CITES", "exchange/relate_evidence_references"),
    RelationshipKind("SIMILAR", "exchange/relate_evidence"),
    RelationshipKind("MERGED_INTO", "exchange/relate_merged_entities"),
    RelationshipKind("CORRECTS", "exchange/relate_corrections"),
)
VECTOR_KINDS: Final = (PASSAGES, TABLES, FIGURES, ENTITIES, MERGED_ENTITIES, TRIPLES)

# Properties that transactions use for themselves; they are neither exported nor compared.
TRANSIENT: Final = frozenset(
    {
        "changed_at",
        "imported_at",
        "reservation",
        "calls_reserved",
        "limit_request",
        "writing",
        "pages_waiting",
        "pages_done",
    }
)
VECTOR_NAME: Final = re.compile(r"(vector|themes)_[a-z0-9_]{1,60}")


def get_node_path(kind: NodeKind) -> str:
    """Return the path of the file of a kind of node, relative to the folder."""
    return f"{kind.file}.jsonl"


def get_relationship_path(kind: RelationshipKind) -> str:
    """Return the path of the file of a type of relationship."""
    return f"relationships/{kind.type}.jsonl"


def get_vector_path(kind: NodeKind, name: str) -> str:
    """Return the path of the file of the vectors of a kind, by the property that has them, without its suffix."""
    return f"vectors/{kind.file}.{name}"


@dataclass(frozen=True, slots=True)
class ExportedFile:
    """Number of rows of a file, and the SHA-256 of its bytes."""

    rows: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a folder has. ``embedder`` is the name of the embedding model whose vectors it has, "" if none."""

    collection: str
    id: str
    exported_at: str
    hopline: str
    graph_version: int
    embedder: str = ""
    counts: Mapping[str, int] = field(default_factory=dict)
    files: Mapping[str, ExportedFile] = field(default_factory=dict)
    missing_originals: int = 0
    has_originals: bool = True

    def to_json(self) -> str:
        """Return the text of the file."""
        data = {"format": FORMAT, "format_version": FORMAT_VERSION, **asdict(self)}
        return json.dumps(data, ensure_ascii=False, indent=2, sort_keys=True) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Parse the text of the file.

        Raises:
            UsageError: it is not a manifest of this version of the format.
        """
        try:
            data: dict[str, Any] = json.loads(text)
            kind, version = data.pop("format"), data.pop("format_version")
            if kind != FORMAT or version != FORMAT_VERSION:
                raise UsageError(
                    f"{MANIFEST} is of {kind} {version}; this Hopline reads {FORMAT} {FORMAT_VERSION}: import it with "
                    "the version that exported it"
                )
            files = {str(path): ExportedFile(**entry) for path, entry in data.pop("files").items()}
            manifest = cls(files=files, **data)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            if isinstance(error, UsageError):
                raise
            raise UsageError(f"{MANIFEST} cannot be read: {error!r}") from error
        if not all(isinstance(text, str) for text in (manifest.collection, manifest.id, manifest.embedder)):
            raise UsageError(f"{MANIFEST} has no collection, id or embedder")
        return manifest
