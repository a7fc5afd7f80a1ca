"""Train the ranking of programs over tables on WikiTableQuestions.

python scripts/train_table_ranking.py TRAINING.tsv[.gz] HELD_OUT.tsv[.gz] TABLES.zip OUTPUT.json [--limit N]

Questions of the held-out file are left out of the training file. One in ten questions gets another table, that of 100
that shares most words with it, and one in five its own table without a column or the rows that it names: these tables
do not answer it. Prints the number of samples and the number of weights.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from hopline.atomic_files import read_lines
from hopline.flow.requests import Infer
from hopline.learned.registry import BUNDLED, ModelRegistry
from hopline.questions.analysis import analyse_question
from hopline.reader.reading import read_evidence
from hopline.results import Evidence
from hopline.tables.grid import render_table
from hopline.tables.question import CellReading, analyse_table_question
from hopline.tables.typed_table import build_typed_table, split_words
from hopline.text.words import find_content_words
from hopline.training.table_ranking import EPOCHS, TableSample, train_table_ranking

OTHER_TABLE = 0.1  # share of the questions
WITHOUT_COLUMN = 0.15
WITHOUT_ROWS = 0.05
CANDIDATES = 100

Rows = list[list[str]]


def read_questions(questions: Path, held_out: Path, tables: Path) -> Iterator[tuple[str, Rows, tuple[str, ...]]]:
    """Yield each question with the rows of its table and its answers."""
    excluded = {line.split("\t")[0] for line in read_lines(held_out)}
    with zipfile.ZipFile(tables) as archive:
        for line in read_lines(questions):
            id, question, name, target = line.rstrip("\n").split("\t")
            if id not in excluded and id != "id":
                text = io.TextIOWrapper(archive.open(name), encoding="utf-8").read()
                yield question, list(csv.reader(io.StringIO(text), escapechar="\\")), tuple(target.split("|"))


def make_table(rows: Rows) -> Evidence:
    """Make the evidence of a table."""
    cells = tuple(tuple(" ".join(cell.split()) for cell in row) for row in rows)
    return Evidence("table", "table", 1.0, render_table(cells)[0], cells=cells)


def make_sample(question: str, rows: Rows, golds: tuple[str, ...], models: ModelRegistry) -> TableSample:
    """Make a sample of a table that has a row with text, with what the reader finds in it."""
    table = make_table(rows)
    assert table.grid is not None
    return TableSample(question, table.grid, golds, read_table(question, table, models))


def choose_tables(
    questions: Sequence[tuple[str, Rows, tuple[str, ...]]], random: Random
) -> Iterator[tuple[str, Rows, tuple[str, ...]]]:
    """Yield each question with a table and its answers; some get a table that does not answer them, without answers."""
    for question, rows, golds in questions:
        chance = random.random()
        if chance < OTHER_TABLE:
            words = find_content_words(question)
            others = [other for _, other, _ in random.choices(questions, k=CANDIDATES) if other != rows]
            yield question, max(others, key=lambda other: len(words & find_content_words(str(other)))), ()
            continue
        remaining = None
        if chance < OTHER_TABLE + WITHOUT_COLUMN:
            remaining = remove_column(question, rows, random)
        elif chance < OTHER_TABLE + WITHOUT_COLUMN + WITHOUT_ROWS:
            remaining = remove_rows(question, rows)
        yield question, remaining or rows, () if remaining else golds


def remove_rows(question: str, rows: Rows) -> Rows | None:
    """Remove the rows that have the longest phrase of the question as a cell; None if there is none, or no others."""
    grid = make_table(rows).grid
    if grid is None:
        return None
    table = build_typed_table(grid)
    exact = [match for match in analyse_table_question(question, table).matches if match.exact]
    if not exact or len(exact[0].rows) > len(table.rows) / 2:
        return None
    phrase = split_words(table.get_text(min(exact[0].rows), exact[0].column))
    return [row for row in rows if all(split_words(cell) != phrase for cell in row)]


def remove_column(question: str, rows: Rows, random: Random) -> Rows | None:
    """Remove a column whose header the question names; None if it names none."""
    words = set(split_words(question))
    named = [n for n, header in enumerate(rows[0]) if header and set(split_words(header)) <= words]
    if not named or len(rows[0]) < 3:
        return None
    column = random.choice(named)
    return [row[:column] + row[column + 1 :] for row in rows]


def read_table(question: str, table: Evidence, models: ModelRegistry) -> CellReading | None:
    """Return what the reader finds in a table."""
    flow = read_evidence(analyse_question(question), [table], again=False)
    try:
        request = next(flow)
        while isinstance(request, Infer):
            request = flow.send(models.infer(request.part, request.inputs))
    except StopIteration as stopped:
        return next((CellReading(reading.short, reading.score) for reading in stopped.value), None)
    return None


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("questions", "held_out", "tables", "output"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    random = Random(args.seed)  # noqa: S311 - no secret
    questions = list(read_questions(args.questions, args.held_out, args.tables))
    random.shuffle(questions)
    models = ModelRegistry(BUNDLED)
    chosen = [
        make_sample(question, rows, golds, models)
        for question, rows, golds in choose_tables(questions[: args.limit], random)
    ]
    weights = train_table_ranking(chosen, epochs=args.epochs, seed=args.seed)
    args.output.write_text(json.dumps(dict(sorted(weights.items())), indent=0) + "\n", encoding="utf-8")
    print(f"{len(chosen)} samples, {len(weights)} weights")


if __name__ == "__main__":
    main()
