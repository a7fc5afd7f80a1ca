"""Tokens of a text with the normalized forms by which a question and a document are matched.

Two tokens meet when they share a form: "12,000" and "12 thousand" share ``#12000``, "07/02/2015"
and "July 2015" share ``@7`` and ``#2015``, "acquired" and "acquisition" a root, "FY22" and
"fiscal 2022" ``#2022``, "Per-4" and "PER 4" nothing else than ``per4``; a file number such as
"0-15175" is no number. An identifier ("CVE-2021-44228", "4711-B") is one token.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from hopline.text.identifiers import find_identifiers
from hopline.text.values import MONTH_NUMBERS, NUMBER_WORDS, SCALES, list_readings, parse_digits
from hopline.text.words import normalize_word, stem

_TOKEN: Final = re.compile(
    r"(?P<word>[^\W\d_]+(?P<code>-?\d[^\W_]*(?:\.[a-z]{2,4})*\b|\.(?:com|org|net|edu|gov|io|eu|uk)\b)?"
    r"(?:&[^\W\d_]+|['’](?!s\b)[^\W\d_]+)*(?:['’]s\b)?)"
    r"|(?P<date>\d{1,4}[/.-]\d{1,2}[/.-]\d{2,4}(?![\w/]))"
    r"|(?P<mixed>[1-4]Q\d*\b|\d+-[A-Z]\b|\d{1,3}-\d{5,}\b)"
    r"|(?P<number>\d+(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
    r"|(?P<sign>[%$€£¥])"
)
_FISCAL: Final = re.compile(r"fy-?(?:20)?(\d{2})")
_QUARTER: Final = re.compile(r"q([1-4])(?:fy)?(\d{2})?|([1-4])q(\d{2})?")
_SCALE_WORDS: Final = {word: SCALES[word] for word in SCALES} | {"mn": SCALES["million"], "bn": SCALES["billion"]}


@dataclass(frozen=True, slots=True)
class Token:
    """A word, number, date, code or sign of a text with the forms by which it is matched."""

    text: str
    start: int
    end: int
    kind: str
    forms: frozenset[str]

    @property
    def number(self) -> float | None:
        """Its value, with the scale that follows it ("3.6 billion"); None where it is no number."""
        values = [float(form[1:]) for form in self.forms if form[0] == "#"]
        return max(values) if values else None

    @property
    def capital(self) -> bool:
        """Whether it is written as a name is."""
        return self.kind in ("word", "code") and self.text[0].isupper()


def tokenize(text: str) -> list[Token]:
    """The tokens of a text in order, with their spans."""
    codes = [item for item in find_identifiers(text) if item.category == "code"]
    tokens = [Token(item.text, item.start, item.end, "code", frozenset({item.key})) for item in codes]
    bounds = [0, *(bound for item in codes for bound in (item.start, item.end)), len(text)]
    for start, end in zip(bounds[::2], bounds[1::2], strict=True):
        tokens += _tokenize_words(text, start, end)
    return sorted(tokens, key=lambda token: token.start)


def _tokenize_words(text: str, start: int, end: int) -> list[Token]:
    """The tokens of a part of a text without identifiers, with their spans in the text."""
    tokens: list[Token] = []
    for match in _TOKEN.finditer(text, start, end):
        word = match.group()
        kind = "code" if match["code"] or match["mixed"] else match.lastgroup or ""
        scale = _SCALE_WORDS.get(word.casefold())
        if scale and tokens and (value := tokens[-1].number) is not None:
            last = tokens.pop()
            tokens.append(Token(last.text, last.start, last.end, last.kind, last.forms | {_value(value * scale)}))
        tokens.append(Token(word, match.start(), match.end(), kind, _forms(kind, word)))
    return tokens


def _value(number: float) -> str:
    return f"#{number:.12g}"


@lru_cache(maxsize=50_000)
def _forms(kind: str, text: str) -> frozenset[str]:
    if kind == "number":
        value = parse_digits(text)
        return frozenset({text if value is None else _value(float(value))})
    if kind == "date":
        return _date(text)
    if kind == "sign":
        return frozenset({stem("percent") if text == "%" else text})
    word = normalize_word(text)
    if kind == "code":
        return _code(word)
    forms = {stem(word)}
    if word in NUMBER_WORDS:
        forms.add(_value(NUMBER_WORDS[word]))
    if word in MONTH_NUMBERS and (word != "may" or text[0].isupper()):
        forms.add(f"@{MONTH_NUMBERS[word]}")
    return frozenset(forms)


def _code(word: str) -> frozenset[str]:
    if match := _FISCAL.fullmatch(word):
        return frozenset({word, stem("fiscal"), stem("year"), f"#20{match[1]}"})
    if match := _QUARTER.fullmatch(word):
        year = match[2] or match[4]
        named = {stem("quarter"), f"#{match[1] or match[3]}"}
        return frozenset({word, *named, *({f"#20{year}"} if year else ())})
    return frozenset({word.replace("-", "")})


def _date(text: str) -> frozenset[str]:
    """The forms of year, month and day; of both readings where the order of day and month is unknown."""
    forms = {text}
    for date in list_readings(text):
        parts = (("#", date.year), ("@", date.month), ("#", date.day))
        forms |= {_value(part) if sign == "#" else f"@{part}" for sign, part in parts if part is not None}
    return frozenset(forms)
