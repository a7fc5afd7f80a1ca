"""Latency per question of each strategy compared with one dense query on the same store, interleaved.

    python benchmarks/latency.py QUESTIONS.jsonl.gz -c COLLECTION [--home FOLDER] [--corpus FILE]
                                 [--count 100] [-s STRATEGY …]

No question is in any cache; strategies are interleaved question by question, so that other load on the machine affects
all of them alike. Prints p50, p95, and the ratio of the p50 to that of `dense`; the last line is a complete warm
`hop.ask`.
"""

from __future__ import annotations

import argparse
import gc
import gzip
import json
import statistics
import time
from pathlib import Path

from hopline import Hopline

STRATEGIES = ["dense", "bm25", "hybrid", "gnn_ret", "gnn_ret:base=hybrid,hub=10", "naive_ge", "hipporag", "hopline"]


def read_questions(path: Path, count: int) -> list[str]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line)["question"] for line in lines][:count]


def measure_time(call, question: str) -> float:
    started = time.perf_counter()
    call(question)
    return 1000 * (time.perf_counter() - started)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("questions", type=Path)
    parser.add_argument("-c", "--collection", required=True)
    parser.add_argument("-s", "--strategy", action="append")
    parser.add_argument("--home")
    parser.add_argument("--corpus", type=Path, help="added first if it is not in the collection yet")
    parser.add_argument("--count", type=int, default=100)
    args = parser.parse_args()
    names = args.strategy or STRATEGIES
    with Hopline.open(home=args.home) as hop:
        if args.corpus:
            hop.add(args.corpus, collection=args.collection).wait(progress=True)
        calls = {name: lambda q, s=name: hop.retrieve(q, collection=args.collection, strategy=s) for name in names}
        calls["ask"] = lambda q: hop.ask(q, collection=args.collection)
        questions = read_questions(args.questions, args.count + 10)
        for question in questions[:10]:
            for call in calls.values():
                call(question)
        gc.collect()
        gc.freeze()  # as the page does when it is warm
        times: dict[str, list[float]] = {name: [] for name in calls}
        for index, question in enumerate(questions[10:]):
            for number, (name, call) in enumerate(calls.items()):
                times[name].append(
                    measure_time(call, f"{question} {index} {number}")
                )  # unique, so that no embedding is cached
    base = statistics.median(times[names[0]])
    for name, values in times.items():
        p95 = sorted(values)[int(0.95 * len(values))]
        p50 = statistics.median(values)
        print(f"{name:32} p50 {p50:7.1f} ms   p95 {p95:7.1f} ms   x {p50 / base:.2f}")


if __name__ == "__main__":
    main()
