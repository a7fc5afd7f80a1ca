"""Preparation of DOCX for docling, which leaves out or splits some of its content.

In the prepared file all text is without formatting, so that words are not split; footnotes and endnotes follow the
paragraph that refers to them; the numbers of lists and headings, check boxes and symbols are text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from hopline_ingest.formats.docx_numbering import DocxNumbering, W, append_text
from hopline_ingest.formats.xml_parts import parse_xml, serialize_xml

_NAMESPACES: Final = {"w": W[1:-1]}
_MAIN: Final = "word/document.xml"
_RELATIONSHIPS: Final = "word/_rels/document.xml.rels"
_RELATIONSHIP_ID: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_NOTES: Final = ("footnote", "endnote")
_FRAME: Final = re.compile(r"word/(?:header|footer)\d*\.xml")
_COMMENTS: Final = "word/comments.xml"
_DELETED: Final = "//w:del | //w:moveFrom"
_HIDDEN: Final = "//w:r[w:rPr/w:vanish[not(@w:val='0' or @w:val='false')]]"
_WRAPPERS: Final = tuple(W + name for name in ("hyperlink", "ins", "moveTo", "smartTag", "fldSimple"))
_SYMBOLS: Final = {"F0FE": "☒", "F0FD": "☒", "F078": "☒", "F0FC": "✓", "F0A8": "☐", "F06F": "☐", "F0B7": "•"}


@dataclass(frozen=True, slots=True)
class PreparedDocx:
    """The parts of a file that docling can read, and the texts that are left out, each with its reason."""

    parts: dict[str, bytes]
    left_out: tuple[str, ...] = ()


def prepare_docx(parts: Mapping[str, bytes]) -> PreparedDocx:
    """Prepare the parts of a file; without a readable main part they are returned as they are."""
    prepared = dict(parts)
    root = parse_xml(parts.get(_MAIN))
    if root is None:
        return PreparedDocx(prepared)
    left_out = [*_read_frames(parts), *(f"hidden text: {text}" for text in _remove(root, _HIDDEN) if text)]
    _remove(root, _DELETED)
    notes = {name: part for kind in _NOTES if (part := parse_xml(parts.get(name := f"word/{kind}s.xml"))) is not None}
    _insert_notes(root, notes.values())
    _write_addresses(root, parse_xml(parts.get(_RELATIONSHIPS)))
    _write_check_boxes(root)
    numbering, styles = (parse_xml(parts.get(f"word/{name}.xml")) for name in ("numbering", "styles"))
    DocxNumbering(numbering, styles).write_labels(root)
    _remove_formatting(root)
    prepared |= {_MAIN: serialize_xml(root)} | {name: serialize_xml(part) for name, part in notes.items()}
    return PreparedDocx(prepared, tuple(dict.fromkeys(left_out)))


def _read_frames(parts: Mapping[str, bytes]) -> Iterator[str]:
    """Yield the texts of page headers and footers, and of comments."""
    for name in parts:
        reason = "comment" if name == _COMMENTS else "header or footer" if _FRAME.fullmatch(name) else ""
        root = parse_xml(parts[name]) if reason else None
        for paragraph in root.iter(W + "p") if root is not None else ():
            if text := _get_text(paragraph):
                yield f"{reason}: {text}"


def _get_text(element: Any) -> str:
    return " ".join("".join(text.text or "" for text in element.iter(W + "t")).split())


def _remove(root: Any, path: str) -> list[str]:
    """Remove elements and return their texts."""
    elements = root.xpath(path, namespaces=_NAMESPACES)
    texts = [_get_text(element) for element in elements]
    for element in elements:
        element.getparent().remove(element)
    return texts


def _insert_notes(root: Any, notes: Iterable[Any]) -> None:
    """Move the paragraphs of each footnote and endnote behind the paragraph that refers to it."""
    paragraphs = {
        (note.tag, note.get(W + "id")): list(note.iter(W + "p"))
        for part in notes
        for note in part.iter(*(W + kind for kind in _NOTES))
    }
    for reference in reversed([*root.iter(*(f"{W}{kind}Reference" for kind in _NOTES))]):
        key = reference.tag.removesuffix("Reference"), reference.get(W + "id")
        paragraph = next(reference.iterancestors(W + "p"), None)
        if paragraph is None:
            continue
        for note in reversed(paragraphs.pop(key, [])):
            for properties in note.findall(W + "pPr"):  # neither a style nor a number
                note.remove(properties)
            paragraph.addnext(note)


def _write_addresses(root: Any, relationships: Any | None) -> None:
    """Write the addresses of links to other files and sites behind their words."""
    targets = {
        relationship.get("Id"): relationship.get("Target", "").removeprefix("mailto:")
        for relationship in (relationships if relationships is not None else ())
        if relationship.get("TargetMode") == "External"
    }
    for link in root.iter(W + "hyperlink"):
        target, words = targets.get(link.get(_RELATIONSHIP_ID), ""), _get_text(link)
        runs = link.findall(W + "r")
        if runs and words and target and target not in words:
            append_text(runs[-1], f" ({target})")


def _write_check_boxes(root: Any) -> None:
    """Write the boxes of form fields and the boxes among the symbols as text; those of content controls are text."""
    for box in list(root.iter(W + "checkBox")):
        states = [box.find(W + name) for name in ("checked", "default")]
        state = next((element for element in states if element is not None), None)
        checked = state is not None and state.get(W + "val") not in {"0", "false"}
        run = next(box.iterancestors(W + "r"), None)
        if run is not None:
            append_text(run, "☒ " if checked else "☐ ")
    for symbol in list(root.iter(W + "sym")):
        text = _SYMBOLS.get((symbol.get(W + "char") or "").upper())
        if text:
            append_text(symbol.getparent(), text)


def _remove_formatting(root: Any) -> None:
    """Remove character formatting, links and marks of changes; the text stays."""
    from lxml import etree

    etree.strip_elements(root, W + "rPr", with_tail=False)
    etree.strip_tags(root, *_WRAPPERS)
