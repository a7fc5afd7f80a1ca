"""Sheets of XLSX and XLSM workbooks, read by openpyxl: texts as displayed, merged cells, hidden parts, formulas."""

from __future__ import annotations

import io
import re
import warnings
from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from openpyxl import load_workbook
from openpyxl.utils import get_column_letter

from hopline.errors import DocumentError
from hopline_ingest.formats.spreadsheets.formulas import FormulaError, FormulaEvaluator, Position
from hopline_ingest.formats.spreadsheets.number_formats import display
from hopline_ingest.formats.spreadsheets.sheets import GridSheet, MergedRange, SheetCell, clean_text
from hopline_ingest.formats.xml_parts import read_parts

if TYPE_CHECKING:
    from openpyxl.cell import Cell
    from openpyxl.worksheet.worksheet import Worksheet

_SHEETS: Final = re.compile(r"xl/worksheets/[^/]+\.xml")
_FORMULA: Final = re.compile(rb"<(?:\w+:)?f[ />]")
_ACROSS: Final = "centerContinuous"
_MAX_EXAMPLES: Final = 3  # cells that a problem names


def read_excel(data: bytes) -> tuple[str, list[GridSheet]]:
    """Read the title of a workbook, "" if it has none, and its sheets.

    Charts are left out: their values are those of cells.
    Hidden sheets, rows and columns are not among the cells, but among what was left out.

    Raises:
        DocumentError: the file is damaged.
    """
    workbook = _load(data, values=True)
    sheets = [_read_sheet(sheet) for sheet in workbook.worksheets]
    missing = _find_missing_formulas(data, workbook)
    if missing:
        _compute_formulas(workbook, sheets, missing)
    for worksheet, sheet in zip(workbook.worksheets, sheets, strict=True):
        _separate_hidden(worksheet, sheet)
    return clean_text(workbook.properties.title or ""), sheets


def _load(data: bytes, *, values: bool) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about styles and extensions that are not kept when it is saved
        try:
            return load_workbook(io.BytesIO(data), data_only=values, rich_text=False)
        except Exception as error:  # openpyxl raises what its XML and ZIP readers do
            raise DocumentError(f"the XLSX file is damaged and cannot be opened ({error})") from error


def _read_sheet(worksheet: Worksheet) -> GridSheet:
    cells = {}
    for cell in _list_cells(worksheet):
        if (shown := _display_cell(cell)).text:
            cells[cell.row - 1, cell.column - 1] = shown
    merged = [
        MergedRange(area.min_row - 1, area.min_col - 1, area.max_row - 1, area.max_col - 1)
        for area in worksheet.merged_cells.ranges
    ]
    return GridSheet(worksheet.title, cells, (*merged, *_list_centred_cells(worksheet)))


def _list_centred_cells(worksheet: Worksheet) -> Iterator[MergedRange]:
    """Yield the ranges of cells that are centred across columns without being merged."""
    for cell in _list_cells(worksheet):
        if cell.alignment.horizontal != _ACROSS:
            continue
        last = cell.column
        while (beside := worksheet.cell(cell.row, last + 1)).value is None and beside.alignment.horizontal == _ACROSS:
            last += 1
        if last > cell.column:
            yield MergedRange(cell.row - 1, cell.column - 1, cell.row - 1, last - 1)


def _list_cells(worksheet: Worksheet) -> Iterator[Cell]:
    for row in worksheet.iter_rows():
        for cell in row:
            if cell.value is not None:
                yield cell


def _display_cell(cell: Cell) -> SheetCell:
    text = clean_text(display(cell.value, cell.number_format))
    if cell.hyperlink is not None and cell.hyperlink.target and cell.hyperlink.target not in text:
        text = f"{text} ({cell.hyperlink.target})"
    return SheetCell(text, not isinstance(cell.value, str))


def _find_missing_formulas(data: bytes, workbook: Any) -> dict[Position, str]:
    """Return the formulas of the workbook if some have no stored value; none otherwise."""
    formulas: dict[Position, str] = {}
    is_missing = False
    if not any(_FORMULA.search(part) for part in (read_parts(data, _SHEETS) or {}).values()):
        return formulas
    source = _load(data, values=False)
    for worksheet in source.worksheets:
        stored = workbook[worksheet.title]
        for cell in _list_cells(worksheet):
            formula = getattr(cell.value, "text", cell.value)  # of a range of cells: with its attributes
            if cell.data_type == "f" and isinstance(formula, str):
                formulas[worksheet.title, cell.row - 1, cell.column - 1] = formula
                is_missing = is_missing or stored.cell(cell.row, cell.column).value is None
    return formulas if is_missing else {}


def _compute_formulas(workbook: Any, sheets: list[GridSheet], formulas: dict[Position, str]) -> None:
    """Add the values of formulas without a stored one to the sheets; those not computed are shown as formulas."""
    values: dict[Position, object] = {
        (sheet.title, cell.row - 1, cell.column - 1): cell.value
        for sheet in workbook.worksheets
        for cell in _list_cells(sheet)
    }
    missing = {position: formula for position, formula in formulas.items() if position not in values}
    evaluator = FormulaEvaluator(values, missing)
    failed: defaultdict[str, list[Position]] = defaultdict(list)
    by_name = {sheet.name: dict(sheet.cells) for sheet in sheets}
    for position, formula in missing.items():
        name, row, column = position
        number_format = workbook[name].cell(row + 1, column + 1).number_format
        try:
            text = display(evaluator.evaluate(position) or 0.0, number_format)
        except FormulaError:
            text = formula
            failed[name].append(position)
        by_name[name][row, column] = SheetCell(clean_text(text), is_value=True)
    for sheet in sheets:
        sheet.cells = by_name[sheet.name]
        if failed[sheet.name]:
            sheet.problems.append(_describe_failed(sheet.name, failed[sheet.name], missing))


def _describe_failed(name: str, positions: list[Position], formulas: dict[Position, str]) -> str:
    examples = [
        f"{get_column_letter(column + 1)}{row + 1} ({formulas[name, row, column]})"
        for _, row, column in positions[:_MAX_EXAMPLES]
    ]
    count = f"{len(positions)} cells" if len(positions) > 1 else "one cell"
    return (
        f'{count} of the sheet "{name}" have a formula without a stored value that could not be computed, '
        f"such as {', '.join(examples)}; save the file once in a spreadsheet program"
    )


def _separate_hidden(worksheet: Worksheet, sheet: GridSheet) -> None:
    """Move the cells of hidden rows and columns, or all of a hidden sheet, to what is left out."""
    is_hidden = worksheet.sheet_state != "visible"
    rows = {number - 1 for number, row in worksheet.row_dimensions.items() if row.hidden}
    columns = {
        number - 1
        for dimension in worksheet.column_dimensions.values()
        if dimension.hidden
        for number in range(dimension.min or 0, (dimension.max or -1) + 1)
    }
    visible, hidden = {}, defaultdict(list)
    for (row, column), cell in sheet.cells.items():
        if is_hidden or row in rows or column in columns:
            hidden[row].append(cell.text)
        else:
            visible[row, column] = cell
    sheet.cells = visible
    sheet.left_out += [f"hidden text: {' | '.join(texts)}" for _, texts in sorted(hidden.items())]
    if rows and worksheet.auto_filter.ref and not is_hidden:
        count = (
            f'{len(rows)} rows of the sheet "{sheet.name}" are'
            if len(rows) > 1
            else f'1 row of the sheet "{sheet.name}" is'
        )
        sheet.problems.append(f"{count} hidden by a filter and not read; clear the filter to include what it hides")
