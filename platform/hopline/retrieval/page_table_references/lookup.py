"""Lookup of the pages, tables, figures and sections that a question refers to, ranked before the results of a strategy.

KGP (Wang et al. 2024, section 4) answers such questions with the text of the page or the table, over its Page and Table
nodes. There a model identifies the references; here a grammar does (`hopline.questions.references`),
or a model on request.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain, zip_longest
from typing import Any, Final, Literal

from hopline.errors import BudgetSpent
from hopline.flow.columns import to_rows
from hopline.flow.requests import Flow, fetch, search
from hopline.questions.references import (
    ALL,
    Reference,
    asks_only_references,
    blank_references,
    find_topic,
    parse_page_number,
    parse_references,
)
from hopline.questions.section_numbers import select_in_sections
from hopline.results import Node, NodeKind, PathStep
from hopline.retrieval.agent.llm_session import TEXT, LlmExhausted, LlmSession, object_schema
from hopline.retrieval.page_table_references.documents import DocumentName, resolve_documents
from hopline.retrieval.ranking import Ranking

ReferenceParser = Literal["grammar", "model", "off"]
Paths = dict[str, tuple[PathStep, ...]]
MAX_DOCUMENTS: Final = 50  # in larger collections, references without a document are resolved by search
MAX_SEARCHED_DOCUMENTS: Final = 5
MAX_UNORDERED: Final = 5  # evidence of a reference; more is put in the order of a search
MAX_HITS: Final = 300
_PART: Final = re.compile(r"(.*\d)[a-z]", re.IGNORECASE)  # "3a", a part of figure 3
_KINDS: Final[Mapping[str, NodeKind]] = {"HAS_PASSAGE": "passage", "HAS_TABLE": "table", "HAS_FIGURE": "figure"}

SYSTEM: Final = """You read a question about documents and list the pages and tables that it names.
"kind" is "page" or "table", "number" as it is written. Name nothing that the question does not name; a question about
contents names none, and the list is then empty."""
_ITEM_SCHEMA: Final = object_schema(kind={"enum": ["page", "table"]}, number=TEXT)
SCHEMA: Final = object_schema(structures={"type": "array", "items": _ITEM_SCHEMA, "maxItems": 20})


def prepend_references(
    question: str,
    k: int,
    content: Flow[Ranking],
    *,
    parser: ReferenceParser = "grammar",
    session: LlmSession | None = None,
) -> Flow[Ranking]:
    """Rank the pages, tables, figures and sections that a question refers to before the results of ``content``.

    At most ``k`` are returned.

    A question that asks for nothing else gets these alone. Without a reference, or if none exists in the collection,
    the result is that of ``content``; the flow is closed if it is not needed. ``parser="model"`` asks in ``session``;
    the grammar takes its place where the reply cannot be used or the budget is spent.

    Raises:
        ModelUnavailable: with ``parser="model"``, if no model is configured, or it never replied.
    """
    references = yield from _find_references(question, parser, session or LlmSession())
    referenced, alone = Ranking(), False
    with suppress(BudgetSpent):  # the time is spent: ``content`` may still search
        referenced, alone = (yield from _fetch_referenced(question, references)) if references else (referenced, alone)
    if referenced.ids and alone:
        content.close()
        return Ranking(referenced.ids[:k], referenced.scores[:k], referenced.paths)
    ranking = yield from content
    return _merge_rankings(referenced, ranking, k) if referenced.ids else ranking


def _find_references(question: str, parser: ReferenceParser, session: LlmSession) -> Flow[list[Reference]]:
    if parser == "off":
        return []
    parsed = parse_references(question)
    if parser == "grammar":
        return parsed
    try:
        data = yield from session.ask(f"Question: {question}", SCHEMA, system=SYSTEM)
    except LlmExhausted:
        return parsed
    if data is None:
        return parsed
    references = [Reference(row["kind"], 0, 0, number=row["number"].strip()) for row in data["structures"]]
    return [_locate(question, reference) for reference in references if reference.number]


def _locate(question: str, reference: Reference) -> Reference:
    """Set the position of a reference that a model found; the grammar's own reference if it is the same."""
    same = [
        item for item in parse_references(question) if (item.kind, item.number) == (reference.kind, reference.number)
    ]
    at = question.casefold().find(reference.number.casefold())
    end = max(at, 0) + len(reference.number) * (at >= 0)
    return same[0] if same else replace(reference, start=max(at, 0), end=end)


def _fetch_referenced(question: str, references: Sequence[Reference]) -> Flow[tuple[Ranking, bool]]:
    """Return the referenced evidence, alternating between references, and whether the question asks nothing else."""
    columns = yield fetch("page_table_references/documents")
    rows = to_rows(columns)
    documents = [
        DocumentName(row["id"], row["name"], row["title"], row["pages"], tuple(row.get("page_labels") or ()))
        for row in rows
    ]
    resolved = resolve_documents(question, references, documents)
    if len(documents) > MAX_DOCUMENTS and not all(resolved):
        best = yield from _search_documents(question, documents)
        resolved = [named or best for named in resolved]
    groups = yield from _fetch_groups(references, [named or documents for named in resolved])
    if len(documents) <= MAX_DOCUMENTS and any(
        named and not group for named, group in zip(resolved, groups, strict=True)
    ):
        resolved = [named if group else [] for named, group in zip(resolved, groups, strict=True)]
        groups = yield from _fetch_groups(references, [named or documents for named in resolved])
    groups = yield from _order_by_topic(question, references, groups)
    ids = list(dict.fromkeys(id for id in chain.from_iterable(zip_longest(*groups)) if id is not None))
    paths = {id: path for group in groups for id, path in group.items()}
    names = [text for named in resolved for document in named for text in (document.name, document.title)]
    ranking = Ranking(tuple(ids), tuple(1.0 - n / (len(ids) + 1) for n in range(len(ids))), paths)
    return ranking, asks_only_references(question, references, names)


def _order_by_topic(question: str, references: Sequence[Reference], groups: list[Paths]) -> Flow[list[Paths]]:
    """Put the evidence first that a search finds, if the question names a topic and a section is long."""
    if max(map(len, groups)) <= MAX_UNORDERED or not find_topic(question, references):
        return groups
    hits = yield search(blank_references(question, references), MAX_HITS, by="hybrid")
    ranks = {id: rank for rank, id in enumerate(hits.ids)}
    return [{id: group[id] for id in sorted(group, key=lambda id: ranks.get(id, MAX_HITS))} for group in groups]


def _search_documents(question: str, documents: Sequence[DocumentName]) -> Flow[list[DocumentName]]:
    """Return the documents of the best passages for a question."""
    hits = yield search(question, MAX_DOCUMENTS, by="hybrid")
    columns = yield fetch("retrieval/evidence", ids=hits.ids)
    best = list(dict.fromkeys(columns["document_id"]))[:MAX_SEARCHED_DOCUMENTS]
    return [document for id in best for document in documents if document.id == id]


def _fetch_groups(references: Sequence[Reference], resolved: Sequence[Sequence[DocumentName]]) -> Flow[list[Paths]]:
    """Fetch the evidence of each reference in reading order, with the path from its page."""
    pairs = list(zip(references, resolved, strict=True))
    page_rows = [
        _build_page_rows(reference, documents) if reference.kind == "page" else [] for reference, documents in pairs
    ]
    on_page = yield from _fetch_pages(page_rows, {item.id: item for documents in resolved for item in documents})
    tables = yield from _fetch_numbered(pairs, "table")
    figures = yield from _fetch_numbered(pairs, "figure")
    groups = []
    for (reference, documents), rows in zip(pairs, page_rows, strict=True):
        group: Paths = {}
        for row in rows:
            group |= on_page.get((row["document"], row["number"]), {})
        for document in documents if reference.kind == "table" else ():
            own = [row for row in tables if row["document"] == document.id]
            for table in _select_tables(reference, own):
                path = _build_path(document, table["page_number"], table["page"], "HAS_TABLE", table["id"])
                group[table["id"]] = path
        for document in documents if reference.kind == "figure" else ():
            own = [row for row in figures if row["document"] == document.id]
            for figure in select_figures(reference, own):
                edge = "HAS_FIGURE" if figure["kind"] == "figure" else "HAS_TABLE"
                group[figure["id"]] = _build_path(document, figure["page_number"], figure["page"], edge, figure["id"])
        groups.append(group)
    return [group | in_section for group, in_section in zip(groups, (yield from _fetch_sections(pairs)), strict=True)]


def _fetch_numbered(
    pairs: Sequence[tuple[Reference, Sequence[DocumentName]]], kind: Literal["table", "figure"]
) -> Flow[list[dict[str, Any]]]:
    """Fetch the tables or figures of the documents in which the question refers to one."""
    ids = list(dict.fromkeys(item.id for reference, named in pairs if reference.kind == kind for item in named))
    return to_rows((yield fetch(f"page_table_references/{kind}s", ids=ids))) if ids or kind == "table" else []


def _fetch_sections(pairs: Sequence[tuple[Reference, Sequence[DocumentName]]]) -> Flow[list[Paths]]:
    """Fetch the evidence of each reference to a section, by the numbers of its headings."""
    documents = {item.id: item for reference, named in pairs if reference.section for item in named}
    if not documents:
        return [{} for _ in pairs]
    rows = to_rows((yield fetch("page_table_references/sections", ids=list(documents))))
    groups = []
    for reference, named in pairs:
        ids = {item.id for item in named} if reference.section else set()
        own = [row for row in rows if row["document"] in ids]
        selected = select_in_sections([reference.section], [row["section"] for row in own]) if reference.section else []
        groups.append(
            {
                row["id"]: _build_path(
                    documents[row["document"]], row["page_number"], row["page"], row["edge"], row["id"]
                )
                for row, is_selected in zip(own, selected, strict=True)
                if is_selected
            }
        )
    return groups


def _fetch_pages(
    page_rows: Sequence[Sequence[dict[str, Any]]], documents: Mapping[str, DocumentName]
) -> Flow[dict[tuple[str, int], Paths]]:
    """Fetch the evidence on pages, by document and page number."""
    unique = {(row["document"], row["number"]): row for rows in page_rows for row in rows}
    columns = yield fetch("page_table_references/evidence_on_pages", pages=list(unique.values()))
    on_page: dict[tuple[str, int], Paths] = {}
    for row in to_rows(columns):
        path = _build_path(documents[row["document"]], row["number"], row["page"], row["edge"], row["id"])
        on_page.setdefault((row["document"], row["number"]), {})[row["id"]] = path
    return on_page


def _build_page_rows(reference: Reference, documents: Sequence[DocumentName]) -> list[dict[str, Any]]:
    """Return the rows of the pages that a reference may mean: by their printed numbers, else by their place."""
    rows = []
    for document in documents:
        position = reference.position if reference.position > 0 else document.pages + 1 + reference.position
        number = parse_page_number(reference.number) if reference.number else position
        printed = document.find_pages(reference.number) if reference.number else []
        numbers = printed or ([number] if number is not None else [])
        rows += [{"document": document.id, "number": number} for number in numbers]
    return rows


def select_figures(reference: Reference, figures: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the figures with the referenced number; of several, those with the word of the reference: "Chart 2".

    ``figures`` are the rows of ``page_table_references/figures`` of one document; a table is one only as an exhibit.
    """
    others = [row for row in figures if row["kind"] == "figure" or reference.label == "exhibit"]
    rows = _select_tables(reference, others)
    if not rows and (part := _PART.fullmatch(reference.number)):
        rows = _select_tables(replace(reference, number=part[1]), others)
    named = [row for row in rows if row["caption"].strip().casefold().startswith(reference.label[:3])]
    return named or rows


def _select_tables(reference: Reference, tables: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the tables with the referenced number, Arabic or Roman; by position if no table has a number."""
    if reference.number == ALL:
        return list(tables)
    if reference.position:
        index = reference.position - 1 if reference.position > 0 else reference.position
        return list(tables[index : index + 1 or None])
    text, number = reference.number.casefold(), parse_page_number(reference.number)
    same = [row for row in tables if row["number"].casefold().rstrip(".:") in {text, str(number)}]
    if same or any(row["number"] for row in tables):
        return same
    return list(tables[number - 1 : number]) if number else []


def _build_path(document: DocumentName, number: int, page: str, edge: str, id: str) -> tuple[PathStep, ...]:
    source = Node(page, "page", document.describe_page(number))
    return (PathStep(source, edge, Node(id, _KINDS[edge])),)


def _merge_rankings(referenced: Ranking, content: Ranking, k: int) -> Ranking:
    """Put the referenced evidence first, in the order of the content ranking, then the rest of that ranking."""
    ranks = {id: rank for rank, id in enumerate(content.ids)}
    front = sorted(referenced.ids, key=lambda id: ranks.get(id, len(ranks)))
    ids = (front + [id for id in content.ids if id not in referenced.paths])[:k]
    best = max(content.scores, default=0.0)
    score_of = dict(zip(content.ids, content.scores, strict=True))
    scores = [best + 1.0 - n / len(front) if id in referenced.paths else score_of[id] for n, id in enumerate(ids)]
    return Ranking(tuple(ids), tuple(scores), {**content.paths, **referenced.paths})
