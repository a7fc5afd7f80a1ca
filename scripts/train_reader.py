"""Train a reader on prepared files: python scripts/train_reader.py DATA OUTPUT [--base FOLDER] [--no-resume].

DATA is the folder of the prepared files named below, with their SOURCE.txt; each is sampled down to its limit. The sets
whose licence is doubtful or not stated for the data itself are not in the list. An interrupted training is resumed.
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

SEED = 42
BASE_RATE = 3e-4  # learning rate of a training that continues from weights
# name of the file -> questions that are used at most; what the base has seen often or what is unlike documents has few
FILES: dict[str, int] = {
    "squad2-dev-19articles": 6000,
    "synthetic-negatives-squad-same-article": 4000,
    "squad1-train-du-test": 3000,
    "tydiqa-english": 5000,
    "nq-open-oracle": 3000,
    "nq-swap": 3000,
    "clapnq-dev": 1000,
    "multispanqa-valid": 1000,
    "boolq": 1500,
    "condaqa": 2500,
    "selqa-dev-test": 1000,
    "covid-qa": 2000,
    "pubmedqa-labelled": 1000,
    "evidence-inference-v2": 1500,
    "cuad-contracts": 4000,
    "contractnli-dev-test": 4000,
    "conditionalqa": 3000,
    "integreat-qa-english": 1000,
    "indian-acts-human": 100,
    "timeqa-human-train": 3000,
    "contrast-quoref": 1500,
    "contrast-drop": 500,
    "contrast-ropes": 500,
    "hybridqa-dev-row-passages": 1500,
    "ottqa-dev-row-passages": 500,
    "hybridqa-dev-tables": 1000,
    "ottqa-dev-tables": 500,
    "fetaqa-dev-test-tables": 3000,
    "aitqa-tables": 1000,
    "multihop-train-1200": 2000,
}


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
    parser.add_argument("--base", type=Path, help="weights to continue from; without it, training starts from MiniLM")
    parser.add_argument("--no-resume", action="store_true")
    arguments = parser.parse_args()
    files = [
        sample_questions(read_reader_file(arguments.data / f"{name}.jsonl.gz"), limit) for name, limit in FILES.items()
    ]
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
