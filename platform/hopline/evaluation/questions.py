"""Question sets: one JSON object in each line, plain or gzipped.

Three kinds of rows, which may be mixed; only ``question`` is required:

    {"id", "question", "answer", "gold": [passage ids]}                          multi-hop sets over `.jsonl` passages
    {"id", "question", "answer", "answerable", "evidence": [{"document", "page", "quote"}]}   sets over documents
    {"id", "question", "structures": [{"document", "page", "table"}]}                    questions for pages and tables

A row of the first kind may have a "decomposition", a list of questions or of {"question", "answer", "gold"}, where
"gold" are the passages of that step, and "hops", the gold passages in the order of reasoning, which is otherwise that
of the steps. Any row may have "options", the texts of a multiple-choice question, of which "answer" is one, and
"documents", the names of the documents in which the answer is to be searched. "type" is the kind of question that the
set gives ("bridge"), "filter" a condition on the metadata of the documents that it is asked of.

``answer`` is a text or a list of texts; ``answer_aliases`` adds further correct answers.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hopline.atomic_files import read_lines
from hopline.errors import UsageError
from hopline.evaluation.relation_questions import write_step_question

EXPECTED = (
    '{"id", "question", "answer", "gold": [passage ids]} or '
    '{"question", "answer", "answerable", "evidence": [{"document", "page", "quote"}]}'
)


@dataclass(frozen=True, slots=True)
class Quote:
    """A passage of a document that answers a question; ``page`` counts from 1, 0 if unknown."""

    document: str
    page: int = 0
    text: str = ""


@dataclass(frozen=True, slots=True)
class Structure:
    """A page that a question asks for, or a table: by its number, or any table of the page if ``table`` is "?"."""

    document: str
    page: int = 0
    table: str = ""


@dataclass(frozen=True, slots=True)
class QuestionStep:
    """A sub-question, and the ids of the passages that answer it; no ``gold`` if the question set does not tell."""

    text: str
    gold: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its correct answers and evidence.

    ``gold`` are ids of passages (an evidence's ``source_id`` or ``id``), ``quotes`` passages of documents,
    ``structures`` the pages and tables that it refers to, ``steps`` the sub-questions that lead to its answer,
    ``hops`` the gold passages in the order of reasoning (empty: unknown).
    ``answers`` are alternatives. A question that is not ``answerable`` has no answer in the documents. ``options`` are
    those of a multiple-choice question, from A; ``documents`` are the names of the question's own documents.
    ``type`` is the kind of question that the set gives, "" if it gives none. ``filter`` selects the documents that it
    is asked of, "" for all.
    """

    id: str
    text: str
    answers: tuple[str, ...] = ()
    gold: tuple[str, ...] = ()
    quotes: tuple[Quote, ...] = ()
    answerable: bool = True
    structures: tuple[Structure, ...] = ()
    steps: tuple[QuestionStep, ...] = ()
    options: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    type: str = ""
    filter: str = ""
    hops: tuple[str, ...] = ()


def read_questions(path: str | Path, *, limit: int | None = None) -> list[Question]:
    """Read the first ``limit`` questions of a ``.jsonl`` or ``.jsonl.gz`` file, or all, in order.

    Raises:
        UsageError: no such file, or an invalid row; names file and line.
    """
    path = Path(path)
    if not path.is_file():
        raise UsageError(f"no file {path}; wanted a .jsonl or .jsonl.gz of rows {EXPECTED}")
    questions: list[Question] = []
    for number, line in enumerate(read_lines(path), 1):
        if limit is not None and len(questions) >= limit:
            break
        if line.strip():
            location = f"{path}:{number}"
            questions.append(parse_question(_parse_line(line, location), location, number))
    if not questions:
        raise UsageError(f"{path} has no question; wanted rows {EXPECTED}")
    return questions


def _parse_line(line: str, location: str) -> Any:
    try:
        return json.loads(line)
    except json.JSONDecodeError as error:
        raise UsageError(f"{location} is not JSON ({error.msg}); wanted {EXPECTED}") from error


def parse_question(row: Any, location: str, number: int) -> Question:
    """Build a question from its row; ``location`` names the row in errors, ``number`` is the id of a row without one.

    Raises:
        UsageError: the row is invalid.
    """
    if not isinstance(row, dict) or not isinstance(row.get("question"), str) or not row["question"].strip():
        raise UsageError(f'{location} has no "question"; wanted {EXPECTED}')
    steps = tuple(_parse_steps(row, location))
    hops = tuple(_parse_texts(row, "hops", location)) or tuple(id for step in steps for id in step.gold)
    return Question(
        id=str(row.get("id", number)),
        text=row["question"],
        answers=tuple(_parse_texts(row, "answer", location)) + tuple(_parse_texts(row, "answer_aliases", location)),
        gold=tuple(dict.fromkeys(_parse_texts(row, "gold", location))),
        quotes=tuple(_parse_quotes(row, location)),
        answerable=bool(row.get("answerable", True)),
        structures=tuple(_parse_structures(row, location)),
        steps=steps,
        options=tuple(_parse_texts(row, "options", location)),
        documents=tuple(dict.fromkeys(_parse_texts(row, "documents", location))),
        type=str(row.get("type") or ""),
        filter=str(row.get("filter") or ""),
        hops=tuple(dict.fromkeys(hops)),
    )


def _parse_texts(row: Mapping[str, Any], key: str, location: str) -> Iterator[str]:
    values = row.get(key)
    for item in values if isinstance(values, list) else [values]:
        if item is None or item == "":
            continue
        if not isinstance(item, str | int | float):
            raise UsageError(f'{location}: "{key}" must be text or a list of texts (got {item!r})')
        yield str(item)


def _parse_quotes(row: Mapping[str, Any], location: str) -> Iterator[Quote]:
    for item in _parse_locations(row, "evidence", '{"document", "page", "quote"}', location):
        yield Quote(str(item["document"]), _parse_page(item, location), str(item.get("quote") or ""))


def _parse_structures(row: Mapping[str, Any], location: str) -> Iterator[Structure]:
    for item in _parse_locations(row, "structures", '{"document", "page", "table"}', location):
        yield Structure(str(item["document"]), _parse_page(item, location), str(item.get("table") or ""))


def _parse_steps(row: Mapping[str, Any], location: str) -> Iterator[QuestionStep]:
    """Parse the sub-questions of MuSiQue's form.

    "#1" is replaced by the answer to the first, and so on; relations become questions (`write_step_question`).
    """
    values = row.get("decomposition") or []
    if not isinstance(values, list) or not all(isinstance(step, str | dict) for step in values):
        raise UsageError(f'{location}: "decomposition" must be a list of questions (got {values!r})')
    answers: list[str] = []
    for value in values:
        step = {"question": value} if isinstance(value, str) else value
        text = write_step_question(str(step.get("question", "")))
        for number, earlier_answer in reversed(list(enumerate(answers, 1))):
            text = text.replace(f"#{number}", earlier_answer)
        answers.append(str(step.get("answer", "")))
        yield QuestionStep(text, tuple(dict.fromkeys(_parse_texts(step, "gold", location))))


def _parse_locations(row: Mapping[str, Any], key: str, expected: str, location: str) -> Iterator[Mapping[str, Any]]:
    values = row.get(key) or []
    if not isinstance(values, list):
        raise UsageError(f'{location}: "{key}" must be a list (got {values!r})')
    for item in values:
        if not isinstance(item, dict) or "document" not in item:
            raise UsageError(f'{location}: each of "{key}" must be {expected} (got {item!r})')
        yield item


def _parse_page(item: Mapping[str, Any], location: str) -> int:
    try:
        return int(item.get("page") or 0)
    except (TypeError, ValueError) as error:
        raise UsageError(f'{location}: "page" must be a number (got {item["page"]!r})') from error
