"""What a search within themes saves, and what it loses, on the real index.

    python benchmarks/theme_scope.py QUESTIONS.jsonl.gz -c COLLECTION [--home FOLDER] [--count 200]

The collection has its themes (`hopline themes -c COLLECTION`). For each scope: recall@5 of the gold passages, and the
p50 of the search alone beside a search of the vector index and a scan that compares every passage exactly; all take
turns question by question. Vectors and themes of the questions are made beforehand, and their time is told apart.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import fmean, median

from hopline.config import load_settings
from hopline.embeddings.loader import load_embedder
from hopline.evaluation import read_questions
from hopline.flow.requests import Among, Hits, Vector, search
from hopline.flow.services import Scope
from hopline.ids import collection_id
from hopline.learned.registry import LearnedParts
from hopline.store.graph import Store
from hopline.topics.collection_topics import themes_of
from hopline.topics.topic_scope import theme_property

SCOPES = (0.01, 0.02, 0.04, 0.1, 0.25)
K = 5


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("questions", type=Path)
    parser.add_argument("-c", "--collection", required=True)
    parser.add_argument("--home")
    parser.add_argument("--count", type=int, default=200)
    given = parser.parse_args()
    settings = load_settings(home=given.home)
    embedder, parts = load_embedder(settings), LearnedParts(settings.weights)
    store = Store.open(settings, embedder=embedder.name, dimension=embedder.dimension)
    scope = Scope(collection_id(given.collection))
    themes = themes_of(store, scope.collection)
    questions = [one for one in read_questions(given.questions) if one.gold][: given.count]
    vectors = embedder.embed([one.text for one in questions])
    began = time.perf_counter()
    expected = [parts.infer(f"themes/{themes.set}", {"vectors": one[None], "expected": True})[0] for one in vectors]
    each = 1000 * (time.perf_counter() - began) / len(questions)
    inside = store.size(scope.collection)[0]
    print(f"{inside} passages, {len(themes.themes)} themes, those of a question in {each:.2f} ms")
    gold = [set(store.fetch("gold/evidence", {"wanted": list(one.gold)}, scope)["id"]) for one in questions]
    measure(store, scope, theme_property(themes.set), list(zip(vectors, expected, gold, strict=True)))
    store.close()


def measure(store: Store, scope: Scope, name: str, asked: Sequence[tuple[Vector, Vector, set[str]]]) -> None:
    """Print a line for each search; a question is its vector, the themes expected of its answer, and the gold ids."""
    times: dict[str, list[float]] = {}
    found: dict[str, list[float]] = {}
    for vector, spread, right in asked:
        for kind, call in calls(store, scope, vector, name, spread).items():
            began = time.perf_counter()
            hits = call()
            times.setdefault(kind, []).append(1000 * (time.perf_counter() - began))
            found.setdefault(kind, []).append(len(right & set(hits.ids)) / len(right))
    index, scan, plain = median(times["index"]), median(times["scan"]), fmean(found["scan"])
    for kind, each_time in times.items():
        middle, share = median(each_time), fmean(found[kind])
        print(
            f"{kind:10} p50 {middle:7.1f} ms, x {middle / index:.2f} of the index, x {middle / scan:.2f} of the scan; "
            f"R@{K} {100 * share:.1f}, {100 * share / plain:.0f} % kept"
        )


def calls(store: Store, scope: Scope, vector: Vector, name: str, spread: Vector) -> dict[str, Callable[[], Hits]]:
    """The searches by name."""
    some: dict[str, Callable[[], Hits]] = {
        "index": lambda: store.search(search(vector, K), scope, vector),
        "scan": lambda: scanned(store, scope, vector),
    }
    for share in SCOPES:
        asked = search(vector, K, among=Among(name, spread, share))
        some[f"scope {share}"] = lambda asked=asked: store.search(asked, scope, vector)
    return some


def scanned(store: Store, scope: Scope, vector: Vector) -> Hits:
    """Every passage compared."""
    columns = store.fetch("search/scan_evidence", {"vector": vector.tolist(), "label": "", "k": K}, scope)
    return Hits(tuple(columns["id"]), tuple(columns["score"]))


if __name__ == "__main__":
    main()
