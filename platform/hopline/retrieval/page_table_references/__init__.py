"""References to pages and tables in a question, as in "What does Table 2 show?"."""

from hopline.retrieval.page_table_references.lookup import ReferenceParser, prepend_references

__all__ = ["ReferenceParser", "prepend_references"]
