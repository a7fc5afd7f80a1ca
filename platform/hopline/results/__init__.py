"""Results of retrieval and answering: evidence, paths, traces and answers, with their JSON and HTML."""

from __future__ import annotations

from hopline.results.answers import EXTRACTIVE, POSSIBLE, READER, Answer, AnswerDraft, AnswerStatus, Citation, Sentence
from hopline.results.context import Context, ContextBlock
from hopline.results.evidence import Evidence, Retrieval
from hopline.results.paths import EMPTY_GRAPH, EvidenceGraph, EvidencePath, Node, NodeKind, PathStep
from hopline.results.trace import Trace, TraceStep

__all__ = [
    "EMPTY_GRAPH",
    "EXTRACTIVE",
    "POSSIBLE",
    "READER",
    "Answer",
    "AnswerDraft",
    "AnswerStatus",
    "Citation",
    "Context",
    "ContextBlock",
    "Evidence",
    "EvidenceGraph",
    "EvidencePath",
    "Node",
    "NodeKind",
    "PathStep",
    "Retrieval",
    "Sentence",
    "Trace",
    "TraceStep",
]
