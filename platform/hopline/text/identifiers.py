"""Identifiers in texts: error codes, part numbers, versions, standards, and numbered parts of laws and contracts.

"E1042", "4711-B", "CVE-2021-44228", "ISO 9001:2015", "Art. 6(1)(f)", "v2.3.1" and "error 1042" are one unit each. Two
spellings are the same identifier if their digits and letters are equal: "E1042", "E-1042" and "E 1042". "error 1042" is
"E1042" as well. No identifiers are quarters, fiscal years, amounts, measures ("230-V") and formulas ("CO2").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from hopline.text.values import CURRENCY, MONTH_NUMBERS, is_year

Category = Literal["code", "named number", "version", "standard", "clause"]

LEADING_WORDS: Final = 3  # an identifier behind more words is not what its text begins with
_DASHES: Final = "-_‐‑–"
_CHUNK: Final = re.compile(rf"(?<![\w.])[A-Za-z0-9]+(?:[{_DASHES}.][A-Za-z0-9]+)*(?!\w)")
_LETTERS_FIRST: Final = re.compile(
    rf"(?P<letters>[A-Za-z]{{1,4}})(?P<dash>[{_DASHES}]?)(?P<digits>\d+)(?P<ending>[A-Za-z]*)"
    rf"(?:[{_DASHES}.]?[A-Za-z0-9]+)*"
)
_DIGITS_FIRST: Final = re.compile(rf"(?P<digits>\d{{2,}})(?:[{_DASHES}](?:[A-Z0-9]+|[a-z]))+")
_HEXADECIMAL: Final = re.compile(r"0x[0-9a-f]+", re.IGNORECASE)
_VERSION: Final = re.compile(
    r"\b(?:v\.?|(?:version|release|firmware)\s+v?)\s?(?P<number>\d+(?:\.\d+)+)(?!\w)", re.IGNORECASE
)
_BODIES: Final = "ISO|IEC|EN|DIN|RFC|ASTM|IEEE|ANSI|NFPA|SAE|IFRS|IAS|PEP|VDE|BS"
_STANDARD: Final = re.compile(
    rf"(?<![\w-])(?P<name>(?i:(?:{_BODIES})(?:[ /](?:{_BODIES}))*)(?=[ -]\d)|[A-Z]{{2,5}}(?= \d{{3}}))"
    rf"[ -](?P<number>\d+(?:[-.:]\d+)*)(?![\w%]|,\d| \d{{3}}\b|\s(?:%|percent|thousand|million|billion))"
)
_SPACED_CODE: Final = re.compile(r"(?<![\w'’-])(?P<name>[B-HJ-Z]) (?P<number>\d{2,})(?![\w%]|[.,]\d)")
_CLAUSE: Final = re.compile(
    r"(?:(?P<sign>§)§?|\b(?P<name>art|article|sec|section|clause|rule|para|paragraph|regulation)s?\b\.?)\s*"
    r"(?P<number>\d+[a-z]?(?:\.\d+)*(?:\s?\((?:\d{1,2}|[a-z]{1,4})\))*)(?!\w|,\d)",
    re.IGNORECASE,
)
_CODE_WORDS: Final = frozenset({"error", "fault", "alarm", "message", "warning", "exception", "code"})
_NUMBERED_WORDS: Final = "part|order|invoice|item|ticket|model|room|flight|lot|batch|contract|customer|account|patent"
_NAMED_NUMBER: Final = re.compile(
    rf"\b(?:(?P<code>{'|'.join(sorted(_CODE_WORDS))})s?|(?P<name>{_NUMBERED_WORDS}))"
    r"(?:\s+(?:code|message|number|no\.?|nr\.?|id))*\s*[#:]?\s*(?P<number>\d{2,})(?![\w%]|[.,]\d|\s?%)",
    re.IGNORECASE,
)
_CLAUSE_NAMES: Final = {"art": "article", "sec": "section", "para": "paragraph"}
# letters before digits that are no identifier: "FY22", "Mar20", "No12", "mid-2020"
_NO_LETTERS: Final = frozenset(
    {
        *MONTH_NUMBERS,
        "fy",
        "cy",
        "no",
        "nr",
        "vol",
        "pp",
        "ca",
        "mid",
        "pre",
        "post",
        "non",
        "sub",
        "top",
        "age",
        "over",
    }
)
_PERIODS: Final = re.compile(r"q[1-4](?:fy)?\d{0,2}|q[1-4]-?\d{4}|h[12]|[1-4]q\d*", re.IGNORECASE)
_UNITS: Final = frozenset("VWAKCMmhgslwvakc")
_PARTS: Final = re.compile(r"[^\W\d_]+|\d+")
_WORD: Final = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Identifier:
    """An identifier at ``start`` of its text, as it is written.

    ``kind`` are the letters or the word before the first digits, in lower case ("e", "iso", "error", "section"; "" for
    "4711-B"); ``parts`` are the runs of digits and letters behind it.
    """

    text: str
    start: int
    category: Category
    kind: str
    parts: tuple[str, ...]

    @property
    def end(self) -> int:
        """Where it ends in its text."""
        return self.start + len(self.text)

    @property
    def key(self) -> str:
        """The identifier in lower case, without blanks and punctuation: "e1042", "iso90012015"."""
        return self.kind + "".join(self.parts)

    def is_same(self, other: Identifier) -> bool:
        """Return whether another identifier is the same, or one contains the other ("Article 6", "Art. 6(1)")."""
        if not self.is_like(other):
            return False
        if self.category in {"standard", "clause"}:
            return all(mine == theirs for mine, theirs in zip(self.parts, other.parts, strict=False))
        return self.parts == other.parts

    def is_like(self, other: Identifier) -> bool:
        """Return whether another identifier is of the same kind, and so the same one or one beside it in a list.

        "error 12" is like "E12", "error 13" and "code 12".
        """
        kinds = {self.kind, other.kind}
        if len(kinds) == 1:
            return (self.category == "clause") == (other.category == "clause")
        named = [item for item in (self, other) if item.category == "named number"]
        if len(named) == 2:
            return kinds <= _CODE_WORDS
        return len(named) == 1 and {kind[:1] for kind in kinds} == {named[0].kind[0]} and min(map(len, kinds)) == 1

    def stands_in(self, text: str) -> bool:
        """Return whether a text has the identifier; the number suffices if the rest is only the word before it."""
        if any(self.is_same(other) for other in find_identifiers(text)):
            return True
        if self.category not in {"named number", "version", "clause"}:
            return False
        number = self.parts[0] if self.category != "version" else ".".join(self.parts)
        return re.search(rf"(?<![\w.-]){re.escape(number)}(?![\w-]|\.\d)", text) is not None


@lru_cache(maxsize=4096)
def find_identifiers(text: str) -> tuple[Identifier, ...]:
    """Find the identifiers of a text, in order."""
    identifiers: list[Identifier] = []
    for find in (_find_clauses, _find_standards, _find_versions, _find_codes, _find_named_numbers):
        for item in find(text):
            if not any(other.start < item.end and item.start < other.end for other in identifiers):
                identifiers.append(item)
    return tuple(sorted(identifiers, key=lambda item: item.start))


def blank_identifiers(text: str) -> str:
    """Return a text of the same length with blanks in place of its identifiers."""
    for item in find_identifiers(text):
        text = f"{text[: item.start]}{' ' * len(item.text)}{text[item.end :]}"
    return text


def _find_clauses(text: str) -> Iterator[Identifier]:
    for match in _CLAUSE.finditer(text):
        name = "section" if match["sign"] else match["name"].lower()
        yield _build(match, "clause", _CLAUSE_NAMES.get(name, name), match["number"])


def _find_standards(text: str) -> Iterator[Identifier]:
    for match in _STANDARD.finditer(text):
        if not _is_amount_or_year(match["name"], match["number"]):
            yield _build(match, "standard", re.sub(r"\W", "", match["name"]).lower(), match["number"])


def _find_versions(text: str) -> Iterator[Identifier]:
    for match in _VERSION.finditer(text):
        yield _build(match, "version", "v", match["number"])


def _find_codes(text: str) -> Iterator[Identifier]:
    for match in _SPACED_CODE.finditer(text):
        yield _build(match, "code", match["name"].lower(), match["number"])
    for match in _CHUNK.finditer(text):
        word = match[0]
        if _is_code(word):
            parts = _PARTS.findall(word.lower())
            kind = "0x" if _HEXADECIMAL.fullmatch(word) else "" if word[0].isdigit() else parts.pop(0)
            yield Identifier(word, match.start(), "code", kind, tuple(parts))


def _find_named_numbers(text: str) -> Iterator[Identifier]:
    for match in _NAMED_NUMBER.finditer(text):
        is_number = len(match["number"]) > 2 and not is_year(match["number"])
        if match["code"] or is_number:
            yield _build(match, "named number", (match["code"] or match["name"]).lower(), match["number"])


def _build(match: re.Match[str], category: Category, kind: str, number: str) -> Identifier:
    return Identifier(match[0], match.start(), category, kind, tuple(_PARTS.findall(number.lower())))


def _is_amount_or_year(name: str, number: str) -> bool:
    """Whether "EUR 250" and "CEO 2020" are written like a standard."""
    is_body = re.match(rf"(?:{_BODIES})\b", name, re.IGNORECASE) is not None
    return not is_body and (is_year(number) or re.fullmatch(CURRENCY, name) is not None)


def _is_code(word: str) -> bool:
    """Whether letters and digits without a blank are an identifier."""
    if match := _DIGITS_FIRST.fullmatch(word):
        endings = re.split(f"[{_DASHES}]", word)[1:]
        is_measure = endings[0] in _UNITS and len(match["digits"]) < 4
        return not is_measure and not all(ending.isdigit() for ending in endings)
    if _HEXADECIMAL.fullmatch(word):
        return True
    match = None if _PERIODS.fullmatch(word) else _LETTERS_FIRST.fullmatch(word)
    return match is not None and _begins_like_code(match)


def _begins_like_code(match: re.Match[str]) -> bool:
    """Whether the letters before the first digits, and these digits, are those of a code: "E5", but not "CO2"."""
    letters, digits = match["letters"], match["digits"]
    if letters.lower() in _NO_LETTERS or re.fullmatch(CURRENCY, letters.upper()):
        return False
    if letters.isupper() and (match["dash"] or len(digits) > 1):
        return True
    if len(digits) == 1:
        return letters.isupper() and len(letters) == 1 and not match["ending"]
    has_more = any(dash in match[0][match.end("digits") - match.start() :] for dash in _DASHES)  # "cve-2021-44228"
    return len(letters) == 1 or (letters.islower() and (not match["dash"] or len(letters) == 2 or has_more))


def names_other(wanted: Sequence[Identifier], contexts: Sequence[Sequence[Identifier]]) -> bool:
    """Return whether a text is about another identifier than those that are wanted.

    ``contexts`` are the identifiers of the text, of what surrounds it, and of its headings, nearest first. The nearest
    context that has an identifier like a wanted one decides. If there is none, a text beside any other code is about
    that code.
    """
    is_decided = False
    for item in wanted:
        like = next((near for context in contexts if (near := [other for other in context if item.is_like(other)])), ())
        if like and not any(other.is_same(mine) for mine in wanted for other in like):
            return True
        is_decided = is_decided or bool(like)
    codes = [item for item in wanted if item.category in {"code", "named number"}]
    return bool(codes) and not is_decided and any(other.category == "code" for context in contexts for other in context)
