"""Bibliography of a document: what its first pages state, completed from the properties of its file."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from hopline.metadata.values import Metadata, is_date
from hopline.records import BibliographicEntry, BibliographicKey
from hopline.text.languages import ENGLISH, detect_language, is_latin
from hopline.text.parser import load_stop_words
from hopline_ingest.formats.block import Block
from hopline_ingest.formats.front_matter.abstract import find_abstract
from hopline_ingest.formats.front_matter.authors import find_authors
from hopline_ingest.formats.front_matter.declared import Declared
from hopline_ingest.formats.front_matter.fields import find_fields
from hopline_ingest.formats.front_matter.front_line import (
    FrontLine,
    find_title_lines,
    find_zone,
    list_block_lines,
    list_page_lines,
)
from hopline_ingest.formats.front_matter.identifiers import find_identifiers, parse_doi
from hopline_ingest.formats.front_matter.names import parse_person
from hopline_ingest.formats.front_matter.publication import find_organisation, find_publication_date
from hopline_ingest.formats.parsed_document import ParsedDocument
from hopline_ingest.formats.pdf.page_content import PageContent

log = logging.getLogger(__name__)

_ENGLISH_WORDS: Final = frozenset(
    ("the", "of", "and", "to", "in", "is", "for", "that", "with", "on", "as", "by", "are", "this", "be", "from", "or")
)
_ADDRESS: Final = re.compile(r"\S*(?:@|://|www\.)\S*|\{[^{}]*\}")  # has names in lower case
_MIN_WORDS: Final = 30  # of a text whose language is detected
_SAMPLE: Final = 20_000  # characters
_MIN_SHARE: Final = 0.15  # of words without content
_SCRIPTS: Final = (
    ("ja", "\u3040", "\u30ff"), ("zh", "\u3400", "\u9fff"), ("ko", "\uac00", "\ud7a3"), ("ru", "\u0400", "\u04ff"),
)  # fmt: skip
_SCRIPT_SHARES: Final = {"ja": 0.2, "zh": 0.7, "ko": 0.5, "ru": 0.7}  # of the letters
_OTHER_CYRILLIC: Final = re.compile(r"[іїєґђћљњџўқғ]", re.IGNORECASE)


def read_page_bibliography(
    pages: Sequence[PageContent], document: ParsedDocument, properties: Metadata
) -> tuple[BibliographicEntry, ...]:
    """Read what the first pages of a PDF state about the document; ``properties`` are those of the file."""
    author = properties.get("author", "")
    declared = {"creator": [author]} if author and isinstance(author, str) else {}
    texts = (passage.text for passage in document.passages)
    return _read_safely(lambda: read_bibliography(list_page_lines(pages), document.title, texts, declared))


def read_block_bibliography(
    title: str, blocks: Sequence[Block], declared: Declared | None = None
) -> tuple[BibliographicEntry, ...]:
    """Read what the first paragraphs of a document without pages state about it."""
    texts = (block.text for block in blocks)
    return _read_safely(lambda: read_bibliography(list_block_lines(title, blocks), title, texts, declared))


def _read_safely(read: Callable[[], tuple[BibliographicEntry, ...]]) -> tuple[BibliographicEntry, ...]:
    """Return nothing if reading fails: it must not cost the document."""
    try:
        return read()
    except MemoryError:
        raise
    except Exception:
        log.exception("the bibliography of a document cannot be read")
        return ()


def read_bibliography(
    lines: Sequence[FrontLine], title: str, texts: Iterable[str], declared: Declared | None = None
) -> tuple[BibliographicEntry, ...]:
    """Read what a document states about itself from its first lines, and its language from its texts.

    ``declared`` are values of the properties of the file, by key; they are taken where the lines have none. An author
    of the properties counts only if a line has the name.
    """
    declared = declared or {}
    sample = " ".join(texts)[:_SAMPLE]
    lower_words = {word for word in re.findall(r"[^\W\d_]+", _ADDRESS.sub(" ", sample)) if word.islower()}
    title_lines = find_title_lines(lines, title)
    zone = find_zone(lines, title_lines)
    names = [*declared.get("author", ()), *declared.get("creator", ())]
    entries = [*_make_title(lines, title, title_lines)]
    abstract = find_abstract(lines)
    is_paper = abstract is not None
    entries += find_authors(lines, zone if title_lines else [], names, lower_words, is_paper=is_paper)
    known = {entry.key for entry in entries}
    if "authors" not in known:
        entries += _declare("authors", filter(None, map(parse_person, declared.get("author", ()))))
    dates = [date for date in declared.get("date", ()) if is_date(date) or re.fullmatch(r"\d{4}(?:-\d\d)?", date)]
    organisations = [*declared.get("organisation", ()), *names]
    date = find_publication_date(lines, title_lines, zone, dates)
    organisation = find_organisation(lines, title_lines, zone, organisations, is_paper=is_paper)
    entries += filter(None, (date, organisation, abstract))
    entries += find_identifiers(lines)
    entries += _declare_missing(entries, declared)
    if language := detect_document_language(sample):
        entries.append(BibliographicEntry("language", language))
    entries += find_fields(lines)
    return tuple(dict.fromkeys(entries))


def detect_document_language(text: str) -> str:
    """Return the code of the language of a text; "" for a short one, and where its language is not sure."""
    words = [word.lower() for word in re.findall(r"[^\W\d_]+", text)]
    if not is_latin(text):
        return _detect_by_script(text)
    if len(words) < _MIN_WORDS:
        return ""
    if sum(word in _ENGLISH_WORDS for word in words) >= _MIN_SHARE * len(words):
        return ENGLISH
    code = detect_language(text)
    return code if sum(word in load_stop_words(code) for word in words) >= _MIN_SHARE * len(words) else ""


def _detect_by_script(text: str) -> str:
    """Return the language of a text in a script that one known language has; Japanese has Chinese letters as well."""
    letters = re.findall(r"[^\W\d_]", text)
    shares = {code: sum(first <= letter <= last for letter in letters) / len(letters) for code, first, last in _SCRIPTS}
    code = next((code for code, _, _ in _SCRIPTS if shares[code] >= _SCRIPT_SHARES[code]), "")
    return "" if code == "ru" and _OTHER_CYRILLIC.search(text) else code


def _make_title(lines: Sequence[FrontLine], title: str, indices: range) -> Iterator[BibliographicEntry]:
    if indices:
        shown = lines[indices.start : indices.stop]
        boxes = tuple(box for line in shown for box in line.make_entry("title", "").boxes)
        yield BibliographicEntry("title", title, " ".join(line.text for line in shown), shown[0].page, boxes)


def _declare(key: BibliographicKey, values: Iterable[str]) -> list[BibliographicEntry]:
    return [BibliographicEntry(key, value) for value in dict.fromkeys(values)]


def _declare_missing(entries: Sequence[BibliographicEntry], declared: Declared) -> Iterator[BibliographicEntry]:
    """Yield the identifiers and the organisation of the properties that no line has."""
    known = {entry.key for entry in entries}
    if "doi" not in known:
        yield from _declare("doi", filter(None, map(parse_doi, declared.get("doi", ()))))
    if "organisation" not in known:
        yield from _declare("organisation", declared.get("organisation", ())[:1])
    keys: tuple[BibliographicKey, ...] = ("isbn", "issn", "abstract")
    for key in keys:
        if key not in known:
            yield from _declare(key, declared.get(key, ()))
