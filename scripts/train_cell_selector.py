"""Train the cell selector.

python scripts/train_cell_selector.py TABLE_DATA WIKI_DATA OUTPUT [--measure NAME ...]

TABLE_DATA holds the question files named below, WIKI_DATA WikiTableQuestions (tables_csv.zip, and in train/ the
training file and the held-out one, whose questions are left out). The training starts from the included reader, with
all questions (the weights are written to OUTPUT/first, and not trained again if they are there), and goes on with those
that rank and some of the others; last, the operations are trained with generated questions, too. An interrupted
training is resumed. ``--measure`` measures the weights in OUTPUT on further files, without training.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import time
import zipfile
from collections import Counter, defaultdict
from pathlib import Path
from random import Random

import torch

from hopline.atomic_files import read_lines
from hopline.learned.cell_selector_network import CellSelectorNetwork
from hopline.learned.reader import load_network
from hopline.learned.registry import BUNDLED
from hopline.learned.weight_files import CARD_FILE, ModelCard
from hopline.results import Evidence
from hopline.tables.grid import render_table
from hopline.tables.typed_table import build_typed_table
from hopline.training.cell_selector import RECIPE, measure_cell_selector, train_cell_selector, train_operations
from hopline.training.cell_selector_data import RANKING, CellQuestion, read_cell_questions, read_web_questions
from hopline.training.generated_questions import generate_list_questions, generate_questions
from hopline.training.progress import TrainingProgress
from hopline.training.training_loop import Recipe

SEED = 42
# name of the file -> questions that are used at most
FILES = {"hitab-train": 20_000, "gri-qa-one-table": 20_000, "hct-qa-synthetic": 1500}
WEB = "wikitablequestions"
WEB_LIMIT = 1500
SECOND = Recipe(epochs=1, batch=6, rate=3e-4, slow=0.15)  # the training that goes on
SECOND_OTHERS = 5000  # its questions that do not rank
GENERATED_FROM = "hitab-train"
GENERATED_LIMIT = 400  # generated questions of each operation
SELECTED = {"share": "ratio", "list": "none"}  # operations of generated questions in terms of the selector's
SOURCES = {
    WEB: "ppasupat/WikiTableQuestions, CC BY-SA 4.0; questions whose answers are in one cell each",
    "hitab-train": "microsoft/HiTab, C-UDA 1.0; tables of Statistics Canada, NSF and Wikipedia",
    "gri-qa-one-table": "softlab-unimore/gri_qa, MIT",
    "hct-qa-synthetic": "HCT-QA, generated tables, repo MIT",
}


def read_questions(folder: Path, name: str, limit: int) -> list[CellQuestion]:
    """Return at most ``limit`` questions of a file, chosen by the seed."""
    [path] = folder.glob(f"{name}.jsonl*")
    questions = read_cell_questions((json.loads(line) for line in read_lines(path)), name)
    return Random(f"{SEED} {name}").sample(questions, min(limit, len(questions)))  # noqa: S311 - no secret


def read_wiki_questions(folder: Path) -> list[CellQuestion]:
    """Return questions of WikiTableQuestions, chosen by the seed, without those of the held-out file."""
    excluded = {line.split("\t")[0] for line in read_lines(folder / "train" / "random-split-1-dev.tsv.gz")}
    with zipfile.ZipFile(folder / "tables_csv.zip") as archive:

        def read_table(name: str) -> list[list[str]]:
            text = io.TextIOWrapper(archive.open(name), encoding="utf-8").read()
            return list(csv.reader(io.StringIO(text), escapechar="\\"))

        lines = read_lines(folder / "train" / "training.tsv.gz")
        questions = list(read_web_questions(lines, excluded, read_table, WEB))
    return Random(f"{SEED} {WEB}").sample(questions, min(WEB_LIMIT, len(questions)))  # noqa: S311 - no secret


def generate_operations(questions: list[CellQuestion]) -> list[tuple[str, str]]:
    """Generate questions for calculations and for two cells over the tables of questions, with their operations."""
    random = Random(SEED)  # noqa: S311 - no secret
    by_operation: dict[str, list[str]] = defaultdict(list)
    for item in {item.cells: item for item in questions if item.source == GENERATED_FROM}.values():
        text = render_table(item.cells)[0]
        grid = Evidence("", "table", 1.0, text, cells=item.cells, structure=item.structure).grid
        if grid is not None:
            table = build_typed_table(grid)
            for generated in (*generate_questions(table, random), *generate_list_questions(table, random)):
                by_operation[SELECTED.get(generated.operation, generated.operation)].append(generated.text)
    return [(text, name) for name, texts in by_operation.items() for text in texts[:GENERATED_LIMIT]]


def print_progress(step: TrainingProgress) -> None:
    """Print every twentieth step."""
    if step.done % 20 == 0 or step.done == step.total:
        print(f"{time.strftime('%H:%M:%S')} {step.phase} {step.done}/{step.total} loss {step.loss:.4f}", flush=True)


def train(questions: list[CellQuestion], output: Path, base: Path, recipe: Recipe) -> ModelCard:
    """Train on questions from the weights in ``base``."""
    counts = Counter(item.source for item in questions)
    print(dict(counts), flush=True)
    data = {name: f"{count} questions; {SOURCES[name]}" for name, count in counts.items()}
    return train_cell_selector(questions, output, base=base, recipe=recipe, data=data, on_progress=print_progress)


def main() -> None:
    """Train or measure, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", type=Path)
    parser.add_argument("wiki", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--measure", nargs="+", metavar="NAME", help="names of files: measure 200 questions of each")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    if arguments.measure:
        network, tokenizer = load_network(CellSelectorNetwork, arguments.output)
        for name in arguments.measure:
            print(json.dumps(measure_cell_selector(network, tokenizer, read_questions(arguments.tables, name, 200))))
        return
    questions = [item for name, limit in FILES.items() for item in read_questions(arguments.tables, name, limit)]
    questions += read_wiki_questions(arguments.wiki)
    questions = [item for item in questions if item.operation or item.rows]
    first = arguments.output / "first"
    if not (first / CARD_FILE).exists():
        train(questions, first, BUNDLED / "reader", RECIPE)
    ranking = [item for item in questions if item.operation in RANKING]
    others = [item for item in questions if item.operation not in RANKING]
    chosen = [*ranking, *Random(SEED).sample(others, min(len(others), SECOND_OTHERS))]  # noqa: S311 - no secret
    train(chosen, arguments.output, first, SECOND)
    named = [(item.question, item.operation) for item in questions if item.operation]
    card = train_operations([*named, *generate_operations(questions)], arguments.output)
    print(json.dumps(dict(card.figures), indent=1))


if __name__ == "__main__":
    main()
