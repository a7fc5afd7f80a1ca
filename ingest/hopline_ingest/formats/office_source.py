"""Preparation of a file for docling, by its suffix, and the text of the file as it is, to compare with."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from hopline.errors import DocumentError
from hopline.metadata.values import MetadataValue
from hopline.tables.parts import Rows
from hopline_ingest.formats.docx_source import prepare_docx
from hopline_ingest.formats.email_source import prepare_email
from hopline_ingest.formats.front_matter.declared import Declared, read_book_declarations, read_core_properties
from hopline_ingest.formats.html_source import PreparedHtml, prepare_html
from hopline_ingest.formats.hyphenation import collect_document_words, remove_line_end_hyphen
from hopline_ingest.formats.text_decoding import decode_text
from hopline_ingest.formats.xml_parts import parse_xml, read_parts, write_parts

_ZIPPED: Final = {".docx", ".pptx", ".odt", ".odp", ".epub"}
_OLE: Final = b"\xd0\xcf\x11\xe0"  # container of old Office files and of encrypted new ones
_FRONT_MATTER: Final = re.compile(r"\A---\s*\n(.*?)\n(?:---|\.\.\.)\s*\n", re.DOTALL)
_FRONT_TITLE: Final = re.compile(r"^title:\s*(.+?)\s*$", re.MULTILINE | re.IGNORECASE)
_DOCLING_SUFFIXES: Final = {".htm": ".html", ".md": ".html", ".markdown": ".html"}
_TEXT_PARTS: Final = {
    ".docx": re.compile(r"word/(?:document|footnotes|endnotes|comments|(?:header|footer)\d*)\.xml"),
    ".pptx": re.compile(r"ppt/(?:slides|notesSlides|charts)/\w+\.xml"),
    ".odt": re.compile(r"content\.xml"),
    ".odp": re.compile(r"content\.xml"),
}
_CORE_PROPERTIES: Final = re.compile(r"docProps/core\.xml")
_PARAGRAPHS: Final = {"p", "h", "si", "v", "pt"}  # local names of the elements that hold a paragraph or a value
_NOT_IN_PARAGRAPH: Final = {
    *_PARAGRAPHS,
    *("instrText", "delText", "fld", "f"),  # field codes, deleted text, slide numbers, formulas of charts
    *("tracked-changes", "note-citation", "oMath"),  # docling converts formulas
    *("posOffset", "align", "pctPosHOffset", "pctPosVOffset", "pctWidth", "pctHeight"),  # positions of drawings
}
_BREAKS: Final = {"br", "tab", "cr", "line-break", "s"}
_MAX_NESTING: Final = 60  # blocks of Markdown; what is nested deeper would be left out
_CHAPTER: Final = re.compile(r".*\.x?html?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class OfficeSource:
    """The bytes that docling reads, and what it does not say.

    ``name`` has the suffix by which docling recognises the format; ``title`` is that of the front matter or e-mail, if
    any; ``texts`` are the paragraphs of the file; ``left_out`` are texts that are not for docling, with the reason;
    ``tables`` are the large tables of a page. ``properties`` are metadata of the file, ``declared`` what it declares
    about the document.
    """

    name: str
    data: bytes
    title: str = ""
    texts: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    tables: tuple[Rows, ...] = ()
    properties: tuple[tuple[str, MetadataValue], ...] = ()
    declared: Declared = field(default_factory=dict)


def prepare_source(data: bytes, suffix: str) -> OfficeSource:
    """Prepare the bytes of a file.

    Raises:
        DocumentError: the file is encrypted, not of the type that its suffix says, or not text.
    """
    name = "document" + _DOCLING_SUFFIXES.get(suffix, suffix)
    if suffix in _ZIPPED:
        require_zip(data, suffix)
        return _prepare_zip(data, suffix, name)
    if suffix in {".html", ".htm"}:
        return _prepare_html(decode_text(data), name)
    if suffix in {".md", ".markdown"}:
        body, title = _split_front_matter(decode_text(data))
        return _prepare_html(_render_markdown(body), name, title)
    if suffix == ".eml":
        page = prepare_email(data)
        return _build_source("document.html", page)
    text = decode_text(data)
    return OfficeSource(name, text.encode("utf-8"), texts=tuple(text.splitlines()))


def require_zip(data: bytes, suffix: str) -> None:
    """Check that a file is a ZIP archive, as office files are.

    Raises:
        DocumentError: it is encrypted, in an old format, or of another type.
    """
    kind = suffix[1:].upper()
    if data.startswith(_OLE):
        raise DocumentError(f"the file is password-protected or in an old format; save it as {kind} without a password")
    if not data.startswith(b"PK"):
        raise DocumentError(f"the file is not a valid {kind} file, although its name ends in {suffix}")


def _prepare_html(text: str, name: str, title: str = "") -> OfficeSource:
    return _build_source(name, prepare_html(text, takes_tables=True), title)


def _build_source(name: str, page: PreparedHtml, title: str = "") -> OfficeSource:
    tables, declared = page.tables, page.declared
    return OfficeSource(name, page.html, title or page.title, page.texts, page.left_out, tables, declared=declared)


def _split_front_matter(text: str) -> tuple[str, str]:
    """Return the text without its front matter, and the title that this gives, if any."""
    front = _FRONT_MATTER.match(text)
    if front is None:
        return text, ""
    title = _FRONT_TITLE.search(front[1])
    return text[front.end() :], title[1].strip("\"'") if title else ""


def _render_markdown(text: str) -> str:
    """Render Markdown as HTML, so that both are read alike."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"maxNesting": _MAX_NESTING}).enable(["table", "strikethrough"])
    tokens = parser.parse(text)
    words = collect_document_words(text.splitlines())
    for token in tokens:
        _join_broken_words(token.children or (), words)
    rendered: str = parser.renderer.render(tokens, parser.options, {})
    return rendered


def _join_broken_words(tokens: Sequence[Any], words: Collection[str]) -> None:
    """Remove the line breaks of a paragraph within words, with the hyphens that only break these."""
    for before, token, after in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if (before.type, token.type, after.type) == ("text", "softbreak", "text"):
            before.content, separator = remove_line_end_hyphen(before.content, after.content, words)
            if not separator:
                token.type, token.content = "text", ""


def _prepare_zip(data: bytes, suffix: str, name: str) -> OfficeSource:
    is_rewritten = suffix in {".docx", ".epub"}  # of other formats, only the parts with text are read
    parts = read_parts(data, None if is_rewritten else _TEXT_PARTS[suffix])
    if parts is None:  # docling says what is wrong with the file
        return OfficeSource(name, data)
    if suffix == ".docx":
        texts = tuple(_read_texts(parts, suffix))
        prepared = prepare_docx(parts)
        properties = read_core_properties(parts)
        declared = _declare_creator(properties)
        return OfficeSource(
            name, write_parts(prepared.parts), "", texts, prepared.left_out, properties=properties, declared=declared
        )
    if suffix == ".epub":
        chapters = {part: prepare_html(decode_text(parts[part])) for part in parts if _CHAPTER.fullmatch(part)}
        texts = tuple(text for chapter in chapters.values() for text in chapter.texts)
        left_out = tuple(text for chapter in chapters.values() for text in chapter.left_out)
        prepared_parts = {part: chapters[part].html if part in chapters else parts[part] for part in parts}
        declared = read_book_declarations(parts)
        return OfficeSource(name, write_parts(prepared_parts), texts=texts, left_out=left_out, declared=declared)
    properties = read_core_properties(read_parts(data, _CORE_PROPERTIES) or {})
    texts = tuple(_read_texts(parts, suffix))
    return OfficeSource(name, data, texts=texts, properties=properties, declared=_declare_creator(properties))


def _declare_creator(properties: Iterable[tuple[str, MetadataValue]]) -> Declared:
    """Declare who wrote the file, who may not be the author of its text."""
    creators = [value for key, value in properties if key == "author" and isinstance(value, str)]
    return {"creator": creators} if creators else {}


def _read_texts(parts: Mapping[str, bytes], suffix: str) -> Iterator[str]:
    """Yield the paragraphs and values of the parts that hold text."""
    for name, part in parts.items():
        root = parse_xml(part) if _TEXT_PARTS[suffix].fullmatch(name) else None
        for element in root.iter() if root is not None else ():
            if _get_local_name(element) in _PARAGRAPHS:
                yield "".join(_read_runs(element))


def _read_runs(element: Any) -> Iterator[str]:
    """Yield the texts of an element and its descendants, but not of the paragraphs within it."""
    yield element.text or ""
    for child in element:
        name = _get_local_name(child)
        if name not in _NOT_IN_PARAGRAPH:
            yield from _read_runs(child)
        if name in _BREAKS:
            yield " "
        yield child.tail or ""


def _get_local_name(element: Any) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""
