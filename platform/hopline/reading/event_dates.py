"""Dates of events in sentences: when somebody was born, when a company was founded or closed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, Literal

from hopline.nlp.dates import DayInterval, compute_duration, find_dates
from hopline.nlp.stemmer import normalize_word
from hopline.nlp.tokens import tokenize
from hopline.nlp.vocabulary import stems
from hopline.reading.sentence_spans import SentenceSpan

Event = Literal["began", "ended", "life"]

MAX_DISTANCE: Final = 60  # characters from the verb of an event to its date
_BRACKETS: Final = re.compile(r"\s*\([^()]*\)\s*$")
_LIFE: Final = re.compile(r"\(([^()]*)\s[–—-]\s([^()]*)\)")


def find_event_date(
    subject: str, event: Event, sentences: Sequence[SentenceSpan], *, other: str = ""
) -> tuple[DayInterval, SentenceSpan] | None:
    """Return the date of an event of a subject, and the sentence that gives it; None if no sentence does.

    The date of a "life" is its duration. Evidence whose title is the name of the subject comes first. A sentence of
    other evidence has to contain this name, and not that of the ``other`` subject, whose date it could give.
    """
    name, other_name = (normalize_word(_BRACKETS.sub("", text)) for text in (subject, other))
    titled: dict[str, list[SentenceSpan]] = {}
    naming: list[SentenceSpan] = []
    for sentence in sentences:
        if normalize_word(_BRACKETS.sub("", sentence.evidence.title)) == name:
            titled.setdefault(sentence.evidence.id, []).append(sentence)
        elif _contains_name(sentence, name) and not (other_name and _contains_name(sentence, other_name)):
            naming.append(sentence)
    for about_subject in titled.values():
        dated = _find_first_date(about_subject, event)
        opening = list(find_dates(about_subject[0].tokens))
        if dated or (event == "began" and opening):
            return dated or (opening[0][1], about_subject[0])
    return _find_first_date(naming, event)


def _contains_name(sentence: SentenceSpan, name: str) -> bool:
    return all(token.forms & sentence.forms for token in tokenize(name))


def _find_first_date(sentences: Sequence[SentenceSpan], event: Event) -> tuple[DayInterval, SentenceSpan] | None:
    return next(((day, sentence) for sentence in sentences if (day := _parse_event_date(sentence, event))), None)


def _parse_event_date(sentence: SentenceSpan, event: Event) -> DayInterval | None:
    """Return the date that a sentence gives for an event: near its word, or in brackets as in "(1901 - 1987)".

    For a life, the number of days between both dates in brackets is returned.
    """
    life = _LIFE.search(sentence.text)
    sides = [[day for _, day in find_dates(tokenize(side))] for side in life.groups()] if life else []
    if len(sides) == 2 and all(sides):
        (began, *_), (*_, ended) = sides
        return {"began": began, "ended": ended, "life": compute_duration(began, ended)}[event]
    if event == "life":
        return None
    verb_ends = [token.end for token in sentence.tokens if token.forms & stems(event)]
    near = [
        (start - end, day)
        for end in verb_ends
        for start, day in find_dates(sentence.tokens)
        if 0 <= start - end <= MAX_DISTANCE
    ]
    return min(near, key=lambda pair: pair[0])[1] if near else None
