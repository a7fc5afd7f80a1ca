"""What kind of value a question asks for beyond a number: a duration, a price, a person, a time of day, a colour.

Only what cannot be the answer is told apart: a length is no duration, "every 5 years" is none either, a mail address
is no person. A value without a unit may be of any measure: its header or sentence may say which.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, Literal

from hopline.text.measures import Quantity, find_quantities, find_unit, list_stems, load_measures, load_senses
from hopline.text.parser import load_question_parser
from hopline.text.values import find_date, find_dates, find_leading_number, is_year
from hopline.text.words import read_word_list

ValueKind = Literal[
    "duration", "frequency", "price", "person", "date", "clock", "weekday", "month", "year", "colour", ""
]

_YEARS: Final = re.compile(r"\bhow many years\b", re.IGNORECASE)
_DURATION: Final = re.compile(r"\bhow long\b", re.IGNORECASE)
_LASTING: Final = re.compile(
    r"\b(?:for|within) how long\b|\bhow long (?:do|does|did|will|must|may|can|could|should|has|have|had|would)\b",
    re.IGNORECASE,
)
_PATTERNS: Final[dict[ValueKind, str]] = {
    "frequency": r"\bhow (?:often|frequently)\b|\bhow many times (?:a|an|per|each|every)\b",
    "price": r"\bhow (?:much|expensive)\b.*\b(?:costs?|pay|pays|paid|charged?|price|fee|rent|fare)\b"
    r"|\bwhat (?:does|do|did|will|would)\b.*\bcost\s*\?*$",
    "clock": r"\b(?:what|which) time\b",
    "weekday": r"\b(?:what|which)\s+(?:week)?days?(?: of the week)?\b",
    "month": r"\b(?:what|which)\s+months?\b",
    "year": r"\b(?:what|which)\s+years?\b",
    "colour": r"\b(?:what|which)\s+colou?rs?\b",
    "person": r"^(?:[^?]*,\s+)?(?:by |with |from |to )?(?:who|whom)\b",
    "date": r"^(?:[^?]*,\s+)?(?:since |until |by )?when\b",
}
_KINDS: Final = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _PATTERNS.items())
_TEMPERATURE: Final = re.compile(r"\b(?:what|which)\s+temperature\b", re.IGNORECASE)
_ADJECTIVE: Final = re.compile(r"\bhow ([a-z]+)\b", re.IGNORECASE)
_MEASURE_NOUN: Final = re.compile(
    r"\bwhat(?:'s| is| was| are| were)\s+the\s+(?:[a-z]+\s+){0,2}?(?P<noun>[a-z]+)\s+(?:of|for)\b", re.IGNORECASE
)
_COUNTED: Final = re.compile(r"\bhow many\s+([a-z]+)", re.IGNORECASE)
_REPEATED: Final = re.compile(
    r"\b(?:every|each|per|once|twice|times|daily|weekly|fortnightly|monthly|quarterly|yearly|annual\w*|hourly|always|never|"
    r"seldom|rarely|regularly|continuous\w*|constantly|(?:an?|the) (?:day|week|month|year|hour)|on \w+days)\b|\w+ly\b",
    re.IGNORECASE,
)
_EVERY: Final = re.compile(r"\b(?:every|each)\s+(?:\w+\s+)?$|^(?:every|each)\b", re.IGNORECASE)
_PERIOD: Final = re.compile(
    r"\b(?:fortnight|decade|century|centuries|night|nights|overnight|term|terms|season|seasons|lifetime|indefinite\w*|"
    r"permanent\w*|forever|always|unlimited|since|until|till|quarter of an hour|half an hour|all day|life)\b",
    re.IGNORECASE,
)
_FREE: Final = re.compile(r"\b(?:free|nothing|no (?:charge|fee|cost)|none|included|gratis)\b", re.IGNORECASE)
_ADDRESS: Final = re.compile(r"\S+@\S+|https?://\S+|www\.\S+")
_LETTERS: Final = re.compile(r"[^\W\d_]{2,}")
_CLOCK: Final = re.compile(
    r"\d[:.h]\d\d|\d\s*[ap]\.?m\b|o['’]clock|\b(?:noon|midday|midnight|dawn|dusk|sun(?:rise|set)|morning|afternoon|evening|night)\b",
    re.IGNORECASE,
)
_HOUR: Final = re.compile(r"\d:\d\d")
_IN: Final = re.compile(r"\b(?:in|since|until|by|of|from|year)\s+$", re.IGNORECASE)
_NONE: Final = re.compile(
    r"(?:no|none|nobody|nothing|neither|not|free|half|most|all|twice|double|an?|one|several)\b", re.IGNORECASE
)
_UNIT_ALONE: Final = re.compile(r"\b(?:an?|one|half an?)\s+[a-z]+", re.IGNORECASE)
MAX_BEFORE: Final = 20  # characters before an answer that may say how often: "every 36 hours"
_TIMES: Final = frozenset({"time"})


def is_count(answer: str, before: str = "") -> bool:
    """Return whether a text is a number or says that there is none; dates, times and "in 2019" are no counts."""
    if find_date(answer) is not None or _HOUR.search(answer) or (is_year(answer.strip()) and _IN.search(before)):
        return False
    if find_leading_number(answer) is not None or _NONE.match(answer):
        return True
    first = next(iter(find_quantities(answer)), None)
    words = answer[: first.start].lower().split() if first else ()
    return bool(first) and all(word in read_word_list("limiting") for word in words)


def has_amount(answer: str) -> bool:
    """Return whether a text has a digit or a number word."""
    return any(char.isdigit() for char in answer) or bool(find_quantities(answer)) or bool(_UNIT_ALONE.search(answer))


def find_value_kind(text: str) -> ValueKind:
    """Return the kind of value that a question asks for; "" for others, and for amounts and sizes."""
    if _DURATION.search(text):
        return "duration" if _asks_for_duration(text) else ""
    return next((kind for kind, pattern in _KINDS if pattern.search(text)), "")


def _asks_for_duration(text: str) -> bool:
    """Return whether "how long" asks for a time: with an auxiliary verb, or with a participle ("are they baked")."""
    if _LASTING.search(text):
        return True
    return any(token.tag_ == "VBN" for token in load_question_parser()(text))


@lru_cache(maxsize=200)
def find_dimensions(text: str) -> frozenset[str]:
    """Return the dimensions that the answer of a question may have, if it has a unit; empty if it may have any."""
    if find_value_kind(text) in {"duration", "frequency"}:
        return _TIMES
    if _TEMPERATURE.search(text):
        return frozenset({"temperature", "fahrenheit"})
    if (counted := _COUNTED.search(text)) and (units := find_unit(counted[1])):
        return frozenset(name.partition(":")[0] for name, _ in units)
    if (adjective := _ADJECTIVE.search(text)) and (senses := load_senses().get(adjective[1].lower())):
        names = frozenset(name for sense in senses for name in sense.measure.dimensions)
        return names | _TIMES if adjective[1].lower() == "far" else names  # "20 minutes on foot"
    if noun := _MEASURE_NOUN.search(text):
        stems = set(list_stems(noun["noun"]))
        return frozenset(name for measure in load_measures() if stems & measure.words for name in measure.dimensions)
    return frozenset()


def fits_value_kind(text: str, answer: str, before: str = "") -> bool:
    """Return whether an answer may be the value that a question asks for.

    ``before`` is what the sentence of the answer has before it.
    """
    quantities = find_quantities(answer)
    is_year_alone = _YEARS.search(text) is not None and is_year(answer.strip())
    if is_year_alone or not _has_dimension(find_dimensions(text), quantities):
        return False
    match find_value_kind(text):
        case "duration":
            is_repeated = _EVERY.search(before) or _EVERY.search(answer.strip())
            return _has_time(quantities, answer) and not is_repeated and not is_year(answer.strip())
        case "frequency":
            is_count = bool(quantities) and not quantities[0].units
            return is_count or bool(_REPEATED.search(f"{before[-MAX_BEFORE:]} {answer}"))
        case "price":
            return not _has_other_unit(quantities, "money") and (bool(quantities) or bool(_FREE.search(answer)))
        case "person":
            return bool(_LETTERS.search(_ADDRESS.sub("", answer)))
        case kind:
            return not kind or _fits_time(kind, answer, quantities)


def _fits_time(kind: ValueKind, answer: str, quantities: list[Quantity]) -> bool:
    """Return whether an answer may be a date, a time of day, a weekday, a month or a year, or, for a colour, a word."""
    has_other_unit = _has_other_unit(quantities, "time" if kind in {"date", "clock"} else "")
    dates = find_dates(answer)
    if kind == "date":
        return (bool(dates) or not has_other_unit) and not _ADDRESS.search(answer)
    if kind == "clock":
        is_date = any(span.has_month for span in dates) or is_year(answer.strip())
        return bool(_CLOCK.search(answer)) or not (is_date or has_other_unit)
    has_needed = any(char.isdigit() for char in answer) if kind == "year" else bool(_LETTERS.search(answer))
    return has_needed and not has_other_unit


def _has_dimension(dimensions: frozenset[str], quantities: list[Quantity]) -> bool:
    """Return whether the first quantity with a unit, if there is one, is of one of the dimensions, or a share."""
    units = next((item.units for item in quantities if item.units), ())
    if not dimensions or not units:
        return True
    return any(name.partition(":")[0] in dimensions or name == "%" for name, _ in units)


def _has_time(quantities: list[Quantity], answer: str) -> bool:
    is_unit = any(name == "time" for item in quantities for name, _ in item.units)
    is_number = bool(quantities) and not any(char.isalpha() for char in answer)
    return is_unit or is_number or bool(_PERIOD.search(answer)) or any(name == "time" for name, _ in find_unit(answer))


def _has_other_unit(quantities: list[Quantity], dimension: str) -> bool:
    """Return whether the first quantity has a unit of another dimension."""
    units = quantities[0].units if quantities else ()
    return bool(units) and not any(name.partition(":")[0] == dimension for name, _ in units)
