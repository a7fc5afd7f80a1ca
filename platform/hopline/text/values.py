"""Values in texts: numbers with sign, unit and scale, dates with their precision, years, and bounds of both.

This is the only module that says what a number, a date, a year, a month or a scale is.

Separators. "1,234.5" has commas between thousands and a point before decimals, "1.234,5" the reverse; "1 234" and
"1'234" are grouped as well. A single comma that is not before three digits ("12,5") and a single point ("1.234") stand
before decimals. Digits that are grouped in no such way ("12.05.2019", "3.10.2") are no number.

Years are four digits from 1000 to 2100 without separators, or a number with "BC" or "AD".

Dates. In "12.05.2019" the day is first; in "05/12/2019" and "05-12-2019" the order is that of the other dates of the
document (`find_date_order`), and without such dates the month and the day are unknown. A month or a day that does not
exist is ignored. Years of two digits are 1970 to 2069.

python-dateutil and price-parser were compared on the texts of the tests: the first takes "12 Marines" and "May I" for
dates and fills in what a text does not say, the second loses the sign and the brackets of amounts.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from decimal import ROUND_HALF_UP, Decimal, localcontext
from functools import lru_cache
from itertools import pairwise
from typing import Final, Literal

DateOrder = Literal["day first", "month first"]
Comparison = Literal[">", ">=", "<", "<=", "range"]

MONTHS: Final = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
SCALES: Final = {"thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000, "trillion": 1_000_000_000_000}
FIRST_YEAR, LAST_YEAR = 1000, 2100
FIRST_HEADER_YEAR: Final = 1900  # in the header of a table, an older number is a count more often than a year
YEAR: Final = r"(?:1\d{3}|20\d\d|2100)"  # to be included in expressions, between word boundaries

COUNT_WORDS: Final = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS: Final = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety", "hundred")
ORDINALS: Final = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth",
    "twentieth",
)  # fmt: skip
NUMBER_WORDS: Final = (
    {word: number for number, word in enumerate(COUNT_WORDS)}
    | {word: 10 * number for number, word in enumerate(_TENS, 2)}
    | {word: number for number, word in enumerate(ORDINALS, 1)}
)
MONTH_NUMBERS: Final = {name: n for n, month in enumerate(MONTHS, 1) for name in (month, month[:3])} | {"sept": 9}

_MINUS: Final = "-−–‒‐"
_CODES: Final = (
    "AUD|BRL|CAD|CHF|CNY|CZK|DKK|EUR|GBP|HKD|HUF|ILS|INR|JPY|KRW|MXN|NOK|NZD|PLN|RMB|RUB|SEK|SGD|TRY|USD|ZAR"
)
_SYMBOL: Final = r"(?:[A-Z]{1,2})?[$€£¥₹₩₽₺₫]"
CURRENCY: Final = rf"(?:{_SYMBOL}|\b(?:{_CODES})\b)"
_SPACES: Final = "[ \u00a0\u202f]"
DIGITS: Final = rf"(?:\d{{1,3}}(?:{_SPACES}\d{{3}})+(?![\d])(?:[.,]\d+)?|\d+(?:[.,'’]\d+)*|\.\d+)"
_PERCENT: Final = r"%|‰|(?:per ?cent(?:age points?)?|percentage points?)\b"
_SCALE_WORDS: Final = {
    "thousand": "thousand", "k": "thousand", "000": "thousand", "million": "million", "mn": "million", "mio": "million",
    "m": "million", "mm": "million", "billion": "billion", "bn": "billion", "b": "billion", "trillion": "trillion",
    "tn": "trillion",
}  # fmt: skip
_LONG_SCALE: Final = r"(?:thousand|million|billion|trillion|mn|mio|bn|tn)"
_SHORT_SCALE: Final = r"(?:k|mm|m|b)"  # only beside a currency: "5 m" is a length
_NUMBER: Final = (
    rf"(?P<open>\()?\s*+(?P<sign>[{_MINUS}+])?\s*+(?P<currency>{CURRENCY})?\s*+(?P<second_sign>[{_MINUS}])?\s*+"
    rf"(?P<second_open>\()?\s*+(?P<third_sign>[{_MINUS}])?(?P<digits>{DIGITS})(?P<clock>(?::\d\d)+(?:\.\d+)?)?"
    rf"(?:{_SPACES}?(?P<close>\)))?(?:\s?(?P<percent>{_PERCENT}))?"
    rf"(?:[ \u00a0\u202f-]?(?P<scale>{_LONG_SCALE})s?\b|(?P<short_scale>{_SHORT_SCALE})\b)?"
    rf"(?:\s?(?P<unit>{CURRENCY})(?!\s?\d))?(?P<second_close>\))?"
)
_WHOLE_NUMBER: Final = re.compile(_NUMBER, re.IGNORECASE)
_LEADING_NUMBER: Final = re.compile(rf"[^\w({_MINUS}$€£¥]{{0,3}}{_NUMBER}", re.IGNORECASE)
# a dash with a blank behind it is no sign in running text
_NUMBER_IN_TEXT: Final = re.compile(rf"(?<![\w.,:])(?!\s|[{_MINUS}]\s){_NUMBER}", re.IGNORECASE)
_GROUPINGS: Final = (  # the form of the digits, and the separators between thousands in it
    (re.compile(r"[1-9]\d{0,2}(?:,\d{2,3})*,\d{3}(?:\.\d+)?"), ","),
    (re.compile(r"[1-9]\d{0,2}(?:(?:\.\d{3})+,\d+|(?:\.\d{3}){2,})"), "."),
    (re.compile(r"[1-9]\d{0,2}(?:['’]\d{3})+(?:[.,]\d+)?"), "'’"),
    (re.compile(rf"[1-9]\d{{0,2}}(?:{_SPACES}\d{{3}})+(?:[.,]\d+)?"), " \u00a0\u202f"),
    (re.compile(r"\d+(?:[.,]\d+)?|\.\d+"), ""),
)
_STATED_SCALE: Final = re.compile(
    rf"(?:\b(?:in|of)\s+(?:[a-z€£$]+\s+)?|{CURRENCY}\s*|\(\s*)(?P<long>{_LONG_SCALE})s?\b"
    rf"|\b(?P<plural>thousand|million|billion|trillion)s\s+of\b|{CURRENCY}\s?(?P<short>k|mm|m|b)\b"
    r"|[$€£’']\s?(?P<zeros>000)s?\b|\((?P<bracketed>000)[’']?s?\)|\b(?P<possessive>000)[’']?s\b",
    re.IGNORECASE,
)
_NUMBER_BEFORE: Final = re.compile(r"\d[\d.,]*\s?$")


@dataclass(frozen=True, slots=True)
class Number:
    """A number as it is written: its signed value without the scale, its span, unit and scale.

    ``unit`` is "%", a currency as it is written, or ""; ``scale`` is a key of `SCALES` or "".
    """

    value: Decimal
    start: int
    end: int
    unit: str = ""
    scale: str = ""

    @property
    def amount(self) -> Decimal:
        """The value multiplied by the scale."""
        return self.value * SCALES.get(self.scale, 1)


def parse_digits(text: str) -> Decimal | None:
    """Parse digits with separators, without sign and unit; None if they are not grouped as a number."""
    for pattern, separators in _GROUPINGS:
        if pattern.fullmatch(text):
            plain = "".join(char for char in text if char not in separators)
            return Decimal(plain.replace(",", "."))
    return None


def parse_number(text: str) -> Number | None:
    """Parse a text that is a number and nothing else: "$ (1,210)", "−5%", "€-3", "1.2 million"; None for others.

    A number is negative behind a minus and in brackets, of which the closing one may be missing: tables of PDFs may
    have it in the next cell.
    """
    match = _WHOLE_NUMBER.fullmatch(text.strip())
    if match is None or match["clock"]:
        return None
    number = _build_number(match)
    is_open = bool(match["open"] or match["second_open"]) and not (match["close"] or match["second_close"])
    return replace(number, value=-abs(number.value)) if number and is_open else number


@lru_cache(maxsize=20_000)
def find_leading_number(text: str) -> Number | None:
    """Find the number at the beginning of a text, in "3rd" and "12 km" too; a time "1:30" is in its smallest unit.

    A number in brackets is negative only if nothing follows it, or a currency precedes the bracket.
    """
    text = text.strip()
    match = _LEADING_NUMBER.match(text)
    return _build_number(match, whole=match.end() == len(text)) if match else None


def find_numbers(text: str) -> Iterator[Number]:
    """Find the numbers of a running text, in order; one in brackets is negative only if a currency precedes these."""
    for match in _NUMBER_IN_TEXT.finditer(text):
        if (number := _build_number(match, whole=False)) is not None:
            yield number


def _build_number(match: re.Match[str], *, whole: bool = True) -> Number | None:
    digits = parse_digits(match["digits"])
    if digits is None:
        return None
    for part in (match["clock"] or "").split(":")[1:]:
        digits = 60 * digits + Decimal(part)
    signs = {match["sign"], match["second_sign"], match["third_sign"]} - {None, "+"}
    is_bracketed = bool(match["open"] or match["second_open"]) and bool(match["close"] or match["second_close"])
    is_negative = is_bracketed and (whole or bool(match["currency"] and match["second_open"]))
    currency = match["currency"] or match["unit"] or ""
    is_scaled = match["scale"] or (match["short_scale"] and match["currency"])
    scale = _SCALE_WORDS[(match["scale"] or match["short_scale"]).lower()] if is_scaled else ""
    unit = "%" if match["percent"] else currency
    return Number(-digits if signs or is_negative else digits, *match.span(), unit, scale)


def parse_number_word(word: str) -> int | None:
    """Parse "seven", "twenty-five" or "third"; None for other words."""
    first, _, second = word.lower().partition("-")
    tens, units = NUMBER_WORDS.get(first), NUMBER_WORDS.get(second)
    if not second:
        return tens
    is_compound = tens is not None and units is not None and tens % 10 == 0 and 20 <= tens < 100 and 0 < units < 10
    return tens + units if is_compound and tens is not None and units is not None else None


def spell_ordinal(number: int) -> str:
    """Spell the ordinal of a number from 1 to 99: "seventh", "twenty-first"."""
    if number <= len(ORDINALS):
        return ORDINALS[number - 1]
    tens, units = divmod(number, 10)
    word = _TENS[tens - 2]
    return f"{word}-{ORDINALS[units - 1]}" if units else f"{word.removesuffix('y')}ieth"


def read_count(text: str) -> int | None:
    """Return the number that digits or a word state; None if they state none."""
    return int(text) if text.isdigit() else parse_number_word(text)


_ROMAN_DIGITS: Final = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}
_ROMAN_NUMBER: Final = re.compile(r"m{0,3}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})", re.IGNORECASE)


def parse_roman(text: str) -> int | None:
    """Parse a Roman number, 1 to 3999, in its usual form: "iv", not "iiii" or "civil"; None for other texts."""
    if not text or not _ROMAN_NUMBER.fullmatch(text):
        return None
    values = [_ROMAN_DIGITS[letter] for letter in text.lower()]
    pairs = zip(values, [*values[1:], 0], strict=True)
    return sum(-value if value < after else value for value, after in pairs)


def find_scale(text: str) -> str:
    """Find the scale that a heading states: "million" of "in millions", "($ million)" and "2019 €m"; "" if none."""
    for match in _STATED_SCALE.finditer(text):
        before = _NUMBER_BEFORE.search(text[: match.start()])
        if before is None or is_year(before[0].strip(), since=FIRST_HEADER_YEAR):
            return _SCALE_WORDS[next(filter(None, match.groups())).lower()]
    return ""


def format_number(number: Decimal | float) -> str:
    """Format a number with separators, at most two decimals, or two significant digits below 1, and a true minus."""
    value = Decimal(str(number))
    if not value:
        return "0"
    with localcontext(rounding=ROUND_HALF_UP):
        text = f"{value:,.2f}" if abs(value) >= 1 else f"{value:.{1 - value.adjusted()}f}"
    return text.rstrip("0").rstrip(".").replace("-", "−") if "." in text else text.replace("-", "−")


def is_year(text: str, *, since: int = FIRST_YEAR) -> bool:
    """Return whether a text is four digits that read as a year, of ``since`` or later."""
    return len(text) == 4 and text.isascii() and text.isdigit() and max(since, FIRST_YEAR) <= int(text) <= LAST_YEAR


_YEAR_IN_TEXT: Final = re.compile(rf"(?<![\w.,$€£¥]){YEAR}(?![\w]|[.,]\d|\s?%)")


def find_years(text: str, *, since: int = FIRST_YEAR) -> list[str]:
    """Find the years of a text that are written with four digits, each once, in order."""
    return list(dict.fromkeys(year for year in _YEAR_IN_TEXT.findall(text) if int(year) >= since))


@dataclass(frozen=True, slots=True)
class DayInterval:
    """The days, first and last included, among which a date or a duration lies.

    A date is a day number (`datetime.date.toordinal`, continued before year 1), a duration a number of days.
    """

    first: int
    last: int

    def is_before(self, other: DayInterval) -> bool:
        """Return whether this date or duration is less than another one, whatever the days that were not given."""
        return self.last < other.first


def compute_duration(start: DayInterval, end: DayInterval) -> DayInterval:
    """Return the number of days from one date to another: the least and the largest that is possible."""
    return DayInterval(end.first - start.last, end.last - start.first)


@dataclass(frozen=True, slots=True)
class Date:
    """A date with its precision: None for a part that is unknown; years before Christ are 0 (1 BC) and negative."""

    year: int | None
    month: int | None = None
    day: int | None = None

    @property
    def precision(self) -> Literal["day", "month", "year", ""]:
        """The smallest part that is known in a row from the year on; "" without a year."""
        if self.year is None:
            return ""
        return "year" if self.month is None else "month" if self.day is None else "day"

    @property
    def days(self) -> DayInterval:
        """The days of the date: one, or all of its month or year; without a year, those of year 0."""
        year = self.year or 0
        cycles = (400 - year) // 400 if year < 1 else 0  # `date` begins in year 1; the calendar repeats after 400 years
        shifted, offset = year + 400 * cycles, 146_097 * cycles
        months = (self.month, self.month) if self.month else (1, 12)
        first = date(shifted, months[0], self.day or 1)
        last = date(shifted, months[1], self.day or monthrange(shifted, months[1])[1])
        return DayInterval(first.toordinal() - offset, last.toordinal() - offset)


@dataclass(frozen=True, slots=True)
class DateSpan:
    """A date and its span in a text."""

    date: Date
    start: int
    end: int

    @property
    def has_month(self) -> bool:
        """Whether the text gives a month, and not only a year."""
        return self.date.month is not None


_MONTH: Final = (
    "(?P<month>"
    + "|".join(f"{name[:3]}(?:{name[3:]})?" if name[3:] else name for name in MONTHS if name != "september")
    + "|sep(?:t(?:ember)?)?)(?![^\\W_])\\.?"
)
_FULL_YEAR: Final = rf"(?P<year>{YEAR})(?![\w]|[.,]\d|\s?%)"
_DAY: Final = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?"
_TO_DAY: Final = rf"(?:\s?[{_MINUS}]\s?[0-3]?\d(?!\d))?"  # "3–5 May 2019" begins on 3 May
_DATE_PATTERNS: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?<![\w/.-])(?P<year>\d{4})(?P<separator>[-/.])(?P<month>\d\d?)(?P=separator)(?P<day>\d\d?)(?:(?=T\d\d:\d\d)|(?![\w/]|[-.]\d))",
        r"(?<![\w/.-])(?P<first>\d\d?)(?P<separator>[-/.])(?P<second>\d\d?)(?P=separator)(?P<year>\d{4}|\d\d)(?![\w/]|[-.]\d)",
        rf"(?<![\w.,]){_DAY}-{_MONTH}-(?P<year>\d\d)(?![\w/]|[-.]\d)",
        rf"(?<![\w.,]){_DAY}{_TO_DAY}\.?(?:\s+of)?(?:\s+|-){_MONTH}(?:(?:,?\s+|-){_FULL_YEAR})?",
        rf"\b{_MONTH}\s+{_DAY}{_TO_DAY}(?![\w%]|[.:,]\d)(?:,?\s+{_FULL_YEAR})?",
        rf"\b{_MONTH}(?:,?\s+(?:of\s+)?|-){_FULL_YEAR}",
        r"(?<![\w.,])(?P<before>\d{1,4})\s?(?:BCE?\b|B\.\s?C\.(?:E\.)?)",
        r"(?<![\w.,])(?P<after>\d{1,4})\s?(?:AD|CE)\b",
        r"\bAD\s?(?P<after>\d{1,4})\b",
        r"\bFY\s?[’']?(?P<year>\d{4}|\d\d)\b",
        rf"(?<![\w.,$€£¥]){_FULL_YEAR}",
    )
)
# what a date has at least, besides a digit; most cells of tables have neither
_SIGN_OF_DATE: Final = re.compile(
    rf"\d{{4}}|\d[-/.]\d{{1,2}}[-/.]\d|\b(?:{'|'.join(name[:3] for name in MONTHS)})|FY|B\.?\s?C|AD|CE", re.IGNORECASE
)
_VERBS: Final = frozenset({"may", "march", "mar"})  # are months only with a capital letter, or beside a year
_DATES_JOINED: Final = re.compile(rf"\s*(?:[{_MINUS}—]|(?:and|to|until|through)\b)\s*", re.IGNORECASE)
_WHOLE_MONTH: Final = re.compile(rf"\s*{_MONTH}\s*", re.IGNORECASE)


def find_dates(text: str, *, order: DateOrder | None = None) -> list[DateSpan]:
    """Find the dates and years of a text, in order; ``order`` is that of dates such as 05/12/2019.

    A month without a day and a year is a date only if it is the whole text. "30 May – 2 June 2019" states the year of
    both dates.
    """
    if (month := _WHOLE_MONTH.fullmatch(text)) and _is_month(month):
        return [DateSpan(Date(None, MONTH_NUMBERS[month["month"].lower()]), 0, len(text))]
    if not (_SIGN_OF_DATE.search(text) and any(map(str.isdigit, text))):
        return []
    spans: list[DateSpan] = []
    covered = bytearray(len(text))
    for pattern in _DATE_PATTERNS:
        for match in pattern.finditer(text):
            start, end = match.span()
            if not any(covered[start:end]) and (parsed := _build_date(match, order)) is not None:
                covered[start:end] = b"\1" * (end - start)
                spans.append(DateSpan(parsed, start, end))
    return _share_years(sorted(spans, key=lambda span: span.start), text)


def _share_years(spans: list[DateSpan], text: str) -> list[DateSpan]:
    """Give the first date of a range the year of the second, or the year before it: "30 December – 2 January 2019"."""
    for index, (first, second) in enumerate(pairwise(spans)):
        year, months = second.date.year, (first.date.month, second.date.month)
        if first.date.year is not None or year is None or months[0] is None or months[1] is None:
            continue
        if _DATES_JOINED.fullmatch(text, first.end, second.start):
            known = _check_date(year if months[0] <= months[1] else year - 1, months[0], first.date.day or 0)
            spans[index] = replace(first, date=known or first.date)
    return spans


@lru_cache(maxsize=20_000)
def find_date(text: str, *, order: DateOrder | None = None) -> Date | None:
    """Find the first date of a text that has a month; a year alone is a number."""
    return next((span.date for span in find_dates(text, order=order) if span.has_month), None)


def find_date_order(texts: Iterable[str]) -> DateOrder | None:
    """Find whether the day or the month is first in dates such as 25/12/2019; None if no date or both orders say it."""
    orders: set[DateOrder] = set()
    for text in texts:
        for match in _DATE_PATTERNS[1].finditer(text):
            first, second = int(match["first"]), int(match["second"])
            if 12 < first <= 31 and 1 <= second <= 12:
                orders.add("day first")
            elif 12 < second <= 31 and 1 <= first <= 12:
                orders.add("month first")
    return orders.pop() if len(orders) == 1 else None


def list_readings(text: str) -> list[Date]:
    """List what the first date of a text may mean: both orders of "05/12/2019"; empty if there is none."""
    readings = [find_dates(text, order=order) for order in ("day first", "month first")]
    return list(dict.fromkeys(spans[0].date for spans in readings if spans))


def _build_date(match: re.Match[str], order: DateOrder | None) -> Date | None:
    groups = match.groupdict()
    if before := groups.get("before"):
        return Date(1 - int(before)) if int(before) else None
    if groups.get("after"):
        return Date(int(groups["after"])) if int(groups["after"]) else None
    year = _expand_year(groups["year"]) if groups.get("year") else None
    if groups.get("first"):
        month, day = _order_numbers(int(groups["first"]), int(groups["second"]), groups["separator"], order)
    elif (groups.get("month") or "").isdigit():
        month, day = int(groups["month"]), int(groups["day"])
    elif groups.get("month"):
        if not _is_month(match):
            return None
        month, day = MONTH_NUMBERS[groups["month"].lower()], int(groups.get("day") or 0)
    else:
        month, day = 0, 0
    return _check_date(year, month, day)


def _is_month(match: re.Match[str]) -> bool:
    return match["month"].lower() not in _VERBS or match["month"][0].isupper() or bool(match.groupdict().get("year"))


def _expand_year(digits: str) -> int:
    """Return the year of four digits, or of the last two digits from 1970 to 2069."""
    year = int(digits)
    return year if len(digits) != 2 else year + (2000 if year < 70 else 1900)


def _order_numbers(first: int, second: int, separator: str, order: DateOrder | None) -> tuple[int, int]:
    """Return month and day of two numbers; zeros if their order is unknown."""
    if separator == ".":
        order = "day first"
    if first == second or (first > 12) != (second > 12):
        return (second, first) if first > 12 else (first, second)
    if order is None:
        return 0, 0
    return (second, first) if order == "day first" else (first, second)


def _check_date(year: int | None, month: int, day: int) -> Date | None:
    """Return a date without a month or day that does not exist; None without a month and a year in range."""
    if year is not None and not 0 < year <= 9999:
        year = None
    if not 1 <= month <= 12:
        return Date(year) if year is not None else None
    longest = monthrange(year or 2000, month)[1]
    return Date(year, month, day if 1 <= day <= longest else None)


@dataclass(frozen=True, slots=True)
class Bound:
    """A bound that a question states; a range has two limits, both included. The span is that of the values.

    ``has_scale``: the limits are written with a scale ("more than $5 million").
    """

    comparison: Comparison
    low: Decimal | Date
    high: Decimal | Date
    start: int
    end: int
    has_scale: bool = False

    def includes_number(self, number: Decimal) -> bool:
        """Return whether a number, or a year as a number, is within the bound; of a date, its year counts."""
        limits = [limit.year if isinstance(limit, Date) else limit for limit in (self.low, self.high)]
        if limits[0] is None or limits[1] is None:
            return False
        return self._includes(number, (limits[0], limits[0]), (limits[1], limits[1]))

    def includes_day(self, day: Decimal | int) -> bool:
        """Return whether a day number is within the bound; a year includes all of its days."""
        intervals = []
        for limit in (self.low, self.high):
            known = limit if isinstance(limit, Date) else _to_year(limit)
            if known is None or known.year is None:
                return False
            intervals.append((known.days.first, known.days.last))
        return self._includes(day, *intervals)

    def _includes(
        self, key: Decimal | int, low: tuple[Decimal | int, Decimal | int], high: tuple[Decimal | int, Decimal | int]
    ) -> bool:
        match self.comparison:
            case ">":
                return key > low[1]
            case "<":
                return key < low[0]
            case ">=":
                return key >= low[0]
            case "<=":
                return key <= low[1]
            case "range":
                return low[0] <= key <= high[1]


def _to_year(number: Decimal) -> Date | None:
    return Date(int(number)) if number == number.to_integral_value() and FIRST_YEAR <= number <= LAST_YEAR else None


_WORDS_BEFORE: Final[tuple[tuple[Comparison, str], ...]] = (
    (">=", r"at least|no(?:t)? (?:less|fewer) than|a minimum of|since|starting (?:in|from)"),
    ("<=", r"at most|no(?:t)? more than|up to|a maximum of|until"),
    (">", r"(?:more|greater|higher|larger|longer|later|better) than|over|above|after|exceed\w*|beyond"),
    ("<", r"(?:less|fewer|lower|smaller|shorter|earlier) than|under|below|before|prior to"),
)
_NEGATED: Final[dict[Comparison, Comparison]] = {">": "<=", "<": ">="}
_OR_EQUAL: Final[dict[Comparison, Comparison]] = {">": ">=", "<": "<="}
_FILLER: Final = r"\s+(?:(?:the\s+)?years?\s+(?:of\s+)?|\w+\s+)?"  # between the words of a bound and its limit
_BEFORE: Final = tuple(
    (
        comparison,
        re.compile(
            rf"(?:\b(?P<not>no|not)\s+)?(?:\b(?P<equal>equal(?:\s+to)?\s+or)\s+)?\b(?:{words})"
            rf"(?P<or_equal>\s+or\s+equal(?:\s+to)?)?{_FILLER}$",
            re.IGNORECASE,
        ),
    )
    for comparison, words in _WORDS_BEFORE
)
_BEHIND: Final[tuple[tuple[Comparison, re.Pattern[str]], ...]] = (
    (">=", re.compile(r"\s*(?:\w+\s+)?or (?:more|later|higher|greater|above)\b(?!\s+than\b)", re.IGNORECASE)),
    ("<=", re.compile(r"\s*(?:\w+\s+)?or (?:less|fewer|earlier|lower|below)\b(?!\s+than\b)", re.IGNORECASE)),
)
_RANGE_BEFORE: Final = re.compile(rf"\b(?:between|from){_FILLER}$", re.IGNORECASE)
_RANGE_INSIDE: Final = re.compile(
    rf"\s*[{_MINUS}]\s*|\s*(?:\w+\s+)?(?:and|to|through|until)\s+(?:\w+\s+)?", re.IGNORECASE
)
MAX_WORDING: Final = 60  # characters of the words before or behind a limit
_WORD: Final = re.compile(
    r"(?P<number>[^\W\d_]+(?:-[^\W\d_]+)?)(?P<hundred>\s+hundred)?(?:\s+(?P<scale>thousand|million|billion|trillion))?\b"
    r"(?!\s+(?:hundred|thousand|million|billion|trillion)\b)",
    re.IGNORECASE,
)


def find_bound(text: str) -> Bound | None:
    """Find the first bound that a text states: "more than 5", "since 2010", "between 3 and 7", "after 12.05.2019"."""
    limits = _locate_limits(text)
    for low, high in pairwise(limits):
        is_joined = high.start - low.end <= MAX_WORDING and _RANGE_INSIDE.fullmatch(text, low.end, high.start)
        if is_joined and _RANGE_BEFORE.search(text, max(0, low.start - MAX_WORDING), low.start):
            low_value, high_value = low.value, high.value
            if isinstance(low_value, Decimal) and isinstance(high_value, Decimal):
                low_value, high_value = min(low_value, high_value), max(low_value, high_value)
            return Bound("range", low_value, high_value, low.start, high.end, low.has_scale or high.has_scale)
    for find_comparison in (_find_comparison_behind, _find_comparison_before):
        for limit in limits:
            if comparison := find_comparison(text, limit):
                return Bound(comparison, limit.value, limit.value, limit.start, limit.end, limit.has_scale)
    return None


def _find_comparison_behind(text: str, limit: _Limit) -> Comparison | None:
    return next((comparison for comparison, pattern in _BEHIND if pattern.match(text, limit.end)), None)


def _find_comparison_before(text: str, limit: _Limit) -> Comparison | None:
    """Find the comparison of the words before a limit: "no later than" is "<=", and "greater than or equal to" ">="."""
    for comparison, pattern in _BEFORE:
        if match := pattern.search(text, max(0, limit.start - MAX_WORDING), limit.start):
            changes = _NEGATED if match["not"] else _OR_EQUAL if match["equal"] or match["or_equal"] else {}
            return changes.get(comparison, comparison)
    return None


@dataclass(frozen=True, slots=True)
class _Limit:
    """A date, number or number word in a text."""

    value: Decimal | Date
    start: int
    end: int
    has_scale: bool = False


def _locate_limits(text: str) -> list[_Limit]:
    """Locate the dates, numbers and number words of a text, in order; a year alone is a number."""
    dates = [span for span in find_dates(text) if not is_year(text[span.start : span.end])]
    limits = [_Limit(span.date, span.start, span.end) for span in dates]
    numbers = [_Limit(item.amount, item.start, item.end, bool(item.scale)) for item in find_numbers(text)]
    covered = bytearray(len(text))
    for limit in limits:
        covered[limit.start : limit.end] = b"\1" * (limit.end - limit.start)
    words = (word for match in _WORD.finditer(text) if (word := _build_word_limit(match)))
    limits += [limit for limit in (*numbers, *words) if not any(covered[limit.start : limit.end])]
    return sorted(limits, key=lambda limit: limit.start)


def _build_word_limit(match: re.Match[str]) -> _Limit | None:
    """Build the limit of "five", "two hundred" or "three million"; None for other words and for ordinals."""
    number = parse_number_word(match["number"])
    if number is None or match["number"].lower() in ORDINALS:
        return None
    scale = (match["scale"] or "").lower()
    value = number * (100 if match["hundred"] else 1) * SCALES.get(scale, 1)
    return _Limit(Decimal(value), *match.span(), bool(scale))
