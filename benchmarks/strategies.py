"""Recall of every strategy that needs no model on the multi-hop sets, beside what each costs; writes the table.

    python benchmarks/strategies.py FOLDER [--home FOLDER] [--limit N] [-s STRATEGY …] [--set SET …] [--only-table]

FOLDER holds hotpotqa/, 2wiki/ and musique/, each with corpus.jsonl.gz and questions.jsonl.gz; a corpus that is not
in the graph yet is added first. Each set's figures go to results/strategies-SET.json; README.md and recall.svg here
are made from those files. Recall is over all questions, or the first ``--limit``; time, as a multiple of `dense`, over
forty questions of the first set, each new to every cache, the two taking turns.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import platform
import statistics
import time
from pathlib import Path

from table import write_table

from hopline import Hopline
from hopline.evaluation import evaluate, read_questions

TIMED, WARM = 40, 5  # questions under the clock, and how many of them do not count
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
    given = parser.parse_args()
    (HERE / "results").mkdir(exist_ok=True)
    if not given.only_table:
        with Hopline.open(home=given.home) as hop:
            for name in given.set or SETS:
                measure(hop, given.folder / name, given.strategy or STRATEGIES, given.limit)
            take_times(hop, given.folder / SETS[0], given.strategy or STRATEGIES)
    write_table(HERE)


def measure(hop: Hopline, folder: Path, strategies: list[str], limit: int | None) -> None:
    """One set: figures of these strategies replace older ones; others stay where the questions are the same."""
    hop.add(folder / "corpus.jsonl.gz", collection=folder.name).wait(progress=True)
    questions = read_questions(folder / "questions.jsonl.gz", limit=limit)
    file = HERE / "results" / f"strategies-{folder.name}.json"
    known = json.loads(file.read_text()) if file.exists() else {}
    if known.get("questions") != len(questions):
        known = {"strategies": {}}
    [inside] = [one.passages for one in hop.collections() if one.name == folder.name]
    total = sum(one.passages for one in hop.collections())
    known |= {"set": folder.name, "questions": len(questions), "passages": inside, "passages in the graph": total}
    begun = time.perf_counter()
    together = list(dict.fromkeys(["dense", *strategies]))
    found = evaluate(hop, questions, together, collection=folder.name, answers=False, baseline="dense").to_dict()
    for row in found["strategies"]:
        strategy = row.pop("strategy")
        del row["latency_ms"]
        row |= {"date": dt.datetime.now(tz=dt.UTC).date().isoformat(), "machine": platform.machine()}
        known["strategies"][strategy] = row
        recall, every = (100 * row["scores"][name]["mean"] for name in ("R@5", "all@5"))
        print(f"{folder.name} {strategy:28} R@5 {recall:.1f} all@5 {every:.1f}", flush=True)
    print(f"{folder.name}: {len(questions)} questions, {len(together)} strategies: {time.perf_counter() - begun:.0f} s")
    file.write_text(json.dumps(known, indent=1) + "\n")


def take_times(hop: Hopline, folder: Path, strategies: list[str]) -> None:
    questions = [one.text for one in read_questions(folder / "questions.jsonl.gz", limit=TIMED)]
    file = HERE / "results" / "times.json"
    known = json.loads(file.read_text()) if file.exists() else {}
    for strategy in strategies:
        clock: dict[str, list[float]] = {"dense": [], strategy: []}
        for number, question in enumerate(questions):
            for place, name in enumerate(("dense", strategy)):
                begun = time.perf_counter()
                hop.retrieve(f"{question} {number}{place}{strategy}", collection=folder.name, strategy=name)
                clock[name].append(1000 * (time.perf_counter() - begun))
        own, base = statistics.median(clock[strategy][WARM:]), statistics.median(clock["dense"][WARM:])
        known[strategy] = {"p50 ms": round(own, 1), "p50 ms of dense": round(base, 1), "ratio": round(own / base, 2)}
        file.write_text(json.dumps(known, indent=1) + "\n")


if __name__ == "__main__":
    main()
