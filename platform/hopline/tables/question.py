"""What a question says about a table: its words, what it asks for, and the cells and bounds that it names."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from hopline.tables.cell_selection import CellSelection
from hopline.tables.typed_table import TypedTable, list_words, locate_words, split_words
from hopline.text.values import Bound, find_bound, find_dates, find_scale, read_count
from hopline.text.words import load_function_words, read_stem_list, stem

MAX_PHRASE: Final = 7  # words
MAX_MATCHES: Final = 10
VALUE_SOUGHT: Final = "what value"  # the question word of "What is the highest price?"
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
    "most|highest|largest|biggest|greatest|longest|tallest|oldest|latest|maximum|max|more|higher|larger|longer|greater|"
    "bigger"
)
_SMALL: Final = "least|fewest|lowest|smallest|shortest|youngest|earliest|minimum|min|fewer|less|lower|smaller|shorter"
_SUPERLATIVE: Final = re.compile(
    rf"\b(?:(?P<large>{_LARGE})|(?P<small>{_SMALL}))\b\s*(?:(?:number|amount|total)\s+(?:of\s+)?)?(?P<measure>[^?,]*?)"
    r"(?=\s+(?:in|for|of|among|during|on|at|across|between|by|within|from|as|than|was|were|is|are|did|do)\b|[?,]|$)",
    re.IGNORECASE,
)
_VALUE_SOUGHT: Final = re.compile(rf"^what (?:is|was|are|were) the (?:{_LARGE}|{_SMALL})\b", re.IGNORECASE)
_SMALL_COUNT: Final = r"\d|two|three|four|five|six|seven|eight|nine"
_COUNTED_SUPERLATIVE: Final = re.compile(
    rf"\b(?:top|bottom|{_LARGE}|{_SMALL})[\s-]*({_SMALL_COUNT})\b"
    rf"|\b({_SMALL_COUNT})\s+(?:\w+\s+){{0,4}}(?:{_LARGE}|{_SMALL}|main)\b",
    re.IGNORECASE,
)
_AUXILIARIES: Final = frozenset(["is", "are", "was", "were", "do", "does", "did", "has", "have", "had"])
_COUNTED: Final = re.compile(
    r"\b(?:how many|number of)\s+(?:different\s+)?(?P<noun>[a-z-]+(?:\s+(?!of\b)[a-z-]+)?)", re.IGNORECASE
)
_FUNCTION: Final = load_function_words() | {"a", "an", "the", "s"}
_WITHOUT_CONTENT: Final = _ASKING | frozenset(_OPERATING.split())

Span = tuple[int, int]
Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CellMatch:
    """A phrase of the question that is in cells of a column; ``exact``: a cell has nothing else.

    ``start`` and ``end`` are the words of the phrase in the question.
    """

    column: int
    start: int
    end: int
    rows: frozenset[int]
    exact: bool

    def overlaps(self, other: CellMatch) -> bool:
        """Whether two phrases share words of the question."""
        return self.start < other.end and other.start < self.end


@dataclass(frozen=True, slots=True)
class BoundMatch:
    """A bound that a question states; ``start`` and ``end`` are the words of its values in the question.

    ``scale`` is that of the numbers of the table.
    """

    bound: Bound
    start: int
    end: int
    scale: str = ""


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
    pairs of words, "_" for one with content; ``asking`` its question word; ``focus`` the stems of what is sought;
    ``counted`` those of the noun behind "how many" or "number of"; ``heading`` the stems of the heading; ``dates``
    the cells with a date within one that the question states; ``selection`` the scores of the rows and columns of the
    table, by their index in it; ``is_fall`` whether a value is said to become smaller; ``count`` how many
    rows a superlative is about: 3 of "the three largest".
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
    bound: BoundMatch | None
    reading: CellReading | None
    counted: frozenset[str] = frozenset()
    heading: frozenset[str] = frozenset()
    dates: tuple[CellMatch, ...] = ()
    selection: CellSelection | None = None
    asks_for_verdict: bool = False
    is_fall: bool = False
    count: int = 1

    def repeats(self, text: str) -> bool:
        """Whether the question has the words of a text in their order."""
        words, length = split_words(text), len(self.words)
        return bool(words) and any(self.words[n : n + len(words)] == words for n in range(length - len(words) + 1))


def analyse_table_question(
    text: str,
    table: TypedTable,
    *,
    context: str = "",
    reading: CellReading | None = None,
    selection: CellSelection | None = None,
) -> TableQuestion:
    """Return what a question says about a table; ``context`` is the heading of the table."""
    words = split_words(text)
    heading = frozenset(split_words(context))
    known = heading - table.vocabulary
    titled = _locate_title(words, heading, known)
    content = frozenset(n for n, word in enumerate(list_words(text)) if _has_content(word) and n not in titled)
    written = [word.lower() for word in _WORD.findall(text)]
    asking, focus = _find_focus(written)
    if _VALUE_SOUGHT.match(text):
        asking = VALUE_SOUGHT
    superlative = _SUPERLATIVE.search(text)
    measured = list_words(superlative["measure"]) if superlative else ()
    is_fall = not read_stem_list("falling").isdisjoint(words)
    is_rise = not read_stem_list("growing").isdisjoint(words)
    is_large = bool(superlative["large"]) if superlative else is_rise and not is_fall
    direction = "large" if is_large else "small" if superlative or is_fall else ""
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
        _find_bound(text, context),
        reading,
        find_counted(text),
        heading,
        tuple(_match_dates(text, table)),
        selection,
        asks_for_verdict=bool(written) and written[0] in _AUXILIARIES and "or" not in written,
        is_fall=is_fall,
        count=_find_count(text),
    )


def _find_count(text: str) -> int:
    """Return how many rows a superlative is about; 1 if the question does not say."""
    match = _COUNTED_SUPERLATIVE.search(text)
    return (read_count(match[1] or match[2]) or 1) if match else 1


def _locate_title(words: Words, heading: frozenset[str], known: frozenset[str]) -> frozenset[int]:
    """The indices of the words that are only in the heading, and of words of the heading beside these.

    "The Hexley depot list" is the table "Hexley depot parcels", also if one of its parcels is in a depot.
    """
    titled = {n for n, word in enumerate(words) if word in known}
    beside = {n for n, word in enumerate(words) if word in heading and {n - 1, n + 1} & titled}
    return frozenset(titled | beside)


def _match_dates(text: str, table: TypedTable) -> Iterator[CellMatch]:
    """Match the dates of a question, of a day, a month or a year, with the cells of columns of dates."""
    located = locate_words(text)
    for span in find_dates(text):
        inside = [n for n, (_, start, end) in enumerate(located) if start < span.end and span.start < end]
        if span.date.year is None or not inside:
            continue
        days = span.date.days
        for column in table.columns:
            keys = column.keys if column.kind == "date" else ()
            rows = frozenset(n for n, key in enumerate(keys) if key is not None and days.first <= key <= days.last)
            if rows:
                yield CellMatch(column.index, inside[0], inside[-1] + 1, rows, exact=True)


def find_counted(text: str) -> frozenset[str]:
    """Return the stems of the words behind "how many" or "number of", which say what a question counts; two at most."""
    match = _COUNTED.search(text)
    return frozenset(split_words(match["noun"])) if match else frozenset()


def _find_bound(text: str, context: str) -> BoundMatch | None:
    bound = find_bound(text)
    if bound is None:
        return None
    inside = [n for n, (_, start, end) in enumerate(locate_words(text)) if start < bound.end and bound.start < end]
    words = (inside[0], inside[-1] + 1) if inside else (0, 0)
    return BoundMatch(bound, *words, find_scale(context))


def _has_content(word: str) -> bool:
    operates = word in _WITHOUT_CONTENT or word.removesuffix("s") in _WITHOUT_CONTENT
    return word not in _FUNCTION and not operates and (len(word) > 1 or word.isdigit())


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


def match_cells(words: Words, content: frozenset[int], table: TypedTable) -> list[CellMatch]:
    """Return the longest phrases in the cells of each column; long phrases and whole cells first.

    ``content`` are the indices of the words of which a phrase has one at least.
    """
    phrases: dict[Words, list[Span]] = defaultdict(list)
    for start, end in _list_spans(len(words)):
        if not content.isdisjoint(range(start, end)):
            phrases[words[start:end]].append((start, end))
    matches = [match for column in table.columns for match in _match_column(words, phrases, table, column.index)]
    return sorted(matches, key=lambda match: (match.start - match.end - match.exact, len(match.rows)))[:MAX_MATCHES]


def _list_spans(length: int) -> Iterator[Span]:
    for start in range(length):
        for end in range(start + 1, min(start + MAX_PHRASE, length) + 1):
            yield start, end


def _match_column(
    words: Words, phrases: Mapping[Words, Sequence[Span]], table: TypedTable, column: int
) -> Iterator[CellMatch]:
    rows: dict[Span, set[int]] = defaultdict(set)
    exact: set[Span] = set()
    for row in range(len(table.rows)):
        cell = split_words(table.get_text(row, column))
        for start, end in _list_spans(len(cell)):
            for span in phrases.get(cell[start:end], ()):
                rows[span].add(row)
                if end - start == len(cell):
                    exact.add(span)
    for span, matched in rows.items():
        if not _is_in_longer(span, rows) and (span in exact or not _is_small_number(words[slice(*span)])):
            yield CellMatch(column, *span, frozenset(matched), span in exact)


def _is_in_longer(span: Span, spans: Mapping[Span, object]) -> bool:
    return any(start <= span[0] and span[1] <= end and (start, end) != span for start, end in spans)


def _is_small_number(words: Sequence[str]) -> bool:
    return len(words) == 1 and words[0].isdigit() and len(words[0]) < 3
