"""Pages and tables that a question names, before what a strategy finds.

KGP (Wang et al. 2024, section 4) gives such questions the text of the page or the table itself, over its Page and
Table nodes. There a model says which; here a grammar does (`hopline.retrieval.page_table_references.grammar`), or a
model where one is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain, zip_longest
from typing import Any, Final, Literal

from hopline.flow.columns import rows_of
from hopline.flow.requests import Flow, fetch, search
from hopline.retrieval.agent.llm_session import TEXT, Talk, form
from hopline.retrieval.page_table_references.documents import Titled, documents_meant
from hopline.retrieval.page_table_references.grammar import (
    ALL,
    Named,
    asks_structure_alone,
    named_structures,
    page_number,
)
from hopline.retrieval.ranking import Ranking
from hopline.types import Node, Step

Reader = Literal["grammar", "model", "off"]
MANY: Final = 50  # documents; with more than these, and none named, those of the best passages are meant
FEW: Final = 5

SYSTEM: Final = """You read a question about documents and list the pages and tables that it names.
"kind" is "page" or "table", "number" as it is written. Name nothing that the question does not name; a question about
contents names none, and the list is then empty."""
_ITEM: Final = form(kind={"enum": ["page", "table"]}, number=TEXT)
_FORM: Final = form(structures={"type": "array", "items": _ITEM, "maxItems": 20})


def with_structures(question: str, k: int, content: Flow[Ranking], *, reader: Reader = "grammar") -> Flow[Ranking]:
    """The pages and tables that a question names, before what ``content`` finds; at most ``k``.

    A question that asks for nothing but these gets these alone. One that names none, or none that is
    there, gets what ``content`` finds; that flow is closed where it is not needed.

    Raises:
        Silence, ModelUnavailable: with ``reader="model"``, as `Talk.told`.
    """
    named = yield from _named(question, reader)
    found, alone = (yield from _found(question, named)) if named else (Ranking(), False)
    if found.ids and alone:
        content.close()
        return Ranking(found.ids[:k], found.scores[:k], found.ways)
    ranked = yield from content
    return _before(found, ranked, k) if found.ids else ranked


def _named(question: str, reader: Reader) -> Flow[list[Named]]:
    if reader == "off":
        return []
    named = named_structures(question)
    if reader == "grammar":
        return named
    data = yield from Talk().told(f"Question: {question}", _FORM, system=SYSTEM)
    if data is None:
        return named
    said = [Named(row["kind"], 0, 0, number=row["number"].strip()) for row in data["structures"]]
    return [_placed(question, one) for one in said if one.number]


def _placed(question: str, named: Named) -> Named:
    """Where the question says what a model read out of it; the grammar's own find where it is the same."""
    same = [one for one in named_structures(question) if (one.kind, one.number) == (named.kind, named.number)]
    at = question.casefold().find(named.number.casefold())
    return same[0] if same else replace(named, start=max(at, 0), end=max(at, 0) + len(named.number) * (at >= 0))


def _found(question: str, named: Sequence[Named]) -> Flow[tuple[Ranking, bool]]:
    """The evidence of what is named, one structure after another in turn, and whether nothing else is asked."""
    columns = yield fetch("structure/documents")
    documents = [Titled(*row) for row in zip(*(columns[n] for n in ("id", "name", "title", "pages")), strict=True)]
    meant = documents_meant(question, named, documents)
    if len(documents) > MANY and not all(meant):
        best = yield from _best_documents(question, documents)
        meant = [some or best for some in meant]
    groups = yield from _evidence(named, [some or documents for some in meant])
    if len(documents) <= MANY and any(some and not group for some, group in zip(meant, groups, strict=True)):
        meant = [some if group else [] for some, group in zip(meant, groups, strict=True)]
        groups = yield from _evidence(named, [some or documents for some in meant])
    ids = list(dict.fromkeys(id for id in chain.from_iterable(zip_longest(*groups)) if id is not None))
    ways = {id: way for group in groups for id, way in group.items()}
    names = [text for some in meant for one in some for text in (one.name, one.title)]
    ranking = Ranking(tuple(ids), tuple(1.0 - n / (len(ids) + 1) for n in range(len(ids))), ways)
    return ranking, asks_structure_alone(question, named, names)


def _best_documents(question: str, documents: Sequence[Titled]) -> Flow[list[Titled]]:
    hits = yield search(question, MANY, by="hybrid")
    columns = yield fetch("read/evidence", ids=hits.ids)
    best = list(dict.fromkeys(columns["document_id"]))[:FEW]
    return [one for id in best for one in documents if one.id == id]


def _evidence(named: Sequence[Named], meant: Sequence[Sequence[Titled]]) -> Flow[list[dict[str, tuple[Step, ...]]]]:
    """For each structure its evidence, in reading order, with the way from its page."""
    called = {one.id: one for some in meant for one in some}
    wanted = [_page_rows(one, some) if one.kind == "page" else [] for one, some in zip(named, meant, strict=True)]
    pages = yield fetch(
        "structure/pages", pages=list({(r["document"], r["number"]): r for rows in wanted for r in rows}.values())
    )
    on_page: dict[tuple[str, int], dict[str, tuple[Step, ...]]] = {}
    for row in rows_of(pages):
        way = _way(called[row["document"]], row["number"], row["page"], row["edge"], row["id"])
        on_page.setdefault((row["document"], row["number"]), {})[row["id"]] = way
    with_tables = [one.id for n, some in zip(named, meant, strict=True) if n.kind == "table" for one in some]
    tables = rows_of((yield fetch("structure/tables", ids=list(dict.fromkeys(with_tables)))))
    groups = []
    for one, some, places in zip(named, meant, wanted, strict=True):
        group: dict[str, tuple[Step, ...]] = {}
        for place in places:
            group |= on_page.get((place["document"], place["number"]), {})
        for document in some if one.kind == "table" else ():
            for table in _tables_named(one, [row for row in tables if row["document"] == document.id]):
                group[table["id"]] = _way(document, table["page_number"], table["page"], "HAS_TABLE", table["id"])
        groups.append(group)
    return groups


def _page_rows(named: Named, documents: Sequence[Titled]) -> list[dict[str, Any]]:
    rows = []
    for one in documents:
        counted = named.place if named.place > 0 else one.pages + 1 + named.place
        number = page_number(named.number) if named.number else counted
        if number is not None:
            rows.append({"document": one.id, "number": number})
    return rows


def _tables_named(named: Named, tables: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The tables with that number, Roman or not; where none carries any, the one at that place."""
    if named.number == ALL:
        return list(tables)
    if named.place:
        place = named.place - 1 if named.place > 0 else named.place
        return list(tables[place : place + 1 or None])
    folded, number = named.number.casefold(), page_number(named.number)
    same = [row for row in tables if row["number"].casefold().rstrip(".:") in {folded, str(number)}]
    if same or any(row["number"] for row in tables):
        return same
    return list(tables[number - 1 : number]) if number else []


def _way(document: Titled, number: int, page: str, edge: str, id: str) -> tuple[Step, ...]:
    return (
        Step(
            Node(page, "page", f"{document.name} p. {number}"),
            edge,
            Node(id, "table" if edge == "HAS_TABLE" else "passage"),
        ),
    )


def _before(first: Ranking, rest: Ranking, k: int) -> Ranking:
    """What is named, in the order that the content gives it, before the rest."""
    place = {id: n for n, id in enumerate(rest.ids)}
    front = sorted(first.ids, key=lambda id: place.get(id, len(place)))
    ids = (front + [id for id in rest.ids if id not in first.ways])[:k]
    above = max(rest.scores, default=0.0)
    known = dict(zip(rest.ids, rest.scores, strict=True))
    scores = [above + 1.0 - n / len(front) if id in first.ways else known[id] for n, id in enumerate(ids)]
    return Ranking(tuple(ids), tuple(scores), {**rest.ways, **first.ways})
