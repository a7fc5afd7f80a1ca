"""The outline of a document: its sections as a tree, with their tables and figures.

It is computed from the section paths, pages and captions of the evidence, which are stored once, with the evidence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from hopline.flow.columns import to_rows
from hopline.tables.parts import parse_row_range

if TYPE_CHECKING:
    from hopline.store.graph import Store


@dataclass(frozen=True, slots=True)
class OutlineItem:
    """A section, table or figure of a document, with the page on which it begins.

    ``title`` is a heading or a caption; a table without a caption is called "Table". ``number`` is that of a table or
    figure, ``evidence`` its id, or that of the first passage of a section. ``items`` are the tables and figures of a
    section, and then the sections in it.
    """

    kind: Literal["section", "table", "figure"]
    title: str
    page: int
    number: str = ""
    evidence: str = ""
    items: tuple[OutlineItem, ...] = ()


@dataclass(slots=True)
class _Section:
    """A section while the tree is built; ``start`` is the position of its first evidence: page, and points from top."""

    title: str
    start: tuple[int, float]
    evidence: str = ""
    contents: list[tuple[tuple[int, float], OutlineItem]] = field(default_factory=list)
    sections: list[_Section] = field(default_factory=list)

    def build_items(self) -> tuple[OutlineItem, ...]:
        contents = [item for _, item in sorted(self.contents, key=lambda pair: pair[0])]
        return (*contents, *(part.build_item() for part in self.sections))

    def build_item(self) -> OutlineItem:
        return OutlineItem("section", self.title, self.start[0], evidence=self.evidence, items=self.build_items())


def read_outline(store: Store, document: str) -> tuple[OutlineItem, ...]:
    """Read the outline of a document, by its id; empty if it has no sections, tables and figures."""
    return build_outline(to_rows(store.read("documents/outline", {"id": document})))


def iterate_items(items: Sequence[OutlineItem], depth: int = 0) -> Iterator[tuple[int, OutlineItem]]:
    """Yield the items of an outline in reading order, each with its depth, from 0."""
    for item in items:
        yield depth, item
        yield from iterate_items(item.items, depth + 1)


def build_outline(rows: Iterable[Mapping[str, Any]]) -> tuple[OutlineItem, ...]:
    """Build an outline from the rows of ``documents/outline``.

    Sections are in the order of their passages; one that has only tables and figures is inserted by its position.
    Of a table in several parts, or on several pages, the first one is listed.
    """
    root = _Section("", (0, 0.0))
    listed: set[tuple[object, ...]] = set()
    for row in rows:
        start = (row["page"], row["top"])
        section = _enter(root, row["section"], start, row["id"], is_last=row["kind"] == "passage")
        if row["kind"] == "passage":
            continue
        item = _build_item(row)
        key = (item.kind, item.title, item.number, *row["section"])
        if not row["caption"] or key not in listed:
            section.contents.append((start, item))
        listed.add(key)
    return root.build_items()


def _enter(root: _Section, path: Sequence[str], start: tuple[int, float], evidence: str, *, is_last: bool) -> _Section:
    """Return the section with a path, created where it is missing: as the last one, or by its position."""
    section = root
    for title in path:
        inner = next((part for part in section.sections if part.title == title), None)
        if inner is None:
            inner = _Section(title, start, evidence)
            later = (number for number, part in enumerate(section.sections) if part.start > start)
            index = len(section.sections) if is_last else next(later, len(section.sections))
            section.sections.insert(index, inner)
        if inner.start[0] > start[0]:
            inner.start, inner.evidence = start, evidence
        section = inner
    return section


def _build_item(row: Mapping[str, Any]) -> OutlineItem:
    part = parse_row_range(row["caption"])
    title = (part.caption if part else row["caption"]) or f"{row['kind'].capitalize()} {row['number']}".strip()
    return OutlineItem(row["kind"], " ".join(title.split()), row["page"], row["number"], row["id"])
