"""The figures that a sentence or row offers: counts, values, amounts, percentages, lengths of time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from hopline.answering.answer_candidate import Offer
from hopline.answering.question import Question
from hopline.answering.terms import Term
from hopline.answering.tokens import Token
from hopline.answering.unit import Unit
from hopline.answering.vocabulary import names, roots, words
from hopline.nlp.stemmer import fold, root

Fit = tuple[float, bool]  # how well it fits, and whether that says what the noun asked for would say
Says = Callable[[Token], bool]
CURRENCY: Final = roots("currency")
SCALE: Final = roots("scale")
PERCENT: Final = roots("percent")
TIMES: Final = roots("times")
SURE, HEADED, LIKELY, WEAK = 1.0, 0.8, 0.6, 0.3  # fits
_AHEAD, _BACK, _NEAR = 4, 4, 8  # words


def counts(question: Question, unit: Unit) -> Iterator[Offer]:
    """Numbers that count what "how many" asks for; without such a noun, or for a value, all numbers."""
    tokens = unit.own.tokens
    for place, token in _numbers(question, unit):
        if question.counted and (_is_money(tokens, place) or _followed(tokens, place, PERCENT, 1)):
            continue
        fit, sure = (_count_fit if question.counted else _value_fit)(question, unit, place)
        end = _last(unit, place, SCALE if question.counted else SCALE | CURRENCY)
        yield Offer(_first(unit, place), end, fit * (0.9 if token.kind == "word" else 1.0), sure)


def _count_fit(question: Question, unit: Unit, place: int) -> Fit:
    """How surely a number counts the noun asked for: "29,239 people", "employees: 41,000", a column "Stores"."""
    tokens = unit.own.tokens
    if question.asked is None:
        return LIKELY, False
    counted, symbols = _is_noun(question.asked), _symbols(question.asked)
    behind = tokens[place + 1 : place + 1 + _AHEAD]
    ahead = next((n for n, token in enumerate(behind) if counted(token)), None)
    if ahead is not None:
        return SURE - 0.05 * ahead, False
    if behind and behind[0].text in symbols:
        return SURE, True
    if unit.columns:
        headed = _is_headed(_says(question.asked), symbols, unit)
        return (HEADED, False) if headed else _uncounted(question, unit, place)
    if behind and behind[0].forms & roots("persons") and not question.plain:
        return LIKELY, False
    if _counts_other(tokens, place):
        return WEAK, False
    back = list(tokens[max(0, place - _BACK) : place])
    while back and (fold(back[-1].text) in words("links") or back[-1].kind == "sign"):
        back.pop()
    return (0.9 if back and counted(back[-1]) else LIKELY if question.plain else WEAK), False


def _value_fit(question: Question, unit: Unit, place: int) -> Fit:
    """How surely a number is the value of what is asked for: its unit of measure, or the noun close before."""
    tokens = unit.own.tokens
    if question.asked is None:
        return LIKELY, False
    said, symbols = _says(question.asked), _symbols(question.asked)
    if symbols and any(token.text in symbols for token in tokens[place + 1 : place + 2]):
        return SURE, True
    if any(said(token) for token in tokens[max(0, place - _NEAR) : place + _AHEAD]):
        return HEADED, False
    return (HEADED if _is_headed(said, symbols, unit) else LIKELY), False


def _counts_other(tokens: Sequence[Token], place: int) -> bool:
    """Whether the number counts what follows it: "four years"."""
    after = tokens[place + 1] if place + 1 < len(tokens) else None
    if after is None or after.kind != "word" or after.capital or after.start - tokens[place].end > 1:
        return False
    return fold(after.text) not in words("links") and not after.forms & SCALE


def _is_headed(said: Says, symbols: frozenset[str], unit: Unit) -> bool:
    """Whether a table says in its header, caption or row label what it counts."""
    return any(said(token) or token.text in symbols for text in _labels(unit) for token in text)


def _uncounted(question: Question, unit: Unit, place: int) -> Fit:
    """Where a table does not say what it counts: a column "No. of", or no header and a figure alone in its row."""
    start = unit.start + unit.own.tokens[place].start
    head = next((column.head.tokens for column in unit.columns if column.start <= start < column.end), ())
    headless = not any(column.head.tokens for column in unit.columns)
    lone = headless and len(list(_numbers(question, unit))) == 1
    return (LIKELY, True) if lone or (head and head[0].forms & roots("counting")) else (WEAK, False)


def amounts(question: Question, unit: Unit) -> Iterator[Offer]:
    """Sums of money: with a currency or a scale; in a table any figure but a percentage."""
    tokens = unit.own.tokens
    for place, _ in _numbers(question, unit):
        money = _is_money(tokens, place) or _followed(tokens, place, SCALE, 2)
        if (money or unit.columns) and not _followed(tokens, place, PERCENT, 1):
            yield Offer(_first(unit, place), _last(unit, place, CURRENCY | SCALE), SURE if money else HEADED)


def percentages(question: Question, unit: Unit) -> Iterator[Offer]:
    """Figures that a percent sign or word follows, or that stand in a row or table of percentages."""
    headed = bool(unit.columns) and any(token.forms & PERCENT for text in _labels(unit) for token in text)
    for place, token in _numbers(question, unit):
        if _followed(unit.own.tokens, place, PERCENT, 1):
            yield Offer(unit.start + token.start, _last(unit, place, PERCENT), SURE)
        elif headed or _followed(unit.own.tokens, place, PERCENT, 2 * _NEAR):
            yield Offer(unit.start + token.start, unit.start + token.end, LIKELY)


def durations(question: Question, unit: Unit) -> Iterator[Offer]:
    """Lengths of time and ages."""
    tokens = unit.own.tokens
    ages = roots("ages")
    headed = bool(unit.columns) and any(token.forms & (ages | TIMES) for text in _labels(unit) for token in text)
    for place, token in _numbers(question, unit):
        if _followed(tokens, place, TIMES, 2) or (place and tokens[place - 1].forms & ages):
            yield Offer(unit.start + token.start, _last(unit, place, TIMES), SURE)
        elif headed:
            yield Offer(unit.start + token.start, unit.start + token.end, LIKELY)


def _numbers(question: Question, unit: Unit) -> Iterator[tuple[int, Token]]:
    """The numbers of a unit that are no dates, no codes, not numbered labels, and not the question's own."""
    tokens = unit.own.tokens
    known = {form for form in question.forms if form[0] == "#"}
    label = unit.label
    for place, token in enumerate(tokens):
        if token.number is None or token.kind == "code" or token.dated or token.forms & known:
            continue
        if token.kind == "word" and fold(token.text) in words("pronouns"):
            continue
        if label is not None and unit.start + token.start < label.end:
            continue
        before = tokens[place - 1] if place else None
        if before is not None and (before.forms & roots("numbered") or any(form[0] == "@" for form in before.forms)):
            continue
        yield place, token


def _labels(unit: Unit) -> Iterator[Sequence[Token]]:
    """The texts that say what the figures of a row are."""
    return (layer.text.tokens for layer in unit.layers if layer.label in ("own", "header", "group", "heading"))


def _is_money(tokens: Sequence[Token], place: int) -> bool:
    return bool(place and tokens[place - 1].forms & CURRENCY) or _followed(tokens, place, CURRENCY, 2)


def _followed(tokens: Sequence[Token], place: int, forms: frozenset[str], reach: int) -> bool:
    return any(token.forms & forms for token in tokens[place + 1 : place + 1 + reach])


def _says(term: Term) -> Says:
    """Whether a token says what a term says, in any form of the word."""
    forms = frozenset().union(*term.words) | term.soft
    return lambda token: bool(token.forms & forms)


def _is_noun(term: Term) -> Says:
    """Whether a token is the noun of a term, one or many, or means the same; "subscribe" is no subscriber."""
    noun = _singular(fold(term.text))
    return lambda token: _singular(fold(token.text)) == noun or bool(token.forms & term.soft)


def _singular(noun: str) -> str:
    return noun.removesuffix("ies").removesuffix("es").removesuffix("s").removesuffix("y")


def _symbols(term: Term) -> frozenset[str]:
    """The signs in which what a term names is measured."""
    stem = root(fold(term.text))
    return frozenset(sign for name in names("unit") if root(name) == stem for sign in words(f"unit.{name}"))


def _first(unit: Unit, place: int) -> int:
    """The start of a number with the currency sign before it."""
    tokens = unit.own.tokens
    signed = place > 0 and tokens[place - 1].kind == "sign" and bool(tokens[place - 1].forms & CURRENCY)
    return unit.start + (tokens[place - 1] if signed else tokens[place]).start


def _last(unit: Unit, place: int, take: frozenset[str]) -> int:
    """The end of a number with the scale, currency or measure behind it."""
    tokens = unit.own.tokens
    end = tokens[place].end
    for token in tokens[place + 1 : place + 3]:
        if not token.forms & take or token.start - end > 2:
            break
        end = token.end
    return unit.start + end
