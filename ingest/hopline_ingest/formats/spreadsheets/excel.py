"""Sheets of XLSX and XLSM workbooks, read by openpyxl: texts as displayed, merged cells, hidden parts, formulas."""

from __future__ import annotations

import datetime as dt
import io
import re
import warnings
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from openpyxl import load_workbook
from openpyxl.styles.numbers import is_date_format
from openpyxl.utils import get_column_letter
from openpyxl.utils.datetime import from_excel, to_excel

from hopline.errors import DocumentError
from hopline_ingest.formats.normalized_text import normalize_text
from hopline_ingest.formats.spreadsheets.excel_parts import (
    SHEETS,
    list_drawn_texts,
    reduce_to_cells,
    remove_wide_merges,
    translate_strict,
)
from hopline_ingest.formats.spreadsheets.excel_styles import DAMAGED_STYLES, restore_styles
from hopline_ingest.formats.spreadsheets.formulas import FormulaError, FormulaEvaluator, Position
from hopline_ingest.formats.spreadsheets.number_formats import display
from hopline_ingest.formats.spreadsheets.sheets import GridSheet, MergedRange, SheetCell, count_blanks
from hopline_ingest.formats.xml_parts import read_parts

if TYPE_CHECKING:
    from openpyxl.cell import Cell
    from openpyxl.worksheet.worksheet import Worksheet

_FORMULA: Final = re.compile(rb"<(?:\w+:)?f[ />]")
_ACROSS: Final = "centerContinuous"
_MAX_EXAMPLES: Final = 3  # cells that a problem names


def read_excel(data: bytes) -> tuple[str, list[GridSheet]]:
    """Read the title of a workbook, "" if it has none, and its sheets.

    Charts are left out: their values are those of cells. Text boxes and the titles of charts are left out as well.
    Hidden sheets, rows and columns are not among the cells, but among what was left out.

    Raises:
        DocumentError: the file is damaged.
    """
    data, workbook, problems = _load_repaired(remove_wide_merges(translate_strict(data)))
    sheets = [_read_sheet(sheet) for sheet in workbook.worksheets]
    missing = _find_missing_formulas(data, workbook)
    if missing:
        _compute_formulas(workbook, sheets, missing)
    for worksheet, sheet in zip(workbook.worksheets, sheets, strict=True):
        _separate_hidden(worksheet, sheet)
    if sheets:
        sheets[0].problems[:0] = problems
        sheets[0].left_out += list_drawn_texts(data)
    return normalize_text(workbook.properties.title or ""), sheets


def _load_repaired(data: bytes) -> tuple[bytes, Any, list[str]]:
    """Return the file as it can be read, its workbook, and what is lost by that."""
    try:
        return data, _load(data, values=True), []
    except DocumentError:  # because of what is around the cells, as other programs write it, or of the styles
        reduced, restored = reduce_to_cells(data), restore_styles(data)
        if reduced is None or restored is None:
            raise
    with suppress(DocumentError):
        return reduced, _load(reduced, values=True), []
    with suppress(DocumentError):
        return restored, _load(restored, values=True), [DAMAGED_STYLES]
    restored = reduce_to_cells(restored) or restored
    return restored, _load(restored, values=True), [DAMAGED_STYLES]


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
    comments = [
        f"comment: {normalize_text(cell.comment.text)}"
        for _, cell in sorted(worksheet._cells.items())  # noqa: SLF001 - a cell without a value may have one
        if cell.comment is not None
    ]
    return GridSheet(worksheet.title, cells, (*merged, *_list_centred_cells(worksheet)), left_out=comments)


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
    """Yield the cells with a value, by row; those between are not visited, since a cell may be in the last row."""
    for _, cell in sorted(worksheet._cells.items()):  # noqa: SLF001 - iter_rows() creates all cells between
        if cell.value is not None:
            yield cell


def _display_cell(cell: Cell) -> SheetCell:
    displayed = display(cell.value, cell.number_format)
    indent = count_blanks(displayed) + int(cell.alignment.indent or 0)
    text = normalize_text(displayed)
    if cell.hyperlink is not None and cell.hyperlink.target and cell.hyperlink.target not in text:
        text = f"{text} ({cell.hyperlink.target})"
    return SheetCell(text, not isinstance(cell.value, str), indent)


def _find_missing_formulas(data: bytes, workbook: Any) -> dict[Position, str]:
    """Return the formulas of the workbook if some have no stored value; none otherwise."""
    formulas: dict[Position, str] = {}
    is_missing = False
    if not any(_FORMULA.search(part) for part in (read_parts(data, SHEETS) or {}).values()):
        return formulas
    source = _load(data, values=False)
    for worksheet in source.worksheets:
        stored = workbook[worksheet.title]
        for cell in _list_cells(worksheet):
            formula = getattr(cell.value, "text", cell.value)  # of a range of cells: with its attributes
            value = stored.cell(cell.row, cell.column)
            is_empty_text = value.value is None and value.data_type == "str"
            if cell.data_type == "f" and isinstance(formula, str) and not is_empty_text:
                formulas[worksheet.title, cell.row - 1, cell.column - 1] = formula
                is_missing = is_missing or value.value is None
    if workbook.calculation.fullCalcOnLoad and _remove_zeros(workbook, formulas):
        return formulas
    return formulas if is_missing else {}


def _remove_zeros(workbook: Any, formulas: dict[Position, str]) -> bool:
    """Remove the stored values of all formulas if all are 0, which XlsxWriter stores for values that it lacks."""
    cells = [workbook[name].cell(row + 1, column + 1) for name, row, column in formulas]
    if any(cell.value != 0 for cell in cells):
        return False
    for cell in cells:
        cell.value = None
    return bool(cells)


def _compute_formulas(workbook: Any, sheets: list[GridSheet], formulas: dict[Position, str]) -> None:
    """Add the values of formulas without a stored one to the sheets; those not computed are shown as formulas."""
    values: dict[Position, object] = {
        (sheet.title, cell.row - 1, cell.column - 1): _to_number(cell.value, workbook.epoch)
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
            value = evaluator.evaluate(position) or 0.0
            text = display(_to_date(value, workbook.epoch) if is_date_format(number_format) else value, number_format)
        except FormulaError:
            text = formula
            failed[name].append(position)
        by_name[name][row, column] = SheetCell(normalize_text(text), is_value=True)
    for sheet in sheets:
        sheet.cells = by_name[sheet.name]
        if failed[sheet.name]:
            sheet.problems.append(_describe_failed(sheet.name, failed[sheet.name], missing))


def _to_number(value: object, epoch: dt.datetime) -> object:
    """Return the serial number of a date or time; other values as they are."""
    is_date = isinstance(value, dt.date | dt.time | dt.timedelta)
    return to_excel(value, epoch) if is_date else value


def _to_date(number: object, epoch: dt.datetime) -> object:
    """Return the date or time of a serial number; the number if there is none."""
    try:
        return from_excel(number, epoch)
    except (ValueError, OverflowError):
        return number


def _describe_failed(name: str, positions: list[Position], formulas: dict[Position, str]) -> str:
    examples = [
        f"{get_column_letter(column + 1)}{row + 1} ({formulas[name, row, column]})"
        for _, row, column in positions[:_MAX_EXAMPLES]
    ]
    count = f"{len(positions)} cells" if len(positions) > 1 else "one cell"
    verb = "have" if len(positions) > 1 else "has"
    return (
        f'{count} of the sheet "{name}" {verb} a formula without a stored value that could not be computed, '
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
