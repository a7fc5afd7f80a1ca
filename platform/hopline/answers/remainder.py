"""Counts that one sentence gives by two numbers: what is left of a whole, and what is more or less than before.

"How many boards are not broken?" is 19 by "Of the 24 boards, five are broken", and "How many helped in 2022?" is 39 by
"32 helped, seven fewer than in 2022".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise
from typing import Final

from hopline.answers.answerer import EvidenceReader
from hopline.answers.composition import compose_answer, quote_span
from hopline.flow.requests import Flow
from hopline.questions.analysis import QuestionAnalysis
from hopline.reader.input import format_heading
from hopline.reader.negation import has_negation
from hopline.results import Answer, Evidence, Retrieval
from hopline.tables.typed_table import split_words
from hopline.text.measures import Quantity, find_quantities
from hopline.text.values import format_number
from hopline.text.words import load_function_words, stem, stem_content_words

_PART_OF: Final = re.compile(r"\s+(?:out\s+)?of\s+(?:(?:the|its|our|their|all|these)\s+)*", re.IGNORECASE)
_WHOLE_FIRST: Final = re.compile(r"\b(?:out\s+)?of\s+(?:(?:the|its|our|their|all|these)\s+)*$", re.IGNORECASE)
_OF_WHICH: Final = re.compile(r"\b(?:of|out of)\s+(?:which|whom|these|them)\b[^\d]*$", re.IGNORECASE)
_DIFFERENCE: Final = re.compile(
    r"\s+(?P<more>more|higher)?(?P<less>fewer|less|lower)?\s+than\s+(?P<time>[^,.;]+)", re.IGNORECASE
)
_BOUND: Final = re.compile(
    r"\b(?:more|less|fewer|over|under|almost|nearly|about|at least|up to|some)\s*(?:than\s+)?$", re.IGNORECASE
)
_FUNCTION: Final = frozenset(map(stem, load_function_words() - {"before"}))


@dataclass(frozen=True, slots=True)
class Remainder:
    """A number that is computed from two numbers of a sentence, and how."""

    number: Decimal
    formula: str
    evidence: Evidence
    span: tuple[int, int]


def answer_remainder(question: QuestionAnalysis, retrieval: Retrieval, _: EvidenceReader) -> Flow[Answer | None]:
    """Answer how many things are not so, or were so in the year before, from both numbers of a sentence.

    None if the question asks for something else, and unless all sentences that give such numbers give the same.
    """
    yield from ()
    verb = _find_last_verb(question)
    nouns = [token.text for token in question.parse[:verb] if token.pos_ == "NOUN"]
    counted = frozenset(split_words(" ".join(nouns)))
    if question.answer_type != "number" or not counted:
        return None
    remainders = [
        remainder
        for item in retrieval.evidence
        for span in (item.sentences if item.kind == "passage" else ())
        if (remainder := _compute(question, counted, item, span))
    ]
    if len({remainder.number for remainder in remainders}) != 1:
        return None
    best = remainders[0]
    quote = quote_span(retrieval, best.evidence, best.span)
    quote = replace(quote, text=f"{quote.text} ({best.formula})")
    return compose_answer(retrieval, [quote], short=format_number(best.number))


def _compute(
    question: QuestionAnalysis, counted: frozenset[str], evidence: Evidence, span: tuple[int, int]
) -> Remainder | None:
    """Compute the number from a sentence that has what is counted, and the words behind the verb of the question."""
    sentence = evidence.text[slice(*span)]
    if not counted & set(split_words(sentence)) or has_negation(sentence):
        return None
    quantities = [item for item in find_quantities(sentence) if item.low == item.high]
    if has_negation(question.text):
        predicate = stem_content_words(question.parse[_find_last_verb(question) :].text)
        pairs = {(whole.low, part.low) for whole, part in _list_parts(quantities, sentence)}
        if not predicate or not predicate <= stem_content_words(sentence) or len(pairs) != 1:
            return None
        [(whole, part)] = pairs
        number, formula = whole - part, f"{format_number(whole)} − {format_number(part)}"
    else:
        known = set(split_words(f"{format_heading(evidence)} {sentence}"))
        differing = list(_list_differing(question, quantities, sentence))
        if len(differing) != 1 or not {stem for stem in question.content_stems if not stem.isdigit()} & known:
            return None
        [(base, change)] = differing
        number = base + change
        formula = f"{format_number(base)} {'+' if change > 0 else '−'} {format_number(abs(change))}"
    return Remainder(number, f"{formula} = {format_number(number)}", evidence, span) if number >= 0 else None


def _find_last_verb(question: QuestionAnalysis) -> int:
    """Return the index of the last finite verb of a question; 0 without one."""
    return max((token.i for token in question.parse if token.tag_ in {"VBZ", "VBP", "VBD", "MD"}), default=0)


def _list_parts(quantities: list[Quantity], sentence: str) -> Iterator[tuple[Quantity, Quantity]]:
    """Yield the whole and the part of "five of the 24", "Of the 24 boards, five" and "24 boards, of which five"."""
    for first, second in pairwise(quantities):
        if any(_BOUND.search(sentence[: item.start]) for item in (first, second)):
            continue
        if _PART_OF.fullmatch(sentence, first.end, second.start) and first.low < second.low:
            yield second, first
        is_whole_first = _WHOLE_FIRST.search(sentence[: first.start]) or _OF_WHICH.search(
            sentence, first.end, second.start
        )
        if is_whole_first and second.low < first.low:
            yield first, second


def _list_differing(
    question: QuestionAnalysis, quantities: list[Quantity], sentence: str
) -> Iterator[tuple[Decimal, Decimal]]:
    """Yield a number and what has to be added for the time that the question asks for: "seven fewer than in 2022"."""
    for base, change in pairwise(quantities):
        match = _DIFFERENCE.match(sentence, change.end)
        time = frozenset(split_words(match["time"])) - _FUNCTION if match else frozenset[str]()
        if match and (match["more"] or match["less"]) and time and time <= frozenset(split_words(question.text)):
            yield base.low, -change.low if match["more"] else change.low
