"""Values that contradict each other: of the same kind (amount, date, time, weekday, name), and not equal.

The same value in other words is no conflict: "1.5 km" and "1,500 m", "5 May 2020" and "5.5.2020", "Dr Ada Wick" and
"Ada Wick", "2019" and "May 2019".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from hopline.text.measures import INFINITY, Quantity, find_quantities
from hopline.text.values import Date, find_dates
from hopline.text_encoding import remove_accents

MAX_NAME_WORDS: Final = 6
_CLOCK: Final = re.compile(
    r"(?<![\w.,:])(?P<hour>[01]?\d|2[0-4])(?:[:.h](?P<minute>[0-5]\d)(?![\d.]))?\s*(?P<half>[ap]\.?m\b\.?)?",
    re.IGNORECASE,
)
_WEEKDAY: Final = re.compile(r"\b(mon|tues|wednes|thurs|fri|satur|sun)days?\b", re.IGNORECASE)
_NAME_WORD: Final = re.compile(r"[^\W\d_][\w'’-]*")
_TITLES: Final = frozenset({"dr", "mr", "mrs", "ms", "miss", "prof", "professor", "sir", "the", "of", "a", "an"})


def are_in_conflict(first: str, second: str, *, is_amount: bool = False) -> bool:
    """Return whether two texts give values of the same kind that cannot both be right.

    ``is_amount``: four digits are an amount and no year. Texts without values of a common kind are in no conflict.
    """
    times = [_find_times(text) for text in (first, second)]
    if times[0] and times[1]:
        return times[0][0] != times[1][0]
    if not is_amount and (dates := [[span.date for span in find_dates(text)] for text in (first, second)]):
        if dates[0] and dates[1]:
            return _are_other_dates(dates[0], dates[1])
        if dates[0] or dates[1]:
            return False
    days = [{match[1].lower() for match in _WEEKDAY.finditer(text)} for text in (first, second)]
    if days[0] and days[1]:
        return not days[0] & days[1]
    amounts = [find_quantities(text) for text in (first, second)]
    if amounts[0] and amounts[1]:
        return _are_other_amounts(amounts[0][0], amounts[1][0])
    return not any((*days, *amounts)) and _are_other_names(first, second)


def list_values(text: str) -> list[tuple[int, int]]:
    """List the spans of the amounts, dates, times and weekdays of a text."""
    spans = [(item.start, item.end) for item in find_quantities(text)]
    spans += [(span.start, span.end) for span in find_dates(text) if span.has_month]
    spans += [match.span() for match in _WEEKDAY.finditer(text)]
    spans += [match.span() for match in _CLOCK.finditer(text) if match["minute"] or match["half"]]
    return sorted(spans)


def is_weekday(text: str) -> bool:
    """Return whether a text is the name of a weekday, in singular or plural."""
    return _WEEKDAY.fullmatch(text) is not None


def are_equal(first: str, second: str) -> bool:
    """Return whether two texts give the same value, which one of them may give in more words."""
    if find_quantities(first) or find_dates(first) or _WEEKDAY.search(first):
        has_value = find_quantities(second) or find_dates(second) or _WEEKDAY.search(second)
        return bool(has_value) and not are_in_conflict(first, second, is_amount=True)
    words = [{word.casefold() for word in _NAME_WORD.findall(text)} - _TITLES for text in (first, second)]
    return bool(words[0] and words[1]) and (words[0] <= words[1] or words[1] <= words[0])


def _find_times(text: str) -> list[tuple[int, int]]:
    """Return the times of day of a text, as hour and minute."""
    times = []
    for match in _CLOCK.finditer(text):
        if match["minute"] or match["half"]:
            hour, half = int(match["hour"]), (match["half"] or "").lower()
            if half.startswith("p") and hour < 12:
                hour += 12
            times.append((hour % 24, int(match["minute"] or 0)))
    return times


def _are_other_dates(first: Sequence[Date], second: Sequence[Date]) -> bool:
    """Return whether the first dates, which are equally known but for their day or month, exclude each other."""
    left, right = first[0], second[0]
    if (left.year is None) != (right.year is None):
        return (left.month, left.day) != (right.month, right.day) and None not in (left.month, right.month)
    return left.days.is_before(right.days) or right.days.is_before(left.days)


def _are_other_amounts(first: Quantity, second: Quantity) -> bool:
    """Return whether two amounts of the same dimension differ, or are in different currencies."""
    if first.units and second.units:
        shared = [name for name, _ in first.units if second.convert(name)]
        if not shared:
            return all(any(name.startswith("money:") for name, _ in item.units) for item in (first, second))
        left, right = first.convert(shared[0]), second.convert(shared[0])
    else:
        left, right = (first.low, first.high), (second.low, second.high)
    return left is not None and right is not None and not _overlap(_close(left), _close(right))


def _close(limits: tuple[Decimal, Decimal]) -> tuple[Decimal, Decimal]:
    """Return limits without infinity: of "up to 30", two times 30."""
    low, high = limits
    return (high if low == -INFINITY else low), (low if high == INFINITY else high)


def _overlap(first: tuple[Decimal, Decimal], second: tuple[Decimal, Decimal]) -> bool:
    return first[0] <= second[1] and second[0] <= first[1]


def _are_other_names(first: str, second: str) -> bool:
    """Return whether two short texts with capital letters share no word that is part of a name."""
    words = [
        {word for word in _NAME_WORD.findall(remove_accents(text)) if word.lower() not in _TITLES}
        for text in (first, second)
    ]
    names = [{word.lower() for word in item if word[0].isupper()} for item in words]
    is_short = all(0 < len(item) <= MAX_NAME_WORDS for item in words)
    return is_short and bool(names[0] and names[1]) and not names[0] & names[1]
