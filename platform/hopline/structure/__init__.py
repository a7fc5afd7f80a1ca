"""Questions about pages and tables as such: "What does Table 2 show?", "the difference between Page 1 and Table 2"."""

from hopline.structure.asked import Reader, with_structures

__all__ = ["Reader", "with_structures"]
