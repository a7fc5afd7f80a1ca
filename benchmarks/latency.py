"""Milliseconds a question, each strategy beside one dense query on the same store, interleaved.

    python benchmarks/latency.py QUESTIONS.jsonl.gz -c COLLECTION [--home FOLDER] [--corpus FILE]
                                 [--count 100] [-s STRATEGY …]

Each question is new to every cache; strategies take turns question by question, so that whatever
else the machine does falls on all of them alike. Prints p50, p95, and the ratio of the p50 to that
of `dense`; the last line is a whole warm `hop.ask`.
"""

from __future__ import annotations

import argparse
import gzip
import json
import statistics
import time
from pathlib import Path

from hopline import Hopline

STRATEGIES = ["dense", "bm25", "hybrid", "gnn_ret", "gnn_ret:base=hybrid,hub=10", "naive_ge", "hipporag", "hopline"]


def read(path: Path, count: int) -> list[str]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line)["question"] for line in lines][:count]


def timed(call, question: str) -> float:
    begun = time.perf_counter()
    call(question)
    return 1000 * (time.perf_counter() - begun)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("questions", type=Path)
    parser.add_argument("-c", "--collection", required=True)
    parser.add_argument("-s", "--strategy", action="append")
    parser.add_argument("--home")
    parser.add_argument("--corpus", type=Path, help="added first where it is not there yet")
    parser.add_argument("--count", type=int, default=100)
    given = parser.parse_args()
    names = given.strategy or STRATEGIES
    with Hopline.open(home=given.home) as hop:
        if given.corpus:
            hop.add(given.corpus, collection=given.collection).wait(progress=True)
        calls = {name: lambda q, s=name: hop.retrieve(q, collection=given.collection, strategy=s) for name in names}
        calls["ask"] = lambda q: hop.ask(q, collection=given.collection)
        questions = read(given.questions, given.count + 10)
        for question in questions[:10]:
            for call in calls.values():
                call(question)
        times: dict[str, list[float]] = {name: [] for name in calls}
        for place, question in enumerate(questions[10:]):
            for number, (name, call) in enumerate(calls.items()):
                times[name].append(timed(call, f"{question} {place} {number}"))  # so that no vector is remembered
    base = statistics.median(times[names[0]])
    for name, each in times.items():
        p95 = sorted(each)[int(0.95 * len(each))]
        p50 = statistics.median(each)
        print(f"{name:32} p50 {p50:7.1f} ms   p95 {p95:7.1f} ms   x {p50 / base:.2f}")


if __name__ == "__main__":
    main()
