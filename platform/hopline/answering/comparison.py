"""Answers to comparison questions: the dates of both things are read from the evidence and compared."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hopline.nlp.dates import DayInterval, compute_duration, find_dates
from hopline.nlp.stemmer import normalize_word
from hopline.nlp.tokens import tokenise
from hopline.nlp.vocabulary import stems
from hopline.questions.comparison import Comparison, Event
from hopline.reading.sentence_spans import SentenceSpan

_REACH: Final = 60  # characters from what happened to its date
_BRACKETS: Final = re.compile(r"\s*\([^()]*\)\s*$")
_LIFE: Final = re.compile(r"\(([^()]*)\s[–—-]\s([^()]*)\)")


@dataclass(frozen=True, slots=True)
class ComparisonAnswer:
    """The short answer, and where each thing's date stands."""

    short: str
    sentences: tuple[SentenceSpan, SentenceSpan]


def answer_comparison(comparison: Comparison, sentences: Sequence[SentenceSpan]) -> ComparisonAnswer | None:
    """Return which of the two it is, by the first date of each; None if one has no date or the dates do not decide."""
    one, two = comparison.subjects
    left, right = _find_date(one, two, comparison.event, sentences), _find_date(two, one, comparison.event, sentences)
    if left is None or right is None:
        return None
    (left_days, left_sentence), (right_days, right_sentence) = left, right
    left_is_less = left_days.is_before(right_days)
    if not left_is_less and not right_days.is_before(left_days):
        return None
    winner = 0 if left_is_less == comparison.least else 1
    short = ("yes", "no")[winner] if comparison.whether else comparison.subjects[winner]
    return ComparisonAnswer(short, (left_sentence, right_sentence))


def _find_date(
    thing: str, other: str, event: Event, sentences: Sequence[SentenceSpan]
) -> tuple[DayInterval, SentenceSpan] | None:
    """Return when an event happened to a thing, and the sentence that gives the date; None if no sentence does.

    Evidence that has the name of the thing as its title comes first. A sentence elsewhere that names the other thing as
    well is not read, as it is not clear whose date it gives.
    """
    name = normalize_word(_BRACKETS.sub("", thing))
    titled: dict[str, list[SentenceSpan]] = {}
    naming: list[SentenceSpan] = []
    for sentence in sentences:
        if normalize_word(_BRACKETS.sub("", sentence.evidence.title)) == name:
            titled.setdefault(sentence.evidence.id, []).append(sentence)
        elif _names(sentence, name) and not _names(sentence, normalize_word(_BRACKETS.sub("", other))):
            naming.append(sentence)
    for about_thing in titled.values():
        dated = _find_first_date(about_thing, event)
        opening = list(find_dates(about_thing[0].tokens))
        if dated or (event == "began" and opening):
            return dated or (opening[0][1], about_thing[0])
    return _find_first_date(naming, event)


def _names(sentence: SentenceSpan, name: str) -> bool:
    return all(token.forms & sentence.forms for token in tokenise(name))


def _find_first_date(sentences: Sequence[SentenceSpan], event: Event) -> tuple[DayInterval, SentenceSpan] | None:
    return next(((day, sentence) for sentence in sentences if (day := _parse_event_date(sentence, event))), None)


def _parse_event_date(sentence: SentenceSpan, event: Event) -> DayInterval | None:
    """Return the date that a sentence gives for an event: near its word, or in brackets as in "(1901 - 1987)".

    For a life, the number of days between both dates in brackets is returned.
    """
    life = _LIFE.search(sentence.text)
    sides = [[day for _, day in find_dates(tokenise(side))] for side in life.groups()] if life else []
    if len(sides) == 2 and all(sides):
        (began, *_), (*_, ended) = sides
        return {"began": began, "ended": ended, "life": compute_duration(began, ended)}[event]
    if event == "life":
        return None
    happened = [token.end for token in sentence.tokens if token.forms & stems(event)]
    near = [
        (start - end, day)
        for end in happened
        for start, day in find_dates(sentence.tokens)
        if 0 <= start - end <= _REACH
    ]
    return min(near, key=lambda pair: pair[0])[1] if near else None
