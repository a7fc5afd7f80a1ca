"""Extraction of names and triples from tables: (row header, column header, cell)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from hopline.tables.grid import TableGrid
from hopline_ingest.extraction.mentions.names import NameSpan, has_alphanumeric, name_key
from hopline_ingest.extraction.mentions.no_names import is_no_name
from hopline_ingest.extraction.name_tags import score_list, select_kind
from hopline_ingest.extraction.records import ExtractionInput, Span, StatedTriple

MAX_TABLE_TRIPLES = 200
MAX_TAGGED_CELLS = 200  # of a column
MIN_PROBABILITY = 0.75  # that the words of a cell belong to a name
_MAX_CELL_CHARACTERS = 80
_REPEATED_ROWS = 0.2  # share of the rows whose label another row has too
_NOTHING = frozenset({"n a", "na", "none", "nil"})

Cell = tuple[str, Span]


def list_rows(table: TableGrid) -> list[list[Cell]]:
    """Return the cells of all rows with their spans, the header first."""
    return [[(cell.text, (cell.start, cell.end)) for cell in row.cells] for row in (*table.head, *table.body)]


def _is_name(cell: str) -> bool:
    letters = sum(c.isalpha() for c in cell)
    return has_alphanumeric(cell) and letters * 2 >= len(cell.replace(" ", "")) and len(cell) <= _MAX_CELL_CHARACTERS


def find_table_names(table: Sequence[Sequence[Cell]]) -> list[NameSpan]:
    """Find the cells below the header that are names, by the tagger; labels such as "Total assets" are none.

    The tagger reads each column as a list after its header, since a cell alone does not tell a city from a person.
    """
    columns: dict[int, list[Cell]] = defaultdict(list)
    for row in table[1:]:
        for column, (text, span) in enumerate(row):
            if _is_name(text) and not is_no_name(text):
                columns[column].append((" ".join(text.split()), span))
    names = []
    for column, cells in columns.items():
        header = table[0][column][0] if column < len(table[0]) else ""
        scores = score_list(header, [text for text, _ in cells[:MAX_TAGGED_CELLS]])
        for (text, span), types in zip(cells, scores, strict=False):
            if types.sum() >= MIN_PROBABILITY:
                names.append(NameSpan(text, select_kind(types), *span))
    return sorted(names, key=lambda name: name.start)


def extract_table_triples(table: Sequence[Sequence[Cell]]) -> tuple[StatedTriple, ...]:
    """Extract (row header, column header, cell) of every filled cell, row by row, at most `MAX_TABLE_TRIPLES`.

    The columns of one name, such as those of two tables side by side, and the rows of one name are not told apart by
    their labels: a table with such columns, or with many such rows, states nothing.
    """
    if len(table) < 2 or len(table[0]) < 2:
        return ()
    header = [" ".join(name.split()) for name, _ in table[0]]
    rows = Counter(name_key(row[0][0]) for row in table[1:] if row)
    columns = Counter(name_key(name) for name in header[1:] if name)
    if max(columns.values(), default=0) > 1 or sum(rows.values()) - len(rows) > _REPEATED_ROWS * sum(rows.values()):
        return ()
    triples: dict[tuple[str, str, str], StatedTriple] = {}
    for row in table[1:]:
        if len(row) != len(header) or not _is_name(row[0][0]) or rows[name_key(row[0][0])] > 1:
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
