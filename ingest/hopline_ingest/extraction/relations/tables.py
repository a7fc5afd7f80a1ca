"""What a table names and states: row header, column header, cell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hopline_ingest.extraction.mentions.names import Found, is_word, key
from hopline_ingest.extraction.records import Readable, Span, Stated

MOST_TRIPLES = 200
_MOST_CHARACTERS = 80
_NOTHING = frozenset({"n a", "na", "none", "nil"})

Cell = tuple[str, Span]


def rows(text: str) -> list[list[Cell]]:
    """The cells of a markdown table with their spans; the rule under its header left out."""
    found = []
    start = 0
    for line in text.splitlines(keepends=True):
        if line.lstrip().startswith("|"):
            cells = list(_cells(line, start))
            if any(set(cell) - set("-: ") for cell, _ in cells):
                found.append(cells)
        start += len(line)
    return found


def _cells(line: str, offset: int) -> Iterator[Cell]:
    place = line.index("|") + 1
    stop = len(line.rstrip())
    while place < stop:
        bar = line.find("|", place)
        while bar > 0 and line[bar - 1] == "\\":
            bar = line.find("|", bar + 1)
        bar = stop if bar < 0 else bar
        cell = line[place:bar]
        first = place + len(cell) - len(cell.lstrip())
        yield cell.strip(), (offset + first, offset + first + len(cell.strip()))
        place = bar + 1


def _is_name(cell: str) -> bool:
    letters = sum(c.isalpha() for c in cell)
    return is_word(cell) and letters * 2 >= len(cell.replace(" ", "")) and len(cell) <= _MOST_CHARACTERS


def table_places(table: Sequence[Sequence[Cell]]) -> list[Found]:
    """The names in the header row and the first column."""
    headed = [*table[:1], *([row[0]] for row in table[1:] if row)]
    cells = [cell for row in headed for cell in row if _is_name(cell[0])]
    return [Found(" ".join(name.split()), "NAME" if name[:1].isupper() else "NOUN", *span) for name, span in cells]


def table_triples(table: Sequence[Sequence[Cell]]) -> tuple[Stated, ...]:
    """(row header, column header, cell) of every filled cell, row by row, at most `MOST_TRIPLES`."""
    if len(table) < 2 or len(table[0]) < 2:
        return ()
    header = [" ".join(name.split()) for name, _ in table[0]]
    stated: dict[tuple[str, str, str], Stated] = {}
    for row in table[1:]:
        if len(row) != len(header) or not _is_name(row[0][0]):
            continue
        span = (row[0][1][0], row[-1][1][1])
        for column, (cell, _) in zip(header[1:], row[1:], strict=True):
            told = is_word(cell) and key(cell) not in _NOTHING and len(cell) <= _MOST_CHARACTERS
            if column and told and len(stated) < MOST_TRIPLES:
                triple = Stated(" ".join(row[0][0].split()), column, " ".join(cell.split()), span)
                stated.setdefault((key(triple.subject), key(column), key(cell)), triple)
    return tuple(stated.values())


def caption_of(readable: Readable) -> str:
    """The caption without "Table 2:" before it."""
    words = readable.caption.split()
    if words and words[0].lower().rstrip(".") in {"table", "tab", "figure", "fig", "exhibit"}:
        words = words[1:]
        if words and any(c.isdigit() for c in words[0]) and len(words[0]) < 8:
            words = words[1:]
    return " ".join(words).strip(" .:–—-")
