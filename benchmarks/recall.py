"""Recall@10 of dense search compared with brute force, at 100,000 vectors.

    python benchmarks/recall.py [--count 100000] [--queries 200] [--home FOLDER]

Clustered vectors of 384 dimensions (2,000 centres, the spread of sentence embeddings), seeded. Half of them are in the
collection that is searched, half in another, so that the scope is tested as well. Prints recall, and the median latency
of a search in milliseconds.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time

import numpy as np

from hopline.config import load_settings
from hopline.flow.requests import search
from hopline.flow.services import Scope
from hopline.ids import collection_id
from hopline.neo4j_server import stop
from hopline.store.graph import Store

DIMENSION, K = 384, 10


def sample_vectors(count: int, seed: int) -> np.ndarray:
    random = np.random.default_rng(seed)
    centres = np.random.default_rng(7).normal(size=(2000, DIMENSION))
    rows = centres[random.integers(len(centres), size=count)] + 0.7 * random.normal(size=(count, DIMENSION))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def write_vectors(store: Store, rows: np.ndarray) -> None:
    names = [collection_id("even"), collection_id("odd")]
    for start in range(0, len(rows), 1000):
        part = range(start, min(start + 1000, len(rows)))
        passages = [
            {"id": f"v{n}", "pages": [], "search": "", "version": "1",
             "properties": {"collection": names[n % 2], "document": "", "text": ""}}
            for n in part
        ]  # fmt: skip
        written = [{"id": f"v{n}", "vector": rows[n].tolist()} for n in part]
        store.write(
            ("ingest/write_passages", {"passages": passages}),
            ("ingest/write_vectors_evidence", {"rows": written, "embedding": store.embedding}),
        )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--home")
    args = parser.parse_args()
    settings = load_settings(home=args.home or tempfile.mkdtemp(), server_heap_mb=1024)
    store = Store.open(settings, embedder="recall", dimension=DIMENSION)
    rows, questions = sample_vectors(args.count, 1), sample_vectors(args.queries, 2)
    started = time.perf_counter()
    write_vectors(store, rows)
    store.read("schema/await_indexes", {"seconds": 600})
    print(f"{args.count:,} vectors written and indexed in {time.perf_counter() - started:.0f} s")
    scope = Scope(collection_id("even"))
    even = rows[::2]
    recalls, times = [], []
    for question in questions:
        best = {f"v{2 * n}" for n in np.argsort(-(even @ question))[:K]}
        started = time.perf_counter()
        hits = store.search(search(question, K), scope, question)
        times.append(1000 * (time.perf_counter() - started))
        recalls.append(len(best & set(hits.ids)) / K)
    median = statistics.median(times)
    print(f"recall@{K} {statistics.mean(recalls):.4f} over {len(questions)} queries; {median:.1f} ms a search")
    store.close()
    stop(settings)


if __name__ == "__main__":
    main()
