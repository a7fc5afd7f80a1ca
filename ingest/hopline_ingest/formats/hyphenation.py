"""Hyphens at the ends of lines: whether one belongs to a compound or only breaks a word.

A broken word and a compound look the same ("repre-sentative", "non-resident"). What decides, in this order: which of
both the document writes elsewhere; which of both the word list has; which compounds begin or end with the same part.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from hopline_ingest.formats.word_list import WordList, load_word_list

SOFT: Final = "\u00ad"
HYPHENS: Final = ("-", "\u2010", SOFT)
_WORD: Final = re.compile(r"[^\W\d_]+(?:[-\u2010][^\W\d_]+)*")
_LAST_WORD: Final = re.compile(r"(?:[^\W\d_]+[-\u2010\u00ad])*[^\W\d_]+$")
# After a hyphen that stands for the second part of a compound, as in "short- and long-term".
_CONJUNCTION: Final = re.compile(r"(?:and|or|to|nor|und|oder|bis|et|ou|y|o|e|ed|en)(?![\w-])")
# Between the other parts of a compound, as in "like-for-like".
_CONNECTIVES: Final = frozenset(("a", "and", "at", "by", "for", "in", "of", "on", "or", "the", "to"))
_OTHER_HYPHENS: Final = re.compile("[\u2010\u00ad]")
_SAME_VOWEL: Final = re.compile("([aeiou])-\\1")
_MIN_BREAKS: Final = 3  # of a document whose words are broken at the ends of lines, or not
_MIN_PART: Final = 4  # letters of a part that the document has as a word; "in" and "form" are shorter
_MIN_SOLID: Final = 40  # solid words that begin with a prefix, such as "over" and "photo"
_MOSTLY: Final = 3  # times as many solid words as compounds


def collect_document_words(lines: Iterable[str]) -> set[str]:
    """Collect the words of a document in lower case, with compounds as they are written.

    A compound also gives its first part with the hyphen behind it ("non-"), and its last part with the hyphen before
    it ("-based"). ``lines`` are in order. The two parts of a word that is broken at a line's end are not collected;
    but if no word of the document is broken, and only compounds are, they are collected.
    """
    words: set[str] = set()
    breaks: list[tuple[str, str]] = []
    broken = False
    for line, following in pairwise((*lines, "")):
        line_words = [_normalize(word) for word in _WORD.findall(line)]
        first = 1 if broken else 0
        broken = line.endswith(HYPHENS)
        words.update(line_words[first : len(line_words) - broken])
        if parts := _split_break(line, following):
            breaks.append(parts)
    words.update(_list_compounds_at_line_ends(breaks))
    words.update(part for word in words.copy() if "-" in word for part in _list_edge_parts(word))
    return words


def remove_line_end_hyphen(text: str, following: str, words: Collection[str]) -> tuple[str, str]:
    """Return a line without a hyphen that only breaks a word, and the separator before the ``following`` line.

    ``words`` are those of the document.
    """
    if not text.endswith(HYPHENS) or not following:
        return text, " "
    parts = _split_break(text, following)
    if parts is None:
        return (text, " ") if text[:-1].endswith(" ") else (text.replace(SOFT, "-"), "")
    before, after = parts
    solid = (before + after).lower()
    if _CONJUNCTION.match(following) and solid not in words and solid not in load_word_list():
        return text[:-1] + "-", " "
    return (text[:-1] + "-", "") if _is_compound(before, after, words) else (text[:-1], "")


def join_wrapped_lines(lines: Iterable[str], words: Collection[str]) -> str:
    """Join the lines of a paragraph by blanks, without the hyphens that only break words."""
    stripped = [" ".join(line.split()) for line in lines]
    parts = (remove_line_end_hyphen(line, following, words) for line, following in pairwise((*stripped, "")))
    return "".join(part for pair in parts for part in pair).rstrip()


def _normalize(word: str) -> str:
    return _OTHER_HYPHENS.sub("-", word.lower())


def _list_edge_parts(compound: str) -> Iterator[str]:
    """Yield the first and the last part, unless the hyphen only separates two equal vowels, as in "re-enter"."""
    first, *_, last = compound.split("-")
    if not _SAME_VOWEL.search(compound):
        yield f"{first}-"
    yield f"-{last}"


def _split_break(text: str, following: str) -> tuple[str, str] | None:
    """Return the words before and after a hyphen at a line's end, as they are written; None without one.

    Both may be parts of a longer compound: "state-of" and "the-art".
    """
    if not text.endswith(HYPHENS):
        return None
    before, after = _LAST_WORD.search(text[:-1]), _WORD.match(following)
    return (_OTHER_HYPHENS.sub("-", before[0]), _OTHER_HYPHENS.sub("-", after[0])) if before and after else None


def _list_compounds_at_line_ends(breaks: Sequence[tuple[str, str]]) -> list[str]:
    """Return the compounds at the ends of lines if a document breaks no word: all its hyphens are then written."""
    if len(breaks) < _MIN_BREAKS:
        return []
    listed = load_word_list()
    compounds = []
    for before, after in breaks:
        first, last = _get_adjacent_parts(before.lower(), after.lower())
        if first in listed and last in listed:
            compounds.append(f"{before}-{after}".lower())
        elif first + last in listed:
            return []
    return compounds


def _get_adjacent_parts(before: str, after: str) -> tuple[str, str]:
    """Return the last part of a compound and the first part of the next one: "second" of "pseudo-second"."""
    return before.rpartition("-")[2], after.partition("-")[0]


def _is_compound(before: str, after: str, words: Collection[str]) -> bool:
    """Return whether a hyphen between two words is written in the middle of a line as well.

    ``before`` and ``after`` may be compounds.
    """
    is_name = after[0].isupper() and not (before.isupper() and len(before) > 1)
    if is_name and 1 in map(len, _get_adjacent_parts(before, after)):  # "C" of "C-O-H"
        return True
    before, after = before.lower(), after.lower()
    first, last = _get_adjacent_parts(before, after)
    if before + after in words or first + last in words:
        return False
    if f"{before}-{after}" in words or f"{first}-{last}" in words or is_name or 1 in (len(first), len(last)):
        return True
    if ("-" in before and first in _CONNECTIVES) or ("-" in after and last in _CONNECTIVES):
        return True
    return _is_listed_compound(first, last, words, load_word_list())


def _is_listed_compound(first: str, last: str, words: Collection[str], listed: WordList) -> bool:
    """Decide by the word list, and by other compounds with the same parts."""
    solid, compound = first + last, f"{first}-{last}"
    compounds, solid_words = listed.count_continuations(first)
    is_hyphenated = f"{first}-" in words or compounds > solid_words
    is_word = last in listed or (last in words and len(last) >= _MIN_PART)
    if solid in listed:
        is_frequent = solid in listed.frequent and not _SAME_VOWEL.search(compound)
        return is_word and not is_frequent and (compound in listed or is_hyphenated)
    if compound in listed or (is_word and is_hyphenated) or f"-{last}" in words:
        return True
    are_words = is_word and (first in listed or (first in words and len(first) >= _MIN_PART))
    is_prefix = solid_words >= _MIN_SOLID and solid_words > _MOSTLY * compounds
    return are_words and (last in listed.last_parts or not is_prefix)
