"""Evidence that answering adds to a retrieval: tables, passages for absent names, and the evidence of parts.

A table says much in few words, so a passage about it often outranks it. A name of the question that no evidence
contains may be in a passage about little else. While a question is being answered, its retrieval holds this evidence
as well, in the order in which it is read; `separate_additions` restores the retrieval that the strategy returned.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from hopline.flow.columns import to_rows
from hopline.flow.requests import Flow, fetch, search
from hopline.questions.analysis import QuestionAnalysis
from hopline.reader.input import format_with_heading
from hopline.results import Answer, Evidence, EvidencePath, Retrieval
from hopline.results.evidence import make_node
from hopline.retrieval.evidence_texts import fetch_evidence
from hopline.tables.grid import render_table
from hopline.tables.parts import group_parts, parse_row_range, unite_cells
from hopline.tables.structure import infer_structure
from hopline.text.words import contains_name

MAX_TABLES: Final = 4
MAX_PER_NAME: Final = 2  # evidence for one name that no other evidence contains
MAX_ROWS: Final = 5000  # of a table that is united from its parts
MAX_PARTS: Final = 400  # of all long tables of a document


def expand_evidence(question: QuestionAnalysis, retrieval: Retrieval) -> Flow[Retrieval]:
    """Add the nearest tables, and passages for the names of the question that no evidence contains."""
    if not retrieval.evidence or not question.content_words:
        return retrieval
    hits = yield search(question.text, MAX_TABLES, over="table", by="hybrid")
    added = yield from fetch_new_evidence(hits.ids, retrieval.evidence)
    for name in _find_absent_names(question, (*retrieval.evidence, *added)):
        hits = yield search(name, MAX_PER_NAME, by="text")
        added += yield from fetch_new_evidence(hits.ids, (*retrieval.evidence, *added))
    return insert_seeds(retrieval, added)


def fetch_new_evidence(ids: Sequence[str], known: Sequence[Evidence]) -> Flow[list[Evidence]]:
    """Fetch the evidence of these ids that is not in ``known``, in the order of the ids."""
    known_ids = {evidence.id for evidence in known}
    return (yield from fetch_evidence([id for id in ids if id not in known_ids]))


@dataclass(frozen=True, slots=True)
class UnitedTable:
    """A long table with all of its rows, which is in no graph, and the parts in which it is stored."""

    table: Evidence
    parts: tuple[Evidence, ...]

    def locate(self, start: int, end: int) -> tuple[Evidence, int]:
        """Return the part that has the row at a span of the table, and the distance of its span there."""
        line = self.table.text[start:end]
        part = next(part for part in self.parts if line in part.text)
        return part, part.text.index(line) - start


def unite_tables(evidence: Sequence[Evidence]) -> Flow[list[UnitedTable]]:
    """Fetch all parts of the tables of which the evidence has one, and unite them; without those of too many rows."""
    known = {item.id: item for item in evidence if item.kind == "table" and parse_row_range(item.caption)}
    if not known:
        return []
    documents = list(dict.fromkeys(item.document_id for item in known.values()))
    rows = to_rows((yield fetch("answering/table_parts", ids=documents, limit=MAX_PARTS)))
    ranges = [(row["document"], parse_row_range(row["caption"]), row["id"]) for row in rows]
    united = []
    for document in documents:
        parts = [(rows, (rows, id)) for owner, rows, id in ranges if owner == document and rows]
        for group in group_parts(parts):
            ids = [id for _, id in group]
            if len(ranges) < MAX_PARTS and group[-1][0].last <= MAX_ROWS and known.keys() & set(ids):
                fetched = yield from fetch_evidence([id for id in ids if id not in known])
                by_id = {item.id: item for item in (*fetched, *known.values())}
                members = tuple(by_id[id] for id in ids if id in by_id)
                united.append(UnitedTable(unite_parts(group[0][0].caption, members), members))
    return united


def unite_parts(caption: str, parts: Sequence[Evidence]) -> Evidence:
    """Return a table with this caption that has the rows of its parts, which are in their order; without boxes."""
    cells = unite_cells([part.cells for part in parts])
    text = "\n".join(part for part in (caption, render_table(cells)[0]) if part)
    header_rows = parts[0].structure.header_rows if parts[0].structure else None
    certain = not any(part.structure and part.structure.problem for part in parts)
    structure = infer_structure(cells, caption, header_rows, columns_are_certain=certain)
    return replace(parts[0], text=text, cells=cells, caption=caption, boxes=(), lines=(), structure=structure)


def _find_absent_names(question: QuestionAnalysis, evidence: Sequence[Evidence]) -> list[str]:
    """Find the names of the question that no evidence and no heading contains."""
    text = "\n".join(format_with_heading(item) for item in evidence)
    return [name for name in question.names if not contains_name(text, name)]


def insert_evidence(retrieval: Retrieval, added: Sequence[Evidence], paths: Sequence[EvidencePath]) -> Retrieval:
    """Insert evidence with its paths among the known evidence, as far back as possible but not behind its end.

    Of n known evidence, the first n of the result include the added ones, or n/2 of them if there are more.
    """
    known = retrieval.evidence
    index = max(len(known) - len(added), (len(known) + 1) // 2)
    evidence = (*known[:index], *added, *known[index:])
    return replace(retrieval, evidence=evidence, paths=(*retrieval.paths, *paths))


def insert_seeds(retrieval: Retrieval, added: Sequence[Evidence]) -> Retrieval:
    """Insert evidence as `insert_evidence` does, each its own seed."""
    return insert_evidence(retrieval, added, [EvidencePath(item.id, make_node(item)) for item in added])


def prepend_evidence(retrieval: Retrieval, of_part: Retrieval) -> Retrieval:
    """Put the evidence that was retrieved for a part of the question first, and add the paths of what is new."""
    first = {evidence.id for evidence in of_part.evidence}
    known = {evidence.id for evidence in retrieval.evidence}
    rest = tuple(evidence for evidence in retrieval.evidence if evidence.id not in first)
    new_paths = tuple(path for path in of_part.paths if path.evidence in first - known)
    return replace(retrieval, evidence=(*of_part.evidence, *rest), paths=(*retrieval.paths, *new_paths))


def separate_additions(answer: Answer, retrieval: Retrieval) -> Answer:
    """Return the answer with the ``retrieval`` of the strategy, and what was added to it as additional evidence."""
    known = {evidence.id for evidence in retrieval.evidence}
    evidence = {item.id: item for item in answer.retrieval.evidence}
    paths = tuple(path for path in answer.retrieval.paths if path.evidence not in known)
    additional = tuple(evidence[path.evidence] for path in paths)
    return replace(answer, retrieval=retrieval, additional_evidence=additional, additional_paths=paths)
