"""Recall and latency of dense search within topics, compared with the vector index and an exact scan.

    python benchmarks/topic_scope.py QUESTIONS.jsonl.gz -c COLLECTION [--home FOLDER] [--count 200]

The collection has topics (`hopline topics -c COLLECTION`). For each scope: recall@5 of the gold passages, and the p50
latency of the search alone, compared with a search of the vector index and a scan that compares every passage exactly;
the searches are interleaved question by question. Embeddings and topics of the questions are computed beforehand and
timed separately.
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
from hopline.flow.requests import Hits, Vector, VectorFilter, search
from hopline.flow.services import Scope
from hopline.ids import collection_id
from hopline.learned.registry import ModelRegistry
from hopline.store.graph import Store
from hopline.topics.collection_topics import read_topics
from hopline.topics.topic_scope import topic_property

SCOPES = (0.01, 0.02, 0.04, 0.1, 0.25)
K = 5


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("questions", type=Path)
    parser.add_argument("-c", "--collection", required=True)
    parser.add_argument("--home")
    parser.add_argument("--count", type=int, default=200)
    args = parser.parse_args()
    settings = load_settings(home=args.home)
    embedder, models = load_embedder(settings), ModelRegistry(settings.weights)
    store = Store.open(settings, embedder=embedder.name, dimension=embedder.dimension)
    scope = Scope(collection_id(args.collection))
    topics = read_topics(store, scope.collection)
    questions = [question for question in read_questions(args.questions) if question.gold][: args.count]
    vectors = embedder.embed([question.text for question in questions])
    started = time.perf_counter()
    expected = [
        models.infer(f"themes/{topics.set}", {"vectors": vector[None], "expected": True})[0] for vector in vectors
    ]
    milliseconds = 1000 * (time.perf_counter() - started) / len(questions)
    size = store.count_evidence(scope.collection)[0]
    print(f"{size} passages, {len(topics.topics)} topics, topics of a question in {milliseconds:.2f} ms")
    gold = [set(store.fetch("gold/evidence", {"wanted": list(question.gold)}, scope)["id"]) for question in questions]
    measure(store, scope, topic_property(topics.set), list(zip(vectors, expected, gold, strict=True)))
    store.close()


def measure(store: Store, scope: Scope, name: str, questions: Sequence[tuple[Vector, Vector, set[str]]]) -> None:
    """Print one line per search; a question is its vector, the expected topics of its answer, and the gold ids."""
    times: dict[str, list[float]] = {}
    recalls: dict[str, list[float]] = {}
    for vector, distribution, gold in questions:
        for kind, call in build_searches(store, scope, vector, name, distribution).items():
            started = time.perf_counter()
            hits = call()
            times.setdefault(kind, []).append(1000 * (time.perf_counter() - started))
            recalls.setdefault(kind, []).append(len(gold & set(hits.ids)) / len(gold))
    index, scan, scan_recall = median(times["index"]), median(times["scan"]), fmean(recalls["scan"])
    for kind, values in times.items():
        middle, share = median(values), fmean(recalls[kind])
        print(
            f"{kind:10} p50 {middle:7.1f} ms, x {middle / index:.2f} of the index, x {middle / scan:.2f} of the scan; "
            f"R@{K} {100 * share:.1f}, {100 * share / scan_recall:.0f} % of the scan"
        )


def build_searches(
    store: Store, scope: Scope, vector: Vector, name: str, distribution: Vector
) -> dict[str, Callable[[], Hits]]:
    """The searches by name: the index, the scan, and one per scope."""
    searches: dict[str, Callable[[], Hits]] = {
        "index": lambda: store.search(search(vector, K), scope, vector),
        "scan": lambda: scan_all(store, scope, vector),
    }
    for share in SCOPES:
        request = search(vector, K, vector_filter=VectorFilter(name, distribution, share))
        searches[f"scope {share}"] = lambda request=request: store.search(request, scope, vector)
    return searches


def scan_all(store: Store, scope: Scope, vector: Vector) -> Hits:
    """Compare every passage exactly."""
    columns = store.fetch("search/scan_evidence", {"vector": vector.tolist(), "label": "", "k": K}, scope)
    return Hits(tuple(columns["id"]), tuple(columns["score"]))


if __name__ == "__main__":
    main()
