"""Dates that may lack a day or a month, and durations between them, as intervals of days."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from hopline.nlp.tokens import Token


@dataclass(frozen=True, slots=True)
class DayInterval:
    """The days, first and last included, among which a date or a duration lies.

    A date is a day number (`datetime.date.toordinal`), a duration a number of days.
    """

    first: int
    last: int

    def is_before(self, other: DayInterval) -> bool:
        """Return whether this date or duration is less than another one, whatever the days that were not given."""
        return self.last < other.first


def compute_duration(start: DayInterval, end: DayInterval) -> DayInterval:
    """Return the number of days from one date to another: the least and the largest that is possible."""
    return DayInterval(end.first - start.last, end.last - start.first)


def find_dates(tokens: Sequence[Token]) -> Iterator[tuple[int, DayInterval]]:
    """Yield the dates of a text that have a year, each with the offset at which it begins."""
    parts: list[Token] = []
    for token in (*tokens, None):
        if token and (token.dated or (token.kind == "number" and (token.number or 0) <= 31)):
            parts.append(token)
            if not token.year:
                continue
        if parts:
            interval = _parse_date(parts)
            if interval is not None:
                yield parts[0].start, interval
            parts = []


def _parse_date(parts: Sequence[Token]) -> DayInterval | None:
    forms = [form for token in parts for form in token.forms if form[0] in "#@"]
    numbers = [float(form[1:]) for form in forms if form[0] == "#"]
    year = next((int(number) for number in numbers if 1000 <= number <= 2100), None)
    month = next((int(form[1:]) for form in forms if form[0] == "@"), None)
    day = next((int(number) for number in numbers if 1 <= number <= 31), None)
    return None if year is None else build_date_interval(year, month, day)


def build_date_interval(year: int, month: int | None = None, day: int | None = None) -> DayInterval:
    """Return the days of a date: one day, or those of its month or year; a day that its month lacks is ignored."""
    if month is None:
        return DayInterval(date(year, 1, 1).toordinal(), date(year, 12, 31).toordinal())
    length = monthrange(year, month)[1]
    if day is not None and day <= length:
        ordinal = date(year, month, day).toordinal()
        return DayInterval(ordinal, ordinal)
    return DayInterval(date(year, month, 1).toordinal(), date(year, month, length).toordinal())
