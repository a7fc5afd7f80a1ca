"""Whether a sentence or a cell is about the identifier of a question, or about another one of the same list.

The identifier may stand in the clause, in the paragraph before it, in the row or the header of a column, and in the
headings: "### E2210", and below it "The valve does not open."
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from hopline.questions.analysis import QuestionAnalysis
from hopline.results import Evidence
from hopline.text.identifiers import LEADING_WORDS, Identifier, find_identifiers, names_other

Identifiers = tuple[Identifier, ...]

_CLAUSE_END: Final = re.compile(r"[;\n]|,\s|[.!?]\s|\s(?:and|but|or|while|whereas)\s", re.IGNORECASE)
_COORDINATED: Final = re.compile(r"\W*(?:(?!(?:for|of|with|at|in|on|by|to)\b)\w+\W+){0,2}", re.IGNORECASE)


def is_about_other_identifier(question: QuestionAnalysis, evidence: Evidence, start: int, end: int) -> bool:
    """Return whether ``evidence.text[start:end]`` is about another identifier than those of the question.

    A text without any identifier around it is about none.
    """
    wanted = question.identifiers
    if not wanted:
        return False
    local = _list_around_cell(evidence, start) if evidence.grid else _list_around_sentence(evidence, start, end)
    return names_other(wanted, [*local, *_list_in_headings(evidence)])


def list_relevant_spans(
    question: QuestionAnalysis, evidence: Evidence, spans: Sequence[tuple[int, int]]
) -> list[list[tuple[int, int]]]:
    """List the runs of neighbouring spans that are not about another identifier; all in one run if there are none."""
    if not question.identifiers:
        return [list(spans)]
    runs: list[list[tuple[int, int]]] = [[]]
    for span in spans:
        if not is_about_other_identifier(question, evidence, *span):
            runs[-1].append(span)
        elif runs[-1]:
            runs.append([])
    return [run for run in runs if run] or [list(spans)]


def _list_in_headings(evidence: Evidence) -> Iterator[Identifiers]:
    """Yield the identifiers of each heading, those of the caption and the innermost section first."""
    yield find_identifiers(evidence.caption)
    for heading in reversed(evidence.section):
        yield find_identifiers(heading)
    yield find_identifiers(f"{evidence.title}\n{evidence.document}")


def _list_around_cell(evidence: Evidence, start: int) -> Iterator[Identifiers]:
    """Yield the identifiers of the header of the column, of the row, and of the labels of its path."""
    grid = evidence.grid
    row, column = grid.locate_cell(start) if grid else (None, None)
    if grid is None or row is None:
        return
    yield find_identifiers(grid.column(column)) if column is not None else ()
    yield tuple(item for cell in row.cells for item in find_identifiers(cell.text))
    yield from (find_identifiers(cell.text) for cell in reversed((*row.outer, *row.labels)))


def _list_around_sentence(evidence: Evidence, start: int, end: int) -> Iterator[Identifiers]:
    """Yield the identifiers of the clause, and before it those in the paragraph, the nearest first.

    A heading with one identifier precedes those that its text only mentions: only a clause that begins with an
    identifier is about it.
    """
    clauses = list(_split_clauses(evidence.text))
    number = next((n for n, (_, last) in enumerate(clauses) if start < last), len(clauses) - 1)
    inside = [find_identifiers(evidence.text[first:last]) for first, last in clauses if first < end and start < last]
    own = tuple(item for identifiers in inside for item in identifiers)
    text = evidence.text[slice(*clauses[number])]
    leading = tuple(item for item in own if len(re.findall(r"\w+", text[: item.start])) <= LEADING_WORDS)
    yield leading if len(inside) == 1 else own
    heading = find_identifiers(evidence.section[-1]) if evidence.section else ()
    if len(heading) == 1:
        yield heading
    yield tuple(item for item in own if item.category != "clause")  # "under Section 5" refers to another text
    for (first, last), (following, _) in reversed(list(pairwise(clauses[: number + 1]))):
        if "\n" in evidence.text[last - 1 : following + 1]:
            break
        yield find_identifiers(evidence.text[first:last])


def _split_clauses(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of the clauses of a text; identifiers that are joined ("E10, E11 and E12 mean …") share one."""
    first = 0
    for match in [*_CLAUSE_END.finditer(text), None]:
        last = match.start() if match else len(text)
        identifiers = find_identifiers(text[first:last])
        is_listed = len(identifiers) > 0 and first + identifiers[-1].end == last
        is_joined = match is not None and match[0][0] not in ".!?;\n"
        if is_listed and is_joined and _COORDINATED.fullmatch(text[first : first + identifiers[0].start]):
            continue
        yield first, last
        first = match.end() if match else last
