"""Parsing of spreadsheets: XLSX, XLSM, ODS, CSV and TSV; runs in a parser process."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from hopline.tables.grid import render_table
from hopline.tables.parts import split_rows
from hopline.tables.structure import infer_structure
from hopline_ingest.chunking import split_passages
from hopline_ingest.formats.block import Block
from hopline_ingest.formats.coverage import warn_of_loss
from hopline_ingest.formats.file_types import match_suffix
from hopline_ingest.formats.office_source import require_zip
from hopline_ingest.formats.parsed_document import PageTable, ParsedDocument, ParsedPage
from hopline_ingest.formats.spreadsheets.delimited import read_delimited
from hopline_ingest.formats.spreadsheets.excel import read_excel
from hopline_ingest.formats.spreadsheets.open_document import read_open_document
from hopline_ingest.formats.spreadsheets.sheet_tables import SheetTable, find_tables
from hopline_ingest.formats.spreadsheets.sheets import GridSheet
from hopline_ingest.formats.text_decoding import decode_text
from hopline_ingest.formats.titles import title_from_name

SEPARATORS: Final = {".csv": "", ".tsv": "\t"}


def parse_spreadsheet(path: str, name: str) -> ParsedDocument:
    """Parse a spreadsheet into the tables of its sheets, each sheet as a page.

    Texts alone in a sheet, and notes below a table, are passages.

    Raises:
        DocumentError: the file is damaged, encrypted, or not of the type that its name says.
    """
    suffix = match_suffix(name)
    title, sheets = _read_sheets(Path(path).read_bytes(), suffix)
    tables: list[PageTable] = []
    blocks: list[Block] = []
    for number, sheet in enumerate(sheets, start=1):
        section = (sheet.name,) if sheet.name else ()
        for table in find_tables(sheet):
            blocks += [Block(text, section, pages=(number,)) for text in table.notes]
            tables += _build_tables(table, number, section)
    document = ParsedDocument(
        title or title_from_name(name),
        tuple(ParsedPage(number) for number in range(1, len(sheets) + 1)) or (ParsedPage(1),),
        split_passages(blocks),
        tuple(tables),
        warnings=tuple(problem for sheet in sheets for problem in sheet.problems),
        left_out=tuple(dict.fromkeys(text for sheet in sheets for text in sheet.left_out)),
    )
    return warn_of_loss(document, [cell.text for sheet in sheets for cell in sheet.cells.values()])


def _read_sheets(data: bytes, suffix: str) -> tuple[str, Sequence[GridSheet]]:
    """Return the title that the file gives, or "", and the sheets."""
    if suffix in SEPARATORS:
        return "", [read_delimited(decode_text(data), separator=SEPARATORS[suffix])]
    require_zip(data, suffix)
    return read_open_document(data) if suffix == ".ods" else read_excel(data)


def _build_tables(table: SheetTable, page: int, section: tuple[str, ...]) -> Iterator[PageTable]:
    """Yield the parts of a table as they are stored."""
    title = table.title or " ".join(section)
    structure = infer_structure(table.rows, title, columns_are_certain=True)
    for part in split_rows(table.rows, structure) if table.rows else ():
        caption = " ".join(filter(None, (title, part.label)))
        markdown = render_table(part.rows)[0]
        yield PageTable(page, caption, "", part.rows, markdown, section=section, structure=part.structure)
