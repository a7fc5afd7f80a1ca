"""Where a text says a name that other evidence is about, as it is written there.

The parser of a text alone loses names: it does not see that "The Mask of Fu Manchu" or "Blind
Shaft" are films. The collection knows: other evidence is about them. Only names of two words and
more are looked for, whose first and last words are written as names are; the longest wins.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from hopline.ids import entity_id

MOST_WORDS: Final = 8
_WORD: Final = re.compile(r"[^\W_]+")
_SPACE: Final = re.compile(r"\s+")
_JOIN: Final = re.compile(r"[-–'’.,:&/!\"“”]{0,2}\s{0,2}[-–&\"“'‘]?\s?")


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a text that may be a name: words ``first`` to ``last``, its span, its words as written."""

    first: int
    last: int
    start: int
    end: int
    written: str


def parts(text: str) -> Iterator[Part]:
    """The runs of 2 to 8 words that begin and end with a capital or a digit, the longest first at each word.

    Only what stands inside a name may stand between its words: "U.S. Army", "Casino, New South Wales",
    but no bracket and no bar of a table.
    """
    words = [(match.start(), match.end()) for match in _WORD.finditer(text)]
    marked = [text[start].isupper() or text[start].isdigit() for start, _ in words]
    joined = [bool(_JOIN.fullmatch(text, a[1], b[0])) for a, b in pairwise(words)]
    for first, mark in enumerate(marked):
        reach = first
        while mark and reach < min(first + MOST_WORDS, len(words)) - 1 and joined[reach]:
            reach += 1
        for last in range(reach, first, -1):
            start, end = words[first][0], words[last][1]
            if marked[last] and (text[start].isupper() or text[words[last][0]].isupper()):
                yield Part(first, last, start, end, _SPACE.sub(" ", text[start:end]))


def entity_ids(collection: str, text: str) -> dict[str, str]:
    """What may be a name in a text -> the id that an entity of this name has."""
    return {part.written: entity_id(collection, part.written) for part in parts(text)}


def written(name: str) -> str:
    """A name as a text would write it, without what stands before its first and behind its last word.

    Empty for a name of one word, and for one that is not written as a name is.
    """
    words = list(_WORD.finditer(name))
    if not 2 <= len(words) <= MOST_WORDS or not all(
        word.group()[0].isupper() or word.group()[0].isdigit() for word in (words[0], words[-1])
    ):
        return ""
    return _SPACE.sub(" ", name[words[0].start() : words[-1].end()])


def mentions(text: str, names: Mapping[str, Iterable[str]]) -> dict[str, list[tuple[int, int]]]:
    """Entity -> where a text says it; ``names`` has the ids of the entities by how they are written.

    Of names that overlap, the first counts, and of those that begin together the longest.
    """
    found: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    free = 0
    for part in parts(text):
        if part.first >= free and part.written in names:
            free = part.last + 1
            for entity in names[part.written]:
                found[entity].append((part.start, part.end))
    return found
