"""Occurrences in a text of names that are subjects of other evidence of the collection, matched literally.

The rules on a single text miss names: they do not recognise that "The Mask of Fu Manchu" or "Blind
Shaft" are films, while other evidence of the collection is about them. Only names of two or more words
are matched whose first and last words begin with a capital or a digit; the longest match wins.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from hopline.ids import entity_id

MAX_WORDS: Final = 8
_WORD: Final = re.compile(r"[^\W_]+")
_SPACE: Final = re.compile(r"\s+")
_JOIN: Final = re.compile(r"[-–'’.,:&/!\"“”]{0,2}\s{0,2}[-–&\"“'‘]?\s?")


@dataclass(frozen=True, slots=True)
class NameCandidate:
    """A part of a text that may be a name: its words ``first`` to ``last``, its span, and its surface form."""

    first: int
    last: int
    start: int
    end: int
    surface_form: str


def find_name_candidates(text: str) -> Iterator[NameCandidate]:
    """Yield runs of 2 to 8 words that begin and end with a capital or a digit, longest first at each word.

    Only characters that occur within names may separate the words: "U.S. Army", "Casino, New South Wales",
    but not a bracket or the bar of a table.
    """
    words = [(match.start(), match.end()) for match in _WORD.finditer(text)]
    is_name_word = [text[start].isupper() or text[start].isdigit() for start, _ in words]
    is_joined = [bool(_JOIN.fullmatch(text, a[1], b[0])) for a, b in pairwise(words)]
    for first, starts_name in enumerate(is_name_word):
        last_joined = first
        while starts_name and last_joined < min(first + MAX_WORDS, len(words)) - 1 and is_joined[last_joined]:
            last_joined += 1
        for last in range(last_joined, first, -1):
            start, end = words[first][0], words[last][1]
            if is_name_word[last] and (text[start].isupper() or text[words[last][0]].isupper()):
                yield NameCandidate(first, last, start, end, _SPACE.sub(" ", text[start:end]))


def candidate_entity_ids(collection: str, text: str) -> dict[str, str]:
    """Map each candidate name in a text to the id that an entity of this name has."""
    return {
        candidate.surface_form: entity_id(collection, candidate.surface_form)
        for candidate in find_name_candidates(text)
    }


def to_surface_form(name: str) -> str:
    """Return the form in which a name is matched in texts, without leading and trailing punctuation.

    Empty for a name of one word or more than 8, and for one that does not begin and end with a capital or a digit.
    """
    words = list(_WORD.finditer(name))
    if not 2 <= len(words) <= MAX_WORDS or not all(
        word.group()[0].isupper() or word.group()[0].isdigit() for word in (words[0], words[-1])
    ):
        return ""
    return _SPACE.sub(" ", name[words[0].start() : words[-1].end()])


def find_occurrences(text: str, names: Mapping[str, Iterable[str]]) -> dict[str, list[tuple[int, int]]]:
    """Map each entity to the spans of its name in a text; ``names`` maps surface forms to ids of entities.

    Of overlapping names the first one is used, and of those with the same start the longest.
    """
    occurrences: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    next_free = 0
    for candidate in find_name_candidates(text):
        if candidate.first >= next_free and candidate.surface_form in names:
            next_free = candidate.last + 1
            for entity in names[candidate.surface_form]:
                occurrences[entity].append((candidate.start, candidate.end))
    return occurrences
