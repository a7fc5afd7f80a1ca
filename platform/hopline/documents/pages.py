"""A page of a document with its evidence and the entities that it mentions, and search within a document."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from hopline.entities.types import describe_type
from hopline.errors import UnknownName
from hopline.flow.columns import to_rows
from hopline.ids import page_id
from hopline.results import Evidence
from hopline.retrieval.evidence_retrieval import parse_evidence
from hopline.text.folded_pattern import build_folded_pattern, compile_folded_pattern

if TYPE_CHECKING:
    from hopline.store.graph import Store

MAX_EVIDENCE: Final = 40  # of a page that are read at once
CONTEXT: Final = 60  # characters on each side of a match
_CELL_BORDERS: Final = re.compile(r"\s*\|[\s|]*(?:-{3,}[\s|]*)*")  # of the rendering of tables
MAX_SEARCHED: Final = 300  # characters of a searched text


@dataclass(frozen=True, slots=True)
class EntityMention:
    """An entity that an evidence mentions, by the ids of both, at ``spans`` of its text; ``type`` is "" if unknown."""

    evidence: str
    entity: str
    name: str
    type: str = ""
    spans: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class DocumentPage:
    """A page of a document; ``label`` is the number that is printed on it, "" if unknown.

    ``evidence`` are its passages in reading order, each table and figure behind the passages of its section: a part
    from ``start`` of ``total``. ``mentions`` are those of this evidence. ``has_image``: `hop.documents.render_page`
    renders it. ``width`` and ``height`` are in points, 0 if unknown.
    """

    document: str
    number: int
    label: str = ""
    width: float = 0.0
    height: float = 0.0
    has_image: bool = False
    evidence: tuple[Evidence, ...] = ()
    start: int = 0
    total: int = 0
    mentions: tuple[EntityMention, ...] = ()


@dataclass(frozen=True, slots=True)
class TextMatch:
    """A text that was found in a document: ``before``, ``text`` and ``after`` are one line around it.

    ``start`` and ``end`` are its span in the text of its evidence; ``label`` is the number printed on its ``page``.
    """

    evidence: str
    page: int
    label: str
    start: int
    end: int
    before: str
    text: str
    after: str


def read_page(
    store: Store, document: str, number: int, *, start: int = 0, around: str = "", has_image: bool = False
) -> DocumentPage:
    """Read a page, by the document's id and the number of the page; see `DocumentLibrary.read_page`.

    Raises:
        UnknownName: there is no such page.
    """
    rows = to_rows(store.read("documents/page", {"page": page_id(document, number)}))
    if not rows:
        raise UnknownName("page", str(number), advice="pages are numbered from 1 to `Document.pages`")
    [row] = rows
    ids = order_evidence(row["rows"])
    if around in ids and len(ids) > MAX_EVIDENCE:
        start = max(0, ids.index(around) - 1)
    part = ids[start : start + MAX_EVIDENCE]
    return DocumentPage(
        document,
        number,
        row["label"],
        row["width"],
        row["height"],
        has_image,
        _read_evidence(store, part),
        start,
        len(ids),
        tuple(_read_mentions(store, part)),
    )


def order_evidence(rows: Iterable[Sequence[Any]]) -> list[str]:
    """Return ids in reading order: each table and figure behind the last passage of its section, else at the end.

    ``rows`` are id, kind and section of passages in reading order, then of tables and figures.
    """
    groups: list[tuple[Sequence[str], list[str]]] = []  # a section that is continued later has several groups
    for id, kind, section in rows:
        last = next((group for group in reversed(groups) if group[0] == section), None)
        if kind != "passage" and last is not None:
            last[1].append(id)
        elif groups and groups[-1][0] == section:
            groups[-1][1].append(id)
        else:
            groups.append((section, [id]))
    return [id for _, ids in groups for id in ids]


def find_pages(store: Store, document: str, text: str) -> tuple[int, ...]:
    """Return the numbers of the pages with a number or a printed label; see `DocumentLibrary.find_pages`."""
    parameters = {"document": document, "text": text.strip().lower()}
    return tuple(store.read("documents/find_pages", parameters)["number"])


def find_text(store: Store, document: str, text: str, limit: int) -> tuple[TextMatch, ...]:
    """Find a text in a document, by its id; see `DocumentLibrary.find_text`."""
    pattern = build_folded_pattern(text[:MAX_SEARCHED])
    if not pattern:
        return ()
    parameters = {"document": document, "pattern": f"(?ius).*(?:{pattern}).*", "limit": limit}
    evidence = _read_evidence(store, store.read("documents/find_text", parameters)["id"])
    return match_texts(evidence, text[:MAX_SEARCHED], limit)


def match_texts(evidence: Iterable[Evidence], text: str, limit: int) -> tuple[TextMatch, ...]:
    """Return at most ``limit`` matches of a text, which must not be blank, sorted by page."""
    expression = compile_folded_pattern(text)
    matches = [_build_match(item, match) for item in evidence for match in expression.finditer(item.text)]
    return tuple(sorted(matches, key=lambda match: match.page)[:limit])


def _build_match(evidence: Evidence, match: re.Match[str]) -> TextMatch:
    start, end = match.span()
    boxes = evidence.find_boxes(start, end)
    page = boxes[0].page if boxes else evidence.pages[0] if evidence.pages else 1
    before = _join_words(evidence.text[max(0, start - CONTEXT) : start])
    after = _join_words(evidence.text[end : end + CONTEXT])
    return TextMatch(evidence.id, page, evidence.find_label(page), start, end, before, match[0], after)


def _join_words(text: str) -> str:
    """Return a text in one line; a space at its ends remains. Cells of a table are separated by points."""
    return re.sub(r"\s+", " ", _CELL_BORDERS.sub(" · ", text))


def _read_evidence(store: Store, ids: Sequence[str]) -> tuple[Evidence, ...]:
    if not ids:
        return ()
    return tuple(parse_evidence(store.read("retrieval/evidence", {"ids": [*ids], "documents": []})))


def _read_mentions(store: Store, ids: Sequence[str]) -> Iterator[EntityMention]:
    for row in to_rows(store.read("documents/mentioned_entities", {"ids": [*ids]})) if ids else ():
        spans = tuple(zip(row["spans"][::2], row["spans"][1::2], strict=True))
        yield EntityMention(row["evidence"], row["id"], row["name"], describe_type(row["kind"]), spans)
