"""Recall and latency of every strategy that needs no language model on the multi-hop sets; writes the results table.

    python benchmarks/strategies.py FOLDER [--home FOLDER] [--limit N] [-s STRATEGY …] [--set SET …] [--only-table]

FOLDER holds hotpotqa/, 2wiki/ and musique/, each with corpus.jsonl.gz and questions.jsonl.gz; corpora that are not in
the graph yet are added first. The scores of each set are written to results/strategies-SET.json; the table in README.md
and recall.svg are built from these files. Recall is over all questions, or the first ``--limit``; latency, as a
multiple of `dense`, over forty questions of the first set that are in no cache, interleaved with `dense`.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import platform
import statistics
import time
from pathlib import Path

from results_table import write_table

from hopline import Hopline
from hopline.evaluation import evaluate, read_questions

TIMED, WARM = 40, 5  # timed questions, and the number of them that are warm-up
HERE = Path(__file__).resolve().parent
SETS = ("hotpotqa", "2wiki", "musique")
STRATEGIES = [
    "dense", "bm25", "tfidf", "hybrid", "hybrid:fuse=sum", "knn_fuzzy", "gnn_ret", "gnn_ret:base=hybrid,hub=10",
    "naive_ge", "hipporag", "kgp", "kgp:graph=keywords", "kgp:graph=similar", "hopline", "hopline:cover=0",
    "kgp:guide=encoder", "kgp:guide=mdr", "guided", "mdr", "mdr:trained=true", "graph_hop", "ras",
]  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--home")
    parser.add_argument("--limit", type=int)
    parser.add_argument("-s", "--strategy", action="append")
    parser.add_argument("--set", action="append", choices=SETS)
    parser.add_argument("--only-table", action="store_true")
    args = parser.parse_args()
    (HERE / "results").mkdir(exist_ok=True)
    if not args.only_table:
        with Hopline.open(home=args.home) as hop:
            for name in args.set or SETS:
                measure(hop, args.folder / name, args.strategy or STRATEGIES, args.limit)
            measure_latency(hop, args.folder / SETS[0], args.strategy or STRATEGIES)
    write_table(HERE)


def measure(hop: Hopline, folder: Path, strategies: list[str], limit: int | None) -> None:
    """Evaluate one set: replaces earlier scores of these strategies; keeps others if the questions are the same."""
    hop.add(folder / "corpus.jsonl.gz", collection=folder.name).wait(progress=True)
    questions = read_questions(folder / "questions.jsonl.gz", limit=limit)
    file = HERE / "results" / f"strategies-{folder.name}.json"
    results = json.loads(file.read_text()) if file.exists() else {}
    if results.get("questions") != len(questions):
        results = {"strategies": {}}
    [size] = [entry.passages for entry in hop.collections() if entry.name == folder.name]
    total = sum(entry.passages for entry in hop.collections())
    results |= {"set": folder.name, "questions": len(questions), "passages": size, "passages in the graph": total}
    started = time.perf_counter()
    compared = list(dict.fromkeys(["dense", *strategies]))
    scores = evaluate(hop, questions, compared, collection=folder.name, answers=False, baseline="dense").to_dict()
    for row in scores["strategies"]:
        strategy = row.pop("strategy")
        del row["latency_ms"]
        row |= {"date": dt.datetime.now(tz=dt.UTC).date().isoformat(), "machine": platform.machine()}
        results["strategies"][strategy] = row
        recall, complete = (100 * row["scores"][name]["mean"] for name in ("R@5", "all@5"))
        print(f"{folder.name} {strategy:28} R@5 {recall:.1f} all@5 {complete:.1f}", flush=True)
    print(
        f"{folder.name}: {len(questions)} questions, {len(compared)} strategies: {time.perf_counter() - started:.0f} s"
    )
    file.write_text(json.dumps(results, indent=1) + "\n")


def measure_latency(hop: Hopline, folder: Path, strategies: list[str]) -> None:
    questions = [question.text for question in read_questions(folder / "questions.jsonl.gz", limit=TIMED)]
    file = HERE / "results" / "times.json"
    results = json.loads(file.read_text()) if file.exists() else {}
    for strategy in strategies:
        times: dict[str, list[float]] = {"dense": [], strategy: []}
        for number, question in enumerate(questions):
            for position, name in enumerate(("dense", strategy)):
                started = time.perf_counter()
                hop.retrieve(f"{question} {number}{position}{strategy}", collection=folder.name, strategy=name)
                times[name].append(1000 * (time.perf_counter() - started))
        own, base = statistics.median(times[strategy][WARM:]), statistics.median(times["dense"][WARM:])
        results[strategy] = {"p50 ms": round(own, 1), "p50 ms of dense": round(base, 1), "ratio": round(own / base, 2)}
        file.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
