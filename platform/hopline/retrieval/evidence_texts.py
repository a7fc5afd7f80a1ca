"""Evidence as a model reads it on the way: title and text, numbered, within a room of tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hopline.flow.requests import Flow, fetch
from hopline.retrieval.evidence_reader import evidence_rows
from hopline.types import Evidence

ROOM: Final = 3500  # tokens of evidence in one prompt (GNN-Ret, section 5.1)
CHARACTERS_A_TOKEN: Final = 4


def read_texts(ids: Sequence[str]) -> Flow[list[Evidence]]:
    """The evidence of these ids, in their order."""
    if not ids:
        return []
    columns = yield fetch("read/evidence", ids=list(ids))
    return list(evidence_rows(columns))


def numbered(evidence: Sequence[Evidence], *, room: int = ROOM) -> str:
    """As much of the evidence as ``room`` tokens hold, best first; the one that overflows is cut."""
    left = room * CHARACTERS_A_TOKEN
    parts: list[str] = []
    for number, one in enumerate(evidence, 1):
        text = f"[{number}] {titled(one)}"[: max(left, 0)]
        left -= len(text)
        parts.append(text)
        if left <= 0:
            break
    return "\n\n".join(filter(None, parts))


def titled(evidence: Evidence) -> str:
    """Title and text of one piece."""
    name = evidence.title or evidence.document
    return f"{name}: {evidence.text}" if name else evidence.text
