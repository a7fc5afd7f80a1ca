"""Where evidence is found, as a short label."""

from __future__ import annotations

from hopline.types import Evidence


def short_place(evidence: Evidence) -> str:
    """Document and first page only, as a node of a path is labelled."""
    name = evidence.document or evidence.title
    return f"{name} p. {evidence.pages[0]}" if evidence.pages else name
