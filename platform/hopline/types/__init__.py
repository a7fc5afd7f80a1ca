"""Hopline's data types: what the graph contains, and what retrieval and answering return.

Ids are stable hashes (`hopline.ids`).
"""

from __future__ import annotations

from hopline.types.answers import EXTRACTIVE, POSSIBLE, READER, Answer, AnswerStatus, Citation, Sentence
from hopline.types.documents import (
    Box,
    Collection,
    Document,
    DocumentCounts,
    FileChange,
    MissingFile,
    Page,
    Passage,
    SkippedFile,
    Table,
)
from hopline.types.evidence import Evidence, Retrieval
from hopline.types.graph import (
    EMPTY_GRAPH,
    Entity,
    EvidenceGraph,
    EvidencePath,
    Node,
    NodeKind,
    PathStep,
    Triple,
)
from hopline.types.trace import Trace, TraceStep

__all__ = [
    "EMPTY_GRAPH",
    "EXTRACTIVE",
    "POSSIBLE",
    "READER",
    "Answer",
    "AnswerStatus",
    "Box",
    "Citation",
    "Collection",
    "Document",
    "DocumentCounts",
    "Entity",
    "Evidence",
    "EvidenceGraph",
    "EvidencePath",
    "FileChange",
    "MissingFile",
    "Node",
    "NodeKind",
    "Page",
    "Passage",
    "PathStep",
    "Retrieval",
    "Sentence",
    "SkippedFile",
    "Table",
    "Trace",
    "TraceStep",
    "Triple",
]
