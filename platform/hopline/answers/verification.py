"""Verification of the sentences of a language model: their quotes and figures are searched in the evidence.

A figure that no evidence has may follow from those that are quoted: a sum, a mean, a difference, a product, a ratio, a
change in per cent, the time between two dates, or the same amount rounded or in another scale. The formula is shown
with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import permutations
from typing import Any, Final, NamedTuple

from hopline.answers.composition import Span, cite
from hopline.questions.analysis import QuestionAnalysis
from hopline.reader.quotes import contains_words, find_quote, find_similar_quote
from hopline.results import Citation, Evidence, Retrieval, Sentence
from hopline.text.values import SCALES, Number, compute_duration, find_dates, find_numbers, format_number

MAX_OPERANDS: Final = 12  # cited figures of which formulas are tried
MAX_OPERANDS_OF_SMALL: Final = 4  # for a whole number below `SMALL`, which many formulas meet by chance
SMALL: Final = 10
DAYS_PER_YEAR: Final = Decimal("365.2425")
_DECREASE: Final = re.compile(
    r"\b(?:loss(?:es)?|lost|decreas\w+|declin\w+|fell|fall(?:s|en)?|dropp?\w*|down|lower\w*|negative|reduc\w+|deficit|minus|less)\b",
    re.IGNORECASE,
)
_PERCENT: Final = re.compile(r"\s?(?:%|per\s?cent\b|percentage\b)", re.IGNORECASE)
_ROUNDED: Final = re.compile(
    r"\b(?:about|around|approximately|roughly|nearly|almost|some|over|more than)\W{0,2}$|[~≈]\s?$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class SentenceVerifier:
    """Verifies sentences against the evidence of a prompt.

    ``numbered`` is the evidence in the order of its numbers, from 1.
    """

    question: QuestionAnalysis
    retrieval: Retrieval
    numbered: Sequence[Evidence]

    def verify(self, claimed: Iterable[Mapping[str, Any]]) -> list[Sentence]:
        """Verify sentences, each with the keys "text" and "citations" ("evidence" and "quote"), in their order.

        A figure may follow from what its own sentence and those before it cite. Sentences without text are left out.
        """
        sentences: list[Sentence] = []
        for item in claimed:
            if text := item["text"].strip():
                cited = [citation for sentence in sentences for citation in sentence.citations]
                sentences.append(self._verify(text, item.get("citations") or (), cited))
        return sentences

    def _verify(self, text: str, claimed: Iterable[Mapping[str, Any]], cited: Sequence[Citation]) -> Sentence:
        citations = tuple(dict.fromkeys(citation for claim in claimed for citation in self._find_citations(claim)))
        if not citations:
            return Sentence(text, state="unsupported")
        state = "similar" if any(citation.claimed for citation in citations) else "quoted"
        unknown = self._find_unknown_figures(text, citations)
        if not unknown:
            return Sentence(text, citations, state)
        cited = (*citations, *(citation for citation in cited if citation not in citations))
        computations = [explain_figure(figure, cited) for figure in unknown]
        if not all(computations):
            return Sentence(text, citations, "unsupported")
        return Sentence(text, citations, "computed", "; ".join(computations))

    def _find_citations(self, claim: Mapping[str, Any]) -> list[Citation]:
        """Find a quote in the evidence of its number or in other evidence: word for word, or else a similar one."""
        quote, number = claim["quote"], claim.get("evidence", 0)
        ordered = (*(self.numbered[number - 1 : number] if number >= 1 else ()), *self.numbered)
        for evidence in ordered:
            if spans := find_quote(quote, evidence.text):
                return [cite(self.retrieval, evidence, span) for span in spans]
        for evidence in ordered:
            if span := _find_cells(quote, evidence) or find_similar_quote(quote, evidence.text):
                return [replace(cite(self.retrieval, evidence, span), claimed=" ".join(quote.split()))]
        return []

    def _find_unknown_figures(self, text: str, citations: Iterable[Citation]) -> list[WrittenFigure]:
        """Find the figures of a sentence that neither its evidence nor the question has, with their signs.

        A figure without a sign may be a negative one of the evidence if the sentence says that something fell or was
        lost.
        """
        known = _list_values(self.question.text).union(*(_list_values(item.evidence.text) for item in citations))
        if _DECREASE.search(text):
            known |= {-value for value in known}
        return [figure for figure in find_figures(text) if figure.number.amount not in known]


class WrittenFigure(NamedTuple):
    """A number of a sentence, whether it is a percentage, and how far its digits may be from the exact value."""

    number: Number
    is_percentage: bool
    tolerance: Decimal

    def is_close(self, value: Decimal, *, in_scale: bool) -> bool:
        """Whether a value, which may be given in its scale, is this figure up to rounding; a sign may be missing."""
        scale = 1 if in_scale else SCALES.get(self.number.scale, 1)
        return abs(abs(value) - abs(self.number.value * scale)) <= self.tolerance * scale


def find_figures(text: str) -> list[WrittenFigure]:
    """Find the numbers of a text with what is needed to compare them to computed values."""
    figures = []
    for number in find_numbers(text):
        exponent = number.value.as_tuple().exponent
        decimals = -exponent if isinstance(exponent, int) and exponent < 0 else 0
        tolerance = Decimal(1).scaleb(-decimals) / 2
        if _ROUNDED.search(text[: number.start]) and not decimals and number.value:
            whole = f"{abs(number.value):f}"
            tolerance = max(tolerance, Decimal(10) ** (len(whole) - len(whole.rstrip("0"))) / 2)
        figures.append(WrittenFigure(number, _is_percentage(number, text), tolerance))
    return figures


def explain_figure(figure: WrittenFigure, citations: Sequence[Citation]) -> str:
    """Return a formula over cited figures whose value is a figure, as "918,400 − 812,000 = 106,400"; "" if none is.

    The figures of a sentence may be in the scale that the evidence states: "14.5 + 9.5 = 24" for "24 million" from a
    table in millions.
    """
    is_scaled = bool(figure.number.scale) and figure.number.scale in _find_scales(citations)
    return next(
        (
            formula.text
            for formula in _list_formulas(figure, citations)
            if figure.is_close(formula.value, in_scale=False)
            or (is_scaled and figure.is_close(formula.value, in_scale=True))
        ),
        "",
    )


def _list_formulas(figure: WrittenFigure, citations: Sequence[Citation]) -> Iterator[_Formula]:
    """Yield the formulas that may give a figure; a percentage is no difference or sum of other figures."""
    operands = _list_operands(citations, percentages=figure.is_percentage)
    if not figure.is_percentage:
        yield from _rescale(operands, citations)
    yield from (_Formula(f"{format_number(value)}, rounded", value) for value in operands)
    columns = [
        *([] if figure.is_percentage else _list_columns(citations)),
        *(_list_operands([citation], percentages=figure.is_percentage) for citation in citations),
        operands,
    ]
    yield from _aggregate(columns)
    is_small = abs(figure.number.amount) < SMALL and figure.number.value == figure.number.value.to_integral_value()
    limit = MAX_OPERANDS_OF_SMALL if is_small and not figure.is_percentage else MAX_OPERANDS
    if len(operands) <= limit:
        yield from _combine(operands)
    if figure.is_percentage:
        every = _list_operands(citations)
        yield from _divide(every) if len(every) <= MAX_OPERANDS else ()
    else:
        yield from _measure_time(citations)


class _Formula(NamedTuple):
    text: str
    value: Decimal


def _write(terms: str, value: Decimal) -> _Formula:
    shown = value if value == value.to_integral_value() else round(value, 2)
    return _Formula(f"{terms} = {format_number(shown)}", value)


def _list_operands(citations: Iterable[Citation], *, percentages: bool = False) -> list[Decimal]:
    """Return the amounts of quotes, each once; only ``percentages`` if a figure is one."""
    values: dict[Decimal, None] = {}
    for citation in citations:
        is_table = citation.evidence.kind == "table" and bool(_PERCENT.search(citation.evidence.text))
        for number in find_numbers(citation.quote):
            if not percentages or is_table or _is_percentage(number, citation.quote):
                values[number.amount] = None
    return list(values)


def _is_percentage(number: Number, text: str) -> bool:
    return number.unit == "%" or bool(_PERCENT.match(text, number.end))


def _list_columns(citations: Sequence[Citation]) -> Iterator[list[Decimal]]:
    """Yield the numbers of each column of the table rows that are cited, of several rows of one table."""
    rows: dict[str, list[list[Number | None]]] = {}
    for citation in citations:
        grid = citation.evidence.grid
        row = grid.find_row(citation.start) if grid is not None else None
        if row is not None:
            cells = [next(iter(find_numbers(cell.text)), None) for cell in row.cells]
            rows.setdefault(citation.evidence.id, []).append(cells)
    for cited in rows.values():
        for index in range(1, min(map(len, cited))):
            values = [cells[index] for cells in cited]
            if len(values) > 1 and all(values):
                yield [number.amount for number in values if number is not None]


def _aggregate(lists: Iterable[Sequence[Decimal]]) -> Iterator[_Formula]:
    """Yield the sum and the mean of each list of figures."""
    for values in lists:
        if 2 <= len(values) <= MAX_OPERANDS:
            terms = " + ".join(map(format_number, values))
            yield _write(terms, sum(values, Decimal(0)))
            yield _write(f"({terms}) ÷ {len(values)}", sum(values, Decimal(0)) / len(values))


def _combine(operands: Sequence[Decimal]) -> Iterator[_Formula]:
    """Yield the differences, products and quotients of any two figures."""
    for a, b in permutations(operands, 2):
        first, second = format_number(a), format_number(b)
        yield _write(f"{first} − {second}", a - b)
        yield _write(f"{first} × {second}", a * b)
        if b:
            yield _write(f"{first} ÷ {second}", a / b)


def _divide(operands: Sequence[Decimal]) -> Iterator[_Formula]:
    """Yield the share and the change, in per cent, of any two figures."""
    for a, b in permutations(operands, 2):
        first, second = format_number(a), format_number(b)
        if b:
            yield _write(f"{first} ÷ {second} × 100", a / b * 100)
            yield _write(f"({first} − {second}) ÷ {second} × 100", (a - b) / b * 100)


def _rescale(operands: Sequence[Decimal], citations: Iterable[Citation]) -> Iterator[_Formula]:
    """Yield the figures in the scales that the evidence states, as the caption of a table does ("in thousands")."""
    for name in _find_scales(citations):
        for value in operands:
            yield _write(f"{format_number(value)} × {SCALES[name]:,}", value * SCALES[name])


def _find_scales(citations: Iterable[Citation]) -> list[str]:
    """Find the scales that the cited evidence states in words ("in thousands")."""
    texts = {citation.evidence.id: citation.evidence.text for citation in citations}.values()
    return [name for name in SCALES if any(contains_words(f"{name}s", text) for text in texts)]


def _measure_time(citations: Sequence[Citation]) -> Iterator[_Formula]:
    """Yield the days, and the full years, between any two of the dates that are quoted with a day."""
    quotes = [citation.quote for citation in citations]
    spans = [(quote[span.start : span.end], span.date) for quote in quotes for span in find_dates(quote)]
    dates = {text: date for text, date in spans if date.precision == "day"}
    for (first, start), (second, end) in permutations(dates.items(), 2):
        days = compute_duration(start.days, end.days).first
        if days > 0:
            years = int(days / DAYS_PER_YEAR)
            yield _Formula(f"{first} to {second}: {days:,} days", Decimal(days))
            yield _Formula(f"{first} to {second}: {years} years", Decimal(years))


def _find_cells(quote: str, evidence: Evidence) -> Span | None:
    """Find the row of a table that has the cells of a quote, in their order; None if none or several have them."""
    wanted = [cell for part in quote.split("|") if (cell := " ".join(part.split()).casefold())]
    if evidence.grid is None or len(wanted) < 2:
        return None
    rows = [row for row in evidence.grid.body if _is_in_order(wanted, [cell.text.casefold() for cell in row.cells])]
    return (rows[0].start, rows[0].end) if len(rows) == 1 else None


def _is_in_order(wanted: Sequence[str], cells: Sequence[str]) -> bool:
    remaining = iter(" ".join(cell.split()) for cell in cells)
    return all(any(cell == other for other in remaining) for cell in wanted)


def _list_values(text: str) -> set[Decimal]:
    """Return the numbers of a text, each as it is written and with its scale."""
    return {value for number in find_numbers(text) for value in (number.value, number.amount)}
