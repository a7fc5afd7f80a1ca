"""Fuzzy search for a quote in a text: spaces, hyphens, quotation marks and case may differ, signs may not.

`find_quote` accepts no other word, `find_similar_quote` a few.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein

from hopline.reader.negation import is_negation
from hopline.text.values import CURRENCY

MIN_LETTERS: Final = 3  # letters and digits of a quote; fewer prove nothing
_DASHES: Final = frozenset("-‐‑‒–—―−")
_SKIPPED: Final = frozenset("\u00ad\ufffe'\"‘’“”„`´|*_\\")
_MINUS: Final = "-"  # the sign of a number in compared characters
_RANGE: Final = "~"  # the dash between two numbers
_SIGNED: Final = re.compile(rf"(?:{CURRENCY}\s?)?\.?\d")  # behind the minus of a number
_SEPARATORS: Final = frozenset(".,")  # within a number
_ELLIPSIS: Final = re.compile(r"\s*+(?:[\[(]?(?:\.\s?\.\s?\.|…)[\])]?)\s*")
_EDGES: Final = " \t\n.,;:"
_WORD: Final = re.compile(r"\d+(?:[.,]\d+)*|[$€£¥%‰]|\w+(?:['’]\w+)?")
MIN_WORDS: Final = 4  # of a quote that may differ from the text by a few words
MAX_LENGTH: Final = 400  # characters of such a quote: the time of the comparison grows with the square of its length
MIN_SIMILARITY: Final = 80  # per cent of the letters of such a quote
MAX_DIFFERING: Final = 0.25  # share of the words of such a quote
# articles and auxiliary verbs
_LIGHT_WORDS: Final = frozenset(
    {"a", "an", "the", "this", "that", "these", "those", "is", "are", "was", "were", "be", "been", "being",
     "has", "have", "had", "do", "does", "did"}
)  # fmt: skip
_ENDINGS: Final = ("s", "es", "d", "ed", "ing")


def find_quote(quote: str, text: str) -> tuple[tuple[int, int], ...]:
    """Return the spans of ``text`` that a quote repeats; empty if the text does not have the quote.

    One span, or one for each part of a quote with an ellipsis ("first … last"); the parts must follow each other.
    Spaces, hyphens, quotation marks, table bars, case and compatibility forms ("ﬁ") may differ; letters, digits and the
    minus of a number may not, and a quote does not begin or end inside a word or number, or behind a minus.
    """
    if sum(char.isalnum() for char in quote) < MIN_LETTERS:
        return ()
    spans: list[tuple[int, int]] = []
    letters, positions = _normalize(text)
    start = 0
    for part in _ELLIPSIS.split(quote.strip(_EDGES)):
        wanted, _ = _normalize(part.strip(_EDGES))
        if not wanted:
            continue
        match = next(_find_matches(wanted, letters, positions, text, start), None)
        if match is None:
            return ()
        start = match[1]
        spans.append((positions[match[0]], positions[match[1] - 1] + 1))
    return tuple(spans)


def find_similar_quote(quote: str, text: str) -> tuple[int, int] | None:
    """Return the span of ``text`` that a quote repeats but for a few words; None if there is none.

    A word of the text may be left out, an article or auxiliary verb replaced or added, and a word that is no name have
    another ending ("opened", "opens"). Numbers, signs, currencies and negations may not differ, and no other word may
    be added or replaced: it could be another name.
    """
    wanted = _split_words(quote)
    if len(wanted) < MIN_WORDS or len(quote) > min(MAX_LENGTH, len(text)):
        return None
    lowered = text.lower()
    if len(lowered) != len(text):  # letters whose lower case is longer would shift the span
        lowered = text
    alignment = fuzz.partial_ratio_alignment(quote.lower(), lowered, score_cutoff=MIN_SIMILARITY)
    if alignment is None:
        return None
    margin = max(8, len(quote) // 4)  # the alignment is as long as the quote, which may have left out words
    start, end = alignment.dest_start - margin, alignment.dest_end + margin
    words = [word for word in _split_words(text) if start <= word.start and word.end <= end]
    edits = Levenshtein.opcodes([word.folded for word in wanted], [word.folded for word in words])
    equal = [edit for edit in edits if edit.tag == "equal"]
    if not equal:
        return None
    actual = words[equal[0].dest_start : equal[-1].dest_end]
    return (actual[0].start, actual[-1].end) if _differ_little(wanted, actual) else None


class _Word(NamedTuple):
    """A word, a number with its sign, or a currency or percent sign, and its span in the text."""

    text: str
    start: int
    end: int

    @property
    def folded(self) -> str:
        return self.text.casefold()

    @property
    def must_agree(self) -> bool:
        """Whether it is a number, a sign or a negation, which may not differ."""
        return not self.text[0].isalpha() or any(char.isdigit() for char in self.text) or is_negation(self.text)


def _split_words(text: str) -> list[_Word]:
    words = []
    for match in _WORD.finditer(text):
        minus = _MINUS if _is_minus(text, match.start() - 1) else ""
        words.append(_Word(minus + match[0], match.start() - len(minus), match.end()))
    return words


def _differ_little(quoted: Sequence[_Word], actual: Sequence[_Word]) -> bool:
    """Whether the words of a quote may stand for those of a text, see `find_similar_quote`."""
    differing = 0
    for edit in Levenshtein.opcodes([word.folded for word in quoted], [word.folded for word in actual]):
        if edit.tag == "equal":
            continue
        own = quoted[edit.src_start : edit.src_end]
        others = actual[edit.dest_start : edit.dest_end]
        differing += max(len(own), len(others))
        if any(word.must_agree for word in (*own, *others)):
            return False
        pairs = zip(own, others, strict=True) if edit.tag == "replace" else ((word, None) for word in own)
        if not all(_is_same_word(word, other) for word, other in pairs):
            return False
    return differing <= MAX_DIFFERING * len(quoted)


def _is_same_word(word: _Word, other: _Word | None) -> bool:
    """Whether a word of a quote is another form of a word of the text, or an article or auxiliary verb as that is."""
    if word.folded in _LIGHT_WORDS:
        return other is None or other.folded in _LIGHT_WORDS
    if other is None or word.text[0].isupper() or other.text[0].isupper():
        return False
    return not _list_bases(word.folded).isdisjoint(_list_bases(other.folded))


def _list_bases(word: str) -> set[str]:
    """Return a word without each ending of a plural or tense that it may have; at least three letters are left."""
    bases = {word} | {word.removesuffix(ending) for ending in _ENDINGS}
    return {base for base in bases if len(base) >= MIN_LETTERS}


def contains_words(words: str, text: str) -> bool:
    """Return whether a text has these words, of any length; their spelling may differ as in `find_quote`."""
    if find_quote(words, text):
        return True
    exact = " ".join(words.split())
    matches = re.finditer(rf"(?<!\w){re.escape(exact)}(?!\w)", text, re.IGNORECASE) if exact else ()
    return any(
        not (_is_minus(text, start - 1) or _is_inside_word(text, start) or _is_inside_word(text, end))
        for start, end in (match.span() for match in matches)
    )


@lru_cache(maxsize=64)  # the evidence of a question, in which each of many quotes is searched
def _normalize(text: str) -> tuple[str, list[int]]:
    """Return the characters of a text that are compared, and the index of each in the text."""
    letters: list[str] = []
    positions: list[int] = []
    for position, char in enumerate(text):
        if char in _DASHES:
            sign = _MINUS if _is_minus(text, position) else _RANGE if _is_range(text, position) else ""
            letters += sign
            positions += [position] * len(sign)
            continue
        if char.isspace() or char in _SKIPPED:
            continue
        for part in unicodedata.normalize("NFKC", char).casefold():
            letters.append(part)
            positions.append(position)
    return "".join(letters), positions


def _find_matches(wanted: str, letters: str, positions: list[int], text: str, start: int) -> Iterator[tuple[int, int]]:
    """Yield the spans of ``letters``, from ``start`` on, that are the wanted letters and whole words of ``text``."""
    index = letters.find(wanted, start)
    while index >= 0:
        end = index + len(wanted)
        is_negated = letters[index - 1 : index] == _MINUS
        is_cut = _is_inside_word(text, positions[index]) or _is_inside_word(text, positions[end - 1] + 1)
        if not is_negated and not is_cut:
            yield index, end
        index = letters.find(wanted, index + 1)


def _is_inside_word(text: str, position: int) -> bool:
    """Return whether the characters on both sides of a position belong to one word or number ("1.5", "5,300")."""
    if not 0 < position < len(text):
        return False
    before, behind = text[position - 1], text[position]
    if before.isalnum() and behind.isalnum():
        return True
    separator = position if behind in _SEPARATORS else position - 1
    return text[separator] in _SEPARATORS and _is_between_digits(text, separator)


def _is_minus(text: str, position: int) -> bool:
    """Return whether the character at a position is the sign of the number behind it, and no dash or hyphen."""
    if not 0 <= position < len(text) - 1 or text[position] not in _DASHES:
        return False
    return bool(_SIGNED.match(text, position + 1)) and not (position and text[position - 1].isalnum())


def _is_range(text: str, position: int) -> bool:
    """Return whether the dash at a position is between two numbers, with or without blanks: "2010 – 2012"."""
    first, last = position - 1, position + 1
    while first >= 0 and text[first].isspace():
        first -= 1
    while last < len(text) and text[last].isspace():
        last += 1
    return first >= 0 and last < len(text) and text[first].isdigit() and text[last].isdigit()


def _is_between_digits(text: str, position: int) -> bool:
    return 0 < position < len(text) - 1 and text[position - 1].isdigit() and text[position + 1].isdigit()
