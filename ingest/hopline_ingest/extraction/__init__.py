"""Information extraction from passages and tables: mentions, triples and subjects, by rules or a language model."""

from hopline_ingest.extraction.records import Extraction, ExtractionInput, Mention, StatedTriple, SubjectEntity
from hopline_ingest.extraction.rules import EXTRACTOR, extract_batch

__all__ = ["EXTRACTOR", "Extraction", "ExtractionInput", "Mention", "StatedTriple", "SubjectEntity", "extract_batch"]
