"""Which pages and tables a question names: "page 5", "the first table", "pages 3–5", "Table A-2"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
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
_ROMAN: Final = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_THING: Final = r"(?P<thing>pages?|pgs?\.?|pp?\.|tables?|tabs?\.)"
_VALUE: Final = rf"(?:\d+(?:[.\-]\d+)*|[A-Za-z][.\-]?\d+(?:[.\-]\d+)*|[ivxlc]+|[IVXLC]+|{'|'.join(_NUMBER_WORDS)})"
_RANGE: Final = r"(?:\s*(?:-|–|—|to|through|until)\s*)"
_AND: Final = r"(?:\s*,\s*(?:and\s+|or\s+)?|\s+and\s+|\s+or\s+|\s*&\s*)"
_NUMBERED: Final = re.compile(
    rf"\b{_THING}\s*(?:no\.?|numbers?|nr\.?|\#)?\s*(?P<values>{_VALUE}(?:(?:{_AND}|{_RANGE}){_VALUE})*)(?![\w])",
    re.IGNORECASE,
)
_ORDINAL: Final = re.compile(
    rf"\b(?P<place>{'|'.join(_ORDINAL_WORDS)}|last|final|\d+(?:st|nd|rd|th))\s+(?P<thing>page|table)\b", re.IGNORECASE
)
_JOINT: Final = re.compile(rf"({_RANGE}(?=\S))|{_AND}", re.IGNORECASE)
MOST: Final = 50  # pages of one range
_WORD: Final = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Named:
    """A page or table that a question names, and where it does: ``question[start:end]``.

    ``number`` is as it is written ("5", "A-2"); ``place`` counts from 1, or from −1 backwards ("the last page"), where
    it was named by its place. Exactly one of them is set.
    """

    kind: Literal["page", "table"]
    start: int
    end: int
    number: str = ""
    place: int = 0


def named_structures(question: str) -> list[Named]:
    """Every page and table that a question names, in its order; a range is each of what it spans."""
    found = [one for match in _NUMBERED.finditer(question) for one in _numbered(match)]
    found += [_placed(match) for match in _ORDINAL.finditer(question)]
    unique = {(one.kind, one.number, one.place, one.start): one for one in found}
    return sorted(unique.values(), key=lambda one: (one.start, one.place, _order(one.number)))


def asks_structure_alone(question: str, named: Iterable[Named], documents: Iterable[str] = ()) -> bool:
    """Whether a question wants pages and tables as such: beside them and the names of documents it says nothing."""
    rest = list(question)
    for one in named:
        rest[one.start : one.end] = " " * (one.end - one.start)
    known = {word for name in documents for word in words_of(name)}
    return all(word in _asking() or word in known for word in words_of("".join(rest)))


@cache
def _asking() -> frozenset[str]:
    """Words that ask about a text as such, and small words."""
    return frozenset(files("hopline.language").joinpath("asking.txt").read_text(encoding="utf-8").split())


def words_of(text: str) -> list[str]:
    """The words and numbers of a text, lower case."""
    return [match[0].casefold() for match in _WORD.finditer(text)]


def page_number(number: str) -> int | None:
    """The page that a number means; Roman numerals and number words are read, None for what is no number."""
    if number.isdigit():
        return int(number)
    return _roman(number.casefold())


def _numbered(match: re.Match[str]) -> Iterable[Named]:
    kind: Literal["page", "table"] = "table" if match["thing"][0] in "tT" else "page"
    values = _values(match["values"])
    for value in values:
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
    if not (first.isdigit() and last.isdigit() and int(last) - int(first) <= MOST):
        return []
    return [str(n) for n in range(int(first) + 1, int(last))]


def _written(value: str) -> str:
    folded = value.casefold()
    return str(_NUMBER_WORDS.index(folded) + 1) if folded in _NUMBER_WORDS else value


def _placed(match: re.Match[str]) -> Named:
    word = match["place"].casefold()
    kind: Literal["page", "table"] = "table" if match["thing"][0] in "tT" else "page"
    if word in {"last", "final"}:
        return Named(kind, match.start(), match.end(), place=-1)
    place = _ORDINAL_WORDS.index(word) + 1 if word in _ORDINAL_WORDS else int(word[:-2])
    return Named(kind, match.start(), match.end(), place=place)


def _roman(text: str) -> int | None:
    if not text or any(letter not in _ROMAN for letter in text):
        return None
    values: Sequence[int] = [_ROMAN[letter] for letter in text]
    following = [*values[1:], 0]
    return sum(-value if value < after else value for value, after in zip(values, following, strict=True))


def _order(number: str) -> int:
    return int(number) if number.isdigit() else 0
