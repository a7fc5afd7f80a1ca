"""Train the ranking of programs over tables.

python scripts/train_table_ranking.py TABLE_DATA WIKI_DATA OUTPUT.json --samples SAMPLES [--share SHARE]

TABLE_DATA holds the question files named below, WIKI_DATA WikiTableQuestions (tables_csv.zip, and in train/ the
training file and the held-out one, whose questions are left out). Of each set, the first questions of a random order
are used; further questions for calculations are generated over the tables of one. One in four gets another table, that
of 200 whose title, header and labels share most words with it, and one in six its own table without a column or the
rows that it names: these tables do not answer it.

The reader and the cell selector score each table, which takes half a second a question; further questions of
WikiTableQuestions are scored by the reader alone, so that tables without selected cells are ranked, too. The samples
are written to SAMPLES (a pickle), from which an interrupted run goes on. Prints how many samples and weights there are.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import pickle
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import torch

from hopline.atomic_files import read_lines
from hopline.flow.requests import Infer
from hopline.learned.registry import BUNDLED, ModelRegistry
from hopline.questions.analysis import analyse_question
from hopline.reader.reading import read_evidence
from hopline.results import Evidence
from hopline.tables.cell_selection import build_selection, make_selection_texts
from hopline.tables.grid import render_table
from hopline.tables.question import CellReading, analyse_table_question
from hopline.tables.structure import infer_structure
from hopline.tables.typed_table import TypedTable, build_typed_table, split_words
from hopline.text.words import find_content_words
from hopline.training.generated_questions import GeneratedQuestion, generate_list_questions, generate_questions
from hopline.training.table_ranking import EPOCHS, TableSample, train_table_ranking

# name of the set -> questions for cells, and for the result of an operation
SETS = {"hitab-train": (1200, 1800), "gri-qa-one-table": (400, 400), "hct-qa-synthetic": (100, 200)}
WIKI_QUESTIONS = 1200
GENERATED_QUESTIONS = 1200
LISTED_QUESTIONS = 500  # for two cells, generated as well
GENERATED_FROM = "hitab-train"
UNSELECTED_QUESTIONS = 4000  # of WikiTableQuestions
SEED = 1
OTHER_TABLE = 0.25  # share of the questions
WITHOUT_COLUMN = 0.12
WITHOUT_ROWS = 0.06
CANDIDATES = 200
DESCRIBING_ROWS = 8  # of a table that are compared with a question
STEP = 100  # samples after which they are written

Rows = list[list[str]]


@dataclass(frozen=True)
class LabelledQuestion:
    """A question, its answers, and the table with its number of header rows."""

    text: str
    golds: tuple[str, ...]
    rows: Rows
    title: str = ""
    header_rows: int = 1
    is_selected: bool = True  # the cell selector scores the table

    def describe_table(self) -> frozenset[str]:
        """Return the content words of the title and the first rows of the table."""
        return frozenset(find_content_words(f"{self.title} {self.rows[:DESCRIBING_ROWS]}"))


def read_set(folder: Path, name: str) -> tuple[list[LabelledQuestion], list[LabelledQuestion]]:
    """Read the questions of a file for cells, and those for the result of an operation."""
    [path] = folder.glob(f"{name}.jsonl*")
    of_cells: list[LabelledQuestion] = []
    of_operations: list[LabelledQuestion] = []
    for row in map(json.loads, read_lines(path)):
        answers = tuple(row["answers"])
        question = LabelledQuestion(row["question"], answers, row["table"], row["title"], row["header_rows"])
        (of_cells if row["operation"] == "none" else of_operations).append(question)
    return of_cells, of_operations


def generate(
    questions: Sequence[LabelledQuestion], generator: Callable[[TypedTable, Random], Iterator[GeneratedQuestion]]
) -> list[LabelledQuestion]:
    """Generate questions over the tables of questions, each table once."""
    random = Random(SEED)  # noqa: S311 - no secret
    tables = {json.dumps(question.rows): question for question in questions}
    return [
        replace(question, text=generated.text, golds=generated.answers)
        for question in tables.values()
        if (grid := make_table(question).grid) is not None
        for generated in generator(build_typed_table(grid), random)
    ]


def read_wiki_questions(folder: Path) -> list[LabelledQuestion]:
    """Read the questions of WikiTableQuestions without those of the held-out file."""
    excluded = {line.split("\t")[0] for line in read_lines(folder / "train" / "random-split-1-dev.tsv.gz")}
    questions = []
    with zipfile.ZipFile(folder / "tables_csv.zip") as archive:
        for line in read_lines(folder / "train" / "training.tsv.gz"):
            id, question, name, target = line.rstrip("\n").split("\t")
            if id not in excluded and id != "id":
                text = io.TextIOWrapper(archive.open(name), encoding="utf-8").read()
                rows = list(csv.reader(io.StringIO(text), escapechar="\\"))
                questions.append(LabelledQuestion(question, tuple(target.split("|")), rows))
    return questions


def list_questions(tables: Path, wiki: Path, share: float) -> list[LabelledQuestion]:
    """List the questions of all sets with their tables, those without selected cells last."""
    random = Random(SEED)  # noqa: S311 - no secret
    of_wiki = read_wiki_questions(wiki)
    read = {name: read_set(tables, name) for name in SETS}
    sources = [question for part in read[GENERATED_FROM] for question in part]
    sets = [(of_wiki, WIKI_QUESTIONS)]
    sets += [pair for name, counts in SETS.items() for pair in zip(read[name], counts, strict=True)]
    sets.append((generate(sources, generate_questions), GENERATED_QUESTIONS))
    sets.append((generate(sources, generate_list_questions), LISTED_QUESTIONS))
    chosen = [q for questions, count in sets for q in choose_questions(questions, int(count * share), random)]
    further = choose_questions(of_wiki, int(UNSELECTED_QUESTIONS * share), random)
    return [*random.sample(chosen, len(chosen)), *(replace(question, is_selected=False) for question in further)]


def choose_questions(questions: Sequence[LabelledQuestion], count: int, random: Random) -> Iterator[LabelledQuestion]:
    """Yield questions with a table; some get a table that does not answer them, without answers."""
    ordered = random.sample(questions, len(questions))
    for question in ordered[:count]:
        chance = random.random()
        if chance < OTHER_TABLE:
            words = find_content_words(f"{question.text} {question.title}")
            others = [other for other in random.choices(questions, k=CANDIDATES) if other.rows != question.rows]
            nearest = max(others, key=lambda other: len(words & other.describe_table()))
            yield replace(nearest, text=question.text, golds=())
            continue
        remaining = None
        if chance < OTHER_TABLE + WITHOUT_COLUMN:
            remaining = remove_column(question, random)
        elif chance < OTHER_TABLE + WITHOUT_COLUMN + WITHOUT_ROWS:
            remaining = remove_rows(question)
        yield replace(question, rows=remaining, golds=()) if remaining else question


def make_table(question: LabelledQuestion) -> Evidence:
    """Make the evidence of the table of a question."""
    cells = tuple(tuple(" ".join(cell.split()) for cell in row) for row in question.rows)
    structure = infer_structure(cells, question.title, question.header_rows)
    text = render_table(cells)[0]
    return Evidence("table", "table", 1.0, text, caption=question.title, cells=cells, structure=structure)


def remove_rows(question: LabelledQuestion) -> Rows | None:
    """Remove the rows that have the longest phrase of the question as a cell; None if there is none, or no others."""
    grid = make_table(question).grid
    if grid is None:
        return None
    table = build_typed_table(grid)
    exact = [match for match in analyse_table_question(question.text, table).matches if match.exact]
    if not exact or len(exact[0].rows) > len(table.rows) / 2:
        return None
    phrase = split_words(table.get_text(min(exact[0].rows), exact[0].column))
    body = question.rows[question.header_rows :]
    remaining = [row for row in body if all(split_words(cell) != phrase for cell in row)]
    return [*question.rows[: question.header_rows], *remaining] if remaining else None


def remove_column(question: LabelledQuestion, random: Random) -> Rows | None:
    """Remove a column whose header the question names; None if it names none."""
    structure = make_table(question).structure
    words = set(split_words(question.text))
    headers = [" ".join(column.path) for column in structure.columns] if structure else []
    named = [n for n, header in enumerate(headers) if n and header and set(split_words(header)) <= words]
    if not named or len(headers) < 3:
        return None
    column = random.choice(named)
    return [row[:column] + row[column + 1 :] for row in question.rows]


def make_sample(question: LabelledQuestion, models: ModelRegistry) -> TableSample | None:
    """Make a sample with what the reader finds and what the cell selector scores; None without a row with text."""
    table = make_table(question)
    if table.grid is None or table.structure is None:
        return None
    if not question.is_selected:
        return TableSample(question.text, table.grid, question.golds, read_table(question.text, table, models))
    texts = make_selection_texts(question.text, question.title, table.cells, table.structure)
    scores = models.infer("cell_selector", {"question": question.text, "texts": texts.list_texts()})
    selection = build_selection(texts, scores.tolist()).align(table.cells, table.structure)
    reading = read_table(question.text, table, models)
    return TableSample(question.text, table.grid, question.golds, reading, selection)


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


def make_samples(questions: Sequence[LabelledQuestion], path: Path) -> list[TableSample]:
    """Make the samples of questions that ``path`` does not have yet, and return all."""
    models = ModelRegistry(BUNDLED)
    done: list[TableSample | None] = pickle.loads(path.read_bytes()) if path.exists() else []  # noqa: S301 - our own
    while len(done) < len(questions):
        done += [make_sample(question, models) for question in questions[len(done) : len(done) + STEP]]
        path.write_bytes(pickle.dumps(done))
        print(f"{len(done)} of {len(questions)} samples", flush=True)
    return [sample for sample in done if sample is not None]


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("tables", "wiki", "output"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--samples", type=Path, required=True)
    parser.add_argument("--share", type=float, default=1.0, help="share of the questions that is used, in (0, 1]")
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    args = parser.parse_args()
    torch.set_num_threads(1)
    samples = make_samples(list_questions(args.tables, args.wiki, args.share), args.samples)
    weights = train_table_ranking(samples, epochs=args.epochs, seed=SEED)
    args.output.write_text(json.dumps(dict(sorted(weights.items())), indent=0) + "\n", encoding="utf-8")
    print(f"{len(samples)} samples, {len(weights)} weights")


if __name__ == "__main__":
    main()
