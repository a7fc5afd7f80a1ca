"""Grammar of references to pages, tables, figures and sections: "page 5", "the first table", "Fig. 3", "§ 4"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Final, Literal

from hopline.questions.section_numbers import SectionMention, find_sections
from hopline.text.languages import ENGLISH, detect_language
from hopline.text.parser import load_stop_words
from hopline.text.values import COUNT_WORDS, MONTH_NUMBERS, ORDINALS, parse_number_word, parse_roman
from hopline.text.words import stem, stem_content_words

_NUMBER_WORDS: Final = (*COUNT_WORDS[1:], "twenty")
_TENS: Final = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_COMPOUND: Final = re.compile(rf"\b(?:{_TENS})-(?:{'|'.join(COUNT_WORDS[1:10])})\b", re.IGNORECASE)
_PLACES: Final = {
    "opening": 1, "last": -1, "final": -1, "closing": -1, "penultimate": -2, "second last": -2, "second to last": -2,
    "next to last": -2, "last but one": -2,
}  # fmt: skip
_FIGURES: Final = "figures?|charts?|graphs?|diagrams?|maps?|exhibits?"
_KIND: Final = rf"(?P<kind>pages?|pgs?\.?|pp?\.|tables?|tabs?\.|{_FIGURES}|figs?\.?)"
_VALUE: Final = (
    r"(?:\d+(?:[.\-]\d+)*[a-z]?|[A-Za-z][.\-]?\d+(?:[.\-]\d+)*|[ivxlc]+\b"
    rf"|{_COMPOUND.pattern}|{'|'.join(_NUMBER_WORDS)})"
)
_RANGE: Final = r"(?:\s*(?:-|–|—|to|through|thru|until)\s*)"
_AND: Final = r"(?:\s*,\s*(?:and\s+|or\s+)?|\s+and\s+|\s+or\s+|\s*&\s*)"
_NUMBERED: Final = re.compile(
    rf"\b{_KIND}\s*(?:no\.?|numbers?|nr\.?|\#)?\s*(?P<values>{_VALUE}(?:(?:{_AND}|{_RANGE}){_VALUE})*)(?![\w])",
    re.IGNORECASE,
)
_PLACE_WORDS: Final = "|".join(
    words.replace(" ", r"[\s-]+") for words in sorted((*ORDINALS, *_PLACES), key=len, reverse=True)
)
_PLACE: Final = rf"(?:{_PLACE_WORDS}|\d{{1,9}}(?:st|nd|rd|th))"
_COUNT: Final = rf"(?:\d{{1,2}}|{'|'.join(_NUMBER_WORDS)})"
_ORDINAL: Final = re.compile(
    rf"\b(?P<places>{_PLACE}(?:{_AND}(?:the\s+)?{_PLACE})*)\s+(?:(?P<count>{_COUNT})\s+)?(?P<kind>pages?|tables?|{_FIGURES})\b",
    re.IGNORECASE,
)
_ALL: Final = re.compile(
    rf"\b(?:all|every|each)\s+(?:of\s+)?(?:the\s+)?(?P<kind>tables?|{_FIGURES})\b(?!\s+\d)", re.IGNORECASE
)
_BOTH: Final = re.compile(rf"\bboth\s+(?:of\s+)?(?:the\s+)?(?P<kind>pages|tables|{_FIGURES})\b(?!\s+\d)", re.IGNORECASE)
_SEPARATOR: Final = re.compile(rf"({_RANGE}(?=\S))|{_AND}", re.IGNORECASE)
ALL: Final = "*"  # the number of "all tables"
MAX_RANGE: Final = 50  # numbers of one range
_OF_AMOUNTS: Final = frozenset({"final", "closing", "opening"})  # figures
_MAX_FIGURE: Final = 999  # the number of a figure; a greater one is a year or an amount: "the sales figures 2023"
_FACT_QUESTION: Final = re.compile(
    r"\b(?:who|whom|whose|when|where|why|how\s+(?!do\b|does\b|did\b|is\b|are\b)\w+)\b", re.IGNORECASE
)
_WHAT: Final = re.compile(r"\b(?:what|which)(?:\s+(?:is|was|are|were)\s+(?:the|a|an))?\s+([^\W_]+)", re.IGNORECASE)
# "which page I should read": the pronoun; "Table I", "page I of the plan" and "on page I?" are references
_PRONOUN: Final = re.compile(r"[^\s]+\s+I\s+(?!of\b|in\b|on\b|from\b|and\b|or\b|to\b|with\b|is\b|are\b|was\b|were\b)\w")
_TOPIC: Final = re.compile(
    r"\b(?:about|concerning|regarding|on)\s+(?!.*\b(?:about|concerning|regarding)\b)(.+)", re.IGNORECASE
)
_WORD: Final = re.compile(r"[^\W_]+")


ReferenceKind = Literal["page", "table", "figure", "section"]


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference to a page, table, figure or section in a question, at ``question[start:end]``.

    ``number`` is the number as written ("5", "A-2"); ``position`` is the ordinal position, from 1 or from −1 backwards
    ("the last page"). Exactly one of them is set; the number of "all tables" is `ALL`. Of a section, ``section`` has
    the number, of a figure, ``label`` the word for it: "figure", "chart", "exhibit".
    """

    kind: ReferenceKind
    start: int
    end: int
    number: str = ""
    position: int = 0
    section: SectionMention | None = None
    label: str = ""


def parse_references(question: str) -> list[Reference]:
    """Return the references in a question, in order; a range gives one for each number.

    A figure without a number ("the first chart", "all figures") is a reference only if the question asks for nothing
    else.
    """
    references = [reference for match in _NUMBERED.finditer(question) for reference in _parse_numbered(match)]
    references += [reference for match in _ORDINAL.finditer(question) for reference in _parse_ordinals(match)]
    references += [_build(match, number=ALL) for match in _ALL.finditer(question)]
    for match in _BOTH.finditer(question):
        references += [_build(match, position=position) for position in (1, 2)]
    references += [
        Reference("section", item.start, item.end, number=question[item.start : item.end], section=item)
        for item in find_sections(question)
    ]
    unique = {(item.kind, item.number, item.position, item.section, item.start): item for item in references}
    ordered = sorted(unique.values(), key=lambda reference: reference.start)
    if all(item.kind != "figure" or item.number not in {"", ALL} for item in ordered):
        return ordered
    # "figures" may be amounts: "are all figures audited?" and "the first figure was wrong" refer to no picture
    is_sure = load_asking_words().issuperset(tokenize(blank_references(question, ordered)))
    return [item for item in ordered if is_sure or item.kind != "figure" or item.number not in {"", ALL}]


def asks_only_references(question: str, references: Iterable[Reference], documents: Iterable[str] = ()) -> bool:
    """Return whether a question asks for pages, tables, figures and sections as such, not for a fact in them.

    "Which lender does page 5 name?" asks for a fact. ``documents`` are names that the question may contain. In another
    language than English, all words have to be without content, or known as words of such questions.
    """
    rest = blank_references(question, references)
    known = load_asking_words().union(*(tokenize(name) for name in documents))
    if (language := detect_language(question)) != ENGLISH:
        return all(word in known or word in load_stop_words(language) for word in tokenize(rest))
    words = [match[1].casefold() for match in _WHAT.finditer(rest)]
    return not _FACT_QUESTION.search(rest) and all(word in known for word in words)


def blank_references(question: str, references: Iterable[Reference]) -> str:
    """Return the question with its references replaced by blanks."""
    rest = list(question)
    for reference in references:
        rest[reference.start : reference.end] = " " * (reference.end - reference.start)
    return "".join(rest)


def find_topic(question: str, references: Iterable[Reference]) -> frozenset[str]:
    """Return the stems of what a question wants to know from the text: "fee" of "What does page 5 say about fees?"."""
    phrase = _TOPIC.search(blank_references(question, references))
    return stem_content_words(phrase[1]) - {stem(word) for word in load_asking_words()} if phrase else frozenset()


@cache
def load_asking_words() -> frozenset[str]:
    """Return the words of questions that ask for a text as such, including stop words."""
    return frozenset(files(__package__).joinpath("asking.txt").read_text(encoding="utf-8").split())


def tokenize(text: str) -> list[str]:
    """Return the words and numbers of a text in lower case."""
    return [match[0].casefold() for match in _WORD.finditer(text)]


def extract_terms(text: str) -> frozenset[str]:
    """Return the words of a text, its joined word bigrams ("Best Buy" is BESTBUY), and its months as numbers."""
    words = tokenize(text)
    months = {f"{MONTH_NUMBERS[word]:02}" for word in words if len(word) > 2 and word in MONTH_NUMBERS}
    return frozenset(words) | {first + second for first, second in pairwise(words)} | months


def parse_page_number(number: str) -> int | None:
    """Parse an Arabic or Roman page number; None if it is neither."""
    if number.isdecimal():
        return int(number)
    return parse_roman(number)


def _parse_numbered(match: re.Match[str]) -> Iterable[Reference]:
    kind = _parse_kind(match)
    if _PRONOUN.match(match.string, match.start()):
        return
    for value in _parse_values(match["values"]):
        is_label = value[0].isalpha() and not value.isalpha()  # "page A-3": a printed number
        if (kind == "page" or value.isalpha()) and not is_label and parse_page_number(value) is None:
            continue
        if kind == "figure" and value.isdecimal() and int(value) > _MAX_FIGURE:
            continue
        yield _build(match, number=value)


def _parse_values(text: str) -> list[str]:
    """Return the numbers of "3, 4 and 6" or "3–5", each once."""
    if re.fullmatch(r"[A-Za-z]?\d*[.\-]?\d+(?:[.\-]\d+)*", text) and not re.fullmatch(r"\d+-\d+", text):
        return [text]
    text = _COMPOUND.sub(lambda match: str(parse_number_word(match[0])), text)
    parts = re.split(_SEPARATOR, text)
    numbers: list[str] = []
    for range_sign, value in zip(["", *parts[1::2]], parts[::2], strict=True):
        number = _to_digits(value)
        if range_sign and numbers:
            numbers += _fill_range(numbers[-1], number)
        numbers.append(number)
    return list(dict.fromkeys(numbers))


def _fill_range(first: str, last: str) -> list[str]:
    """Return the numbers between the ends of a range; empty if they are no numbers or over `MAX_RANGE` apart."""
    low, high = parse_page_number(first), parse_page_number(last)
    if low is None or high is None or high - low > MAX_RANGE:
        return []
    return [str(n) for n in range(low + 1, high)]


def _to_digits(value: str) -> str:
    folded = value.casefold()
    return str(_NUMBER_WORDS.index(folded) + 1) if folded in _NUMBER_WORDS else value


def _parse_ordinals(match: re.Match[str]) -> Iterable[Reference]:
    words = [re.sub(r"[\s-]+", " ", word.casefold()) for word in re.findall(_PLACE, match["places"], re.IGNORECASE)]
    count = int(_to_digits(match["count"])) if match["count"] else 1
    for word in words:
        ordinal = _parse_ordinal(word)
        if not ordinal or (word in _OF_AMOUNTS and _parse_kind(match) == "figure"):  # "the 0th page"
            continue
        first = ordinal if ordinal > 0 else ordinal - count + 1
        for position in range(first, first + min(count, MAX_RANGE)):
            yield _build(match, position=position)


def _parse_ordinal(word: str) -> int:
    if word in _PLACES:
        return _PLACES[word]
    return ORDINALS.index(word) + 1 if word in ORDINALS else int(word[:-2])


def _build(match: re.Match[str], *, number: str = "", position: int = 0) -> Reference:
    kind = _parse_kind(match)
    label = match["kind"].casefold().rstrip("s.") if kind == "figure" else ""
    label = "figure" if label == "fig" else label
    return Reference(kind, match.start(), match.end(), number=number, position=position, label=label)


def _parse_kind(match: re.Match[str]) -> Literal["page", "table", "figure"]:
    first = match["kind"][0].casefold()
    return "table" if first == "t" else "page" if first == "p" else "figure"
