"""The authors of a document: in the lines below its title, after "By", in a signature, or in the properties.

Precision is more important than recall: a name below the title is an author only if something supports it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Final

from hopline.records import BibliographicEntry
from hopline_ingest.formats.front_matter.front_line import FrontLine, is_running_text
from hopline_ingest.formats.front_matter.names import (
    Name,
    has_organisation_word,
    is_organisation,
    parse_names,
    parse_person,
)

_BY: Final = re.compile(
    r"[\s–—•-]*(?:by\s*:?|(?:written|prepared|compiled|authored|submitted)\s+by\s*:?|authors?(?:\(s\))?\s*:|"
    r"(?:principal|lead)\s+(?:author|investigator)s?\s*:|from\s*:)\s+(?=[^\W\d_])",
    re.IGNORECASE,
)
_BY_ALONE: Final = re.compile(r"\W*(?:by|written by|prepared by|authors?|submitted by)\s*:?\s*", re.IGNORECASE)
_ADDRESS: Final = re.compile(r"\s*(?:[<(\[{][^<>()\[\]{}]*@[^<>()]*[>)\]}]|\S+@\S+).*$")
_AFTER_SENTENCE: Final = re.compile(r"(?:.*[^\W\d_]{3,}[.:])\s+(?=\S)")
_CLOSE: Final = re.compile(
    r"\W*(?:yours\s+(?:sincerely|faithfully|truly)|sincerely(?:\s+yours)?|(?:kind|best|warm)?\s*regards|respectfully(?:\s+submitted)?)"
    r"\W*",
    re.IGNORECASE,
)
_AFFILIATION: Final = re.compile(r"@|\bhttps?://|\borcid\b", re.IGNORECASE)
_BY_LINES: Final = 40  # first lines of a page on which "By …" stands
_SIGNATURE_LINES: Final = 4
_NEAR: Final = 4  # lines below a name in which its affiliation is
_MAX_BY: Final = 200  # characters of a line that begins with "By"
_MIN_NAMES: Final = 2  # of authors that are set as the other lines of the page are
_COVER_WORDS: Final = 80  # words of a page that is a cover


def find_authors(
    lines: Sequence[FrontLine],
    zone: Sequence[FrontLine],
    declared: Sequence[str],
    lower_words: Collection[str],
    *,
    is_paper: bool,
) -> list[BibliographicEntry]:
    """Return the authors that the first pages state, in order.

    ``zone`` are the lines between title and text; ``declared`` are authors of the properties, which are returned where
    a line has their names. A paper has an abstract.
    """
    is_cover = is_paper or _is_cover(lines)
    for authors in (
        _find_after_by(lines, lower_words),
        _find_below_title(zone, declared, lower_words, is_cover=is_cover),
        _find_signature(lines, lower_words),
        _find_declared(lines, declared, lower_words),
    ):
        if authors:
            return authors
    return []


def find_text(lines: Sequence[FrontLine], text: str) -> tuple[FrontLine, int, int] | None:
    """Find the first line that has a text, in any case; the shortest line of the first page that has it."""
    words = r"\s+".join(map(re.escape, text.split()))
    pattern = re.compile(rf"(?<!\w){words}(?!\w)", re.IGNORECASE)
    matches = [(line, match) for line in lines if line.page <= 2 and (match := pattern.search(line.text))]
    if not matches:
        return None
    line, match = min(matches, key=lambda pair: (pair[0].page, len(pair[0].text)))
    return line, *match.span()


def _make_entries(line: FrontLine, names: Sequence[Name]) -> list[BibliographicEntry]:
    return [line.make_entry("authors", name, *span) for name, span in names]


def _parse_line(text: str, lower_words: Collection[str], start: int = 0) -> list[Name]:
    """Parse the names of a line, without an address behind them."""
    address = _ADDRESS.search(text, start)
    return parse_names(text[: address.start()] if address else text, lower_words, start=start)


def _find_after_by(lines: Sequence[FrontLine], lower_words: Collection[str]) -> list[BibliographicEntry]:
    for number, line in enumerate(lines[:_BY_LINES]):
        if len(line.text) > _MAX_BY or line.page > 2:
            continue
        if match := _BY.match(line.text):
            if names := _parse_line(line.text, lower_words, match.end()):
                return _make_entries(line, names) + _continue(lines[number + 1 :], lower_words, line)
            first = re.compile(r"[,;(|–]").split(line.text[match.end() :])[0]  # "By Ada Byron, Staff Writer"
            if names := parse_names(line.text[: match.end() + len(first)], lower_words, start=match.end()):
                return _make_entries(line, names)
        elif _BY_ALONE.fullmatch(line.text) and number + 1 < len(lines):
            following = lines[number + 1]
            if names := _parse_line(following.text, lower_words):
                return _make_entries(following, names) + _continue(lines[number + 2 :], lower_words, following)
    return []


def _continue(lines: Sequence[FrontLine], lower_words: Collection[str], first: FrontLine) -> list[BibliographicEntry]:
    """Return the names of the lines directly below, which have nothing else and the same size."""
    entries = []
    for line in lines:
        names = _parse_line(line.text, lower_words) if abs(line.size - first.size) < 0.5 else []
        if not names or line.page != first.page or line.is_heading != first.is_heading:
            break
        entries += _make_entries(line, names)
    return entries


def _find_below_title(
    zone: Sequence[FrontLine], declared: Sequence[str], lower_words: Collection[str], *, is_cover: bool
) -> list[BibliographicEntry]:
    """Return the names of the first lines of the zone that consist of names, if something supports them.

    That is an affiliation or the mark of one, the properties, or the place: ``is_cover`` is true of a cover and of a
    page with an abstract, where several names are those of the authors, and a single one that is set differently.
    """
    declared_words = set(re.findall(r"[^\W\d_]{2,}", " ".join(declared).casefold()))
    for number, line in enumerate(zone):
        names = _parse_line(line.text, lower_words)
        if not names:
            sentence = _AFTER_SENTENCE.match(line.text)
            names = parse_names(line.text, lower_words, start=sentence.end()) if sentence else []
            names = names if len(names) >= _MIN_NAMES else []
        if not names:
            continue
        group = _make_entries(line, names) + _collect_group(zone[number + 1 :], lower_words, line)
        is_placed = is_cover and not line.text.isupper() and (len(group) >= _MIN_NAMES or _is_alone(zone, number))
        is_declared = any(entry.value.split()[-1].casefold() in declared_words for entry in group)
        if is_placed or is_declared or _has_affiliation(line.text, zone[number + 1 : number + 1 + _NEAR]):
            return group
    return []


def _collect_group(
    lines: Sequence[FrontLine], lower_words: Collection[str], first: FrontLine
) -> list[BibliographicEntry]:
    """Return the further names of a group: each with its affiliation between, or one a line."""
    entries: list[BibliographicEntry] = []
    missed = 0
    for line in lines:
        names = _parse_line(line.text, lower_words) if abs(line.size - first.size) < 0.5 else []
        if names:
            entries += _make_entries(line, names)
            missed = 0
        else:
            missed += 1
        if missed > _NEAR or (missed and is_running_text(line.text)):
            break
    return entries


def _has_affiliation(text: str, below: Sequence[FrontLine]) -> bool:
    if _AFFILIATION.search(text) or re.search(r"[^\W\d_][\d∗*†‡]", text):
        return True
    return any(_AFFILIATION.search(line.text) or has_organisation_word(line.text) for line in below)


def _is_cover(lines: Sequence[FrontLine]) -> bool:
    """Return whether the first page has few words, and is not the only one."""
    words = sum(len(line.text.split()) for line in lines if line.page == 1)
    return words <= _COVER_WORDS and any(line.page > 1 for line in lines)


def _is_alone(zone: Sequence[FrontLine], number: int) -> bool:
    """Return whether a line is the only one in its size, as the name on a cover is."""
    return not any(
        abs(other.size - zone[number].size) < 0.5 for index, other in enumerate(zone) if abs(index - number) == 1
    )


def _find_signature(lines: Sequence[FrontLine], lower_words: Collection[str]) -> list[BibliographicEntry]:
    """Return the name below the complimentary close of a letter; empty if there are several."""
    closes = [number for number, line in enumerate(lines) if _CLOSE.fullmatch(line.text)]
    if len(closes) != 1:
        return []
    for line in lines[closes[0] + 1 : closes[0] + 1 + _SIGNATURE_LINES]:
        if names := _parse_line(line.text, lower_words):
            return _make_entries(line, names[:1])
    return []


def _find_declared(
    lines: Sequence[FrontLine], declared: Sequence[str], lower_words: Collection[str]
) -> list[BibliographicEntry]:
    """Return the persons of the properties whose names a line of the first two pages has."""
    entries = []
    for text in declared:
        name = parse_person(text)
        span = find_text(lines, name) if name and not is_organisation(text) else None
        if span is not None and not all(word.lower() in lower_words for word in name.split()):
            line, start, end = span
            entries.append(line.make_entry("authors", name, start, end))
    return entries
