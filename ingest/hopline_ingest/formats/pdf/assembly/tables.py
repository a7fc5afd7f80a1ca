"""Assembly of the tables of pages, of which some are over several pages. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace

from hopline.records import Box
from hopline.tables.captions import read_table_number
from hopline.tables.grid import render_table
from hopline.tables.structure import INDENT, TableStructure, count_header_rows, infer_structure
from hopline_ingest.formats.parsed_document import PageTable
from hopline_ingest.formats.pdf.page_content import Cells, Rect, TableCell, TableContent
from hopline_ingest.formats.pdf.tables.indentation import find_indentation

Texts = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class AssembledTable:
    """A table of a page, and the texts of all rows of the table that it continues, its own included."""

    table: PageTable
    rows: Texts


def assemble_table(
    number: int, content: TableContent, before: AssembledTable | None, section: tuple[str, ...]
) -> AssembledTable:
    """Assemble a table of a page.

    ``before`` is the table at the end of the previous page, if nothing stands between. A table that continues it gets
    its caption, its header, and the labels of its groups.
    """
    rows, caption = _indent_labels(content.cells), content.caption
    if before and not caption and len(before.rows[0]) == len(rows[0]):
        caption = before.table.caption
    header = before.rows[: before.table.structure.header_rows] if before else ()
    own = _get_texts(rows)
    if before and _continues_table(before, own, header):
        if own[: len(header)] != header:
            rows = (*(tuple(map(TableCell, row)) for row in header), *rows)
        whole = (*before.rows, *_get_texts(rows)[len(header) :])
        numbers = (*range(len(header)), *range(len(before.rows), len(whole)))
        structure = infer_structure(whole, caption).select_rows(numbers)
    else:
        whole = own
        structure = infer_structure(whole, caption)
    content = replace(content, cells=rows, caption=caption)
    return AssembledTable(_build_table(number, content, section, structure), whole)


def _build_table(number: int, content: TableContent, section: tuple[str, ...], structure: TableStructure) -> PageTable:
    rows, caption = content.cells, content.caption
    cells = _get_texts(rows)
    markdown, spans = render_table(cells)
    shift = len(caption) + 1 if caption else 0
    cell_boxes = [
        ((start + shift, end + shift), _make_box(number, cell.rect))
        for row, row_spans in zip(rows, spans, strict=True)
        for cell, (start, end) in zip(row, row_spans, strict=True)
        if cell and cell.rect
    ]
    return PageTable(
        number,
        caption,
        read_table_number(caption),
        cells,
        markdown,
        section=section,
        boxes=tuple(box for _, box in cell_boxes) or (_make_box(number, content.rect),),
        lines=tuple(span for span, _ in cell_boxes),
        structure=structure,
    )


def _get_texts(rows: Cells) -> Texts:
    """Return the texts of cells."""
    return tuple(tuple(cell.text for cell in row) for row in rows)


def _indent_labels(rows: Cells) -> Cells:
    """Return the rows with the indentation of their labels as em spaces, as the page shows it."""
    indents = find_indentation(rows, count_header_rows(_get_texts(rows)))
    return tuple(
        (replace(row[0], text=INDENT * indent + row[0].text), *row[1:]) if indent else row
        for row, indent in zip(rows, indents, strict=True)
    )


def _continues_table(before: AssembledTable, rows: Texts, header: Texts) -> bool:
    """Return whether rows continue a table: with its header, or with equally many columns and a row like its last."""
    if len(before.rows[0]) != len(rows[0]) or not 0 < len(header) < len(before.rows):
        return False
    if rows[: len(header)] == header:
        return True
    first, last = ([_get_kind(text) for text in row] for row in (rows[0], before.rows[-1]))
    return first == last and "number" in first


def _get_kind(text: str) -> str:
    """Return "number" for a cell with a digit, "" for an empty one, else "text"."""
    return "number" if any(character.isdigit() for character in text) else "text" if text else ""


def _make_box(page: int, rect: Rect) -> Box:
    return Box(page, *(round(side, 2) for side in rect))
