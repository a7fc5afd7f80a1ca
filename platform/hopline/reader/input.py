"""Passages and tables as the texts that the reader gets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from hopline.questions.analysis import QuestionAnalysis
from hopline.reader.identifiers import list_relevant_spans
from hopline.results import Evidence
from hopline.tables.grid import TableGrid, TableRow
from hopline.text.words import find_content_words

PASSAGE_CHARACTERS: Final = 1000  # of one window: about 200 word pieces
TABLE_CHARACTERS: Final = 700
TABLE_WINDOWS: Final = 1
HEADER_CHARACTERS: Final = 200


@dataclass(frozen=True, slots=True)
class Segment:
    """Characters of a text that are those of the evidence: their start in the text, in the evidence, their number."""

    start: int
    source: int
    length: int


@dataclass(frozen=True, slots=True)
class ReadableText:
    """A window of an evidence as the reader gets it: a header, and a text whose segments are parts of the evidence."""

    header: str
    text: str
    segments: tuple[Segment, ...]

    def locate(self, start: int, end: int) -> tuple[int, int] | None:
        """Find the span of the evidence that a span of the text overlaps first; None if it overlaps none."""
        for segment in self.segments:
            first, last = max(start, segment.start), min(end, segment.start + segment.length)
            if first < last:
                shift = segment.source - segment.start
                return first + shift, last + shift
        return None


def format_heading(evidence: Evidence) -> str:
    """Format the heading of an evidence: its document's name and title, its sections, its caption, one a line.

    The caption of a figure is in its text, which is read sentence by sentence.
    """
    name = re.sub(r"[_\W]+", " ", evidence.document.rpartition(".")[0] or evidence.document)
    return "\n".join((name, evidence.title, *evidence.section, "" if evidence.kind == "figure" else evidence.caption))


def format_with_heading(evidence: Evidence) -> str:
    """Format the heading of an evidence and the text below it."""
    return f"{format_heading(evidence)}\n{evidence.text}"


def make_readable(question: QuestionAnalysis, evidence: Evidence) -> list[ReadableText]:
    """Make the texts of an evidence: a passage in windows of whole sentences, a table in windows of whole rows.

    Of a long table, the rows that share most words with the question are read. Sentences and rows about another
    identifier than the question's are left out, if others remain.
    """
    header = _format_header(evidence)
    if evidence.grid is not None:
        grid, text = evidence.grid, evidence.text
        return [_format_rows(header, text, grid, rows) for rows in _select_rows(question, evidence, grid)]
    sentences = evidence.sentences or ((0, len(evidence.text)),)
    return [
        ReadableText(header, evidence.text[start:end], (Segment(0, start, end - start),))
        for spans in list_relevant_spans(question, evidence, sentences)
        for start, end in _split_passage(spans)
    ]


def make_readable_unit(evidence: Evidence, span: tuple[int, int]) -> tuple[str, str]:
    """The header and the text of a sentence, or of the table row, at a span of the evidence."""
    table = evidence.grid
    row = table.find_row(span[0]) if table else None
    if table is None or row is None:
        return _format_header(evidence), evidence.text[slice(*span)]
    cells = [(table.column(index), cell.text) for index, cell in enumerate(row.cells)]
    return _format_header(evidence), format_table_row([("", row.context), *cells])[0]


def _format_header(evidence: Evidence) -> str:
    header = " – ".join(dict.fromkeys(part for part in format_heading(evidence).split("\n") if part.strip()))
    return header[:HEADER_CHARACTERS]


def format_table_row(cells: Sequence[tuple[str, str]]) -> tuple[str, list[int]]:
    """Format a row as "column: cell; column: cell."; returns the start of each cell, -1 if it is empty.

    ``cells`` are pairs of column header and text. The reader is trained on tables in this format.
    """
    text, starts = "", []
    for column, cell in cells:
        if not cell:
            starts.append(-1)
            continue
        text += ("; " if text else "") + (f"{column}: " if column else "")
        starts.append(len(text))
        text += cell
    return text + ".", starts


def _split_passage(spans: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Windows of whole sentences; the last sentence of a window is the first of the next."""
    first = 0
    while True:
        last = first
        while last + 1 < len(spans) and spans[last + 1][1] - spans[first][0] <= PASSAGE_CHARACTERS:
            last += 1
        yield spans[first][0], spans[last][1]
        if last + 1 == len(spans):
            return
        first = max(last, first + 1)


def _format_rows(header: str, source: str, table: TableGrid, rows: Sequence[TableRow]) -> ReadableText:
    text, segments = "", []
    for row in rows:
        cells = [(table.column(index), source[cell.start : cell.end]) for index, cell in enumerate(row.cells)]
        line, starts = format_table_row([("", row.context), *cells])
        segments += [
            Segment(len(text) + start, cell.start, cell.end - cell.start)
            for start, cell in zip(starts[1:], row.cells, strict=True)
            if cell.text
        ]
        text += line + "\n"
    return ReadableText(header, text, tuple(segments))


def _select_rows(question: QuestionAnalysis, evidence: Evidence, table: TableGrid) -> Iterator[list[TableRow]]:
    """The rows of each window, in the order of the table."""
    text, rows = evidence.text, list(table.list_data_rows())
    runs = list_relevant_spans(question, evidence, [(row.start, row.end) for row in rows])
    relevant = {span for run in runs for span in run}
    rows = [row for row in rows if (row.start, row.end) in relevant]
    words = question.content_words
    shared = [len(words & find_content_words(f"{row.context} {text[row.start : row.end]}")) for row in rows]
    width = sum(len(table.column(index)) + 4 for index in range(max((len(row.cells) for row in rows), default=0)))
    windows: list[list[int]] = [[]]
    room = TABLE_CHARACTERS
    for number in sorted(range(len(rows)), key=lambda n: (-shared[n], n)):
        room -= width + sum(len(cell.text) for cell in rows[number].cells)
        if room < 0 and windows[-1]:
            if len(windows) == TABLE_WINDOWS:
                break
            windows.append([])
            room = TABLE_CHARACTERS
        windows[-1].append(number)
    for window in windows:
        if window:
            yield [rows[number] for number in sorted(window)]
