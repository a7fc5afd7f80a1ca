"""Tokens of a text with the normalized forms by which a question and a document are matched.

Two tokens meet when they share a form: "12,000" and "12 thousand" share ``#12000``, "07/02/2015"
and "July 2015" share ``@7`` and ``#2015``, "acquired" and "acquisition" a root, "FY22" and
"fiscal 2022" ``#2022``, "Per-4" and "PER 4" nothing else than ``per4``; a file number such as
"0-15175" is no number.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from hopline.nlp.stemmer import normalize_word, stem
from hopline.nlp.vocabulary import words

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
_SCALES: Final = {"thousand": 1e3, "million": 1e6, "mn": 1e6, "billion": 1e9, "bn": 1e9, "trillion": 1e12}
NUMBERS: Final = (
    {word: n for n, word in enumerate(words("counts"))}
    | {word: 10 * n for n, word in enumerate(words("tens"), 2)}
    | {word: n for n, word in enumerate(words("ordinals"), 1)}
)
_MONTH: Final = {key: n for n, month in enumerate(words("months"), 1) for key in (month, month[:3])} | {"sept": 9}


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
    def year(self) -> bool:
        """Whether it reads as a year, 1400 to 2100."""
        return self.kind == "number" and len(self.text) == 4 and self.text.isdigit() and 1400 <= int(self.text) <= 2100

    @property
    def dated(self) -> bool:
        """Whether it is a date, a month or a year."""
        return self.year or self.kind == "date" or any(form[0] == "@" for form in self.forms)

    @property
    def capital(self) -> bool:
        """Whether it is written as a name is."""
        return self.kind in ("word", "code") and self.text[0].isupper()


def tokenize(text: str) -> list[Token]:
    """The tokens of a text in order, with their spans."""
    tokens: list[Token] = []
    for match in _TOKEN.finditer(text):
        word = match.group()
        kind = "code" if match["code"] or match["mixed"] else match.lastgroup or ""
        scale = _SCALES.get(word.casefold())
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
        return frozenset({_value(float(text.replace(",", "")))})
    if kind == "date":
        return _date(text)
    if kind == "sign":
        return frozenset({stem("percent") if text == "%" else text})
    word = normalize_word(text)
    if kind == "code":
        return _code(word)
    forms = {stem(word)}
    if word in NUMBERS:
        forms.add(_value(NUMBERS[word]))
    if word in _MONTH and (word != "may" or text[0].isupper()):
        forms.add(f"@{_MONTH[word]}")
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
    first, second, third = (int(part) for part in re.split(r"[/.-]", text))
    year, month, day = (first, second, third) if first > 31 else (third, first, second)
    if month > 12:
        month, day = day, month
    if year < 100:
        year += 2000 if year < 70 else 1900
    return frozenset({_value(year), f"@{month}", _value(day), text})
