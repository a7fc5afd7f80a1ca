"""Train the cell selector.

python scripts/train_cell_selector.py TABLE_DATA WIKI_DATA OUTPUT [--measure NAME ...]

TABLE_DATA holds the question files named below, WIKI_DATA WikiTableQuestions (tables_csv.zip, and in train/ the
training file and the held-out one, whose questions are left out). The training starts from the included reader; an
interrupted one is resumed. ``--measure`` measures the weights in OUTPUT on further files, without training.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import time
import zipfile
from collections import Counter
from pathlib import Path
from random import Random

import torch

from hopline.atomic_files import read_lines
from hopline.learned.cell_selector_network import CellSelectorNetwork
from hopline.learned.reader import load_network
from hopline.learned.registry import BUNDLED
from hopline.training.cell_selector import measure_cell_selector, train_cell_selector
from hopline.training.cell_selector_data import CellQuestion, read_cell_questions, read_web_questions
from hopline.training.progress import TrainingProgress

SEED = 42
# name of the file -> questions that are used at most
FILES = {"hitab-train": 20_000, "gri-qa-one-table": 20_000, "hct-qa-synthetic": 1500}
WEB = "wikitablequestions"
WEB_LIMIT = 1500
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


def print_progress(step: TrainingProgress) -> None:
    """Print every twentieth step."""
    if step.done % 20 == 0 or step.done == step.total:
        print(f"{time.strftime('%H:%M:%S')} {step.phase} {step.done}/{step.total} loss {step.loss:.4f}", flush=True)


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
    counts = Counter(item.source for item in questions)
    print(dict(counts), flush=True)
    data = {name: f"{count} questions; {SOURCES[name]}" for name, count in counts.items()}
    card = train_cell_selector(
        questions, arguments.output, base=BUNDLED / "reader", data=data, on_progress=print_progress
    )
    print(json.dumps(dict(card.figures), indent=1))


if __name__ == "__main__":
    main()
