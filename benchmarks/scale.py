"""Time, disk and memory of one machine by the size of a collection: loading, searches, strategies, answers, Explore.

    python benchmarks/scale.py load FOLDER --home HOME [--heap MB] [--pagecache MB]   import an exported folder in bulk
    python benchmarks/scale.py measure QUESTIONS.jsonl.gz --home HOME [--count 100]   measure latency, memory, recall
    python benchmarks/scale.py report                                                 print a table with exponents

FOLDER is an exported collection, or one that `enlarge.py` made of it. Each part writes its figures for the number of
passages into ``benchmarks/results/scale.json``; one that is there is not measured again unless ``--again`` is given.
Questions are asked one after the other by one process, interleaved over what is measured, each with a number at its end
so that no cache has it. Memory is the resident memory of the database and of this process. The first question after a
restart is one of a new server with cold caches of its own; those of the operating system stay.
"""

from __future__ import annotations

import argparse
import gc
import json
import math
import os
import statistics
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import psutil

from hopline import Hopline
from hopline.atomic_files import write_text_atomically
from hopline.config import load_settings
from hopline.evaluation import evaluate, read_questions
from hopline.evaluation.questions import Question
from hopline.neo4j_server.memory import choose_memory

HERE: Final = Path(__file__).resolve().parent
RESULTS: Final = HERE / "results" / "scale.json"
STRATEGIES: Final = ("dense", "bm25", "hybrid", "hopline", "gnn_ret", "naive_ge", "hipporag", "kgp")
WARM_UP: Final = 8  # questions
CLIENTS: Final = 32


def read_results() -> dict[str, dict[str, Any]]:
    """Return the figures by number of passages, as text."""
    return json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else {}


def store_figures(passages: int, figures: dict[str, Any]) -> None:
    """Add figures to those of a number of passages."""
    results = read_results()
    results[str(passages)] = results.get(str(passages), {}) | figures
    text = json.dumps({key: results[key] for key in sorted(results, key=int)}, indent=1)
    write_text_atomically(RESULTS, text + "\n")


def measure_disk(folder: Path) -> int:
    """Return the bytes of the files below a folder, as allocated on the disk."""
    files = (path.stat() for path in folder.rglob("*") if path.is_file())
    return sum(512 * stat.st_blocks for stat in files)


def load(args: argparse.Namespace) -> None:
    """Import a folder in bulk, and store what it took."""
    chosen = {"home": args.home, "server_heap_mb": args.heap, "server_pagecache_mb": args.pagecache}
    phases: list[tuple[str, float]] = []
    with Hopline.open(**chosen) as hop:
        started = time.perf_counter()
        imported = hop.import_collection(
            args.folder, bulk=True, progress=lambda *phase: phases.append((phase[2], time.perf_counter()))
        )
        ended = time.perf_counter()
        times = [*(moment for _, moment in phases[1:]), ended]
        seconds = {name: round(end - start, 1) for (name, start), end in zip(phases, times, strict=True)}
        disk = {name: measure_disk(args.home / "neo4j" / "data" / name) for name in ("databases", "transactions")}
        nodes = hop.graph.cypher("MATCH (n) RETURN count(n) AS nodes").rows[0]["nodes"]
        edges = hop.graph.cypher("MATCH ()-[r]->() RETURN count(r) AS edges").rows[0]["edges"]
    figures = {
        "nodes": nodes, "edges": edges, "entities": imported.entities, "triples": imported.triples,
        "load seconds": round(ended - started, 1), "load phases": seconds, "disk": disk,
        "memory of the server, MB": asdict(choose_memory(load_settings(**chosen), args.home / "neo4j")),
    }  # fmt: skip
    store_figures(imported.passages, figures)
    print(json.dumps(figures, indent=1))


def list_calls(hop: Hopline, collection: str) -> dict[str, Callable[[str], object]]:
    """Return what is measured, each as a function of a question."""
    hub = hop.graph.list_entities(collection, limit=1)[0].node.id  # that most passages mention
    calls: dict[str, Callable[[str], object]] = {
        name: lambda question, name=name: hop.retrieve(question, collection=collection, strategy=name)  # type: ignore[misc]
        for name in STRATEGIES
    }
    return calls | {
        "answer": lambda question: hop.ask(question, collection=collection),
        "entities": lambda _: hop.graph.list_entities(collection, limit=50),
        "entity search": lambda question: hop.graph.find(question.split()[-2], collection=collection),
        "hub": lambda _: hop.graph.get_neighbourhood(hub, limit=100),
        "documents": lambda _: (hop.documents.list(collection, limit=50), hop.documents.count(collection)),
    }


def measure_times(
    calls: dict[str, Callable[[str], object]], questions: Iterable[str]
) -> tuple[dict[str, list[float]], dict[str, str]]:
    """Return the milliseconds of each call for each question, interleaved, and the first error of each call."""
    times: dict[str, list[float]] = {name: [] for name in calls}
    errors: dict[str, str] = {}
    for question in questions:
        for number, (name, call) in enumerate(calls.items()):
            if name in errors:
                continue
            started = time.perf_counter()
            try:
                call(f"{question} {number}")
            except Exception as error:  # noqa: BLE001 - a call that fails at a size is a result
                errors[name] = f"{type(error).__name__}: {error}"[:200]
                continue
            times[name].append(1000 * (time.perf_counter() - started))
    return times, errors


def ask_at_once(hop: Hopline, collection: str, questions: list[str]) -> dict[str, Any]:
    """Return seconds and errors of questions that many clients ask at once."""
    seconds: list[float] = []
    errors: list[str] = []
    lock = threading.Lock()

    def ask(question: str) -> None:
        started = time.perf_counter()
        try:
            hop.ask(question, collection=collection)
        except Exception as error:  # noqa: BLE001 - errors are counted
            with lock:
                errors.append(f"{type(error).__name__}: {error}"[:200])
            return
        with lock:
            seconds.append(time.perf_counter() - started)

    with ThreadPoolExecutor(CLIENTS) as pool:
        list(pool.map(ask, questions))
    return {"p50": find_quantile(seconds, 0.5), "p95": find_quantile(seconds, 0.95), "errors": errors}


def find_quantile(values: list[float], share: float) -> float:
    """Return a quantile of values, rounded to four digits; nan of none."""
    if not values:
        return math.nan
    return float(f"{sorted(values)[min(int(share * len(values)), len(values) - 1)]:.4g}")


def measure_recall(hop: Hopline, collection: str, questions: list[Question]) -> dict[str, float]:
    """Return R@5 of the strategies on questions with known evidence."""
    result = evaluate(hop, questions, STRATEGIES, collection=collection, k=10, answers=False)
    return {item.strategy: round(item.scores["R@5"].mean, 4) for item in result.strategies if "R@5" in item.scores}


def measure(args: argparse.Namespace) -> None:
    """Measure a home with one collection, and store the figures."""
    questions = read_questions(args.questions)[: args.count + WARM_UP]
    with Hopline.open(home=args.home) as hop:
        [collection] = hop.collections()
        name, passages = collection.name, collection.passages
        known = read_results().get(str(passages), {})
        if "latency" not in known or args.again:
            calls = list_calls(hop, name)
            measure_times(calls, [question.text for question in questions[:WARM_UP]])
            gc.collect()
            gc.freeze()  # as the page does when it is warm
            times, errors = measure_times(calls, [question.text for question in questions[WARM_UP:]])
            latency = {
                call: {"p50": find_quantile(values, 0.5), "p95": find_quantile(values, 0.95)}
                for call, values in times.items()
                if values
            }
            memory = {
                "database": hop.status().engine["memory"],
                "process": psutil.Process(os.getpid()).memory_info().rss,
            }
            store_figures(passages, {"latency": latency, "errors": errors, "memory": memory, "questions": args.count})
        if "recall" not in known or args.again:
            store_figures(passages, {"recall": measure_recall(hop, name, questions[: args.recall])})
        if "at once" not in known or args.again:
            texts = [f"{question.text} at once" for question in questions][: 2 * CLIENTS]
            store_figures(passages, {"at once": ask_at_once(hop, name, texts)})
    if "first question" not in known or args.again:
        Hopline.stop(args.home)
        started = time.perf_counter()
        with Hopline.open(home=args.home) as hop:
            opened = time.perf_counter()
            hop.ask(f"{questions[0].text} after a restart", collection=name)
            first = {"open": round(opened - started, 2), "answer": round(time.perf_counter() - opened, 2)}
            document = hop.documents.list(name, limit=1)[0]
            started = time.perf_counter()
            hop.documents.remove(document.id, collection=name)
            store_figures(
                passages, {"first question": first, "remove document": round(time.perf_counter() - started, 2)}
            )
    print(json.dumps(read_results()[str(passages)], indent=1))


def find_exponent(sizes: list[float], values: list[float]) -> float:
    """Return the slope of a line through the logarithms: 0 does not grow, 1 grows as the size does."""
    return statistics.linear_regression([math.log(size) for size in sizes], [math.log(value) for value in values]).slope


def report(_: argparse.Namespace) -> None:
    """Print the figures as tables in Markdown, with the exponents of their growth."""
    results = {int(size): figures for size, figures in read_results().items()}
    sizes = sorted(results)
    print("| | " + " | ".join(f"{size:,}" for size in sizes) + " | exponent |")
    print("|---" * (len(sizes) + 2) + "|")
    measured = [results[size].get("latency", {}) for size in sizes]
    for call in dict.fromkeys(call for latency in measured for call in latency):
        cells = [f"{item[call]['p50']:,.0f} / {item[call]['p95']:,.0f}" if call in item else "" for item in measured]
        pairs = [(size, item[call]["p50"]) for size, item in zip(sizes, measured, strict=True) if call in item]
        exponent = f"{find_exponent([a for a, _ in pairs], [b for _, b in pairs]):.2f}" if len(pairs) > 1 else ""
        print(f"| {call}, p50 / p95 ms | " + " | ".join(cells) + f" | {exponent} |")
    rows: dict[str, Callable[[dict[str, Any]], str]] = {
        "nodes / edges": lambda figures: f"{figures['nodes']:,} / {figures['edges']:,}",
        "bulk load, s": lambda figures: f"{figures['load seconds']:,.0f}",
        "of it indexes, s": lambda figures: f"{figures['load phases']['creating indexes']:,.0f}",
        "disk, GB": lambda figures: f"{sum(figures['disk'].values()) / 1e9:.2f}",
        "memory, GB: database / process": lambda figures: " / ".join(
            f"{figures['memory'][part] / 1e9:.2f}" for part in ("database", "process")
        ),
        f"{CLIENTS} clients: p50 / p95 s, errors": lambda figures: (
            f"{figures['at once']['p50']:.1f} / {figures['at once']['p95']:.1f}, {len(figures['at once']['errors'])}"
        ),
        "after a restart: open / first answer, s": lambda figures: (
            f"{figures['first question']['open']:.1f} / {figures['first question']['answer']:.1f}"
        ),
        "remove a document, s": lambda figures: f"{figures['remove document']:.1f}",
        "R@5": lambda figures: ", ".join(f"{name} {100 * value:.1f}" for name, value in figures["recall"].items()),
    }
    for label, show in rows.items():
        cells = []
        for size in sizes:
            try:
                cells.append(show(results[size]))
            except KeyError:  # not measured yet
                cells.append("")
        print(f"| {label} | " + " | ".join(cells) + " | |")


def main() -> None:
    parser = argparse.ArgumentParser()
    parts = parser.add_subparsers(required=True)
    loading = parts.add_parser("load")
    loading.add_argument("folder", type=Path)
    loading.add_argument("--home", type=Path, required=True)
    loading.add_argument("--heap", type=int, help="MB; by default chosen for the size of the graph")
    loading.add_argument("--pagecache", type=int, help="MB; by default chosen for the size of the graph")
    loading.set_defaults(run=load)
    measuring = parts.add_parser("measure")
    measuring.add_argument("questions", type=Path)
    measuring.add_argument("--home", type=Path, required=True)
    measuring.add_argument("--count", type=int, default=100)
    measuring.add_argument("--recall", type=int, default=200)
    measuring.add_argument("--again", action="store_true")
    measuring.set_defaults(run=measure)
    reporting = parts.add_parser("report")
    reporting.set_defaults(run=report)
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
