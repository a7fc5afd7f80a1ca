"""The text of an evidence as HTML with its quote highlighted; a table becomes an HTML table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from html import escape
from itertools import groupby
from typing import Final

from markdown_it import MarkdownIt

from hopline.results import Citation, Evidence, Sentence
from hopline.tables.grid import TableGrid, TableRow
from hopline_ui.markup import highlight_html, mark_html
from hopline_ui.page_marks import Mark

WIDEST: Final = 6  # columns of a table whose rows are shown whole
_LIST_MARKER: Final = re.compile(r"([-*+•]|\d{1,3}[.)])\s+")
_HEADING: Final = re.compile(r"#{1,6}\s+")

Span = tuple[int, int]


def render_passage(evidence: Evidence, span: Span | None = None, answer: Span | None = None) -> str:
    """Return the whole text as HTML; ``span`` (half-open) is highlighted, in a table every row that it overlaps.

    ``answer`` is the cell of a table that is highlighted more.
    """
    table = evidence.grid
    if table and (table.head or table.body):
        answers = [answer] if answer else []
        return f'<div class="passage">{_render_table(evidence, table, table.body, span=span, answers=answers)}</div>'
    spans = [span] if span else []
    return f'<blockquote class="passage" dir="auto">{highlight_html(evidence.text, spans)}</blockquote>'


def render_marked_passage(evidence: Evidence, marks: Sequence[Mark]) -> str:
    """Return the whole text as HTML with its marks: of a table, cells; a mark of the whole text is a frame."""
    is_whole = any(not mark.colour and mark.start <= 0 and mark.end >= len(evidence.text) for mark in marks)
    frame = " opened" if is_whole else ""
    parts = [mark for mark in marks if mark.end - mark.start < len(evidence.text)]
    table = evidence.grid
    if table and (table.head or table.body):
        rows = _render_table(evidence, table, table.body, marks=parts)
        return f'<div class="passage{frame}">{rows}</div>'
    text = mark_html(evidence.text, [(mark.start, mark.end, mark.colour, mark.title) for mark in parts])
    return f'<div class="passage text{frame}" dir="auto">{text}</div>'


def render_sentence(sentence: Sentence, *, markdown: bool = False) -> str:
    """Return a sentence as HTML; one that cites cells as small tables: headers, their rows, the cells highlighted.

    Each table that it cites is shown once. Below several cells is the sentence, which says what follows from them. In
    the words of a quote, the span that is the answer is highlighted. ``markdown``: a language model wrote it.
    """
    if markdown:
        return render_markdown(sentence.text)
    citation = next((citation for citation in sentence.citations if citation.answer), None)
    if citation and citation.evidence.kind == "table":
        cells: dict[str, list[Span]] = {}
        for item in sentence.citations:
            if item.answer and item.evidence.kind == "table":
                cells.setdefault(item.evidence.id, []).append(item.answer)
        tables = {item.evidence.id: item.evidence for item in sentence.citations}
        excerpts = [_render_excerpt(tables[id], answers) for id, answers in cells.items()]
        if all(excerpts):
            has_several = sum(map(len, cells.values())) > 1
            text = f'<span class="sentence" dir="auto">{escape(sentence.text)}</span>' if has_several else ""
            return "".join(f'<div class="excerpt" tabindex="0">{excerpt}</div>' for excerpt in excerpts) + text
    marked = _find_answer(sentence.text, citation) if citation else None
    kind = "sentence code" if "\n" in sentence.text else "sentence"  # only program code has several lines
    return f'<span class="{kind}" dir="auto">{highlight_html(sentence.text, [marked] if marked else [])}</span>'


def render_markdown(text: str) -> str:
    """Return Markdown of a language model as HTML: emphasis, code, lists, headings and tables.

    Links, images and HTML are shown as text: a reply must not load or open anything.
    """
    if "\n" in text:
        return f'<div class="sentence" dir="auto">{_get_markdown().render(text)}</div>'
    marker = _LIST_MARKER.match(text)
    heading = _HEADING.match(text)
    start = next((match.end() for match in (marker, heading) if match), 0)
    words = _get_markdown().renderInline(text[start:])
    if heading:
        return f'<strong class="sentence" dir="auto">{words}</strong>'
    sign = "" if marker is None else f"{escape(marker[1])} " if marker[1][0].isdigit() else "• "
    return f'<span class="sentence" dir="auto">{sign}{words}</span>'


@cache
def _get_markdown() -> MarkdownIt:
    rules = ["link", "image", "autolink", "html_inline", "html_block"]
    return MarkdownIt("commonmark", {"html": False}).enable("table").disable(rules)


def _find_answer(text: str, citation: Citation) -> Span | None:
    """Where the answer of a quote is in a sentence that is this quote in one line."""
    if citation.answer is None or text != " ".join(citation.quote.split()):
        return None
    start, end = citation.answer
    before = " ".join(citation.evidence.text[citation.start : start].split())
    words = " ".join(citation.evidence.text[start:end].split())
    position = text.find(words, max(0, len(before) - 1))
    return (position, position + len(words)) if words and position >= 0 else None


def _render_excerpt(evidence: Evidence, answers: Sequence[Span]) -> str:
    """The rows of cells below their headers, with the rows whose labels they are below; "" if a cell is not found.

    Of a wide table, only the columns of labels and those of the cells are shown. Units and scales of the cells that
    none of these texts has are below the table.
    """
    table = evidence.grid
    located = [table.locate_cell(start) for start, _ in answers] if table else []
    rows = {row.start: row for row, _ in located if row}
    columns = {column for _, column in located if column is not None}
    if table is None or not all(row and column is not None for row, column in located):
        return ""
    width = max(len(row.cells) for row in rows.values())
    shown = list(range(width)) if width <= WIDEST else sorted({*range(table.label_columns), *columns})
    labels = {cell.start for row in rows.values() for cell in row.outer}
    above = [other for other in table.body if other.start not in rows and labels & {cell.start for cell in other.cells}]
    filled = [replace(row, cells=(*row.labels, *row.cells[len(row.labels) :])) for row in rows.values()]
    body = sorted((*above, *filled), key=lambda row: row.start)
    html = _render_table(evidence, table, body, answers=answers, columns=shown, has_row_headers=True)
    units = _list_units(table, rows.values(), columns)
    texts = " ".join(cell.text for row in (*table.head, *body) for cell in row.cells)
    hidden = [unit for unit in units if unit.casefold() not in f"{evidence.caption} {texts}".casefold()]
    return html + (f'<span class="hint" dir="auto">Values in {escape(", ".join(hidden))}</span>' if hidden else "")


def _list_units(table: TableGrid, rows: Iterable[TableRow], columns: Iterable[int]) -> list[str]:
    """Return the scales and units of the values in some rows and columns, each once."""
    structures = [table.columns[n] for n in sorted(columns) if n < len(table.columns)]
    units = [*(text for item in structures for text in (item.scale, item.unit)), *(row.unit for row in rows)]
    return list(dict.fromkeys(filter(None, units)))


def summarize(evidence: Evidence) -> str:
    """Return the text for a list: of a table its caption and column names, else the whole text."""
    if not evidence.cells:
        return evidence.text
    columns = " · ".join(filter(None, (" ".join(cell.split()) for cell in evidence.cells[0])))
    return " — ".join(filter(None, [evidence.caption, columns])) or evidence.text


def _render_table(
    evidence: Evidence,
    table: TableGrid,
    body: Sequence[TableRow],
    *,
    span: Span | None = None,
    answers: Sequence[Span] = (),
    columns: Sequence[int] | None = None,
    marks: Sequence[Mark] = (),
    has_row_headers: bool = False,
) -> str:
    """Rows below the headers of their table; a header or group label of neighbouring columns is one cell."""
    caption = f'<caption dir="auto">{escape(evidence.caption)}</caption>' if evidence.caption else ""
    rows = [_render_row(row, columns, span, answers, marks, header=True) for row in table.head]
    labels = table.label_columns if has_row_headers else 0
    rows += [_render_row(row, columns, span, answers, marks, header=False, labels=labels) for row in body]
    return f"<table>{caption}{''.join(rows)}</table>"


def _render_row(
    row: TableRow,
    columns: Sequence[int] | None,
    span: Span | None,
    answers: Sequence[Span],
    marks: Sequence[Mark],
    *,
    header: bool,
    labels: int = 0,
) -> str:
    """A row of cells; the first ``labels`` columns of the table are headers of their row."""
    shown = [row.cells[n] for n in columns if n < len(row.cells)] if columns is not None else row.cells
    headers = {cell.start for cell in row.cells[:labels]}
    cells = ""
    spans = header or row.kind == "group"
    for _, group in groupby(shown, key=lambda cell: cell.text if spans and cell.text else cell.start):
        cells_of_group = list(group)
        wide = f' colspan="{len(cells_of_group)}"' if len(cells_of_group) > 1 else ""
        is_answer = any(_overlap((cell.start, cell.end), answer) for cell in cells_of_group for answer in answers)
        marked = ' class="answer"' if is_answer else ""
        first = cells_of_group[0]
        inside = [mark for mark in marks if _overlap((first.start, first.end), (mark.start, mark.end))]
        content = mark_html(first.text, [(0, len(first.text), mark.colour, mark.title) for mark in inside])
        is_header = header or (first.start in headers and not is_answer)
        tag = "th" if is_header else "td"
        scope = ' scope="row"' if is_header and not header else ""
        cells += f'<{tag}{scope} dir="auto"{wide}{marked}>{content}</{tag}>'
    return f'<tr class="quoted">{cells}</tr>' if _overlap((row.start, row.end), span) else f"<tr>{cells}</tr>"


def _overlap(first: Span, second: Span | None) -> bool:
    return second is not None and second[0] < first[1] and first[0] < second[1]
