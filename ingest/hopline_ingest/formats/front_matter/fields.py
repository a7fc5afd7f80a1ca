"""Fields of forms, letters and title blocks on the first pages: "Invoice number: 4711", "To: Ada Byron"."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from hopline.records import BibliographicEntry
from hopline.text.values import find_dates
from hopline_ingest.formats.front_matter.front_line import FrontLine, is_running_text
from hopline_ingest.formats.front_matter.publication import format_date

MAX_FIELDS: Final = 40  # of a document
MAX_PAGE: Final = 2
MAX_VALUE: Final = 120  # characters
_MAX_LABEL: Final = 7  # words, without those in brackets
_MAX_LINES: Final = 3  # of a value
_MAX_DISTANCE: Final = 20  # lines from a field to the next one of a form
_MAX_GAP: Final = 300.0  # points from a label to its value in the next column
_MAX_BELOW: Final = 2.5  # line heights from a label to the value below it
_MAX_SHIFT: Final = 12.0  # points between the left sides of a label and the value below it
_WIDE_BLANK: Final = 0.9  # font sizes; a wider one separates the columns of a row
_MIN_SPEAKER: Final = 3  # values of a label that names a speaker, a question or an answer
_MAX_SENTENCE: Final = 8  # words of a value that ends like a sentence
_LABEL: Final = re.compile(r"[\s•*▪■–—-]*(?P<label>[^\W\d_][^:;|?!]{0,58}?)\s?:(?=\s|$)\s*")
_SEPARATOR: Final = re.compile(r"\s+[/|·•]\s+|\s+(?=©)|;\s+|\s{3,}|\t")
_NO_LABEL: Final = re.compile(
    r"(?:fig(?:ure)?s?|tables?|box|chart|map|photo|appendix|annex|exhibit|section|chapter|part|step|notes?|sources?|"
    r"example|question|answer|warning|caution|tip|important|see|also|https?|abstract|introduction|background|objectives?|"
    r"methods?|results?|conclusions?|summary|discussion|purpose|definition|theorem|proof|lemma)\b.{0,8}",
    re.IGNORECASE,
)
_SMALL_WORDS: Final = frozenset(
    {"of", "the", "for", "and", "to", "in", "by", "on", "a", "an", "or", "at", "with", "per"}
)
_BOXES: Final = {"☒": "yes", "☑": "yes", "☐": "no"}
_WEEKDAY: Final = re.compile(r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,?\s*)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _NumberedField:
    """A field with the index of its line in reading order."""

    index: int
    entry: BibliographicEntry


def find_fields(lines: Sequence[FrontLine]) -> list[BibliographicEntry]:
    """Return the fields of the first two pages, each with its label; none unless two are near each other.

    A field is a label of at most seven words, a colon, and a short value behind it, in the next column of its row, or
    below it. Sentences with a colon, captions, the speakers of a transcript and rows of several values are none. The
    value of a date is in ISO form, that of a box "yes" or "no".
    """
    first = [line for line in lines if line.page <= MAX_PAGE]
    fields = [_NumberedField(index, entry) for index in range(len(first)) for entry in _read_line(first, index)]
    counts = Counter(field.entry.label.casefold() for field in fields)
    fields = [field for field in fields if counts[field.entry.label.casefold()] < _MIN_SPEAKER]
    near = [field for field in fields if _is_near_another(field, fields)]
    return list(dict.fromkeys(field.entry for field in near))[:MAX_FIELDS]


def _is_near_another(field: _NumberedField, fields: Sequence[_NumberedField]) -> bool:
    return any(
        other.entry.label != field.entry.label
        and other.entry.page == field.entry.page
        and abs(other.index - field.index) <= _MAX_DISTANCE
        for other in fields
    )


def _read_line(lines: Sequence[FrontLine], index: int) -> Iterator[BibliographicEntry]:
    """Yield the fields of a line, of whose parts the first has to be one; none of a line of running text."""
    line = lines[index]
    if ":" not in line.text or is_running_text(line.text):
        return
    parts = list(pairwise([0, *_find_part_ends(line), len(line.text)]))
    matches = [_find_label(line.text, *part) for part in parts]
    for number, ((_, end), match) in enumerate(zip(parts, matches, strict=True)):
        if match is None and number == 0:
            return
        is_last = number + 1 == len(parts)
        if match is None or not (is_last or matches[number + 1] or line.text[end:].startswith("©")):
            continue  # "Gender: Female  Male" has boxes to tick
        value = _SEPARATOR.sub("", line.text[match.end() : end]).rstrip(" ;,|")
        entries = [line.make_entry("field", "", match.end(), match.end() + len(value))] if value else []
        if end == len(line.text):
            entries += _find_further_lines(lines, index) if value else _find_value_line(lines, index)
        text = " ".join(entry.text.strip() for entry in entries)
        if _is_value(text) and len(entries) <= _MAX_LINES:
            boxes = tuple(box for entry in entries for box in entry.boxes)
            label = " ".join(match["label"].split())
            yield replace(entries[0], value=_normalize(text), text=text, boxes=boxes, label=label)


def _find_label(text: str, start: int, end: int) -> re.Match[str] | None:
    match = _LABEL.match(text, start, end)
    return match if match and _is_label(match["label"]) else None


def _find_part_ends(line: FrontLine) -> list[int]:
    """Find where the parts of a line end: behind separators, and at blanks as wide as between columns."""
    ends = {match.end() for match in _SEPARATOR.finditer(line.text)}
    if line.line is not None and line.line.turn == 0:
        lefts, rights = line.line.lefts, line.line.rights
        wide = _WIDE_BLANK * max(line.size, 1.0)
        ends |= {
            index + 1
            for index, letter in enumerate(line.text[:-1])
            if index and letter == " " and lefts[index + 1] - rights[index - 1] > wide
        }
    return [end for end in sorted(ends) if not line.text[:end].rstrip().endswith(":")]  # a value may be far away


def _is_label(text: str) -> bool:
    """Return whether a text before a colon is a label: few words, capitalised, not of a caption or a section."""
    words = re.sub(r"\([^()]*\)", "", text).split()
    if not words or len(words) > _MAX_LABEL or _NO_LABEL.fullmatch(text) or not words[0][0].isupper():
        return False
    plain = [word for word in words[1:] if word[0].islower() and word not in _SMALL_WORDS]
    return len(plain) <= 5 and sum(letter.isalpha() for letter in text) >= max(2, 0.7 * len(text.replace(" ", "")))


def _is_value(text: str) -> bool:
    """Return whether a text is short, and neither a sentence, a blank to fill in nor another label."""
    if text in _BOXES:
        return True
    if not text or len(text) > MAX_VALUE or not re.search(r"[^\W_]", text) or text.endswith(":"):
        return False
    return not (text.endswith((".", "?", "!")) and len(text.split()) > _MAX_SENTENCE)


def _find_further_lines(lines: Sequence[FrontLine], index: int) -> list[BibliographicEntry]:
    """Find the lines of the same block that continue the value of a line."""
    line = lines[index].line
    further: list[BibliographicEntry] = []
    for other in lines[index + 1 : index + 1 + _MAX_LINES]:
        is_same = line is not None and other.line is not None and other.line.block == line.block
        is_other = _LABEL.match(other.text) or other.text.startswith("©")
        if not is_same or other.page != lines[index].page or is_other:
            break
        further.append(other.make_entry("field", ""))
    return further


def _find_value_line(lines: Sequence[FrontLine], index: int) -> list[BibliographicEntry]:
    """Find the value of a label that ends its line: the nearest line to its right, else that below; [] without one."""
    label = lines[index]
    if label.line is None:
        return []
    x0, y0, x1, y1 = label.line.rect
    height = y1 - y0
    right: list[tuple[float, int]] = []
    below: list[tuple[float, int]] = []
    for number, other in enumerate(lines):
        if other is label or other.page != label.page or other.line is None or other.line.turn != label.line.turn:
            continue
        left, top, _, bottom = other.line.rect
        if min(y1, bottom) - max(y0, top) >= 0.5 * min(height, bottom - top) and 0 <= left - x1 <= _MAX_GAP:
            right.append((left - x1, number))
        elif abs(left - x0) <= _MAX_SHIFT and 0 <= top - y1 + 0.5 * height <= _MAX_BELOW * height:
            below.append((top - y1, number))
    nearest = sorted(right or below)[:2]
    texts = [lines[number].text for _, number in nearest]
    is_row_of_values = len(right) > 1 and not _LABEL.match(texts[1])
    if not nearest or is_row_of_values or _LABEL.match(texts[0]) or is_running_text(texts[0]):
        return []
    number = nearest[0][1]
    other = lines[number]
    return [other.make_entry("field", ""), *_find_further_lines(lines, number)]


def _normalize(value: str) -> str:
    """Return a value with single blanks; a date, with or without its weekday, in ISO form, a box as "yes" or "no"."""
    text = " ".join(value.split())
    if text in _BOXES:
        return _BOXES[text]
    dates = find_dates(text)
    if len(dates) == 1 and dates[0].has_month and dates[0].date.year:
        before, after = text[: dates[0].start], text[dates[0].end :]
        if _WEEKDAY.fullmatch(before) and not after:
            return format_date(dates[0].date)
    return text
