"""The figures that a sentence or row offers: counts, amounts, percentages, lengths of time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from hopline.answer.context import Unit
from hopline.answer.offer import Offer
from hopline.answer.question import Question
from hopline.answer.terms import Term
from hopline.answer.roots import fold, root
from hopline.answer.vocabulary import names, roots, words
from hopline.answer.words import Token

Says = Callable[[Token], bool]


CURRENCY: Final = roots("currency")
SCALE: Final = roots("scale")
PERCENT: Final = roots("percent")
TIMES: Final = roots("times")


def counts(question: Question, unit: Unit) -> Iterator[Offer]:
    """Numbers; where "how many" asks for a noun, those that count it."""
    tokens = unit.own.tokens
    for place, token in _numbers(question, unit):
        fit = _count_fit(question, unit, place)
        yield Offer(
            _first(unit, place),
            _last(unit, place, SCALE | CURRENCY if not question.counted else SCALE),
            fit * _worth(token, tokens, place),
        )


def _worth(token: Token, tokens: Sequence[Token], place: int) -> float:
    """Small numbers in words ("two", "four") are more often part of the phrase than an answer."""
    return 0.9 if token.kind == "word" else 1.0


def _count_fit(question: Question, unit: Unit, place: int) -> float:
    tokens = unit.own.tokens
    if question.asked is None:
        return 0.6
    said = _says(question.asked)
    symbols = _symbols(question.asked)
    if symbols and any(t.text in symbols for t in tokens[place + 1 : place + 2]):
        return 1.0
    ahead = next((n for n, t in enumerate(tokens[place + 1 : place + 5]) if said(t)), None)
    if ahead is not None:
        return 1.0 - 0.05 * ahead
    if question.counted:
        headed = _headed(said, symbols, unit)
        if headed:
            return headed
        if _counts_other(tokens, place):
            return 0.2
    back = [t for t in tokens[max(0, place - 4) : place]]
    while back and (fold(back[-1].text) in words("links") or back[-1].kind == "sign"):
        back.pop()
    if back and said(back[-1]):
        return 0.9
    if question.counted:
        return 0.5 if question.plain else 0.3
    near = any(said(t) for t in tokens[max(0, place - 8) : place])
    return 0.8 if near else max(0.6, _headed(said, symbols, unit))


def _counts_other(tokens: Sequence[Token], place: int) -> bool:
    """Whether the number counts what follows it: "four years"."""
    after = tokens[place + 1] if place + 1 < len(tokens) else None
    if after is None or after.kind != "word" or after.capital or after.start - tokens[place].end > 1:
        return False
    return (
        fold(after.text) not in words("links")
        and not after.forms & (roots("persons") | SCALE)
        and fold(after.text) not in ("in", "and", "or", "on", "for", "with", "as", "who", "that", "were")
    )


def _headed(said: Says, symbols: frozenset[str], unit: Unit) -> float:
    """Whether a table says in its header, caption or row label what it counts."""
    if unit.evidence.kind != "table":
        return 0.0
    layers = [layer for layer in unit.layers if layer.label in ("own", "header", "group", "heading")]
    return 0.8 if any(said(t) or t.text in symbols for layer in layers for t in layer.text.tokens) else 0.0


def amounts(question: Question, unit: Unit) -> Iterator[Offer]:
    """Sums of money: with a currency or a scale; in a table any figure."""
    tokens = unit.own.tokens
    table = unit.evidence.kind == "table"
    for place, token in _numbers(question, unit):
        before = place > 0 and tokens[place - 1].forms & CURRENCY
        behind = any(t.forms & (CURRENCY | SCALE) for t in tokens[place + 1 : place + 3])
        percent = any(t.forms & PERCENT for t in tokens[place + 1 : place + 2])
        if percent or not (before or behind or table):
            continue
        yield Offer(_first(unit, place), _last(unit, place, CURRENCY | SCALE), 1.0 if before or behind else 0.7)


def percentages(question: Question, unit: Unit) -> Iterator[Offer]:
    """Figures that a percent sign or word follows, or that stand in a table of percentages."""
    tokens = unit.own.tokens
    labels = [layer for layer in unit.layers if layer.label in ("own", "header", "group", "heading")]
    headed = unit.evidence.kind == "table" and any(layer.text.forms & PERCENT for layer in labels)
    for place, token in _numbers(question, unit):
        if any(t.forms & PERCENT for t in tokens[place + 1 : place + 2]):
            yield Offer(unit.start + token.start, _last(unit, place, PERCENT), 1.0)
        elif headed or any(t.forms & PERCENT for t in tokens[place + 1 : place + 14] if t.start - token.end < 60):
            yield Offer(unit.start + token.start, unit.start + token.end, 0.7)


def durations(question: Question, unit: Unit) -> Iterator[Offer]:
    """Lengths of time and ages."""
    tokens = unit.own.tokens
    headed = unit.evidence.kind == "table" and any(
        layer.text.forms & (roots("ages") | TIMES)
        for layer in unit.layers
        if layer.label in ("own", "header", "heading")
    )
    for place, token in _numbers(question, unit):
        if any(t.forms & TIMES for t in tokens[place + 1 : place + 3]) or (
            place and tokens[place - 1].forms & roots("ages")
        ):
            yield Offer(unit.start + token.start, _last(unit, place, TIMES), 1.0)
        elif headed:
            yield Offer(unit.start + token.start, unit.start + token.end, 0.7)


def _numbers(question: Question, unit: Unit) -> Iterator[tuple[int, Token]]:
    """The numbers of a unit that are no dates, no codes, not numbered labels, and not the question's own."""
    tokens = unit.own.tokens
    known = {form for form in question.forms if form[0] == "#"}
    for place, token in enumerate(tokens):
        if token.number is None or token.kind == "code" or token.dated or token.forms & known:
            continue
        if token.kind == "word" and fold(token.text) in words("pronouns"):
            continue
        before = tokens[place - 1] if place else None
        if before is not None and (before.forms & roots("numbered") or any(form[0] == "@" for form in before.forms)):
            continue
        yield place, token


def _says(term: Term) -> Says:
    forms = frozenset().union(*term.words) | term.soft
    return lambda token: bool(token.forms & forms)


def _first(unit: Unit, place: int) -> int:
    tokens = unit.own.tokens
    signed = place > 0 and tokens[place - 1].kind == "sign" and bool(tokens[place - 1].forms & CURRENCY)
    return unit.start + (tokens[place - 1] if signed else tokens[place]).start


def _last(unit: Unit, place: int, take: frozenset[str]) -> int:
    """The end of a number with the scale, currency or unit behind it."""
    tokens = unit.own.tokens
    end = tokens[place].end
    for token in tokens[place + 1 : place + 3]:
        if not token.forms & take or token.start - end > 2:
            break
        end = token.end
    return unit.start + end


def _symbols(term: Term) -> frozenset[str]:
    """The signs in which what a term names is measured."""
    stem = root(fold(term.text))
    return frozenset(sign for name in names("unit") if root(name) == stem for sign in words(f"unit.{name}"))
