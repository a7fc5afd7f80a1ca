"""Numbers of the parts of documents in any notation: "Chapter III", "section 2.1", "§ 4", "Article 5(2)", "第三章".

The same grammar reads them in questions and in headings, so that "chapter three" is what stands below "III. Fees".
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final

from hopline.text.values import COUNT_WORDS, ORDINALS, parse_number_word, parse_roman

_TENS: Final = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_CHINESE_KINDS: Final = {
    "章": "chapter", "节": "section", "節": "section", "条": "article", "條": "article", "部": "part", "编": "part",
    "編": "part", "款": "clause", "項": "clause",
}  # fmt: skip
_CHINESE_DIGITS: Final = "一二三四五六七八九十百〇零"
_CHINESE: Final = re.compile(
    rf"第\s*(?P<number>\d+|[{_CHINESE_DIGITS}]+)\s*(?:部分|(?P<kind>[{''.join(_CHINESE_KINDS)}]))"
)
_PARTS: Final = re.compile(r"[\s.()]+")
_ORDINAL_ENDING: Final = r"(?:st|nd|rd|th|\.|e|er|ère|re|ème|º|ª|-?(?:й|я|ая|ей))"
_ITEMS: Final = r"(?:\s?\((?:\d{1,2}|[a-z]{1,4})\)|,?\s+(?i:absatz|abs\.|paragraph|para\.?|alinéa|apartado)\s*\d{1,2})*"
_ITEM_WORDS: Final = frozenset({"absatz", "abs", "paragraph", "para", "alinéa", "apartado"})
_ITEM: Final = re.compile(r"^[^\s(,]+|\w+")
_DOTTED: Final = r"(?:\.(?:\d{1,3}[a-z]?|[a-zA-Z]\b|[ivxIVX]+\b))*"
_BARE: Final = re.compile(
    rf"(?P<number>\d{{1,3}}[a-z]?{_DOTTED}|[A-Z](?:\.\d{{1,3}})+|(?:[A-Z]|[IVXLC]+)(?=[.):])|[IVXLC]{{2,}})[.):]?(?:\s+(?=\S)|$)"
)
# "the chapter I should read"; what follows the number of "chapter I" begins with one of these words
_AFTER_NUMBER: Final = (
    r"(?:of|in|on|from|and|or|to|with|is|are|was|were|about|say|says|state|states|cover|covers|contain|contains"
    r"|deal|deals|describe|describes|discuss|discusses|mean|require|requires|regulate|regulates)\b"
)
_NEXT: Final = r"(?:\s*,(?!\s*(?i:abs|para|alin|apart))\s*|\s+(?:and|or|und|oder|et|y|e|и)\s+|\s*&\s*)"
_TO: Final = r"(?:\s*(?:-|–|—|\bto\b|\bbis\b)\s*)"
_RANGE: Final = re.compile(rf"(\d+){_TO}(\d+)")
_LINK: Final = re.compile(r"(?:\s*,\s*|\s+(?:of|in|von|des|der|de|du|del|la)\s+)(?:the\s+)?", re.IGNORECASE)
_MAX_RANGE: Final = 50
_SECTION_KINDS: Final = frozenset({"", "§", "section", "paragraph"})  # "§ 4" is "section 4"
_WITHOUT_BARE_NUMBERS: Final = frozenset({"part", "annex", "schedule", "book", "title"})


@dataclass(frozen=True, slots=True)
class SectionNumber:
    """The number of a part of a document; ``kind`` is "chapter", "article", "§" …, "" for a number alone.

    Each of the ``parts`` has the values that it may be read as: "1" and "i" of "I". ``items`` are the numbers in
    brackets behind it, of its paragraphs.
    """

    kind: str
    parts: tuple[frozenset[str], ...]
    items: tuple[frozenset[str], ...] = ()

    def is_above(self, heading: SectionNumber) -> bool:
        """Return whether a heading has this number, or is of a part of it: "3.2" of "chapter 3"."""
        kinds = {self.kind, heading.kind}
        is_of_kind = len(kinds) == 1 or kinds <= _SECTION_KINDS or ("" in kinds and not kinds & _WITHOUT_BARE_NUMBERS)
        pairs = list(zip(self.parts, heading.parts, strict=False))
        return is_of_kind and len(pairs) == len(self.parts) and all(mine & other for mine, other in pairs)


@dataclass(frozen=True, slots=True)
class SectionMention:
    """The number of a part of a document at ``text[start:end]``; it is a part of those in ``within``."""

    number: SectionNumber
    start: int
    end: int
    within: tuple[SectionNumber, ...] = ()

    def rank_path(self, headings: Iterable[str]) -> int:
        """Return 2 if a path of headings has the number with its kind ("Part II"), 1 without it ("II. Fees"), else 0.

        It also has to have those that the part is in.
        """
        path = [number for heading in headings if (number := parse_heading(heading)) is not None]
        if not all(any(outer.is_above(number) for number in path) for outer in self.within):
            return 0
        return max(
            (1 + (number.kind == self.number.kind) for number in path if self.number.is_above(number)), default=0
        )


def find_sections(text: str) -> list[SectionMention]:
    """Find the numbers of parts of documents in a text, in order; a list or a range gives one for each number."""
    mentions = sorted((*_find_numbered(text), *_find_ordinals(text), *_find_chinese(text)), key=lambda item: item.start)
    linked: list[SectionMention] = []
    for mention in mentions:
        last = linked[-1] if linked else None
        if last and last.start < mention.start and _LINK.fullmatch(text, last.end, mention.start):
            linked[-1] = replace(last, end=mention.end, within=(*last.within, mention.number))
        else:
            linked.append(mention)
    return linked


def select_in_sections(mentions: Sequence[SectionMention], paths: Sequence[Sequence[str]]) -> list[bool]:
    """Return for each path of headings whether it is in one of the parts; "2 Scope" is no Part 2 if there is one."""
    ranks = [[mention.rank_path(path) for path in paths] for mention in mentions]
    return [any(row[index] and row[index] == max(row) for row in ranks) for index in range(len(paths))]


@lru_cache(maxsize=10_000)
def parse_heading(heading: str) -> SectionNumber | None:
    """Return the number with which a heading begins; None if it has none."""
    text = heading.strip()
    for mention in (*_find_numbered(text), *_find_ordinals(text), *_find_chinese(text)):
        if mention.start == 0:
            return mention.number
    bare = _BARE.match(text)
    return SectionNumber("", _read_parts(bare["number"])) if bare else None


def _find_numbered(text: str) -> Iterator[SectionMention]:
    """Find the numbers behind a kind: "chapters 2 and 3", "§ 4", "Article 5(2)"."""
    pattern = _compile_patterns()[0]
    for match in pattern.finditer(text):
        kind = _load_words()[0][match["kind"].casefold()] if match["kind"] else "§"
        for number in _split_numbers(match["numbers"]):
            dotted, *items = _ITEM.findall(number)
            values = tuple(_read_values(item) for item in items if item.casefold() not in _ITEM_WORDS)
            yield SectionMention(SectionNumber(kind, _read_parts(dotted), values), *match.span())


def _split_numbers(text: str) -> list[str]:
    limits = _RANGE.fullmatch(text.strip())
    if limits and 0 < int(limits[2]) - int(limits[1]) <= _MAX_RANGE:
        return [str(number) for number in range(int(limits[1]), int(limits[2]) + 1)]
    return re.split(rf"{_NEXT}|(?<![a-z]){_TO}", text)


def _find_ordinals(text: str) -> Iterator[SectionMention]:
    """Find "the 3rd chapter", "Erster Teil"."""
    kinds, _, ordinals = _load_words()
    for match in _compile_patterns()[1].finditer(text):
        word = match["number"].casefold()
        value = int(word) if word.isdecimal() else ordinals[word]
        yield SectionMention(SectionNumber(kinds[match["kind"].casefold()], (frozenset({str(value)}),)), *match.span())


def _find_chinese(text: str) -> Iterator[SectionMention]:
    for match in _CHINESE.finditer(text):
        kind = _CHINESE_KINDS[match["kind"]] if match["kind"] else "part"
        yield SectionMention(SectionNumber(kind, (frozenset({str(_read_chinese(match["number"]))}),)), *match.span())


def _read_chinese(text: str) -> int:
    """Return the value of a number below 1,000 in digits or Chinese characters."""
    if text.isdecimal():
        return int(text)
    total, digit = 0, 0
    for character in text:
        value = int(unicodedata.numeric(character))
        if value >= 10:  # 十, 百 multiply the digit before them
            total, digit = total + (digit or 1) * value, 0
        else:
            digit = value
    return total + digit


def _read_parts(text: str) -> tuple[frozenset[str], ...]:
    return tuple(_read_values(part) for part in _PARTS.split(text.strip()) if part)


def _read_values(text: str) -> frozenset[str]:
    """Return the values that a number may have: digits, Roman digits, letters and words."""
    folded = text.casefold()
    values = {str(int(folded)) if folded.isdecimal() else folded}
    _, cardinals, ordinals = _load_words()
    word = cardinals.get(folded) or ordinals.get(folded) or parse_number_word(folded)
    numbers = (parse_roman(folded) if folded.isascii() and folded.isalpha() else None, word)
    return frozenset(values | {str(number) for number in numbers if number})


@cache
def _load_words() -> tuple[dict[str, str], dict[str, int], dict[str, int]]:
    """Return the kinds by their words, and the numbers by their words and by their ordinals."""
    kinds: dict[str, str] = {}
    numbers = {word: number for number, word in enumerate(COUNT_WORDS) if number}
    ordinals = {word: number for number, word in enumerate(ORDINALS, 1)}
    for line in files(__package__).joinpath("sections.txt").read_text(encoding="utf-8").splitlines():
        name, colon, words = line.partition(":")
        if not colon or line.startswith("//"):
            continue
        if name[0].isdecimal():
            values = ordinals if name.endswith(".") else numbers
            values |= {word: int(name.rstrip(".")) for word in words.split() if word not in values}
        else:
            kinds |= dict.fromkeys(words.split(), name)
    return kinds, numbers, ordinals


@cache
def _compile_patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return the patterns of a kind with a number behind it, and of an ordinal before it."""
    kinds, numbers, ordinals = (
        "|".join(sorted(map(re.escape, words), key=len, reverse=True)) for words in _load_words()
    )
    first = (
        rf"(?:\d{{1,3}}[a-z]?(?![\w%])|[IVXLC]+(?!\w)|[ivxlc]{{2,}}(?!\w)|[vx](?!\w)|[A-Z](?!\w)"
        rf"|(?i:(?:{_TENS})-(?:{'|'.join(COUNT_WORDS[1:10])})|{numbers}|{ordinals}|{_TENS})(?!\w))"
    )
    number = rf"{first}{_DOTTED}{_ITEMS}"
    pronoun = rf"I(?=\s+(?!{_AFTER_NUMBER})[a-z])"
    behind = re.compile(
        rf"(?:§{{1,2}}\s*|\b(?i:(?P<kind>{kinds}))(?:\.\s*|\s+)(?i:(?:no\.?|nr\.?|number)\s*)?)(?!{pronoun})"
        rf"(?P<numbers>{number}(?:(?:{_NEXT}|{_TO}){number})*)(?!\w|\.\d)"
    )
    ordinal = re.compile(
        rf"\b(?P<number>\d{{1,3}}(?={_ORDINAL_ENDING})|(?i:{ordinals}))(?:(?<=\d){_ORDINAL_ENDING})?"
        rf"\s+(?i:(?P<kind>{kinds}))\b(?!\s+\d)"
    )
    return behind, ordinal
