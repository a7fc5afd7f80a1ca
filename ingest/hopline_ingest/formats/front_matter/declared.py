"""Values that the properties of a file declare: of a web page, an e-book and an office file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from hopline.metadata.values import MAX_TEXT, MetadataValue, is_date
from hopline.text_encoding import normalize_text
from hopline_ingest.formats.xml_parts import parse_xml

# by key, the values of the file: author, creator (who wrote the file, perhaps not the text), date, organisation, doi,
# isbn, issn, abstract
Declared = Mapping[str, Sequence[str]]

_CORE: Final = "docProps/core.xml"
_NAMES: Final[dict[str, tuple[str, ...]]] = {  # of a page's <meta>, the first ones before the others
    "author": ("citation_author", "dc.creator", "dcterms.creator", "author", "article:author", "parsely-author"),
    "date": (
        *("citation_publication_date", "citation_date", "citation_online_date", "article:published_time"),
        *("dc.date.issued", "dcterms.issued", "dc.date", "datepublished", "pubdate", "parsely-pub-date", "date"),
    ),
    "organisation": ("citation_publisher", "dc.publisher", "dcterms.publisher", "publisher", "og:site_name"),
    "doi": ("citation_doi", "prism.doi", "dc.identifier"),
    "isbn": ("citation_isbn",),
    "issn": ("citation_issn", "prism.issn"),
    "abstract": ("citation_abstract",),
}
_BOOK: Final = {"creator": "author", "date": "date", "publisher": "organisation", "identifier": "identifier"}
_ISO: Final = re.compile(r"(\d{4})(?:[-/](\d\d?))?(?:[-/](\d\d?))?")
_ISBN: Final = re.compile(r"(?:urn:isbn:|isbn:?\s*)?((?:97[89])?\d{9}[\dXx])", re.IGNORECASE)


def read_page_declarations(root: Any) -> dict[str, tuple[str, ...]]:
    """Read the values that the ``<meta>`` elements of a web page declare."""
    values: dict[str, list[str]] = {}
    for element in root.iter("meta"):
        name = next(filter(None, (element.get(key) for key in ("name", "property", "itemprop"))), "").lower()
        if content := normalize_text(" ".join((element.get("content") or "").split())):
            values.setdefault(name, []).append(content)
    declared = {
        key: next((tuple(values[name]) for name in names if name in values), ()) for key, names in _NAMES.items()
    }
    return _check(declared)


def read_book_declarations(parts: Mapping[str, bytes]) -> dict[str, tuple[str, ...]]:
    """Read the values that the package document of an EPUB declares."""
    package = next((part for name, part in parts.items() if name.lower().endswith(".opf")), None)
    values: dict[str, list[str]] = {}
    for name, text in _iterate_texts(parse_xml(package)):
        if name in _BOOK:
            values.setdefault(_BOOK[name], []).append(text)
    identifiers = values.pop("identifier", [])
    values["isbn"] = [match[1] for text in identifiers if (match := _ISBN.fullmatch(text.replace("-", "")))]
    return _check({key: tuple(texts) for key, texts in values.items()})


def read_core_properties(parts: Mapping[str, bytes]) -> tuple[tuple[str, MetadataValue], ...]:
    """Read author, subject, keywords and day of creation of a DOCX or PPTX file; what is missing is left out."""
    names = {"creator": "author", "subject": "subject", "keywords": "keywords", "created": "created"}
    values: dict[str, MetadataValue] = {}
    for name, text in _iterate_texts(parse_xml(parts.get(_CORE))):
        value = text[:MAX_TEXT].strip() if name != "created" else text[:10] if is_date(text[:10]) else ""
        if name in names and value:
            values[names[name]] = value
    return tuple(values.items())


def _iterate_texts(root: Any | None) -> Iterator[tuple[str, str]]:
    """Yield the local name of each element that has a text, with the text."""
    for element in root.iter() if root is not None else ():
        text = normalize_text(" ".join((element.text or "").split())) if isinstance(element.tag, str) else ""
        if text:
            yield element.tag.rpartition("}")[2], text


def _check(declared: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """Return the values with dates in ISO form, without addresses of authors and without keys that have no value."""
    checked = {key: tuple(dict.fromkeys(values)) for key, values in declared.items()}
    checked["author"] = tuple(value for value in checked.get("author", ()) if "://" not in value)
    checked["date"] = tuple(filter(None, map(_parse_date, checked.get("date", ()))))
    return {key: values for key, values in checked.items() if values}


def _parse_date(text: str) -> str:
    match = _ISO.match(text)
    if match is None:
        return ""
    date = "-".join([match[1], *(f"{int(part):02}" for part in match.group(2, 3) if part)])
    return date if len(date) < 10 or is_date(date) else match[1]
