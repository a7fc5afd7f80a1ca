"""Values that one sentence gives to several things: "the A weighs 14 t, the B 9 t", "27 pupils in 4 A, 31 in 4 B"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final

from hopline.answers.measured_values import (
    MeasuredValue,
    convert_quantity,
    find_label,
    is_unreal,
    list_behind,
    list_measurable,
    states_difference,
)
from hopline.reader.input import format_heading
from hopline.reader.negation import is_negation
from hopline.results import Evidence
from hopline.tables.measured_columns import ANY, UNCLEAR, YEAR, write_unit
from hopline.tables.typed_table import locate_words
from hopline.text.measures import Measure, Quantity, find_quantities, list_stems
from hopline.text.values import find_years
from hopline.text.words import stem

# between a name and the value behind it, or a value and the name behind it, these begin another clause
_BREAK_BEFORE_VALUE: Final = re.compile(r"[;:.]|\b(?:and|but|while|or)\b", re.IGNORECASE)
_BREAK_BEFORE_NAME: Final = re.compile(r"[,;:.]|\b(?:and|but|while|or)\b", re.IGNORECASE)
_OF_PARTS: Final = re.compile(r"\s+(?:out\s+)?of\s+\d")  # "2 of 1,000"


@dataclass(frozen=True, slots=True)
class ThingSpan:
    """A name in a sentence with its span."""

    name: str
    start: int
    end: int


def list_paired_values(measure: Measure, evidence: Evidence, subjects: Sequence[str]) -> Iterator[MeasuredValue]:
    """Yield the values of sentences that name every subject once, and give each a value, all in the same order.

    The unit of one value is that of the others, if these have none. Sentences that deny something are left out.
    """
    for start, end in evidence.sentences or ((0, len(evidence.text)),):
        sentence = evidence.text[start:end]
        located = [locate_name(sentence, subject) for subject in subjects]
        if len(subjects) < 2 or any(len(spans) != 1 for spans in located) or is_unreal(sentence):
            continue
        names = sorted((spans[0] for spans in located), key=lambda name: name.start)
        pairs = _pair(names, _list_candidates(measure, sentence, names), sentence)
        if not pairs or not _are_of(measure, pairs, sentence, format_heading(evidence)):
            continue
        for name, quantity in pairs:
            low, high, dimension = _convert(measure, quantity, sentence)
            unit = write_unit(sentence[quantity.start : quantity.end])
            yield MeasuredValue(name.name, low, high, dimension, unit, evidence, (start, end))


def list_numbers(evidence: Evidence, subject: str) -> Iterator[MeasuredValue]:
    """Yield how many there are of something, or how much, before its name: "31 juniors", "140 kg of potatoes"."""
    words = list_stems(subject)
    for start, end in evidence.sentences or ((0, len(evidence.text)),):
        sentence = evidence.text[start:end]
        for quantity in find_quantities(sentence):
            behind = list_stems(" ".join(list_behind(quantity, sentence)))
            behind = behind[1:] if quantity.units and behind[:1] == ["of"] else behind
            if words and behind[: len(words)] == words and not is_unreal(sentence):
                dimension, factor = next(iter(quantity.units), ("number", Decimal(1)))
                limits = quantity.low * factor, quantity.high * factor
                unit = write_unit(sentence[quantity.start : quantity.end])
                yield MeasuredValue(subject, *limits, dimension, unit, evidence, (start, end))


def locate_name(sentence: str, name: str) -> list[ThingSpan]:
    """Locate a name in a sentence, in any case and number of its words."""
    words = [(word if word[0].isdigit() else stem(word), start, end) for word, start, end in locate_words(sentence)]
    wanted = [word if word[0].isdigit() else stem(word) for word, _, _ in locate_words(name)]
    size = len(wanted)
    starts = [n for n in range(len(words) - size + 1) if [word for word, _, _ in words[n : n + size]] == wanted]
    return [ThingSpan(name, words[n][1], words[n + size - 1][2]) for n in starts] if wanted else []


def _list_candidates(measure: Measure, sentence: str, names: Sequence[ThingSpan]) -> list[Quantity]:
    """The quantities of a sentence that may be of a measure; one without a unit has that of the others."""
    if YEAR in measure.dimensions:
        return list_measurable(measure, sentence, ())
    quantities = [
        item
        for item in find_quantities(sentence)
        if not any(name.start <= item.start < name.end for name in names)
        and (item.units or not find_years(sentence[item.start : item.end]))
    ]
    units = {item.units for item in quantities if item.units}
    if len(units) == 1 and ANY not in measure.dimensions:
        quantities = [item if item.units else replace(item, units=next(iter(units))) for item in quantities]
    if ANY in measure.dimensions:
        return quantities
    return [item for item in quantities if any(measure.includes(name) for name in _list_dimensions(item, sentence))]


def _list_dimensions(quantity: Quantity, sentence: str) -> list[str]:
    counted = [f"#{part}" for part in list_stems(" ".join(list_behind(quantity, sentence)[:1]))]
    return [name for name, _ in quantity.units] or counted


def _pair(
    names: Sequence[ThingSpan], quantities: Sequence[Quantity], sentence: str
) -> list[tuple[ThingSpan, Quantity]] | None:
    """Pair each name with the value behind it, or each with the value before it; None if neither or both can be."""
    behind, before = [], []
    limits = [0, *(name.end for name in names)]
    nexts = [*(name.start for name in names[1:]), len(sentence)]
    for name, limit, end in zip(names, limits, nexts, strict=False):
        later = [item for item in quantities if name.end <= item.start < end]
        earlier = [item for item in quantities if limit <= item.start and item.end <= name.start]
        if later and not _BREAK_BEFORE_VALUE.search(sentence, name.end, later[0].start):
            behind.append((name, later[0]))
        if earlier and not _BREAK_BEFORE_NAME.search(sentence, earlier[-1].end, name.start):
            before.append((name, earlier[-1]))
    complete = [pairs for pairs in (behind, before) if len(pairs) == len(names)]
    return complete[0] if len(complete) == 1 else None


def _convert(measure: Measure, quantity: Quantity, sentence: str) -> tuple[Decimal, Decimal, str]:
    """The lowest and highest value, and their dimension; numbers without a unit count the same."""
    low, high, dimension = convert_quantity(measure, quantity, sentence)
    return low, high, dimension if quantity.units else "count"


def _are_of(measure: Measure, pairs: Sequence[tuple[ThingSpan, Quantity]], sentence: str, heading: str) -> bool:
    """Return whether paired values are all of a measure, in one dimension."""
    quantities = [quantity for _, quantity in pairs]
    behind = [list_behind(quantity, sentence) for quantity in quantities]
    has_parts = {bool(_OF_PARTS.match(sentence, quantity.end)) for quantity in quantities}
    if any(map(states_difference, behind)) or any(map(is_negation, sentence.split())) or has_parts != {False}:
        return False
    if len({_convert(measure, quantity, sentence)[2] for quantity in quantities}) != 1:
        return False
    stated = set(list_stems(f"{heading} {sentence}"))
    if ANY in measure.dimensions:
        return measure.words <= stated
    if YEAR in measure.dimensions:
        return bool(measure.words & stated)
    labels = [
        find_label(words, sentence[name.end : quantity.start], measure)
        for (name, quantity), words in zip(pairs, behind, strict=True)
    ]
    is_money = "money" in measure.dimensions  # an amount may be of much that is no price
    is_alone = not is_money and len([item for item in find_quantities(sentence) if item.units]) <= len(pairs)
    is_clear = not measure.dimensions & UNCLEAR or bool(measure.words & stated) or is_alone
    return "other" not in labels and is_clear
