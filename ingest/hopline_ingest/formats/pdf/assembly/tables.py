"""Assembly of the tables of pages: those over several pages, and several that stand one below the other. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from hopline.records import Box
from hopline.tables.grid import render_table
from hopline.tables.structure import INDENT, TableStructure, count_header_rows, infer_structure, is_value_text
from hopline_ingest.formats.parsed_document import PageTable
from hopline_ingest.formats.pdf.layout.captions import read_table_number
from hopline_ingest.formats.pdf.page_content import Cells, Rect, TableCell, TableContent
from hopline_ingest.formats.pdf.tables.indentation import find_indentation

Texts = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class AssembledTable:
    """A table of a page, and the texts of all rows of the table that it continues, its own included."""

    table: PageTable
    rows: Texts


def assemble_tables(
    number: int, content: TableContent, before: AssembledTable | None, section: tuple[str, ...]
) -> list[AssembledTable]:
    """Assemble the tables of a page that were found as one; the last one may continue on the next page.

    ``before`` is the table at the end of the previous page, if nothing stands between. A table that continues it gets
    its caption, its header, and the labels of its groups.
    """
    assembled: list[AssembledTable] = []
    for rows in split_stacked_tables(_indent_labels(content.cells)):
        previous = None if assembled else before
        assembled.append(_assemble_table(number, replace(content, cells=rows), previous, section))
    return assembled


def _assemble_table(
    number: int, content: TableContent, before: AssembledTable | None, section: tuple[str, ...]
) -> AssembledTable:
    rows = content.cells
    caption = content.caption
    if before and not caption and len(before.rows[0]) == len(rows[0]):
        caption = before.table.caption
    header = before.rows[: before.table.structure.header_rows] if before else ()
    own = get_texts(rows)
    if before and _continues_table(before, own, header):
        if own[: len(header)] != header:
            rows = (*(tuple(map(TableCell, row)) for row in header), *rows)
        whole = (*before.rows, *get_texts(rows)[len(header) :])
        numbers = (*range(len(header)), *range(len(before.rows), len(whole)))
        structure = infer_structure(whole, caption).select_rows(numbers)
    else:
        whole = own
        structure = infer_structure(whole, caption)
    content = replace(content, cells=rows, caption=caption)
    return AssembledTable(_build_table(number, content, section, structure), whole)


def _build_table(number: int, content: TableContent, section: tuple[str, ...], structure: TableStructure) -> PageTable:
    rows, caption = content.cells, content.caption
    cells = get_texts(rows)
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


def get_texts(rows: Cells) -> Texts:
    """Return the texts of cells."""
    return tuple(tuple(cell.text for cell in row) for row in rows)


def _indent_labels(rows: Cells) -> Cells:
    """Return the rows with the indentation of their labels as em spaces, as the page shows it."""
    indents = find_indentation(rows, count_header_rows(get_texts(rows)))
    return tuple(
        (replace(row[0], text=INDENT * indent + row[0].text), *row[1:]) if indent else row
        for row, indent in zip(rows, indents, strict=True)
    )


def split_stacked_tables(rows: Cells) -> list[Cells]:
    """Split tables that stand one below the other with equal columns: the last header row of the first one comes again.

    The rows without values above it are the other header rows. A header that is repeated as a whole begins no table.
    """
    texts = get_texts(rows)
    count = count_header_rows(texts)
    if not 0 < count < len(texts) or sum(map(bool, texts[count - 1])) < 2 or _has_values(texts[count - 1]):
        return [rows]
    starts = [0]
    for number in range(count + 1, len(texts)):
        if texts[number] == texts[count - 1]:
            start = number
            while start > count and not _has_values(texts[start - 1]):
                start -= 1
            if texts[start : number + 1] != texts[:count] and start - starts[-1] > count:
                starts.append(start)
    return [rows[start:end] for start, end in zip(starts, [*starts[1:], len(rows)], strict=True)]


def _has_values(row: Sequence[str]) -> bool:
    return any(is_value_text(text) for text in row[1:] if text)


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
