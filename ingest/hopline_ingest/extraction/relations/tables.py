"""Extraction of names and triples from tables: (row header, column header, cell)."""

from __future__ import annotations

from collections.abc import Sequence

from hopline.tables.grid import TableGrid
from hopline_ingest.extraction.mentions.names import NameSpan, has_alphanumeric, name_key
from hopline_ingest.extraction.mentions.no_names import is_no_name
from hopline_ingest.extraction.name_tags import tag_texts
from hopline_ingest.extraction.records import ExtractionInput, Span, StatedTriple

MAX_TABLE_TRIPLES = 200
MAX_TAGGED_CELLS = 600
MIN_PROBABILITY = 0.75  # that the words of a cell belong to a name
MIN_TYPE = 0.85  # share of its type: a cell has no context
_MAX_CELL_CHARACTERS = 80
_NOTHING = frozenset({"n a", "na", "none", "nil"})

Cell = tuple[str, Span]


def list_rows(table: TableGrid) -> list[list[Cell]]:
    """Return the cells of all rows with their spans, the header first."""
    return [[(cell.text, (cell.start, cell.end)) for cell in row.cells] for row in (*table.head, *table.body)]


def _is_name(cell: str) -> bool:
    letters = sum(c.isalpha() for c in cell)
    return has_alphanumeric(cell) and letters * 2 >= len(cell.replace(" ", "")) and len(cell) <= _MAX_CELL_CHARACTERS


def find_table_names(table: Sequence[Sequence[Cell]]) -> list[NameSpan]:
    """Find the cells below the header that are names, by the tagger; labels such as "Total assets" are none."""
    cells = [(cell, span) for row in table[1:] for cell, span in row if _is_name(cell) and not is_no_name(cell)]
    cells = cells[:MAX_TAGGED_CELLS]
    texts = [" ".join(cell.split()) for cell, _ in cells]
    names = []
    for text, (_, span), (words, tags) in zip(texts, cells, tag_texts(texts), strict=True):
        probability, kind = tags.score(0, len(words), sure=MIN_TYPE)
        if probability >= MIN_PROBABILITY:
            names.append(NameSpan(text, kind, *span))
    return names


def extract_table_triples(table: Sequence[Sequence[Cell]]) -> tuple[StatedTriple, ...]:
    """Extract (row header, column header, cell) of every filled cell, row by row, at most `MAX_TABLE_TRIPLES`."""
    if len(table) < 2 or len(table[0]) < 2:
        return ()
    header = [" ".join(name.split()) for name, _ in table[0]]
    triples: dict[tuple[str, str, str], StatedTriple] = {}
    for row in table[1:]:
        if len(row) != len(header) or not _is_name(row[0][0]):
            continue
        span = (row[0][1][0], row[-1][1][1])
        for column, (cell, _) in zip(header[1:], row[1:], strict=True):
            is_filled = has_alphanumeric(cell) and name_key(cell) not in _NOTHING and len(cell) <= _MAX_CELL_CHARACTERS
            if column and is_filled and len(triples) < MAX_TABLE_TRIPLES:
                triple = StatedTriple(" ".join(row[0][0].split()), column, " ".join(cell.split()), span)
                triples.setdefault((name_key(triple.subject), name_key(column), name_key(cell)), triple)
    return tuple(triples.values())


def strip_caption_number(evidence: ExtractionInput) -> str:
    """Return the caption without a leading "Table 2:"."""
    words = evidence.caption.split()
    if words and words[0].lower().rstrip(".") in {"table", "tab", "figure", "fig", "exhibit"}:
        words = words[1:]
        if words and any(c.isdigit() for c in words[0]) and len(words[0]) < 8:
            words = words[1:]
    return " ".join(words).strip(" .:–—-")
