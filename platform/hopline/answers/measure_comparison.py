"""Comparisons by a measure other than a date: which of two or more things is heavier, cheaper, higher, and by how much.

Both values are found, converted to one unit, compared and cited. What cannot be computed is not left to the reader,
which does not compare: it is at most a possible answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from typing import Final

from hopline.answers.answerer import EvidenceReader
from hopline.answers.cells import answer_cell
from hopline.answers.comparison import parse_comparison
from hopline.answers.composition import abstain, cite, compose_answer, demote_to_possible, find_missing, quote_span
from hopline.answers.measure_question import MeasureQuestion, parse_dates, parse_measure_question
from hopline.answers.measured_values import MeasuredValue, list_text_values
from hopline.answers.span import answer_span
from hopline.answers.subject_values import find_values, list_stated
from hopline.flow.requests import Flow
from hopline.questions.analysis import QuestionAnalysis
from hopline.reader.input import format_heading
from hopline.reader.negation import is_negation
from hopline.results import Answer, Evidence, Retrieval, Sentence
from hopline.text.measures import Sense, find_unit, list_stems, load_senses
from hopline.text.values import format_number
from hopline.text.words import contains_name, load_function_words

Interval = tuple[Decimal, Decimal]
Span = tuple[int, int]

MAX_COVERED: Final = 5  # evidence with values of things from which there may be more that was not retrieved


@dataclass(frozen=True, slots=True)
class Order:
    """The things that a question compares, the sought one first, each with its values, in one dimension."""

    names: tuple[str, ...]
    values: tuple[tuple[MeasuredValue, ...], ...]


def answer_measure(question: QuestionAnalysis, retrieval: Retrieval, reader: EvidenceReader) -> Flow[Answer | None]:
    """Answer which thing has more or less of a measure, whether it has, or how much more, and cite all values.

    None if the question asks for something else. If a value is missing, if the units cannot be compared, or if the
    values do not decide, it abstains, unless a sentence says itself which thing it is.
    """
    comparison = parse_measure_question(question)
    if comparison is None:
        return _answer_by_tables(question, retrieval) if parse_comparison(question) else None
    if comparison.form == "superlative":
        return (yield from _answer_superlative(comparison, question, retrieval, reader))
    if comparison.form == "sum":
        return _answer_total(comparison, question, retrieval)
    return _answer_order(comparison, question, retrieval)


def _answer_by_tables(question: QuestionAnalysis, retrieval: Retrieval) -> Answer:
    """Answer a comparison of dates that no sentence decides by those of a table, or abstain."""
    by_date = parse_dates(question)
    tables = [item for item in retrieval.evidence if item.grid is not None]
    order = order_subjects(by_date, question, tables) if by_date else None
    answer = _compose(by_date, order, retrieval) if by_date and order and _is_described(by_date, order) else None
    return answer or abstain(question, retrieval)


def _answer_order(comparison: MeasureQuestion, question: QuestionAnalysis, retrieval: Retrieval) -> Answer:
    """Answer which of several things has more or less, or how much more, or abstain."""
    order = order_subjects(comparison, question, retrieval.evidence)
    if order:
        answer = _compose(comparison, order, retrieval) or abstain(question, retrieval)
        return answer if _is_described(comparison, order) else _demote(answer, question, retrieval)
    stated = _find_stated(comparison, retrieval.evidence)
    if stated:
        winner, sentence = stated
        return compose_answer(retrieval, [quote_span(retrieval, *sentence)], short=_choose_short(comparison, winner))
    return abstain(question, retrieval)


def _answer_total(comparison: MeasureQuestion, question: QuestionAnalysis, retrieval: Retrieval) -> Answer | None:
    """Answer how much several things have together; None unless all have one exact value in one dimension."""
    totals: dict[str, Order] = {}
    for sense in comparison.senses:
        by_subject = _find_by_subject(comparison, sense, question, retrieval.evidence)
        bounds = [{(value.low, value.high, value.dimension) for value in values} for values in by_subject.values()]
        first = next(iter(by_subject.values()))
        is_exact = all(len(stated) == 1 and all(low == high for low, high, _ in stated) for stated in bounds)
        if is_exact and len({dimension for stated in bounds for _, _, dimension in stated}) == 1:
            factor = next(
                (factor for name, factor in find_unit(first[0].unit) if name == first[0].dimension), Decimal(1)
            )
            total = sum((values[0].low for values in by_subject.values()), Decimal()) / factor
            order = Order(tuple(by_subject), tuple(map(tuple, by_subject.values())))
            totals[f"{format_number(total)} {first[0].unit}".strip()] = order
    if len(totals) != 1:
        return None
    [(short, order)] = totals.items()
    answer = _cite_values(retrieval, order, short)
    return answer if _is_described(comparison, order) else _demote(answer, question, retrieval)


def order_subjects(
    comparison: MeasureQuestion, question: QuestionAnalysis, evidence: Sequence[Evidence]
) -> Order | None:
    """Order the subjects by their values; None if one has no value, or if units or measures disagree."""
    orders = [order for sense in comparison.senses for order in _order_by(comparison, sense, question, evidence)]
    return orders[0] if len({order.names[0] for order in orders}) == 1 else None


def _order_by(
    comparison: MeasureQuestion, sense: Sense, question: QuestionAnalysis, evidence: Sequence[Evidence]
) -> list[Order]:
    """The orders of the subjects in each dimension in which all have values."""
    by_subject = _find_by_subject(comparison, sense, question, evidence)
    dimensions = dict.fromkeys(value.dimension for value in by_subject[comparison.subjects[0]])
    orders = []
    for dimension in dimensions:
        values = {name: [item for item in items if item.dimension == dimension] for name, items in by_subject.items()}
        if all(values.values()) and (order := _sort(values, sense.sign)):
            orders.append(order)
    return orders


def _find_by_subject(
    comparison: MeasureQuestion, sense: Sense, question: QuestionAnalysis, evidence: Sequence[Evidence]
) -> dict[str, list[MeasuredValue]]:
    return {
        subject: find_values(
            subject,
            sense.measure,
            evidence,
            others=comparison.subjects,
            years=question.years,
            context=comparison.context,
        )
        for subject in comparison.subjects
    }


def _sort(values: dict[str, list[MeasuredValue]], sign: int) -> Order | None:
    """Sort things by their values; None unless the first one is apart from all others."""
    bounds = {name: _unite(items) for name, items in values.items()}
    names = sorted(bounds, key=lambda name: bounds[name], reverse=sign > 0)
    (low, high), others = bounds[names[0]], [bounds[name] for name in names[1:]]
    is_apart = all(low > other[1] if sign > 0 else high < other[0] for other in others)
    return Order(tuple(names), tuple(tuple(values[name]) for name in names)) if is_apart and others else None


def _unite(values: Sequence[MeasuredValue]) -> Interval:
    return min(value.low for value in values), max(value.high for value in values)


def _is_described(comparison: MeasureQuestion, order: Order) -> bool:
    """Return whether the evidence of some value, or its heading, has each other word of the question."""
    values = [value for values in order.values for value in values]
    known = frozenset(stem for value in values for stem in list_stems(value.evidence.text.replace("-", " ")))
    return comparison.described <= known.union(*map(list_stated, values))


def _demote(answer: Answer, question: QuestionAnalysis, retrieval: Retrieval) -> Answer:
    return demote_to_possible(answer, missing=find_missing(question, retrieval))


def _compose(comparison: MeasureQuestion, order: Order, retrieval: Retrieval) -> Answer | None:
    short = _choose_short(comparison, order.names[0])
    if comparison.form == "difference":
        short = _compute_difference(order)
        if not short:
            return None
    return _cite_values(retrieval, order, short)


def _cite_values(retrieval: Retrieval, order: Order, short: str) -> Answer:
    """Compose the answer with the sentence or row of each value; one that gives several of them is quoted once."""
    sentences = [_quote_value(retrieval, values[0]) for values in order.values]
    return compose_answer(retrieval, list(dict.fromkeys(sentences)), short=short)


def _choose_short(comparison: MeasureQuestion, winner: str) -> str:
    if comparison.form == "verdict":
        return "yes" if winner == comparison.subjects[0] else "no"
    return winner


def _compute_difference(order: Order) -> str:
    """Return the difference of two exact values in their unit; "" if one is not exact, or the units differ."""
    first, second = (values[0] for values in order.values[:2])
    if any(_unite(values)[0] != _unite(values)[1] for values in order.values) or first.unit != second.unit:
        return ""
    return _write_amount(abs(first.low - second.low), first)


def _write_amount(amount: Decimal, value: MeasuredValue) -> str:
    """Write an amount, which is in the unit of the dimension, in the unit of a value."""
    factor = next((factor for name, factor in find_unit(value.unit) if name == value.dimension), Decimal(1))
    return f"{format_number(amount / factor)} {value.unit}".strip()


def _quote_value(retrieval: Retrieval, value: MeasuredValue) -> Sentence:
    """Quote the sentence that gives a value, or describe its cell by the label of the row and the header."""
    if value.row is None or value.cell is None or value.evidence.grid is None:
        return quote_span(retrieval, value.evidence, value.span)
    column = value.row.cells.index(value.cell)
    header, label = value.evidence.grid.column(column), value.row.cells[0].text
    shown = f"{header}: {value.cell.text}" if header else value.cell.text
    text = " — ".join(part for part in (value.evidence.caption, label, shown) if part)
    citation = cite(retrieval, value.evidence, value.span, answer=(value.cell.start, value.cell.end))
    return Sentence(text, (citation,))


def _find_stated(
    comparison: MeasureQuestion, evidence: Sequence[Evidence]
) -> tuple[str, tuple[Evidence, tuple[int, int]]] | None:
    """Find a sentence "A is heavier than B" of the two compared things; returns the sought one, and its span.

    None for a question by how much, and if the sentences disagree.
    """
    if comparison.form == "difference" or len(comparison.subjects) != 2:
        return None
    stated: dict[str, tuple[Evidence, Span]] = {}
    for item in evidence:
        for start, end in item.sentences:
            if winner := _parse_stated(comparison, item.text[start:end]):
                stated.setdefault(winner, (item, (start, end)))
    return next(iter(stated.items())) if len(stated) == 1 else None


def _parse_stated(comparison: MeasureQuestion, sentence: str) -> str:
    """Return which of two subjects "A is heavier than B" says to be the sought one; "" if it does not say it."""
    before, than, behind = sentence.partition(" than ")
    if not than or any(is_negation(word) for word in before.split()):
        return ""
    inside = [name for name in comparison.subjects if contains_name(before, name)]
    outside = [name for name in comparison.subjects if contains_name(behind, name)]
    if len(inside) != 1 or len(outside) != 1 or inside == outside:
        return ""
    words = before.lower().split()
    stated = [*load_senses().get(words[-1], ()), *load_senses().get(" ".join(words[-2:]), ())]
    for sense in comparison.senses:
        for other in stated:
            if other.measure == sense.measure:
                return inside[0] if other.sign == sense.sign else outside[0]
    return ""


def _answer_superlative(
    comparison: MeasureQuestion, question: QuestionAnalysis, retrieval: Retrieval, reader: EvidenceReader
) -> Flow[Answer | None]:
    """Answer which thing of a kind has most or least: from a table, from a sentence that says so, or from all values.

    What the reader finds in a sentence that does not say it is a possible answer.
    """
    from_table = yield from answer_cell(question, retrieval, reader)
    if from_table is not None and not from_table.abstained:
        return from_table
    read = yield from answer_span(question, retrieval, reader)
    if read is not None and any(_says(comparison, item) for item in (*read.sentences, *read.nearest[:1])):
        return read
    named = order_kind(comparison, retrieval.evidence)
    if named is not None:
        order, is_complete = named
        composed = _cite_values(retrieval, order, order.names[0])
        return composed if is_complete else _demote(composed, question, retrieval)
    if from_table is not None:
        return from_table
    return _demote(read, question, retrieval) if read else None


def _says(comparison: MeasureQuestion, sentence: Sentence) -> bool:
    """Return whether a sentence has the superlative that the question asks for, or another adjective for it."""
    words = " ".join(citation.quote for citation in sentence.citations).lower().split()
    pairs = [" ".join(pair) for pair in pairwise(words)]
    senses = [sense for word in (*words, *pairs) for sense in load_senses().get(word.strip(".,;:()"), ())]
    return any(
        sense.degree == "superlative" and any(_is_same(sense, sought) for sought in comparison.senses)
        for sense in senses
    )


def _is_same(sense: Sense, sought: Sense) -> bool:
    return sense.sign == sought.sign and bool(sense.measure.words & sought.measure.words)


def order_kind(comparison: MeasureQuestion, evidence: Sequence[Evidence]) -> tuple[Order, bool] | None:
    """Order all things of a kind for which sentences give a value, and say whether all things are known to have one.

    None unless there are two at least, and the first one is apart from the others.
    """
    for sense in comparison.senses:
        values: dict[str, list[MeasuredValue]] = {}
        for item in evidence:
            if item.kind == "passage":
                for value in list_text_values(sense.measure, item):
                    if _is_of_kind(value, comparison):
                        values.setdefault(value.name, []).append(value)
        dimensions = {value.dimension for items in values.values() for value in items}
        if len(values) < 2 or len(dimensions) != 1:
            continue
        if order := _sort(values, sense.sign):
            covered = {value.evidence.id for items in values.values() for value in items}
            return order, len(covered) < MAX_COVERED and not _has_unmeasured(values, comparison, evidence)
    return None


def _is_of_kind(value: MeasuredValue, comparison: MeasureQuestion) -> bool:
    """Return whether the name, the sentence or the heading has the words of the kind and of the context."""
    text = value.evidence.text[slice(*value.span)]
    known = frozenset(list_stems(f"{format_heading(value.evidence)} {text}"))
    return comparison.kind | comparison.context <= known


def _has_unmeasured(
    values: dict[str, list[MeasuredValue]], comparison: MeasureQuestion, evidence: Sequence[Evidence]
) -> bool:
    """Return whether the evidence names another thing whose name has the word of the kind ("the Ember Tower")."""
    known = frozenset(word for name in values for word in list_stems(name)) | load_function_words()
    for item in evidence:
        words = [word.strip(".,;:()“”\"'’") for word in item.text.split()]
        for first, second in pairwise(words):
            is_named = first[:1].isupper() and comparison.kind & set(list_stems(second))
            if is_named and not known & {first.lower(), *list_stems(first)}:
                return True
    return False
