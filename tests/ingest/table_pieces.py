"""Pieces and grids of small tables."""

from hopline_ingest.formats.pdf.tables.grids import Grid


def sheet(line, *texts, step=100):
    """Pieces of a table: one row a text, cells parted by |."""
    return [
        line(cell, x=50 + step * column, y=100 + 14 * row)
        for row, text in enumerate(texts)
        for column, cell in enumerate(text.split("|"))
        if cell
    ]


def grid(columns, rows):
    return Grid(tuple(45.0 + 100 * n for n in range(columns + 1)), tuple(98.0 + 14 * n for n in range(rows + 1)))
