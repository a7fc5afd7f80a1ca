"""Lists of references and citations: their entries and keys, which are no mentions of persons, places and works.

Three styles are read: author and year, "Chen et al. (2014)" and "(Chen 2014; Lopez and Berg, 2019a)", numbers in square
brackets, "[3, 7–9]", and labels of authors and year, "[Che14, LB19a]".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from hopline.ids import normalize_name
from hopline_ingest.extraction.records import ExtractionInput, InTextCitation, ListedReference, Span
from hopline_ingest.extraction.vocabulary import MONTHS

# fmt: off
_HEADINGS: Final = frozenset({
    "references", "bibliography", "literature", "sources", "endnotes", "footnotes", "literature cited", "works cited",
    "cited works", "cited literature", "references cited", "list of references", "selected bibliography",
    "references and notes", "notes and references", "further reading", "references and further reading",
})
# fmt: on
_YEAR: Final = r"(?:1[5-9]|20)\d\d[a-z]?"
_SURNAME: Final = r"(?:(?:[Vv]an|[Vv]on|[Dd]e|[Dd]el|[Dd]er|[Dd]i|[Ll]a|[Ll]e|[Tt]en|Mc|O['’])[ -]?)*[A-ZÀ-Þ][\w'’-]+"
_INITIALS: Final = r"[A-ZÀ-Þ](?:[-.]?[A-ZÀ-Þ]){0,3}\b"
_AUTHORS: Final = rf"{_SURNAME}(?:(?:,? (?:and|&) {_SURNAME})|(?:, {_SURNAME})*,? (?:and|&) {_SURNAME}|,? et al\.?)?"
_IN_BRACKETS: Final = re.compile(r"\([^()]{3,300}\)")
_CITED: Final = re.compile(rf"(?P<authors>{_AUTHORS}),? (?:in )?(?P<years>{_YEAR}(?:, ?{_YEAR})*)")
_NARRATIVE: Final = re.compile(rf"(?P<authors>{_AUTHORS})[’']?s? ?[(\[](?P<years>{_YEAR}(?:[,;] ?{_YEAR})*)(?:[)\],:])")
_ET_AL: Final = re.compile(rf"{_SURNAME}(?:,? [A-Z]\.?)*,? et al\b\.?")
_NUMBERS: Final = re.compile(r"\[(\d{1,3}(?:(?:, ?| ?[-–] ?)\d{1,3})*)\]")
_LABEL: Final = r"(?:[A-Z][A-Za-z]{0,5}|[a-z]{2,6})\+?\d\d[a-z]?"
_LABELS: Final = re.compile(rf"\[({_LABEL}(?:[,;] ?{_LABEL})*)\]")
_NUMBERED: Final = re.compile(rf"\s*(?:\[(\d{{1,3}}|{_LABEL})\]|(\d{{1,3}})\.)\s+(?=\S)")
_PUBLISHED: Final = re.compile(  # signs of where something was published
    r"[“\"]|\bpp?\.|\bvol\.|\bno\.|\barXiv\b|\bdoi\b|https?:|\bPress\b|\beds?\.,", re.IGNORECASE
)
_ENTRY_YEAR: Final = re.compile(rf"[(,.\s]({_YEAR})(?=[).,:;\s]|$)")
_FIRST_AUTHOR: Final = re.compile(rf"\s*({_SURNAME}(?:[ -](?!{_INITIALS}){_SURNAME})?)")
_LEADING: Final = " .,;:()[]“”\"'"
_MAX_ENTRY: Final = 900  # characters; a longer paragraph is no entry
_MAX_RANGE: Final = 20  # entries of one range of numbers


def read_references(evidence: ExtractionInput) -> tuple[ListedReference, ...]:
    """Return the entries of a passage that belongs to a list of references, one per paragraph; none for other passages.

    The section must be called as such lists are, and most paragraphs must be entries: a number, a label or an author,
    and a year. In other sections, each paragraph must be an entry with a label or a number in brackets, and state where
    it was published: the heading of the list may not be recognised.
    """
    has_heading = bool(evidence.section) and is_reference_heading(evidence.section[-1])
    if not has_heading and not evidence.text.lstrip().startswith("["):
        return ()
    paragraphs = list(_split_paragraphs(evidence.text))
    entries = [entry for span in paragraphs if (entry := _read_entry(evidence.text, span))]
    if has_heading:
        return tuple(entries) if len(entries) * 2 >= len(paragraphs) else ()
    texts = [evidence.text[slice(*entry.span)] for entry in entries]
    is_list = all(text.lstrip().startswith("[") and _PUBLISHED.search(text) for text in texts)
    return tuple(entries) if is_list and len(entries) == len(paragraphs) else ()


def is_reference_heading(text: str) -> bool:
    """Return whether a heading, with or without its number, is that of a list of references."""
    return normalize_name(text).lstrip("0123456789 ") in _HEADINGS


def _split_paragraphs(text: str) -> Iterator[Span]:
    breaks = [-1, *(match.start() for match in re.finditer("\n", text)), len(text)]
    yield from ((start + 1, end) for start, end in pairwise(breaks) if text[start + 1 : end].strip())


def _read_entry(text: str, span: Span) -> ListedReference | None:
    entry = text[slice(*span)]
    number = _NUMBERED.match(entry)
    body = entry[number.end() :] if number else entry
    year, author = _ENTRY_YEAR.search(body), _FIRST_AUTHOR.match(body)
    if len(entry) > _MAX_ENTRY or year is None or not (number or author):
        return None
    authors = body[: year.start()].strip(_LEADING)
    rest = body[year.end() :].strip(_LEADING)
    title = _cut_title(rest)
    label = (number[1] or number[2]) if number else ""
    return ListedReference(
        key=label.lower() or build_key(author[1] if author else "", year[1]),
        number=label if label.isdigit() else "",
        authors=authors if author and len(authors) < len(entry) / 2 else "",
        year=year[1][:4],
        title=title,
        span=span,
    )


def _cut_title(text: str) -> str:
    """Return the first sentence of what follows the year."""
    end = re.search(r"[.?!](?=\s+[A-ZÀ-Þ]|\s*$)", text)
    return text[: end.start() if end else len(text)].strip(_LEADING)


def find_citations(text: str) -> tuple[InTextCitation, ...]:
    """Return the citations of a text in order; they do not overlap."""
    citations: list[InTextCitation] = []
    for bracket in _IN_BRACKETS.finditer(text):
        keys = [key for part in re.split(r"[;]", bracket[0][1:-1]) for key in _read_keys(part)]
        if keys:
            citations.append(InTextCitation(tuple(dict.fromkeys(keys)), bracket.span()))
    for match in _NARRATIVE.finditer(text):
        if _is_month(match["authors"]):
            continue
        keys = [build_key(match["authors"], year) for year in re.findall(_YEAR, match["years"])]
        citations.append(InTextCitation(tuple(keys), match.span()))
    citations += [InTextCitation(tuple(_expand_numbers(match[1])), match.span()) for match in _NUMBERS.finditer(text)]
    citations += [
        InTextCitation(tuple(re.split("[,;] ?", match[1].lower())), match.span()) for match in _LABELS.finditer(text)
    ]
    citations += [InTextCitation((), match.span()) for match in _ET_AL.finditer(text)]
    return tuple(_remove_overlaps(citations))


def _read_keys(part: str) -> Iterator[str]:
    """Yield the keys of one part of a bracket that ends with a year: "see Chen 2014", not "in 2014, Ann left"."""
    matches = [match for match in _CITED.finditer(part) if not _is_month(match["authors"])]
    if matches and not part[matches[-1].end() :].strip(" .,"):
        for match in matches:
            yield from (build_key(match["authors"], year) for year in re.findall(_YEAR, match["years"]))


def _remove_overlaps(citations: list[InTextCitation]) -> Iterator[InTextCitation]:
    end = -1
    for citation in sorted(citations, key=lambda item: (item.span[0], -item.span[1])):
        if citation.span[0] >= end:
            yield citation
            end = citation.span[1]


def _expand_numbers(numbers: str) -> Iterator[str]:
    """Yield the numbers of "3, 7–9"."""
    for part in numbers.split(","):
        first, _, last = (item.strip() for item in re.sub("[–-]", "-", part).partition("-"))
        if last and 0 <= int(last) - int(first) < _MAX_RANGE:
            yield from map(str, range(int(first), int(last) + 1))
        else:
            yield first


def _is_month(authors: str) -> bool:
    return authors.lower() in MONTHS


def build_key(authors: str, year: str) -> str:
    """Return the key of a reference: the first author's surname and the year, "chen 2014a"."""
    first = re.split(r",| and | & | et al", authors, maxsplit=1)[0]
    return f"{normalize_name(first)} {year}"
