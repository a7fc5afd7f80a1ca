"""Question sets: one JSON object a line, plain or gzipped.

Three kinds of row, which may be mixed; only ``question`` is needed:

    {"id", "question", "answer", "gold": [passage ids]}                          multi-hop sets over `.jsonl` passages
    {"id", "question", "answer", "answerable", "evidence": [{"document", "page", "quote"}]}   sets over documents
    {"id", "question", "structures": [{"document", "page", "table"}]}                    questions for pages and tables

A row of the first kind may have a "decomposition", a list of questions or of {"question", "answer"}.

``answer`` is a text or a list of texts; ``answer_aliases`` adds further right answers.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hopline.atomic_files import text_lines
from hopline.errors import UsageError

WANTED = (
    '{"id", "question", "answer", "gold": [passage ids]} or '
    '{"question", "answer", "answerable", "evidence": [{"document", "page", "quote"}]}'
)


@dataclass(frozen=True, slots=True)
class Quote:
    """Where a document says what a question asks for; ``page`` counts from 1, 0 where it is not known."""

    document: str
    page: int = 0
    text: str = ""


@dataclass(frozen=True, slots=True)
class Structure:
    """A page that a question asks for, or a table: by its number, or by its page where ``table`` is "?"."""

    document: str
    page: int = 0
    table: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """A question with what is right for it.

    ``gold`` holds ids of passages (an evidence's ``source_id`` or ``id``), ``quotes`` places in documents,
    ``structures`` the pages and tables that it names, ``steps`` the smaller questions that lead to its answer.
    ``answers`` are alternatives. Nothing in the documents answers a question that is not ``answerable``.
    """

    id: str
    text: str
    answers: tuple[str, ...] = ()
    gold: tuple[str, ...] = ()
    quotes: tuple[Quote, ...] = ()
    answerable: bool = True
    structures: tuple[Structure, ...] = ()
    steps: tuple[str, ...] = ()


def read_questions(path: str | Path, *, limit: int | None = None) -> list[Question]:
    """The first ``limit`` questions of a ``.jsonl`` or ``.jsonl.gz`` file, in its order; all without a limit.

    Raises:
        UsageError: no such file, or a row that is no question; names file and line.
    """
    path = Path(path)
    if not path.is_file():
        raise UsageError(f"no file {path}; wanted a .jsonl or .jsonl.gz of rows {WANTED}")
    questions: list[Question] = []
    for number, line in enumerate(text_lines(path), 1):
        if limit is not None and len(questions) >= limit:
            break
        if line.strip():
            questions.append(_question(line, f"{path}:{number}", number))
    if not questions:
        raise UsageError(f"{path} holds no question; wanted rows {WANTED}")
    return questions


def _question(line: str, place: str, number: int) -> Question:
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        raise UsageError(f"{place} is not JSON ({error.msg}); wanted {WANTED}") from error
    if not isinstance(row, dict) or not isinstance(row.get("question"), str) or not row["question"].strip():
        raise UsageError(f'{place} has no "question"; wanted {WANTED}')
    return Question(
        id=str(row.get("id", number)),
        text=row["question"],
        answers=tuple(_texts(row, "answer", place)) + tuple(_texts(row, "answer_aliases", place)),
        gold=tuple(dict.fromkeys(_texts(row, "gold", place))),
        quotes=tuple(_quotes(row, place)),
        answerable=bool(row.get("answerable", True)),
        structures=tuple(_structures(row, place)),
        steps=tuple(_steps(row, place)),
    )


def _texts(row: Mapping[str, Any], key: str, place: str) -> Iterator[str]:
    found = row.get(key)
    for item in found if isinstance(found, list) else [found]:
        if item is None or item == "":
            continue
        if not isinstance(item, str | int | float):
            raise UsageError(f'{place}: "{key}" must be text or a list of texts (got {item!r})')
        yield str(item)


def _quotes(row: Mapping[str, Any], place: str) -> Iterator[Quote]:
    for item in _places(row, "evidence", '{"document", "page", "quote"}', place):
        yield Quote(str(item["document"]), _page(item, place), str(item.get("quote") or ""))


def _structures(row: Mapping[str, Any], place: str) -> Iterator[Structure]:
    for item in _places(row, "structures", '{"document", "page", "table"}', place):
        yield Structure(str(item["document"]), _page(item, place), str(item.get("table") or ""))


def _steps(row: Mapping[str, Any], place: str) -> Iterator[str]:
    """The smaller questions, "#1" in them replaced by the answer to the first, and so on (MuSiQue's form)."""
    found = row.get("decomposition") or []
    if not isinstance(found, list) or not all(isinstance(one, str | dict) for one in found):
        raise UsageError(f'{place}: "decomposition" must be a list of questions (got {found!r})')
    answers: list[str] = []
    for one in found:
        text, answer = (one, "") if isinstance(one, str) else (str(one.get("question", "")), str(one.get("answer", "")))
        for number, said in enumerate(answers, 1):
            text = text.replace(f"#{number}", said)
        answers.append(answer)
        yield text.replace(" >> ", " ")


def _places(row: Mapping[str, Any], key: str, wanted: str, place: str) -> Iterator[Mapping[str, Any]]:
    found = row.get(key) or []
    if not isinstance(found, list):
        raise UsageError(f'{place}: "{key}" must be a list (got {found!r})')
    for item in found:
        if not isinstance(item, dict) or "document" not in item:
            raise UsageError(f'{place}: each of "{key}" must be {wanted} (got {item!r})')
        yield item


def _page(item: Mapping[str, Any], place: str) -> int:
    try:
        return int(item.get("page") or 0)
    except (TypeError, ValueError) as error:
        raise UsageError(f'{place}: "page" must be a number (got {item["page"]!r})') from error
