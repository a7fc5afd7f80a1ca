"""Values of measures in evidence: which thing has how much of it, in sentences and in tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from hopline.reader.input import format_heading
from hopline.reader.negation import is_negation
from hopline.results import Evidence
from hopline.tables.grid import Cell, TableGrid, TableRow
from hopline.tables.measured_columns import ANY, RATE, UNCLEAR, YEAR, find_columns, measure_cell, write_unit
from hopline.tables.typed_table import split_words
from hopline.text.measures import (
    Measure,
    Quantity,
    find_quantities,
    list_stems,
    load_measures,
    load_senses,
)
from hopline.text.values import find_dates, find_years
from hopline.text.words import load_function_words, read_stem_list

Span = tuple[int, int]

PEOPLE: Final = "people"
MAX_BEHIND: Final = 3  # words behind a quantity that say what it is of
_NAME: Final = re.compile(r"[A-Z0-9][\w'’&-]*(?:\s+(?:of\s+(?:the\s+)?|&\s+)?(?:[A-Z][\w'’&-]*|\d{1,3}(?![\w,.]*\w)))*")
_PREPOSITION: Final = re.compile(r"\b(?:in|at|near|on|from|of|by|for|since|to|into|with)\s+(?:the\s+)?$", re.IGNORECASE)
_PRONOUN: Final = re.compile(r"(?:It|Its|He|His|She|Her|They|Their|This)\b")
_CLAUSE: Final = re.compile(r"[,;.:()]")
_COUNTS: Final = frozenset(list_stems("number quantity qty count"))
_UNREAL: Final = re.compile(
    r"\b(?:would|planned|proposed|if|formerly|previously|originally|until|used to|respectively|"
    r"(?:estimated|expected) to)\b",
    re.IGNORECASE,
)
_POPULATION: Final = re.compile(r"\bpopulation\b(?!.*\d)", re.IGNORECASE)
_WORD: Final = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


@dataclass(frozen=True, slots=True)
class MeasuredValue:
    """How much of a measure a thing has: the lowest and the highest value, and where the evidence gives it.

    ``dimension`` is that of the unit; values without one have the dimension of their column. ``unit`` is as written.
    ``row`` and ``cell`` are those of a table.
    """

    name: str
    low: Decimal
    high: Decimal
    dimension: str
    unit: str
    evidence: Evidence
    span: Span
    row: TableRow | None = None
    cell: Cell | None = None


@dataclass(frozen=True, slots=True)
class _Mention:
    """A name in a sentence with its span."""

    name: str
    start: int
    end: int


def names_thing(mention: str, subject: str) -> bool:
    """Return whether a name in the evidence is that of a subject, but for words before the name or a first name."""
    words, wanted = _split_name(mention), _split_name(subject)
    capitals = [word for word, text in zip(wanted, subject.split(), strict=False) if not text[0].islower()]
    is_surname = len(wanted) > 1 and words == wanted[-1:] and words[0].isalpha()
    return bool(words) and (words in (wanted, capitals) or is_surname)


def _split_name(name: str) -> list[str]:
    words = [word.strip(".,'’“”\"") for word in name.split()]
    words = [word for word in words if word.lower() not in {"the", "an"} and (word != "a" or len(words) == 1)]
    words = words[1:] if len(words) > 1 and words[0] == "A" else words  # but not of "A"
    return [word.casefold().removesuffix("'s").removesuffix("’s") for word in words]


def find_in_table(
    subject: str, measure: Measure, table: Evidence, grid: TableGrid, years: Sequence[str]
) -> Iterator[MeasuredValue]:
    """Find the value in the row that is labelled with the subject, or in the column that it heads."""
    width = max((len(row.cells) for row in grid.body), default=0)
    headers = [grid.column(n) for n in range(width)]
    rows = find_named_rows(grid, subject, format_heading(table))
    if len(rows) == 1:
        texts = [cell.text for cell in rows[0].cells] + [""] * (width - len(rows[0].cells))
        columns = find_columns(measure, headers, texts, years) or _find_only_quantity(measure, texts)
        columns = columns or _find_counts(measure, headers, format_heading(table))
        if len(columns) == 1 and columns[0] < len(rows[0].cells):
            value = _make_cell_value(subject, measure, table, rows[0], column=columns[0], header=headers[columns[0]])
            yield from [value] if value else []
    headed = [n for n, header in enumerate(headers) if n and _heads(header, subject, table)]
    if len(headed) == 1 and not rows:
        labelled = [row for row in grid.body if measure.words & set(list_stems(row.cells[0].text))]
        if len(labelled) == 1 and headed[0] < len(labelled[0].cells):
            value = _make_cell_value(
                subject, measure, table, labelled[0], column=headed[0], header=labelled[0].cells[0].text
            )
            yield from [value] if value else []


def _find_only_quantity(measure: Measure, texts: Sequence[str]) -> list[int]:
    """Find the only cell with a quantity of a row whose label says what it is of: "Rye flour | 4.2 kg"."""
    if ANY not in measure.dimensions or not measure.words <= set(list_stems(texts[0])):
        return []
    filled = [n for n, text in enumerate(texts) if n and find_quantities(text)]
    return filled if len(filled) == 1 else []


def _find_counts(measure: Measure, headers: Sequence[str], heading: str) -> list[int]:
    """Find the column that says how many there are of the things in the heading of a table: "Number"."""
    if ANY not in measure.dimensions or not measure.words <= set(list_stems(heading)):
        return []
    return [n for n, header in enumerate(headers) if n and set(list_stems(header)) & _COUNTS]


def find_named_rows(grid: TableGrid, subject: str, heading: str) -> list[TableRow]:
    """Find the rows of which one of the first two cells is a name, or its date, or else has all words of the name.

    Words of the ``heading`` of the table need not be in the cell.
    """
    labels = [(row, row.cells[:2]) for row in grid.body]
    rows = [row for row, cells in labels if any(names_thing(cell.text, subject) for cell in cells)]
    if rows:
        return rows
    days = [span.date.days for span in find_dates(subject) if span.has_month and span.date.day is not None]
    if days:
        dated = ((row, [span.date.days for cell in cells for span in find_dates(cell.text)]) for row, cells in labels)
        return [row for row, stated in dated if days[0] in stated]
    words = set(list_tokens(subject))
    words = words - set(list_tokens(heading)) or words
    return [row for row, cells in labels if words and any(words <= set(list_tokens(cell.text)) for cell in cells)]


def list_tokens(text: str) -> list[str]:
    """Return the stems of the words of a text with content, and its numbers."""
    return [word for word in split_words(text) if word not in load_function_words()]


def _heads(header: str, subject: str, table: Evidence) -> bool:
    """Return whether a header names a thing: by its name, or by the end of it if the heading has its other words."""
    headed, named = list_tokens(header), list_tokens(subject)
    if names_thing(header, subject):
        return True
    is_end = bool(headed) and named[-len(headed) :] == headed
    return is_end and set(named[: -len(headed)]) <= set(list_tokens(format_heading(table)))


def _make_cell_value(
    name: str, measure: Measure, table: Evidence, row: TableRow, *, column: int, header: str
) -> MeasuredValue | None:
    """Make the value of a cell under a header; None if it begins with no number, or is of another measure."""
    cell = row.cells[column]
    stated = measure_cell(measure, cell.text, header)
    if stated is None:
        return None
    is_of_column = stated.dimension.startswith("column ")
    dimension = f"{table.document_id} {stated.dimension}" if is_of_column else stated.dimension
    return MeasuredValue(name, stated.low, stated.high, dimension, stated.unit, table, (row.start, row.end), row, cell)


def list_text_values(measure: Measure, evidence: Evidence, subjects: Sequence[str] = ()) -> Iterator[MeasuredValue]:
    """Yield the values of a measure in the sentences of a passage, each with the name of the thing that has it.

    A sentence that begins with a pronoun is about the first thing that the sentence before it names. Values that are
    denied, planned or of the past, and those that say by how much things differ, are left out.
    """
    about = ""
    headed = [subject for subject in subjects if evidence.section and _is_headed(evidence.section[-1], subject)]
    for start, end in evidence.sentences or ((0, len(evidence.text)),):
        sentence = evidence.text[start:end]
        mentions = _list_mentions(sentence, subjects)
        if mentions or not _PRONOUN.match(sentence):
            about, previous = (mentions[0].name if mentions else ""), about
        else:
            previous = about
        quantities = list_measurable(measure, sentence, mentions)
        for number, quantity in enumerate(quantities):
            before = [mention for mention in mentions if mention.end <= quantity.start]
            if before and not (len(headed) == 1 and before[-1].start == 0 and before[-1].name not in subjects):
                name, first = before[-1].name, before[-1].end
            elif len(headed) == 1 and not any(mention.start for mention in mentions):  # but for its first word
                name, first = headed[0], 0
            elif _PRONOUN.match(sentence):
                name, first = previous, 0
            else:
                name, first = (mentions[0].name if len(mentions) == len(_NAME.findall(sentence)) == 1 else ""), 0
            last = max([first, *(other.end for other in quantities[:number])])
            if name and _is_of(measure, quantity, sentence, last, format_heading(evidence)):
                low, high, dimension = convert_quantity(measure, quantity, sentence)
                unit = write_unit(sentence[quantity.start : quantity.end])
                yield MeasuredValue(name, low, high, dimension, unit, evidence, (start, end))


def _is_headed(heading: str, subject: str) -> bool:
    words = list_tokens(subject)
    return bool(words) and set(words) <= set(list_tokens(heading))


def list_measurable(measure: Measure, sentence: str, mentions: Sequence[_Mention]) -> list[Quantity]:
    """Return the quantities of a sentence that belong to no name; for a measure of years, the dates with a year."""
    if YEAR in measure.dimensions:
        dates = [(span, span.date.days) for span in find_dates(sentence) if span.date.year is not None]
        units = ((YEAR, Decimal(1)),)
        return [Quantity(Decimal(day.first), Decimal(day.last), span.start, span.end, units) for span, day in dates]
    return [
        item
        for item in find_quantities(sentence)
        if not any(mention.start <= item.start < mention.end for mention in mentions)
    ]


def _list_mentions(sentence: str, subjects: Sequence[str]) -> list[_Mention]:
    """The names of a sentence, but for those behind a preposition, and the ``subjects``, in order."""
    spans = {}
    for match in _NAME.finditer(sentence):
        words, start = match[0].split(), match.start()
        while words and (words[0].lower() in load_function_words() or words[0][0].isdigit()):
            start += len(words[0])
            start += len(sentence[start:]) - len(sentence[start:].lstrip())
            words.pop(0)
        name = " ".join(words)
        is_subject = any(names_thing(name, subject) for subject in subjects)
        if name and (is_subject or not _PREPOSITION.search(sentence[:start])) and not find_dates(name):
            spans[start] = _Mention(name, start, match.end())
    for subject in subjects:
        pattern = r"\s+".join(map(re.escape, subject.split()))
        for match in re.finditer(rf"(?<!\w){pattern}(?!\w)", sentence, re.IGNORECASE):
            if not any(mention.start <= match.start() and match.end() <= mention.end for mention in spans.values()):
                inside = [start for start, mention in spans.items() if match.start() <= start < match.end()]
                for start in inside:  # "Winter" of "Winter wheat"
                    del spans[start]
                spans[match.start()] = _Mention(subject, *match.span())
    return [spans[start] for start in sorted(spans)]


def _is_of(measure: Measure, quantity: Quantity, sentence: str, first: int, heading: str) -> bool:
    """Return whether a quantity is of a measure: by its unit, and by the words from ``first`` on or behind it."""
    before = sentence[first : quantity.start]
    behind = list_behind(quantity, sentence)
    is_denied = is_unreal(sentence) or any(is_negation(word) for word in _WORD.findall(before))
    if is_denied or states_difference(behind):
        return False
    if ANY in measure.dimensions:
        near = set(list_stems(f"{before} {sentence[quantity.start : quantity.end]} {' '.join(behind)}"))
        return measure.words <= near
    dimensions = {name for name, _ in quantity.units} or {_name_counted(behind)}
    if not measure.words:  # a unit
        return any(map(measure.includes, dimensions))
    if not any(map(measure.includes, dimensions)):
        return _is_named_amount(measure, quantity, sentence, before) and dimensions == {"#"}
    if YEAR in measure.dimensions:
        began = (
            read_stem_list("began") if YEAR in measure.words else frozenset[str]()
        )  # but for the date of another event
        return bool((measure.words | began) & set(list_stems(before)))
    label = find_label(behind, before, measure)
    is_clear = not measure.dimensions & UNCLEAR or bool(measure.words & set(list_stems(heading)))
    return label == "this" if label else is_clear


def list_behind(quantity: Quantity, sentence: str) -> list[str]:
    """Return the words behind a quantity in its clause that say what it is of."""
    return _WORD.findall(_CLAUSE.split(sentence[quantity.end :])[0])[:MAX_BEHIND]


def _is_named_amount(measure: Measure, quantity: Quantity, sentence: str, before: str) -> bool:
    """Return whether a number without a unit is of a measure that needs none, as in "a population of 8,200"."""
    is_year = bool(find_years(sentence[quantity.start : quantity.end]))
    may_lack_unit = any(name[0] == "#" or name in {"money", PEOPLE} for name in measure.dimensions)
    return not is_year and may_lack_unit and bool(measure.words & set(list_stems(before)))


def is_unreal(sentence: str) -> bool:
    """Return whether a sentence is about what is planned or was so before, or lists values "respectively"."""
    return bool(_UNREAL.search(sentence))


def states_difference(behind: Sequence[str]) -> bool:
    """Return whether the words behind a quantity say that things differ by it: "5 kg heavier"."""
    first = behind[0].lower() if behind else ""
    is_comparative = any(sense.degree == "comparative" for sense in load_senses().get(first, ()))
    return is_comparative or first in {"more", "less", "fewer"}


def find_label(behind: Sequence[str], before: str, measure: Measure) -> str:
    """Say whether the word behind a quantity, or the nearest before it, is of this measure ("this") or another."""
    others = frozenset(word for other in load_measures() if other is not measure for word in other.words)
    for word in (*list_stems(" ".join(behind[:1])), *reversed(list_stems(before))):
        if word in measure.words:
            return "this"
        if word in others:
            return "other"
    return ""


def _name_counted(behind: Sequence[str]) -> str:
    """Return "#" and the stem of what a number without a unit counts; "#" alone if nothing follows it."""
    return f"#{next(iter(list_stems(' '.join(behind[:1]))), '')}"


def convert_quantity(measure: Measure, quantity: Quantity, sentence: str) -> tuple[Decimal, Decimal, str]:
    """Return the lowest and highest value, and their dimension."""
    counted = _name_counted(list_behind(quantity, sentence))
    name = counted if counted in measure.dimensions else f"count {' '.join(sorted(measure.words))}"
    if PEOPLE in measure.dimensions and _POPULATION.search(sentence[: quantity.start]):
        name = PEOPLE
    unit = next((unit for unit in quantity.units if measure.includes(unit[0])), None)
    dimension, factor = unit or next(iter(quantity.units), (name, Decimal(1)))
    rate = RATE.match(sentence, quantity.end)
    per = f" per {rate['per'].lower()}" if rate else ""
    return quantity.low * factor, quantity.high * factor, dimension + per
