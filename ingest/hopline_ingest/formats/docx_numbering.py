"""Numbers of the lists and headings of a DOCX file, which Word computes when it shows the file. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from hopline_ingest.formats.numerals import format_numeral

W: Final = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_FORMATS: Final = {"lowerLetter": "a", "upperLetter": "A", "lowerRoman": "i", "upperRoman": "I"}
_WITHOUT_NUMBER: Final = {"bullet", "none"}
_MAX_LEVELS: Final = 9
_MAX_STYLES: Final = 20  # of a chain of styles that are based on one another


@dataclass(frozen=True, slots=True)
class NumberingLevel:
    """One level of a list: its first number, its format, and its text, in which "%1" is the number of level 1."""

    start: int = 1
    format: str = "decimal"
    text: str = ""


@dataclass(slots=True)
class NumberedList:
    """The levels of a list and the last number of each, None before the first item."""

    levels: Mapping[int, NumberingLevel]
    numbers: list[int | None] = field(default_factory=lambda: [None] * _MAX_LEVELS)

    def number_item(self, level: int) -> str:
        """Count an item and return its label, such as "2.1" or "(b)"; "" for a bullet."""
        number = self.numbers[level]
        self.numbers[level] = self._get_level(level).start if number is None else number + 1
        self.numbers[level + 1 :] = [None] * (_MAX_LEVELS - level - 1)
        own = self._get_level(level)
        return "" if own.format in _WITHOUT_NUMBER else re.sub(r"%([1-9])", self._format_number, own.text).strip()

    def _format_number(self, match: re.Match[str]) -> str:
        level = int(match[1]) - 1
        number = self.numbers[level]
        own = self._get_level(level)
        return format_numeral(own.start if number is None else number, _FORMATS.get(own.format, "1"))

    def _get_level(self, level: int) -> NumberingLevel:
        return self.levels.get(level, NumberingLevel())


class DocxNumbering:
    """The lists of a file, by the id that paragraphs and styles use."""

    def __init__(self, numbering: Any | None, styles: Any | None) -> None:
        """``numbering`` and ``styles`` are the root elements of the parts of these names, None if there is none."""
        self._lists = dict(_parse_lists(numbering)) if numbering is not None else {}
        self._restarts = dict(_parse_restarts(numbering)) if numbering is not None else {}
        self._styles = (
            {style.get(W + "styleId"): style for style in styles.iter(W + "style")} if styles is not None else {}
        )

    def write_labels(self, root: Any) -> None:
        """Write the label of each numbered paragraph as text at its beginning, in the order of the document."""
        for paragraph in root.iter(W + "p"):
            if (label := self._number_paragraph(paragraph)) and "".join(paragraph.itertext()).strip():
                insert_text(paragraph, label + " ")

    def _number_paragraph(self, paragraph: Any) -> str:
        properties = paragraph.find(W + "pPr")
        if properties is None:
            return ""
        id, level = self._find_list(properties)
        numbered = self._lists.get(id)
        if numbered is None or not 0 <= level < _MAX_LEVELS:
            return ""
        for restarted, start in self._restarts.pop(id, {}).items():
            numbered.numbers[restarted] = start - 1
        return numbered.number_item(level)

    def _find_list(self, properties: Any) -> tuple[str, int]:
        """Return the list and level of a paragraph: its own, or that of its style or the styles this is based on."""
        id, level = _read_reference(properties)
        style = _get_value(properties.find(W + "pStyle"))
        for _ in range(_MAX_STYLES):
            if id is not None or style not in self._styles:
                break
            element = self._styles[style]
            inherited = element.find(W + "pPr")
            if inherited is not None:
                id, own = _read_reference(inherited)
                level = own if level is None else level
            style = _get_value(element.find(W + "basedOn"))
        return id or "", level or 0


def insert_text(paragraph: Any, text: str) -> None:
    """Insert a run with this text before the content of a paragraph."""
    run = paragraph.makeelement(W + "r", {})
    append_text(run, text)
    paragraph.insert(1 if paragraph.find(W + "pPr") is not None else 0, run)


def append_text(run: Any, text: str) -> None:
    """Append a text to a run; blanks at its ends are kept."""
    element = run.makeelement(W + "t", {"{http://www.w3.org/XML/1998/namespace}space": "preserve"})
    element.text = text
    run.append(element)


def _parse_lists(numbering: Any) -> Iterator[tuple[str, NumberedList]]:
    """Yield the lists by id; those with the same definition share their numbers."""
    definitions = {
        definition.get(W + "abstractNumId"): NumberedList(dict(_parse_levels(definition)))
        for definition in numbering.iter(W + "abstractNum")
    }
    for item in numbering.iter(W + "num"):
        definition = definitions.get(_get_value(item.find(W + "abstractNumId")))
        if definition is not None:
            yield item.get(W + "numId") or "", definition


def _parse_levels(definition: Any) -> Iterator[tuple[int, NumberingLevel]]:
    for element in definition.iter(W + "lvl"):
        level = NumberingLevel(
            _to_int(_get_value(element.find(W + "start")), 1),
            _get_value(element.find(W + "numFmt")) or "decimal",
            _get_value(element.find(W + "lvlText")),
        )
        yield _to_int(element.get(W + "ilvl"), 0), level


def _parse_restarts(numbering: Any) -> Iterator[tuple[str, dict[int, int]]]:
    """Yield, for each list that does not continue its definition's numbers, its first numbers by level."""
    for item in numbering.iter(W + "num"):
        starts = {
            _to_int(override.get(W + "ilvl"), 0): _to_int(_get_value(override.find(W + "startOverride")), 1)
            for override in item.iter(W + "lvlOverride")
            if override.find(W + "startOverride") is not None
        }
        if starts:
            yield item.get(W + "numId") or "", {level: n for level, n in starts.items() if 0 <= level < _MAX_LEVELS}


def _read_reference(properties: Any) -> tuple[str | None, int | None]:
    """Return the id of the list and the level that the properties name; None where they name none."""
    reference = properties.find(W + "numPr")
    if reference is None:
        return None, None
    level = _get_value(reference.find(W + "ilvl"))
    return _get_value(reference.find(W + "numId")) or None, _to_int(level, 0) if level else None


def _get_value(element: Any | None) -> str:
    return "" if element is None else element.get(W + "val") or ""


def _to_int(text: str | None, default: int) -> int:
    return int(text) if text and re.fullmatch(r"-?\d{1,6}", text) else default
