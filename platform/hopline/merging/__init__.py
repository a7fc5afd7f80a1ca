"""Names that mean the same: what is alike, and what was decided about it."""

from hopline.merging.alike import Alike, Name, alike
from hopline.merging.merger import Decision, Merger, Suggestion

__all__ = ["Alike", "Decision", "Merger", "Name", "Suggestion", "alike"]
