"""Train a reader on prepared files: python scripts/train_reader.py DATA OUTPUT [--teacher FOLDER | --base FOLDER].

DATA is the folder of the prepared files named below, with their SOURCE.txt; each is sampled down to its limit. The sets
whose licence is doubtful or not stated for the data itself are not in the list. An interrupted training is resumed.

The included weights were trained with ``--teacher``, a folder with all-mpnet-base-v2, on a GPU.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace
from pathlib import Path
from random import Random

from hopline.training.progress import TrainingProgress
from hopline.training.reader import RECIPE, train_reader
from hopline.training.reader_data import ReaderFile, read_reader_file
from hopline.training.reader_distillation import distil_reader

SEED = 42
BASE_RATE = 3e-4  # learning rate of a training that continues from weights
ALL = 20_000  # more than any file has
# name of the file -> questions that are used at most
FILES: dict[str, int] = {
    "squad2-dev-19articles": ALL,
    "synthetic-negatives-squad-same-article": 4000,
    "squad1-dev-rest": ALL,
    "squad1-train-du-test": ALL,
    "squad1-train-routerlens": ALL,
    "squad1-train-qasystem": ALL,
    "squad1-train-sentences": 2000,
    "squadshifts-newwiki": 5000,
    "squadshifts-reddit": 1000,
    "nq-open-oracle": ALL,
    "qed-nq-dev": ALL,
    "nq-swap": ALL,
    "clapnq-dev": ALL,
    "multispanqa-valid": ALL,
    "tydiqa-english": ALL,
    "boolq": ALL,
    "condaqa": 5000,
    "qamr-dev-test": 2000,
    "selqa-dev-test": 2000,
    "covid-qa": ALL,
    "pubmedqa-labelled": ALL,
    "evidence-inference-v2": ALL,
    "cuad-contracts": 5000,
    "contractnli-dev-test": ALL,
    "conditionalqa": ALL,
    "integreat-qa-english": ALL,
    "indian-acts-human": ALL,
    "timeqa-human-train": ALL,
    "fairytaleqa-explicit": 2000,
    "contrast-quoref": ALL,
    "contrast-ropes": 600,
    "contrast-drop": ALL,
    "hybridqa-dev-row-passages": ALL,
    "ottqa-dev-row-passages": ALL,
    "hybridqa-dev-tables": ALL,
    "ottqa-dev-tables": ALL,
    "fetaqa-dev-test-tables": ALL,
    "aitqa-tables": ALL,
    "robustqa-duorc": ALL,
    "multihop-train-1200": ALL,
}
# files whose questions are used twice: questions that look answerable and are not, and tables, of which there are few
TWICE = {"squad2-dev-19articles", "hybridqa-dev-tables", "ottqa-dev-tables", "fetaqa-dev-test-tables", "aitqa-tables"}


def sample_questions(file: ReaderFile, limit: int) -> ReaderFile:
    """Return the file with at most ``limit`` of its questions, chosen by the seed."""
    order = Random(f"{SEED} {file.name}").sample(file.paragraphs, len(file.paragraphs))  # noqa: S311 - no secret
    chosen, room = [], limit
    for paragraph in order:
        questions = paragraph.questions[:room]
        if not questions:
            break
        chosen.append(replace(paragraph, questions=questions))
        room -= len(questions)
    return replace(file, paragraphs=tuple(chosen))


def print_progress(step: TrainingProgress) -> None:
    """Print every hundredth step."""
    if step.done % 100 == 0 or step.done == step.total:
        print(f"{time.strftime('%H:%M:%S')} {step.phase} {step.done}/{step.total} loss {step.loss:.4f}", flush=True)


def main() -> None:
    """Train, and print the figures of the model card."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--teacher", type=Path, help="all-mpnet-base-v2: train it, then the reader by its scores")
    parser.add_argument("--base", type=Path, help="weights to continue from; without it, training starts from MiniLM")
    parser.add_argument("--no-resume", action="store_true")
    arguments = parser.parse_args()
    files = []
    for name, limit in FILES.items():
        [path] = arguments.data.glob(f"{name}.jsonl*")
        file = sample_questions(read_reader_file(path), limit)
        files += [file, file] if name in TWICE else [file]
    if arguments.teacher:
        card = distil_reader(files, arguments.output, arguments.teacher, seed=SEED, on_progress=print_progress)
        print(card.figures)
        return
    card = train_reader(
        files,
        arguments.output,
        recipe=replace(RECIPE, epochs=1, seed=SEED, rate=BASE_RATE if arguments.base else RECIPE.rate),
        base=arguments.base,
        resume=not arguments.no_resume,
        on_progress=print_progress,
    )
    print(card.figures)


if __name__ == "__main__":
    main()
