"""Reading: files into pages, passages and tables, in limited processes."""

from hopline_ingest.parse.estimate import estimate
from hopline_ingest.parse.kinds import SUPPORTED
from hopline_ingest.parse.parsed import Given, ParsedDocument, ParsedPage, ParsedPassage, ParsedTable
from hopline_ingest.parse.processes import ReadingStopped
from hopline_ingest.parse.reader import Reader
from hopline_ingest.parse.rows import BadRow, Row, rows

__all__ = [
    "SUPPORTED",
    "BadRow",
    "Given",
    "ParsedDocument",
    "ParsedPage",
    "ParsedPassage",
    "ParsedTable",
    "Reader",
    "ReadingStopped",
    "Row",
    "estimate",
    "rows",
]
