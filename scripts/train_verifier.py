"""Train the verifier: python scripts/train_verifier.py READER_DATA TABLE_DATA CLAIMS OUTPUT [--count N].

READER_DATA and TABLE_DATA hold the prepared question files named below, CLAIMS the claim sets, each with its
SOURCE.txt. The training starts from the included reader; an interrupted one is resumed.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from pathlib import Path
from random import Random

import torch

from hopline.atomic_files import read_lines
from hopline.learned.registry import BUNDLED
from hopline.training.progress import TrainingProgress
from hopline.training.reader_data import ReaderFile, read_reader_file
from hopline.training.verifier import train_verifier
from hopline.training.verifier_data import (
    ClaimSample,
    make_claim_samples,
    make_flag_samples,
    make_table_samples,
    read_claims,
)

SEED = 42
# name of the file -> samples that are used at most
QUESTIONS = {
    "squad2-dev-19articles": 7000,
    "synthetic-negatives-squad-same-article": 1500,
    "squad1-dev-rest": 5000,
    "squad1-train-du-test": 5000,
    "nq-open-oracle": 2000,
    "nq-swap": 1500,
    "tydiqa-english": 4000,
    "squadshifts-newwiki": 2500,
    "timeqa-human-train": 2500,
    "multihop-train-1200": 1000,
    "boolq": 3500,
    "condaqa": 4000,
    "contractnli-dev-test": 2500,
    "conditionalqa": 1500,
    "fetaqa-dev-test-tables": 1500,
    "aitqa-tables": 1200,
    "hybridqa-dev-tables": 500,
}
TABLES = {"hitab-train": 5000, "gri-qa-one-table": 2000, "hct-qa-synthetic": 1000, "tabfact-programs": 1500}
CLAIMS = {
    "foolmetwice_dev": 1200,
    "foolmetwice_test": 1400,
    "feversymmetric_v01_full": 1000,
    "feversymmetric_v02_dev": 700,
    "infotabs_train": 4000,
}
FLAGS = 2000
# repository and licence of the sets that are not described by their files
SOURCES = {
    "multihop-train-1200": "HotpotQA CC BY-SA 4.0, 2WikiMultihopQA Apache-2.0, MuSiQue CC BY 4.0",
    "hitab-train": "microsoft/HiTab, C-UDA 1.0; tables of Statistics Canada, NSF and Wikipedia",
    "gri-qa-one-table": "softlab-unimore/gri_qa, MIT",
    "hct-qa-synthetic": "HCT-QA, generated tables, repo MIT",
    "tabfact-programs": "wenhuchen/Table-Fact-Checking, repo MIT; tables of Wikipedia CC BY-SA 3.0",
    "foolmetwice_dev": "google-research/fool-me-twice, Apache-2.0; Wikipedia text CC BY-SA 3.0",
    "foolmetwice_test": "google-research/fool-me-twice, Apache-2.0; Wikipedia text CC BY-SA 3.0",
    "feversymmetric_v01_full": "TalSchuster/FeverSymmetric, data Wikipedia terms, else CC BY-SA 3.0",
    "feversymmetric_v02_dev": "TalSchuster/FeverSymmetric, data Wikipedia terms, else CC BY-SA 3.0",
    "infotabs_train": "infotabs/infotabs, Apache-2.0",
    "flags": "generated: rows with a yes-or-no column",
}


def collect_samples(questions: Path, tables: Path, claims: Path) -> list[ClaimSample]:
    """Collect the samples of all sets, each cut to its limit."""
    samples: list[ClaimSample] = []
    flags: ReaderFile | None = None
    for name, limit in QUESTIONS.items():
        [path] = questions.glob(f"{name}.jsonl*")
        file = read_reader_file(path)
        flags = file if name == "squad2-dev-19articles" else flags
        samples += cut(make_claim_samples(file, seed=SEED), limit, name)
    for name, limit in TABLES.items():
        [path] = tables.glob(f"{name}.jsonl*")
        rows = [json.loads(line) for line in read_lines(path)]
        samples += cut(make_table_samples(rows, name, seed=SEED), limit, name)
    for name, limit in CLAIMS.items():
        samples += cut(read_claims(claims / f"{name}.jsonl"), limit, name)
    assert flags is not None
    return samples + make_flag_samples(flags, FLAGS, seed=SEED)


def describe_sources(samples: list[ClaimSample], questions: Path) -> dict[str, str]:
    """Return for each set the number of its samples, its repository and its licence."""
    sources = dict(SOURCES)
    for name in QUESTIONS.keys() - SOURCES.keys():
        [path] = questions.glob(f"{name}.jsonl*")
        description = read_reader_file(path).description
        sources[name] = ", ".join(str(description[key]) for key in ("repository", "licence") if key in description)
    counts = Counter(sample.source for sample in samples)
    return {name: f"{count} samples; {sources[name]}" for name, count in counts.items()}


def cut(samples: list[ClaimSample], limit: int, name: str) -> list[ClaimSample]:
    """Return at most ``limit`` samples, chosen by the seed."""
    return Random(f"{SEED} {name}").sample(samples, min(limit, len(samples)))  # noqa: S311 - no secret


def print_progress(step: TrainingProgress) -> None:
    """Print every fiftieth step."""
    if step.done % 50 == 0 or step.done == step.total:
        print(f"{time.strftime('%H:%M:%S')} {step.phase} {step.done}/{step.total} loss {step.loss:.4f}", flush=True)


def main() -> None:
    """Train, and print the figures of the model card."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("questions", "tables", "claims", "output"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--count", action="store_true", help="print the number of samples by set and label, and stop")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    samples = collect_samples(arguments.questions, arguments.tables, arguments.claims)
    counts = Counter((sample.source, sample.label) for sample in samples)
    for (source, label), count in sorted(counts.items()):
        print(f"{source:40} {label:13} {count}")
    if arguments.count:
        for sample in Random(SEED).sample(samples, 60):  # noqa: S311 - no secret
            print(sample)
        return
    data = describe_sources(samples, arguments.questions)
    card = train_verifier(samples, arguments.output, base=BUNDLED / "reader", data=data, on_progress=print_progress)
    print(json.dumps(dict(card.figures), indent=1))


if __name__ == "__main__":
    main()
