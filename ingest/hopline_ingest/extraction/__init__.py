"""What passages and tables mention, state and are about: without a model, with one, or as given."""

from hopline_ingest.extraction.records import About, Extraction, Mention, Readable, Stated
from hopline_ingest.extraction.rules import EXTRACTOR, read_batch

__all__ = ["EXTRACTOR", "About", "Extraction", "Mention", "Readable", "Stated", "read_batch"]
