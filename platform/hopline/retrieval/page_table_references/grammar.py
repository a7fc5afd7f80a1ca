"""Which pages and tables a question names: "page 5", "the first table", "pages 3–5", "Table A-2"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Final, Literal

_NUMBER_WORDS: Final = (
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
)  # fmt: skip
_ORDINAL_WORDS: Final = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth",
    "twentieth",
)  # fmt: skip
_PLACES: Final = {"opening": 1, "last": -1, "final": -1, "closing": -1, "penultimate": -2}
_ROMAN: Final = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_THING: Final = r"(?P<thing>pages?|pgs?\.?|pp?\.|tables?|tabs?\.)"
_VALUE: Final = rf"(?:\d+(?:[.\-]\d+)*|[A-Za-z][.\-]?\d+(?:[.\-]\d+)*|[ivxlc]+|[IVXLC]+|{'|'.join(_NUMBER_WORDS)})"
_RANGE: Final = r"(?:\s*(?:-|–|—|to|through|thru|until)\s*)"
_AND: Final = r"(?:\s*,\s*(?:and\s+|or\s+)?|\s+and\s+|\s+or\s+|\s*&\s*)"
_NUMBERED: Final = re.compile(
    rf"\b{_THING}\s*(?:no\.?|numbers?|nr\.?|\#)?\s*(?P<values>{_VALUE}(?:(?:{_AND}|{_RANGE}){_VALUE})*)(?![\w])",
    re.IGNORECASE,
)
_PLACE: Final = rf"(?:{'|'.join((*_ORDINAL_WORDS, *_PLACES))}|\d+(?:st|nd|rd|th))"
_COUNT: Final = rf"(?:\d{{1,2}}|{'|'.join(_NUMBER_WORDS)})"
_ORDINAL: Final = re.compile(
    rf"\b(?P<places>{_PLACE}(?:{_AND}(?:the\s+)?{_PLACE})*)\s+(?:(?P<count>{_COUNT})\s+)?(?P<thing>pages?|tables?)\b",
    re.IGNORECASE,
)
_ALL: Final = re.compile(r"\b(?:all|every|each)\s+(?:of\s+)?(?:the\s+)?tables?\b(?!\s+\d)", re.IGNORECASE)
_BOTH: Final = re.compile(r"\bboth\s+(?:of\s+)?(?:the\s+)?(?P<thing>pages|tables)\b(?!\s+\d)", re.IGNORECASE)
_JOINT: Final = re.compile(rf"({_RANGE}(?=\S))|{_AND}", re.IGNORECASE)
ALL: Final = "*"  # the number of "all tables"
MOST: Final = 50  # pages of one range
_FACT: Final = re.compile(
    r"\b(?:who|whom|whose|when|where|why|how\s+(?!do\b|does\b|did\b|is\b|are\b)\w+)\b", re.IGNORECASE
)
_WHAT: Final = re.compile(r"\b(?:what|which)(?:\s+(?:is|was|are|were)\s+(?:the|a|an))?\s+([^\W_]+)", re.IGNORECASE)
_MONTHS: Final = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
_WORD: Final = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Named:
    """A page or table that a question names, and where it does: ``question[start:end]``.

    ``number`` is as it is written ("5", "A-2"); ``place`` counts from 1, or from −1 backwards ("the last page"), where
    it was named by its place. Exactly one of them is set; the number of all tables is `ALL`.
    """

    kind: Literal["page", "table"]
    start: int
    end: int
    number: str = ""
    place: int = 0


def named_structures(question: str) -> list[Named]:
    """Every page and table that a question names, in its order; a range is each of what it spans."""
    found = [one for match in _NUMBERED.finditer(question) for one in _numbered(match)]
    found += [one for match in _ORDINAL.finditer(question) for one in _placed(match)]
    found += [Named("table", match.start(), match.end(), number=ALL) for match in _ALL.finditer(question)]
    for match in _BOTH.finditer(question):
        found += [Named(_kind(match), match.start(), match.end(), place=place) for place in (1, 2)]
    unique = {(one.kind, one.number, one.place, one.start): one for one in found}
    return sorted(unique.values(), key=lambda one: one.start)


def asks_structure_alone(question: str, named: Iterable[Named], documents: Iterable[str] = ()) -> bool:
    """Whether a question wants pages and tables as such, and no fact on them ("Which lender does page 5 name?")."""
    rest = without(question, named)
    known = asking_words().union(*(words_of(name) for name in documents))
    asked = [match[1].casefold() for match in _WHAT.finditer(rest)]
    return not _FACT.search(rest) and all(word in known for word in asked)


def without(question: str, named: Iterable[Named]) -> str:
    """A question with blanks where it names pages and tables."""
    rest = list(question)
    for one in named:
        rest[one.start : one.end] = " " * (one.end - one.start)
    return "".join(rest)


@cache
def asking_words() -> frozenset[str]:
    """Words that ask about a text as such, and small words."""
    return frozenset(
        files("hopline.retrieval.page_table_references").joinpath("asking.txt").read_text(encoding="utf-8").split()
    )


def words_of(text: str) -> list[str]:
    """The words and numbers of a text, lower case."""
    return [match[0].casefold() for match in _WORD.finditer(text)]


def said_in(text: str) -> frozenset[str]:
    """The words of a text, each two neighbours as one ("Best Buy" is BESTBUY), and months as numbers."""
    words = words_of(text)
    months = {f"{_MONTHS.index(word) + 1:02}" for word in words if word in _MONTHS}
    return frozenset(words) | {one + other for one, other in pairwise(words)} | months


def page_number(number: str) -> int | None:
    """The page that a number means; Roman numerals and number words are read, None for what is no number."""
    if number.isdigit():
        return int(number)
    return _roman(number.casefold())


def _numbered(match: re.Match[str]) -> Iterable[Named]:
    kind = _kind(match)
    for value in _values(match["values"]):
        if kind == "page" and page_number(value) is None:
            continue
        yield Named(kind, match.start(), match.end(), number=value)


def _values(written: str) -> list[str]:
    """The numbers of "3, 4 and 6" or "3–5", each once."""
    if re.fullmatch(r"[A-Za-z]?\d*[.\-]?\d+(?:[.\-]\d+)*", written) and not re.fullmatch(r"\d+-\d+", written):
        return [written]
    parts = re.split(_JOINT, written)
    found: list[str] = []
    for joint, value in zip(["", *parts[1::2]], parts[::2], strict=True):
        number = _written(value)
        if joint and found:
            found += _between(found[-1], number)
        found.append(number)
    return list(dict.fromkeys(found))


def _between(first: str, last: str) -> list[str]:
    """The numbers inside a range; none where it is no range of numbers, or runs over `MOST` of them."""
    low, high = page_number(first), page_number(last)
    if low is None or high is None or high - low > MOST:
        return []
    return [str(n) for n in range(low + 1, high)]


def _written(value: str) -> str:
    folded = value.casefold()
    return str(_NUMBER_WORDS.index(folded) + 1) if folded in _NUMBER_WORDS else value


def _placed(match: re.Match[str]) -> Iterable[Named]:
    words = [word.casefold() for word in re.findall(_PLACE, match["places"], re.IGNORECASE)]
    count = int(_written(match["count"])) if match["count"] else 1
    for word in words:
        place = _place(word)
        first = place if place > 0 else place - count + 1
        for one in range(first, first + min(count, MOST)):
            yield Named(_kind(match), match.start(), match.end(), place=one)


def _place(word: str) -> int:
    if word in _PLACES:
        return _PLACES[word]
    return _ORDINAL_WORDS.index(word) + 1 if word in _ORDINAL_WORDS else int(word[:-2])


def _kind(match: re.Match[str]) -> Literal["page", "table"]:
    return "table" if match["thing"][0] in "tT" else "page"


def _roman(text: str) -> int | None:
    if not text or any(letter not in _ROMAN for letter in text):
        return None
    values: Sequence[int] = [_ROMAN[letter] for letter in text]
    following = [*values[1:], 0]
    return sum(-value if value < after else value for value, after in zip(values, following, strict=True))
