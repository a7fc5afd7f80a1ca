"""Exact match and F1 of the reader on question answering files that it was not trained on.

    python benchmarks/reader.py FILE … [--weights FOLDER] [--limit N] [--threshold 0] [--json]

The files are SQuAD's JSON or MRQA's lines. Long paragraphs are cut to a window of sentences with the answer, or to a
random one where there is none, as in training. ``--weights`` is a folder that ``hopline train reader`` wrote; default:
the weights included with Hopline. An answer is given where the score of the best span is above the threshold.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from random import Random

import numpy as np

from hopline.learned.reader import load_reader
from hopline.learned.reading import Reading
from hopline.learned.registry import BUNDLED
from hopline.training.reader_data import ReaderSample, make_samples, read_reader_file
from hopline.training.reader_evaluation import compute_figures


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--weights", type=Path, default=BUNDLED / "reader")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--threshold", type=float, default=0.0)
    parser.add_argument("--json", action="store_true", help="print one object")
    arguments = parser.parse_args()
    reader = load_reader(arguments.weights)
    samples: list[ReaderSample] = []
    for path in arguments.files:
        samples += make_samples(read_reader_file(path).paragraphs, seed=1, negatives=False)
    samples = Random(1).sample(samples, min(len(samples), arguments.limit or len(samples)))
    started = time.perf_counter()
    readings = [
        Reading.from_row(row)
        for sample in samples
        for row in reader(question=sample.question, passages=[[sample.header, sample.text]])
    ]
    milliseconds = 1000 * (time.perf_counter() - started) / len(samples)
    figures = compute_figures(samples, readings, threshold=arguments.threshold).round_known()
    unanswerable = int(np.sum([not sample.answered for sample in samples]))
    results = {"questions": len(samples), "unanswerable": unanswerable, **figures, "ms": round(milliseconds, 1)}
    if arguments.json:
        print(json.dumps(results))
        return
    for name, value in results.items():
        print(f"{name:12} {value}")


if __name__ == "__main__":
    main()
