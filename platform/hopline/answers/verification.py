"""Verification of the sentences of a language model: their quotes, names and figures are searched in the evidence.

Whether what is quoted supports the sentence, or contradicts it, is told by the trained verifier
(`hopline.reader.verification`).

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
from hopline.answers.written_tables import STEPS, find_quoted_lines
from hopline.flow.requests import Flow
from hopline.questions.analysis import QuestionAnalysis, analyse_question
from hopline.reader.input import format_with_heading, make_readable_unit
from hopline.reader.quotes import find_quote, find_similar_quote
from hopline.reader.reading import find_unit
from hopline.reader.verification import Claim, verify_claims
from hopline.results import Citation, Evidence, Retrieval, Sentence
from hopline.results.answers import SentenceState
from hopline.text.values import (
    SCALES,
    Number,
    compute_duration,
    find_dates,
    find_numbers,
    find_scale,
    find_years,
    format_number,
    is_year,
)
from hopline.text.words import find_content_words, load_function_words

MAX_OPERANDS: Final = 12  # cited figures of which formulas are tried
MAX_OPERANDS_OF_SMALL: Final = 4  # for a whole number below `SMALL`, which many formulas meet by chance
SMALL: Final = 100
MIN_WORDS: Final = 2  # content words of a sentence that the verifier judges
MIN_SUPPORTED: Final = 0.5  # probability of the verifier below which a sentence is not supported by what it cites
LOWER_BOUND_MARGIN: Final = Decimal("1.1")  # "over 1,000" is at most 1,100
DAYS_PER_YEAR: Final = Decimal("365.2425")
_DECREASE: Final = re.compile(
    r"\b(?:loss(?:es)?|lost|decreas\w+|declin\w+|fell|fall(?:s|en)?|dropp?\w*|down|lower\w*|negative|reduc\w+|deficit|minus|less)\b",
    re.IGNORECASE,
)
_PERCENT: Final = re.compile(r"\s?(?:%|per\s?cent\b|percentage\b)", re.IGNORECASE)
_ROUNDED: Final = re.compile(
    r"\b(?:about|around|approximately|roughly|nearly|almost|some)\W{0,2}$|[~≈]\s?$", re.IGNORECASE
)
_LOWER_BOUND: Final = re.compile(r"\b(?:over|more than|at least)\W{0,2}$", re.IGNORECASE)
_LIST_NUMBER: Final = re.compile(r"^\s*\d{1,3}[.)]\s", re.MULTILINE)
_SOURCE_MARK: Final = re.compile(r"\s?\[\d{1,3}(?:[,;–-]\s?\d{1,3})*\]")  # "[2]", "[1, 3]": Hopline numbers the sources


@dataclass(frozen=True, slots=True)
class SentenceVerifier:
    """Verifies sentences against the evidence of a prompt.

    ``numbered`` is the evidence in the order of its numbers, from 1. If it is ``strict``, quotes must be verbatim and
    figures in the evidence or the question, and sentences without a quote are left out.
    """

    question: QuestionAnalysis
    retrieval: Retrieval
    numbered: Sequence[Evidence]
    strict: bool = False

    def verify(self, claimed: Iterable[Mapping[str, Any]], before: Sequence[Sentence] = ()) -> list[Sentence]:
        """Verify sentences, each with the keys "text" and "citations" ("evidence" and "quote"), in their order.

        A figure may follow from what its own sentence and those before it cite; ``before`` are verified sentences.
        Sentences without text are left out, and so are numbers of evidence in brackets.
        """
        sentences: list[Sentence] = []
        for item in claimed:
            if text := _SOURCE_MARK.sub("", item["text"]).strip():
                cited = [citation for sentence in (*before, *sentences) for citation in sentence.citations]
                sentence = self._verify(text, item.get("citations") or (), cited)
                sentences += [sentence] if sentence.citations or not self.strict else []
        return sentences

    def has_known_figures(self, text: str, sentences: Sequence[Sentence]) -> bool:
        """Whether each figure of a short answer is in what its sentences cite, or follows from it."""
        cited = [citation for sentence in sentences for citation in sentence.citations]
        return all(explain_figure(figure, cited) for figure in self._find_unknown_figures(text, cited))

    def _verify(self, text: str, claimed: Iterable[Mapping[str, Any]], cited: Sequence[Citation]) -> Sentence:
        citations: dict[Citation, None] = {}
        unfound = []
        for claim in claimed:
            found_citations = self._find_citations(claim)
            citations |= dict.fromkeys(found_citations)
            unfound += [] if found_citations or not claim["quote"].strip() else [" ".join(claim["quote"].split())]
        known = tuple(citations)
        state, computation = self._judge(text, known, cited)
        return Sentence(text, known, state, computation, tuple(unfound) if known and not self.strict else ())

    def _judge(self, text: str, citations: Sequence[Citation], cited: Sequence[Citation]) -> tuple[SentenceState, str]:
        """Return the state of a sentence and the formulas of its figures; ``cited`` is what earlier sentences cite."""
        if not citations:
            return "unsupported", ""
        if self._has_unknown_name(text, citations):
            return "unsupported", ""
        unknown = self._find_unknown_figures(text, citations)
        if not unknown:
            return "similar" if any(citation.claimed for citation in citations) else "quoted", ""
        every = (*citations, *(citation for citation in cited if citation not in citations))
        computations = [] if self.strict else [explain_figure(figure, every) for figure in unknown]
        return ("computed", "; ".join(computations)) if computations and all(computations) else ("unsupported", "")

    def _has_unknown_name(self, text: str, citations: Iterable[Citation]) -> bool:
        """Whether a sentence has a name that neither its evidence, with its headings, nor the question has.

        Its first word may be no name. Numbers are no names.
        """
        known = [self.question.text, *(format_with_heading(item.evidence) for item in citations)]
        first = text.partition(" ")[0].strip(",.:;")
        unmatched = [name for name in analyse_question(text).find_unmatched(known) if name != first]
        return any(not any(map(str.isdigit, name)) for name in unmatched)

    def _find_citations(self, claim: Mapping[str, Any]) -> list[Citation]:
        """Find a quote in the evidence of its number or in other evidence: word for word, or else a similar one."""
        quote, number = claim["quote"], claim.get("evidence", 0)
        if not _has_content(quote):
            return []
        ordered = (*(self.numbered[number - 1 : number] if number >= 1 else ()), *self.numbered)
        for evidence in ordered:
            if spans := find_quote(quote, evidence.text) or find_quoted_lines(quote, evidence):
                return [cite(self.retrieval, evidence, span) for span in spans]
        for evidence in ordered if not self.strict else ():
            if span := _find_cells(quote, evidence) or find_similar_quote(quote, evidence.text):
                return [replace(cite(self.retrieval, evidence, span), claimed=" ".join(quote.split()))]
        return []

    def _find_unknown_figures(self, text: str, citations: Iterable[Citation]) -> list[WrittenFigure]:
        """Find the figures of a sentence that neither its evidence nor the question has, with their signs.

        A figure without a sign may be a negative one of the evidence if the sentence says that something fell or was
        lost. If the verification is strict, its digits must be in the evidence as well, and not only its amount.
        """
        known = _list_values(self.question.text).union(*(_list_values(item.evidence.text) for item in citations))
        if _DECREASE.search(text):
            known |= {-value for value in known}
        figures = find_figures(text)
        return [
            figure
            for figure in figures
            if figure.number.amount not in known or (self.strict and figure.number.value not in known)
        ]


def mark_unsupported_sentences(sentences: Sequence[Sentence]) -> Flow[list[Sentence]]:
    """Return sentences of a model; those that their citations do not support are marked.

    Their state is "contradicted" or "unsupported", as the verifier finds. Sentences with computed figures are returned
    as they are, and so are those that say nothing without their question, such as "She did.".
    """
    chosen = [
        number
        for number, item in enumerate(sentences)
        if item.supported and item.state != "computed" and len(find_content_words(item.text)) >= MIN_WORDS
    ]
    supports = yield from verify_claims([_make_claim(sentences[n]) for n in chosen])
    marked = list(sentences)
    for number, support in zip(chosen, supports, strict=True):
        if support.supported < MIN_SUPPORTED:
            is_contradicted = support.contradicted >= support.not_stated
            marked[number] = replace(sentences[number], state="contradicted" if is_contradicted else "unsupported")
    return marked


def _make_claim(sentence: Sentence) -> Claim:
    """Make the claim of a sentence with the sentences and rows that it quotes."""
    units = [
        make_readable_unit(item.evidence, find_unit(item.evidence, item.start, item.end)) for item in sentence.citations
    ]
    texts = list(dict.fromkeys(text.strip() for _, text in units))
    return Claim("", sentence.text, units[0][0], " ".join(texts))


class WrittenFigure(NamedTuple):
    """A number of a sentence, and how a computed value may differ from it.

    ``tolerance``: by rounding, in the scale of the number. ``is_lower_bound``: it is "over" or "more than" the number.
    ``is_decrease``: the sentence says that something fell, so that the sign may be missing. ``is_year``: it has no
    separators and may be a year, which follows from no formula.
    """

    number: Number
    is_percentage: bool
    tolerance: Decimal
    is_lower_bound: bool
    is_decrease: bool
    is_year: bool

    def is_close(self, value: Decimal, *, in_scale: bool) -> bool:
        """Whether a value, which may be given in the scale of the number, is this figure."""
        scale = 1 if in_scale else SCALES.get(self.number.scale, 1)
        target, tolerance = self.number.value * scale, self.tolerance * scale
        if self.is_lower_bound and target < value <= target * LOWER_BOUND_MARGIN:
            return True
        return abs(value - target) <= tolerance or (self.is_decrease and abs(value + target) <= tolerance)


def find_figures(text: str) -> list[WrittenFigure]:
    """Find the numbers of a text, but for those of list items, with what is needed to compare them to other values.

    A number with decimals, a scale or a percent sign may be rounded; another one only behind a word such as "about".
    """
    text = _LIST_NUMBER.sub(lambda match: " " * len(match[0]), text)
    is_decrease = bool(_DECREASE.search(text))
    figures = []
    for number in find_numbers(text):
        is_percentage = _is_percentage(number, text)
        figures.append(
            WrittenFigure(
                number,
                is_percentage,
                _find_tolerance(number, text[: number.start], is_rounded=is_percentage or bool(number.scale)),
                bool(_LOWER_BOUND.search(text[: number.start])),
                is_decrease,
                _is_year(number, text),
            )
        )
    return figures


def _find_tolerance(number: Number, before: str, *, is_rounded: bool) -> Decimal:
    """Return half a unit of the last digit that is given; of the last but zeros, and of the second, behind "about"."""
    exponent = number.value.as_tuple().exponent
    if isinstance(exponent, int) and exponent < 0:
        return Decimal(1).scaleb(exponent) / 2
    if not _ROUNDED.search(before) or not number.value:
        return Decimal("0.5") if is_rounded else Decimal(0)
    digits = f"{abs(number.value):f}"
    zeros = len(digits) - len(digits.rstrip("0"))
    return Decimal(10) ** max(0, min(zeros, len(digits) - 2)) / 2


def explain_figure(figure: WrittenFigure, citations: Sequence[Citation]) -> str:
    """Return a formula over cited figures whose value is a figure, as "918,400 − 812,000 = 106,400"; "" if none is.

    The figures of a sentence may be in the scale that a table states: "14.5 + 9.5 = 24" for "24 million" from a table
    in millions.
    """
    if figure.is_year:
        return ""
    is_scaled = bool(figure.number.scale) and figure.number.scale in _find_scales(citations)
    for formula in _list_formulas(figure, citations):
        is_close = figure.is_close(formula.value, in_scale=False)
        if is_close or (is_scaled and figure.is_close(formula.value, in_scale=True)):
            return formula.text
    return ""


def _list_formulas(figure: WrittenFigure, citations: Sequence[Citation]) -> Iterator[_Formula]:
    """Yield the formulas that may give a figure; a percentage is no difference or sum of other figures."""
    is_percentage = figure.is_percentage
    operands = _list_operands(citations, percentages=is_percentage)
    if not is_percentage:
        yield from _rescale(citations)
    yield from (_Formula(f"{format_number(value)}, rounded", value) for value in operands)
    columns = [
        *([] if is_percentage else _list_columns(citations)),
        *(_list_operands([citation], percentages=is_percentage) for citation in citations),
        operands,
    ]
    yield from _aggregate(columns)
    is_small = abs(figure.number.amount) < SMALL and figure.number.value == figure.number.value.to_integral_value()
    limit = MAX_OPERANDS_OF_SMALL if is_small and not is_percentage else MAX_OPERANDS
    if len(operands) <= limit:
        yield from _combine(operands, ratios=not is_percentage)
    if is_percentage:
        every = _list_operands(citations)
        yield from _divide(every) if len(every) <= MAX_OPERANDS else ()
    else:
        yield from _measure_time(citations)


class _Formula(NamedTuple):
    text: str
    value: Decimal


def _build_formula(terms: str, value: Decimal) -> _Formula:
    return _Formula(f"{terms} = {format_number(value)}", value)


def _list_operands(citations: Iterable[Citation], *, percentages: bool = False) -> list[Decimal]:
    """Return the amounts of quotes, each once and without years; only ``percentages`` if a figure is one."""
    values: dict[Decimal, None] = {}
    for citation in citations:
        is_table = citation.evidence.kind == "table" and bool(_PERCENT.search(citation.evidence.text))
        for number in find_numbers(citation.quote):
            is_wanted = not percentages or is_table or _is_percentage(number, citation.quote)
            if is_wanted and not _is_year(number, citation.quote):
                values[number.amount] = None
    return list(values)


def _is_percentage(number: Number, text: str) -> bool:
    return number.unit == "%" or bool(_PERCENT.match(text, number.end))


def _is_year(number: Number, text: str) -> bool:
    """Whether a number is written as a year is: four digits without separators, unit and scale."""
    return not number.unit and not number.scale and is_year(text[number.start : number.end].strip())


def _list_columns(citations: Sequence[Citation]) -> Iterator[list[Decimal]]:
    """Yield the numbers of each column of the table rows that are cited, of several rows of one table."""
    tables: dict[str, dict[int, list[Number | None]]] = {}
    for citation in citations:
        grid = citation.evidence.grid
        row = grid.find_row(citation.start) if grid is not None else None
        if row is not None:
            cells = [next(iter(find_numbers(cell.text)), None) for cell in row.cells]
            tables.setdefault(citation.evidence.id, {})[row.start] = cells
    for rows in tables.values():
        for index in range(1, min(map(len, rows.values()))):
            values = [cells[index] for cells in rows.values()]
            if len(values) > 1 and all(values):
                yield [number.amount for number in values if number is not None]


def _aggregate(lists: Iterable[Sequence[Decimal]]) -> Iterator[_Formula]:
    """Yield the sum and the mean of each list of figures."""
    for values in lists:
        if 2 <= len(values) <= MAX_OPERANDS:
            terms = " + ".join(map(format_number, values))
            yield _build_formula(terms, sum(values, Decimal(0)))
            yield _build_formula(f"({terms}) ÷ {len(values)}", sum(values, Decimal(0)) / len(values))


def _combine(operands: Sequence[Decimal], *, ratios: bool) -> Iterator[_Formula]:
    """Yield the differences of any two figures, and with ``ratios`` their products and quotients."""
    for a, b in permutations(operands, 2):
        first, second = format_number(a), format_number(b)
        yield _build_formula(f"{first} − {second}", a - b)
        if ratios:
            yield _build_formula(f"{first} × {second}", a * b)
            yield from [_build_formula(f"{first} ÷ {second}", a / b)] if b else ()


def _divide(operands: Sequence[Decimal]) -> Iterator[_Formula]:
    """Yield the share and the change, in per cent, of any two figures."""
    for a, b in permutations(operands, 2):
        first, second = format_number(a), format_number(b)
        if b:
            yield _build_formula(f"{first} ÷ {second} × 100", a / b * 100)
            yield _build_formula(f"({first} − {second}) ÷ {second} × 100", (a - b) / b * 100)


def _rescale(citations: Iterable[Citation]) -> Iterator[_Formula]:
    """Yield the figures of tables in the scale that their caption or header states ("in thousands")."""
    for citation in citations:
        for name in _find_scales([citation]):
            for value in _list_operands([citation]):
                yield _build_formula(f"{format_number(value)} × {SCALES[name]:,}", value * SCALES[name])


def _find_scales(citations: Iterable[Citation]) -> list[str]:
    """Find the scales that captions or headers of the cited tables state."""
    scales: dict[str, None] = {}
    for evidence in {citation.evidence.id: citation.evidence for citation in citations}.values():
        if evidence.grid is not None:
            header = " ".join(cell.text for row in evidence.grid.head for cell in row.cells)
            if scale := find_scale(f"{evidence.caption} {header}"):
                scales[scale] = None
    return list(scales)


def _measure_time(citations: Sequence[Citation]) -> Iterator[_Formula]:
    """Yield the time between any two of the dates that are quoted: in days, and in full years, or between two years."""
    quotes = [citation.quote for citation in citations]
    spans = [(quote[span.start : span.end], span.date) for quote in quotes for span in find_dates(quote)]
    dates = {text: date for text, date in spans if date.precision == "day"}
    for (first, start), (second, end) in permutations(dates.items(), 2):
        days = compute_duration(start.days, end.days).first
        if days > 0:
            years = int(days / DAYS_PER_YEAR)
            yield _Formula(f"{first} to {second}: {days:,} days", Decimal(days))
            yield _Formula(f"{first} to {second}: {years} years", Decimal(years))
    for start_year, end_year in permutations(dict.fromkeys(year for quote in quotes for year in find_years(quote)), 2):
        if int(end_year) > int(start_year):
            years = int(end_year) - int(start_year)
            yield _Formula(f"{end_year} − {start_year} = {years}", Decimal(years))


def _has_content(quote: str) -> bool:
    """Whether a quote has a number, or a word that is no function word."""
    return any(word.isdigit() or word not in load_function_words() for word in re.findall(r"\w+", quote.casefold()))


def _find_cells(quote: str, evidence: Evidence) -> Span | None:
    """Find the row of a table that has the cells of a quote, in their order; None if none or several have them."""
    parts = STEPS.sub(" | ", quote).split("|")
    wanted = [cell for part in parts if (cell := " ".join(part.split()).casefold())]
    if evidence.grid is None or len(wanted) < 2:
        return None
    rows = [
        row
        for row in evidence.grid.body
        if _is_in_order(wanted, [cell.text.casefold() for cell in (*row.outer, *row.cells)])
    ]
    return (rows[0].start, rows[0].end) if len(rows) == 1 else None


def _is_in_order(wanted: Sequence[str], cells: Sequence[str]) -> bool:
    remaining = iter(" ".join(cell.split()) for cell in cells)
    return all(any(cell == other for other in remaining) for cell in wanted)


def _list_values(text: str) -> set[Decimal]:
    """Return the numbers of a text, each as it is written and with its scale."""
    return {value for number in find_numbers(text) for value in (number.value, number.amount)}
