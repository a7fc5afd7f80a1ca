"""Which of two dated values a question asks for: that of a time, of a document, the former or the present one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from hopline.answers.statement_dates import StatementDate
from hopline.questions.analysis import QuestionAnalysis, analyse_question
from hopline.reader.input import format_heading
from hopline.reader.reading import SpanReading
from hopline.text.values import Date, find_dates, find_years
from hopline.text.words import stem_content_words

_KINDS: Final = (
    "leaflet|handbook|order|letter|newsletter|report|brochure|notice|guide|manual|rules|minutes|version|edition|list|"
    "document|page|policy|contract|agreement|article|website|sheet|terms|statutes|bylaws|book|programme|flyer|circular|memo"
)
_DOCUMENT: Final = re.compile(
    r"\b(?:according to|as per|as stated in|says|in the words of)\s+(?:the\s+)?(?P<named>[^,?]+)"
    rf"|\b(?:in|under|by|of|from)\s+the\s+(?P<kind>(?:[\w'’-]+\s+){{0,4}}?(?:{_KINDS})\b(?:\s+of\s+[\w\s]+?)?)(?=[,?]|\s+\w+|$)"
    rf"|\bdoes\s+the\s+(?P<subject>(?:[\w'’-]+\s+){{0,4}}?(?:{_KINDS}))\s+(?:say|state|give|name|charge|allow|require)\b",
    re.IGNORECASE,
)
_BEFORE_DATE: Final = re.compile(
    r",?\s*\b(?:before|after|since|until|till|in|from|as of|on|by|during|prior to|up to|at)\s+"
    r"(?:(?:the\s+)?(?:year|(?:end|beginning|start|spring|summer|autumn|winter)(?:\s+of)?)\s+)?$",
    re.IGNORECASE,
)
_FORMER: Final = re.compile(
    r"\b(?:formerly|previously|originally|used to|former|previous|in the past|at first|"
    r"before\s+(?:that|then|(?:it|they|this)\s+(?:was|were|changed)|the\s+(?:change|increase|rise|amendment|order|new)\w*))\b",
    re.IGNORECASE,
)
_PRESENT: Final = re.compile(
    r"\b(?:now|nowadays|currently|at present|at the moment|today|latest|these days|any ?more|"
    r"after\s+the\s+(?:change|increase|rise|amendment))\b",
    re.IGNORECASE,
)


def remove_time(question: QuestionAnalysis) -> QuestionAnalysis | None:
    """Return the question without its dates, document, and words such as "formerly"; None if it has none.

    Sentences that give a value rarely say when it was asked for, and the reader misses what they do not say.
    """
    text = question.text
    for span in reversed(find_dates(text)):
        before = _BEFORE_DATE.search(text[: span.start])
        if before:
            text = text[: before.start()] + text[span.end :]
    for pattern in (_DOCUMENT, _FORMER, _PRESENT):
        text = pattern.sub("", text)
    text = re.sub(r"\s+([,?])", r"\1", " ".join(text.split())).strip(" ,")
    return analyse_question(text) if text != question.text else None


def find_asked_value(
    question: QuestionAnalysis, readings: Sequence[SpanReading], dates: Sequence[StatementDate], later: int | None
) -> int | None:
    """Return the number of the value that a question asks for, of two; None if it asks for no time and no document.

    ``later`` is the number of the value that is the later one for certain, None if that is unknown.
    """
    named = _find_named_document(question, readings, dates)
    if named is not None:
        return named
    if later is None:
        return None
    are_of_year = all(set(question.years) & set(find_years(reading.quote)) for reading in readings)
    if not are_of_year and (number := _find_by_date(question, dates, later)) is not None:
        return number
    if _FORMER.search(question.text):
        return 1 - later
    return later if _PRESENT.search(question.text) else None


def _find_named_document(
    question: QuestionAnalysis, readings: Sequence[SpanReading], dates: Sequence[StatementDate]
) -> int | None:
    """Return the number of the only document whose name, title, date or section has most words that name a document."""
    match = _DOCUMENT.search(question.text)
    if match is None:
        return None
    wanted = _list_words(match["named"] or match["kind"] or match["subject"])
    shared = [
        len(wanted & _list_words(" ".join((format_heading(reading.evidence), since.text))))
        for reading, since in zip(readings, dates, strict=True)
    ]
    return None if shared[0] == shared[1] else int(shared[1] > shared[0])


def _list_words(text: str) -> frozenset[str]:
    return stem_content_words(text) | set(re.findall(r"\d+", text))


def _find_by_date(question: QuestionAnalysis, dates: Sequence[StatementDate], later: int) -> int | None:
    """Return the value that held at the date or bound of a question: the latest that is not after it."""
    bound = question.bound
    question_days = [Date(int(year)).days for year in question.years]
    days = [since.date.days if since.date else None for since in dates]
    first, last = days[1 - later], days[later]
    if bound is not None and (bound.comparison.startswith("<") or bound.comparison.startswith(">")):
        limit = bound.low if isinstance(bound.low, Date) else None
        limit = limit or (Date(int(bound.low)) if question_days and not isinstance(bound.low, Date) else None)
        if limit is None or limit.year is None:
            return None
        if bound.comparison.startswith(">"):
            return later
        return 1 - later if last is None or last.first >= limit.days.first else later
    if len(question_days) != 1 or last is None:
        return None
    if question_days[0].last < last.first:
        return 1 - later if first is None or first.first <= question_days[0].last else None
    return later if question_days[0].first >= last.first else None
