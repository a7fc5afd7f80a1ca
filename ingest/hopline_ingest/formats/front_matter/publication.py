"""The date of a document, and the organisation that publishes it, on its first pages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from hopline.records import BibliographicEntry
from hopline.text.values import Date, DateSpan, find_dates
from hopline_ingest.formats.front_matter.authors import find_text
from hopline_ingest.formats.front_matter.front_line import FrontLine, is_running_text
from hopline_ingest.formats.front_matter.names import has_organisation_word, is_organisation, parse_person

_PUBLISHED: Final = re.compile(
    r"\b(?:(?:first\s+)?published(?:\s+online)?(?:\s+on|\s+in)?|available\s+online|date\s+of\s+(?:issue|publication|report)"
    r"|publication\s+date|date\s+(?:issued|published)|issue\s+date|issued(?:\s+on)?|release\s+date|released(?:\s+on)?"
    r"|adopted(?:\s+(?:by\s+[^,;.]{3,60}\s+)?on)?|^\W*dated?(?=\s*:|\s+\d|\s*$|\s+[A-Z]))\s*(?:\([^)]*\))?\s*[:.]?\s*(?=\S|$)",
    re.IGNORECASE,
)
_LABEL_ALONE: Final = re.compile(r".*\b(?:date|published|issued)\b[^:]*:\s*", re.IGNORECASE)
_COPYRIGHT: Final = re.compile(
    r"(?:©|\(c\)|\bcopyright\b)\s*(?:©|\(c\)|c\b)?\s*((?:19|20)\d\d)\b(?!\s*[–-]\s*\d)", re.IGNORECASE
)
_OTHER_DATE: Final = re.compile(
    r"\b(?:received|accepted|revised|ended|ending|period|deadline|due|until|since|from|between|through|effective|expires?"
    r"|meeting|conference|workshop|held|born|fiscal|your|act of|as of)\b",
    re.IGNORECASE,
)
_DASH: Final = re.compile(r"\s*[–—-]{1,2}\s")
_MAX_DATELINE: Final = 80  # characters
_MAX_LOCATION: Final = 5  # words
_MAX_BEFORE: Final = 2  # characters between a label and a date
_YEARS: Final = range(1500, 2101)  # of other calendars, years are mostly outside of it
_MAX_DATE_LINE: Final = 14  # words of a line that ends with the date of the document
_COPYRIGHT_HOLDER: Final = re.compile(
    r"(?:©|\(c\)|\bcopyright\b)\s*(?:©|\(c\)|c\b)?\s*(?:(?:19|20)\d\d\s*(?:[–-]\s*(?:19|20)\d\d)?)[,.]?\s*(?:by\s+)?(?P<name>[A-Z].{2,80})",
    re.IGNORECASE,
)
_PUBLISHER: Final = re.compile(
    r"\b(?:published\s+by|publisher\s*:|imprint\s+of)\s*(?:the\s+)?(?P<name>[A-Z].{2,80})", re.IGNORECASE
)
_REGISTRANT: Final = re.compile(r"\(?exact name of (?:the )?(?:registrant|company|issuer)", re.IGNORECASE)
_NAME_ENDS: Final = re.compile(
    r"(?<![A-Z]\.[A-Z])(?<!\b(?:Inc|Ltd))\.\s|[,;:(]\s|\s+(?:All rights|This is|Printed|under)\b|\s*\.?$"
)
_PREPARED_BY: Final = re.compile(
    r"\W*(?:prepared|issued|submitted|presented)\s+by\s*:?\s+(?P<name>[A-Z].{2,80})", re.IGNORECASE
)
_LETTERHEAD: Final = 3  # lines above the title


def find_publication_date(
    lines: Sequence[FrontLine], title: range, zone: Sequence[FrontLine], declared: Sequence[str]
) -> BibliographicEntry | None:
    """Return the date of publication or of a letter; a date of the properties where the pages have none."""
    first = [line for line in lines if line.page <= 2]
    near = [*(line for line in lines[: title.start] if line.page == 1), *zone]
    for dates in (_find_labelled(first), _find_datelines(first), _find_date_lines(near), _find_copyright(lines)):
        if (entry := next(dates, None)) is not None:
            return entry
    return next((BibliographicEntry("date", date) for date in declared), None)


def format_date(date: Date) -> str:
    """Format a date as ISO text, as far as it is known."""
    parts = (f"{date.year:04}", f"{date.month:02}" if date.month else "", f"{date.day:02}" if date.day else "")
    return "-".join(part for part in parts if part)


def _make_entries(line: FrontLine, span: DateSpan, offset: int = 0) -> Iterator[BibliographicEntry]:
    """Yield the entry of a date that a document may have."""
    if span.date.year in _YEARS:
        yield line.make_entry("date", format_date(span.date), span.start + offset, span.end + offset)


def _find_labelled(lines: Sequence[FrontLine]) -> Iterator[BibliographicEntry]:
    """Yield dates behind "Published", "Date:" and the like, on the same line or alone on the next one."""
    for line, following in zip(lines, [*lines[1:], None], strict=False):
        for match in _PUBLISHED.finditer(line.text):
            rest = line.text[match.end() :]
            if not rest and following and _LABEL_ALONE.fullmatch(line.text):
                yield from _read_first(following, 0)
            elif match.start() == 0 or not is_running_text(line.text):
                yield from _read_first(line, match.end())


def _read_first(line: FrontLine, start: int) -> Iterator[BibliographicEntry]:
    """Yield the date that begins at an index of a line."""
    dates = find_dates(line.text[start:])
    if dates and dates[0].start <= _MAX_BEFORE:
        yield from _make_entries(line, dates[0], start)


def _find_datelines(lines: Sequence[FrontLine]) -> Iterator[BibliographicEntry]:
    """Yield the date at the beginning of a press release: "Las Vegas, Nevada, February 8, 2023 – …"."""
    for line in lines:
        for span in find_dates(line.text[:_MAX_DATELINE]):
            words = line.text[: span.start].split()
            is_location = len(words) <= _MAX_LOCATION and all(word[0].isupper() for word in words)
            has_comma = "," in line.text[: span.start]
            if span.date.day and is_location and has_comma and _DASH.match(line.text, span.end):
                yield from _make_entries(line, span)


def _find_date_lines(lines: Sequence[FrontLine]) -> Iterator[BibliographicEntry]:
    """Yield the dates that end a short line above or below the title."""
    for line in lines:
        dates = find_dates(line.text)
        if len(dates) != 1 or not dates[0].has_month or len(line.text.split()) > _MAX_DATE_LINE:
            continue
        before, after = line.text[: dates[0].start].rstrip(), line.text[dates[0].end :].strip(" .)]")
        if after or _OTHER_DATE.search(before) or (before and not re.search(r"(?:[,:|–—(]|\bon)$", before)):
            continue
        yield from _make_entries(line, dates[0])


def _find_copyright(lines: Sequence[FrontLine]) -> Iterator[BibliographicEntry]:
    for line in lines:
        if match := _COPYRIGHT.search(line.text):
            yield line.make_entry("date", match[1], *match.span(1))


def find_organisation(
    lines: Sequence[FrontLine],
    title: range,
    zone: Sequence[FrontLine],
    declared: Sequence[str],
    *,
    is_paper: bool,
) -> BibliographicEntry | None:
    """Return the organisation that publishes a document.

    ``declared`` are organisations and authors of the properties. In a paper, the organisations below the title are
    those of its authors.
    """
    head = [line for line in lines[: title.start] if line.page == 1][:_LETTERHEAD]
    sources = [
        _find_registrant(lines),
        _find_named(lines, _PUBLISHER, certain=True),
        _find_declared(lines, declared),
        _find_named(lines, _COPYRIGHT_HOLDER),
        _find_named(zone, _PREPARED_BY),
        (line.make_entry("organisation", line.text.strip()) for line in head if is_organisation(line.text)),
    ]
    if title and not is_paper:
        sources.append(_find_in_zone(zone))
    return next((entry for entries in sources for entry in entries), None)


def _find_registrant(lines: Sequence[FrontLine]) -> Iterator[BibliographicEntry]:
    """Yield the company of a filing: the line above "(Exact name of registrant as specified in its charter)"."""
    for above, line in pairwise(lines):
        if _REGISTRANT.match(line.text.strip()) and above.text.strip():
            yield above.make_entry("organisation", above.text.strip())


def _find_named(
    lines: Sequence[FrontLine], pattern: re.Pattern[str], *, certain: bool = False
) -> Iterator[BibliographicEntry]:
    """Yield the name behind "Published by" or ©; unless ``certain``, only with a word that organisations have.

    Sentences say by whom something else was published.
    """
    for line in lines:
        match = pattern.search(line.text)
        if match is None or (
            line.text[: match.start()].strip() and match[0][0].islower() and is_running_text(line.text)
        ):
            continue
        start = match.start("name")
        end = _NAME_ENDS.search(line.text, start)
        name = line.text[start : end.start() if end else None].strip()
        if re.match(r"the author|author", name, re.IGNORECASE) or not name[:1].isupper():
            continue
        if has_organisation_word(name) or (certain and not parse_person(name) and len(name.split()) <= 6):
            yield line.make_entry("organisation", name, start, start + len(name))


def _find_declared(lines: Sequence[FrontLine], declared: Sequence[str]) -> Iterator[BibliographicEntry]:
    """Yield names of organisations in the properties that a line of the first pages has."""
    for name in declared:
        span = find_text(lines, name) if len(name.split()) > 1 else None
        if span is None:
            continue
        line, start, end = span
        abbreviated = re.compile(rf"{re.escape(name)}\s*\([A-Z]{{2,6}}\)", re.IGNORECASE)
        if is_organisation(name) or any(abbreviated.search(other.text) for other in lines if other.page <= 2):
            yield line.make_entry("organisation", name, start, end)


def _find_in_zone(zone: Sequence[FrontLine]) -> Iterator[BibliographicEntry]:
    """Yield the only organisation below the title that a line is or begins with."""
    names = []
    for line in zone:
        part = re.split(r",\s|\s[–—|]\s", line.text)[0].strip()
        if is_organisation(part):
            names.append(line.make_entry("organisation", part, 0, len(part)))
    if len({entry.value for entry in names}) == 1:
        yield names[0]
