"""Pages and tables that a question names: "What does Table 2 show?"."""

from hopline.retrieval.page_table_references.lookup import Reader, with_structures

__all__ = ["Reader", "with_structures"]
