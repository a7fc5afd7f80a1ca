"""What a question says about a table: its words, what it asks for, and the cells and bounds that it names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from hopline.nlp.stemmer import stem
from hopline.nlp.vocabulary import words as read_words
from hopline.tables.bounds import Bound, find_bounds
from hopline.tables.matching import CellMatch, match_cells
from hopline.tables.typed_table import TypedTable, list_words, split_words

FOCUS_WORDS: Final = 3  # behind the question word, that say what is asked for
_WORD: Final = re.compile(r"[\w'’]+")
_ASKING: Final = frozenset({"what", "which", "who", "whom", "whose", "when", "where", "how", "name", "tell"})
_OPERATING: Final = (
    "many much number total most least more less first last highest lowest largest smallest longest shortest next "
    "previous before after average difference only same other another times listed combined greatest fewest top "
    "bottom earliest latest consecutive each every any all different between amount table chart list above below "
    "following prior come directly right immediately oldest youngest tallest biggest smallest maximum minimum fewer "
    "larger smaller higher lower longer shorter greater later earlier often count"
)
_LARGE: Final = (
    "most|highest|largest|biggest|greatest|longest|tallest|oldest|latest|maximum|max|more|higher|larger|longer"
)
_SMALL: Final = "least|fewest|lowest|smallest|shortest|youngest|earliest|minimum|min|fewer|less|lower|smaller|shorter"
_SUPERLATIVE: Final = re.compile(
    rf"\b(?:(?P<large>{_LARGE})|(?P<small>{_SMALL}))\b\s*(?:(?:number|amount|total)\s+(?:of\s+)?)?(?P<measure>[^?,]*?)"
    r"(?=\s+(?:in|for|of|among|during|on|at|across|between|by|within|from|as|than|was|were|is|are|did|do)\b|[?,]|$)",
    re.IGNORECASE,
)
_VALUE_SOUGHT: Final = re.compile(rf"^what (?:is|was|are|were) the (?:{_LARGE}|{_SMALL})\b", re.IGNORECASE)
_FUNCTION: Final = frozenset(read_words("function")) | {"a", "an", "the", "s"}
_WITHOUT_CONTENT: Final = _ASKING | frozenset(split_words(_OPERATING))


@dataclass(frozen=True, slots=True)
class CellReading:
    """What the reader found in a table, and its score; positive means that the table answers the question."""

    text: str
    score: float


@dataclass(frozen=True, slots=True)
class TableQuestion:
    """A question and what it has in common with a table.

    ``words`` are its stems in order; ``content`` the indices of those that say what it is about and are not in the
    heading of the table; ``absent`` those of them that are not in the table either; ``grams`` its other words and
    pairs of words, "_" for one with content; ``asking`` its question word; ``focus`` the stems of what is sought.
    """

    text: str
    words: tuple[str, ...]
    content: frozenset[int]
    absent: frozenset[int]
    grams: frozenset[str]
    asking: str
    focus: frozenset[str]
    direction: str
    measure: frozenset[str]
    matches: tuple[CellMatch, ...]
    bounds: tuple[Bound, ...]
    reading: CellReading | None


def analyse_question(
    text: str, table: TypedTable, *, context: str = "", reading: CellReading | None = None
) -> TableQuestion:
    """Return what a question says about a table; ``context`` is the heading of the table."""
    words = split_words(text)
    known = frozenset(split_words(context)) - table.vocabulary
    content = frozenset(n for n, word in enumerate(list_words(text)) if _has_content(word) and words[n] not in known)
    written = [word.lower() for word in _WORD.findall(text)]
    asking, focus = _find_focus(written)
    if _VALUE_SOUGHT.match(text):
        asking = "what value"
    superlative = _SUPERLATIVE.search(text)
    measured = list_words(superlative["measure"]) if superlative else ()
    direction = "" if superlative is None else "large" if superlative["large"] else "small"
    return TableQuestion(
        text,
        words,
        content,
        frozenset(n for n in content if words[n] not in table.vocabulary),
        frozenset(_list_grams(written)),
        asking,
        frozenset(stem(word) for word in focus if word not in _FUNCTION),
        direction,
        frozenset(stem(word) for word in measured if _has_content(word)) - known,
        tuple(match_cells(words, content, table)),
        tuple(find_bounds(text, words)),
        reading,
    )


def _has_content(word: str) -> bool:
    return word not in _FUNCTION and stem(word) not in _WITHOUT_CONTENT and (len(word) > 1 or word.isdigit())


def _list_grams(written: list[str]) -> Iterator[str]:
    """The words that do not say what the question is about, and pairs of them, in any other words than these "_"."""
    words = ["^", *("_" if _has_content(word) else word for word in written), "$"]
    yield from (word for word in words if word not in {"^", "_", "$"})
    yield from (f"{first} {second}" for first, second in pairwise(words) if {first, second} - {"^", "_", "$"})


def _find_focus(written: list[str]) -> tuple[str, list[str]]:
    """The question word, "how" with the word behind it, and the words behind the question word."""
    position = next((n for n, word in enumerate(written) if word in _ASKING), None)
    if position is None:
        return "other", written[1 : 1 + FOCUS_WORDS]
    behind = written[position + 1 : position + 1 + FOCUS_WORDS]
    return " ".join(["how", *behind[:1]]) if written[position] == "how" else written[position], behind
