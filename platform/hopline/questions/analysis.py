"""The analysis of a question: what it names and asks for. Computed once, and the same for every kind of answer."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final, Literal

from hopline.questions.answer_types import fits_value_kind, has_amount, is_count
from hopline.questions.part_references import resolve_part
from hopline.questions.parts import split_parts
from hopline.questions.references import Reference, asks_only_references, parse_references
from hopline.questions.section_numbers import SectionMention
from hopline.text.identifiers import Identifier, blank_identifiers, find_identifiers
from hopline.text.languages import ENGLISH, detect_language, is_latin
from hopline.text.parser import load_question_parser
from hopline.text.values import Bound, find_bound, find_years, is_year
from hopline.text.words import (
    contains_name,
    find_content_words,
    load_function_words,
    read_word_list,
    stem_content_words,
)

if TYPE_CHECKING:
    from spacy.tokens import Doc

AnswerType = Literal["verdict", "explanation", "number", "age", "size", "phrase"]

MAX_CHARACTERS: Final = 2000  # characters of a question that are analysed
_NAME: Final = re.compile(
    r"\b(?:[a-z]{1,2}(?=[A-Z]))?[A-Z][\w'’&-]*(?:(?:\s+|\s+of\s+(?:the\s+)?|\s*&\s*)[A-Z][\w'’&-]*)*|[“\"]([^”\"]{3,})[”\"]"
)
_NUMBER: Final = re.compile(r"\d[\d,.]*\d|\d")
_NUMBER_OR_ORDINAL: Final = re.compile(rf"(?:{_NUMBER.pattern})(?:(?:st|nd|rd|th)\b)?", re.IGNORECASE)
_POSSESSIVE: Final = re.compile(r"['’]s?(?:\s+|$)")
_FISCAL_YEAR: Final = re.compile(r"\bFY\s?[’']?(\d\d(?:\d\d)?)\b")
# "In the report of 2010, did …": words before the question itself, without a question word
_PREAMBLE: Final = (
    r"(?:(?:according\s+to|after|as|at|before|by|during|for|from|in|of|on|under|with)\b"
    r"(?:(?!\b(?:which|what|whose|whom|how|why)\b)[^?])*?,\s+)?"
)
_VERDICT: Final = re.compile(
    _PREAMBLE + r"(?!(?:can|could|will|would)\s+you\b)"
    r"(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|may|must)\b(?!.*\bor\b)",
    re.IGNORECASE,
)
_EXPLANATION: Final = re.compile(
    _PREAMBLE
    + r"(?:why|how(?! (?:many|much|long|old|far|often|frequently|large|big|small|high|fast|slow|tall|warm|hot|"
    r"cold|wide|broad|deep|thick|heavy|strong|loud|expensive)\b))\b",
    re.IGNORECASE,
)
_AMOUNT: Final = re.compile(
    r"\bhow (?:many|much)\b|^(?:what|which)(?: (?:is|was) the)?(?: \w+)? number of\b", re.IGNORECASE
)
_COUNT: Final = re.compile(r"\bhow (?:many|much)\b", re.IGNORECASE)  # "the number of the leaflet" is no count
_AGE: Final = re.compile(r"\bhow old\b", re.IGNORECASE)
_SIZE: Final = re.compile(r"\bhow (?:long|far|high|tall|wide|deep|large|big)\b", re.IGNORECASE)
_CHOICE: Final = re.compile(r"\bor\b", re.IGNORECASE)
_PREPOSITION: Final = re.compile(
    r"(?:\b(?:according\s+to|as\s+in|see|in|of|from|under|by|per|within|gemäß|nach|laut|selon|según|im|in\s+der)\s+)?"
    r"(?:\b(?:the|der|dem|die|das|le|la|el)\s+)?$",
    re.IGNORECASE,
)  # before a reference that is left out


@dataclass(frozen=True)
class QuestionAnalysis:
    """A question with what it names and asks for; each part of the analysis is computed at its first use.

    ``text`` is the question in one line, at most `MAX_CHARACTERS`, with fiscal years as documents write them ("fiscal
    2022" for "FY22"); ``original`` is the question as it was asked. ``whole`` is the question that this is a part of.
    """

    text: str
    original: str
    whole: QuestionAnalysis | None = None

    @cached_property
    def parse(self) -> Doc:
        """The dependency parse of the text."""
        return load_question_parser()(self.text)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names, in order: runs of capitalised words, and what is in quotation marks."""
        return tuple(_find_names(self.text))

    @cached_property
    def identifiers(self) -> tuple[Identifier, ...]:
        """The identifiers, in order: error codes, part numbers, versions, standards, clauses."""
        return find_identifiers(self.text)

    @cached_property
    def numbers(self) -> tuple[str, ...]:
        """The numbers and years as they are written, each once, in order; without the digits of identifiers."""
        return list_written_numbers(self._without_identifiers)

    @cached_property
    def years(self) -> tuple[str, ...]:
        """The years of four digits, each once, in order; without those in identifiers ("ISO 9001:2015")."""
        return tuple(find_years(self._without_identifiers))

    @cached_property
    def bound(self) -> Bound | None:
        """The first bound that the question states ("more than 5", "since 2010")."""
        return find_bound(self._without_identifiers)

    @cached_property
    def content_words(self) -> frozenset[str]:
        """The words of three letters and more, in lower case, without function words."""
        return find_content_words(self.text)

    @cached_property
    def content_stems(self) -> frozenset[str]:
        """The stems of the content words."""
        return stem_content_words(self.text)

    @cached_property
    def answer_type(self) -> AnswerType:
        """What the question asks for: a verdict (yes or no), an explanation, a number, an age, a size, or a phrase.

        "In the report, …" may precede a verb or question word. A question that gives a choice asks for no verdict.
        """
        text = self.text.strip()
        if _VERDICT.match(text):
            return "verdict"
        if _EXPLANATION.match(text):
            return "explanation"
        if _AMOUNT.search(text):
            return "number"
        return "age" if _AGE.search(text) else "size" if _SIZE.search(text) else "phrase"

    @property
    def asks_for_verdict(self) -> bool:
        """Whether the question is answered by yes or no."""
        return self.answer_type == "verdict"

    @property
    def asks_for_explanation(self) -> bool:
        """Whether the question asks for a reason or a manner, which a sentence gives rather than a few words."""
        return self.answer_type == "explanation"

    @cached_property
    def comparatives(self) -> frozenset[str]:
        """The comparatives of a question that compares things, in lower case: "heavier", "more"; empty for others.

        It has alternatives, or "than".
        """
        if not self.gives_choice and not re.search(r"\bthan\b", self.text):
            return frozenset()
        return frozenset(token.lower_ for token in self.parse if token.tag_ in {"JJR", "RBR"})

    @cached_property
    def gives_choice(self) -> bool:
        """Whether the question names alternatives, of which the answer may be one."""
        return bool(_CHOICE.search(self.text))

    @cached_property
    def language(self) -> str:
        """The code of its language, "" if its script is of none of the known ones."""
        return detect_language(self.text)

    @property
    def is_english(self) -> bool:
        """Whether it is in English, for which all kinds of questions are known."""
        return self.language == ENGLISH

    @cached_property
    def is_latin(self) -> bool:
        """Whether at least half of the letters are Latin."""
        return is_latin(self.text)

    @cached_property
    def is_readable(self) -> bool:
        """Whether the reader can read evidence for it: it has content words, and is in Latin script."""
        return bool(self.content_words) and self.is_latin

    @cached_property
    def references(self) -> tuple[Reference, ...]:
        """The references to pages, tables and sections, in order."""
        return tuple(parse_references(self.text))

    @cached_property
    def asks_only_references(self) -> bool:
        """Whether it asks for pages, tables and sections as such, not for a fact in them."""
        return bool(self.references) and asks_only_references(self.text, self.references)

    @cached_property
    def sections(self) -> tuple[SectionMention, ...]:
        """The numbers of the sections that it refers to, in order."""
        return tuple(reference.section for reference in self.references if reference.section)

    def without_sections(self) -> QuestionAnalysis:
        """Return the question without its references to sections: "What is the fee?" of "In § 4, what is the fee?"."""
        text = self.text
        for mention in reversed(self.sections):
            before = _PREPOSITION.sub("", text[: mention.start])
            text = f"{before}{text[mention.end :]}"
        text = " ".join(text.split()).strip(" ,").replace(" ?", "?")
        return analyse_question(text[:1].upper() + text[1:], whole=self.whole) if text else self

    def fits_answer_type(self, answer: str, before: str = "") -> bool:
        """Return whether an answer may be of the kind that the question asks for.

        ``before`` is what the sentence of the answer has before it. A count is a number, "up to six" and "none" as
        well, but no date, no time and no year; a size has a digit or a number word, and a year is no age. For
        durations, prices, persons and others see `hopline.questions.answer_types`.
        """
        match self.answer_type:
            case "number" if not (is_count(answer, before) if _COUNT.search(self.text) else has_amount(answer)):
                return False
            case "age" if is_year(answer.strip()):
                return False
            case "age" | "size" if not has_amount(answer):
                return False
        return fits_value_kind(self.text, answer, before)

    def find_unmatched(self, texts: Iterable[str]) -> tuple[str, ...]:
        """Return the names, numbers and identifiers of the question that no text contains."""
        text = "\n".join(texts)
        numbers = _NUMBER_OR_ORDINAL.findall(self._without_identifiers)
        names = dict.fromkeys((*_find_names(self._without_identifiers), *numbers))
        unmatched = [name for name in names if not contains_name(text, name)]
        return (*unmatched, *self.find_unmatched_identifiers([text]))

    def find_unmatched_identifiers(self, texts: Iterable[str]) -> tuple[str, ...]:
        """Return the identifiers of the question that no text contains."""
        text = "\n".join(texts) if self.identifiers else ""
        return tuple(item.text for item in self.identifiers if not item.stands_in(text))

    @cached_property
    def _without_identifiers(self) -> str:
        return blank_identifiers(self.text)

    def split(self, texts: Iterable[str] = ()) -> tuple[QuestionAnalysis, ...]:
        """Return the questions that it consists of; itself if it asks for one thing, or is too long.

        Names that one of the ``texts`` joins by "and" are one name.
        """
        is_complete = len(self.original) <= MAX_CHARACTERS
        parts = split_parts(self.text, tuple(texts)) if is_complete else (self.text,)
        return tuple(analyse_question(part, whole=self) for part in parts) if len(parts) > 1 else (self,)

    def resolve(self, first: QuestionAnalysis, answer: str = "") -> tuple[QuestionAnalysis, ...]:
        """Return the questions that a part may mean after the ``first`` part and its ``answer``."""
        readings = resolve_part(self.text, first.text, answer)
        return tuple(analyse_question(reading, whole=self.whole) for reading in readings)


@lru_cache(maxsize=64)
def analyse_question(question: str, *, whole: QuestionAnalysis | None = None) -> QuestionAnalysis:
    """Return the analysis of a question; ``whole`` is the question that it is a part of."""
    text = _FISCAL_YEAR.sub(_expand_fiscal_year, " ".join(question.split()))
    return QuestionAnalysis(text[:MAX_CHARACTERS], question, whole)


def list_written_numbers(text: str) -> tuple[str, ...]:
    """Return the numbers and years of a text as they are written, each once, in order."""
    return tuple(dict.fromkeys(_NUMBER.findall(text)))


def _expand_fiscal_year(match: re.Match[str]) -> str:
    return f"fiscal {match[1] if len(match[1]) == 4 else '20' + match[1]}"


def _find_names(text: str) -> list[str]:
    names: list[str] = []
    unnamed = load_function_words().union(read_word_list("opening"))
    for match in _NAME.finditer(text):
        for part in [match[1]] if match[1] else _POSSESSIVE.split(match[0]):
            words = part.split()
            while not match[1] and words and words[0].lower() in unnamed:
                words.pop(0)
            name = " ".join(words)
            if len(name) > 1 and name not in names:
                names.append(name)
    return names
