"""`topic_scope.py` on a larger graph: every sentence of the three dev corpora is a passage of its own.

    python benchmarks/topic_scale.py FOLDER --topics SET [--home FOLDER] [--passages 100000] [--count 200]

FOLDER holds hotpotqa/, 2wiki/ and musique/, each with corpus.jsonl.gz and questions.jsonl.gz. SET is a topic set in the
home folder, such as one that `hopline topics` learned from one of them. The graph is created for the benchmark and
deleted at the end. Gold are the sentences of HotpotQA's gold passages, so recall can be compared with the scan only.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np
from strategies import SETS
from topic_scope import measure

from hopline.atomic_files import read_lines
from hopline.config import load_settings
from hopline.embeddings.loader import load_embedder
from hopline.evaluation import read_questions
from hopline.flow.requests import Vectors
from hopline.flow.services import Scope
from hopline.ids import collection_id
from hopline.learned.registry import ModelRegistry
from hopline.neo4j_server import stop
from hopline.store.graph import Store
from hopline.text.sentences import split_sentences
from hopline.topics.topic_scope import topic_property

BATCH_SIZE = 500  # passages of one transaction
SCOPE = Scope(collection_id("sentences"))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--topics", required=True)
    parser.add_argument("--home")
    parser.add_argument("--passages", type=int, default=100_000)
    parser.add_argument("--count", type=int, default=200)
    args = parser.parse_args()
    settings_with_topics = load_settings(home=args.home)
    embedder, models, part = (
        load_embedder(settings_with_topics),
        ModelRegistry(settings_with_topics.weights),
        f"themes/{args.topics}",
    )
    rows = list(islice(read_sentences(args.folder), args.passages))
    started = time.perf_counter()
    vectors = embedder.embed([text for _, text in rows])
    distributions = models.infer(part, {"vectors": vectors})
    print(f"{len(rows)} sentences embedded in {time.perf_counter() - started:.0f} s", flush=True)
    sentences_of: dict[str, set[str]] = {}
    for n, (passage, _) in enumerate(rows):
        sentences_of.setdefault(passage, set()).add(f"s{n}")
    questions = read_questions(args.folder / SETS[0] / "questions.jsonl.gz")
    answerable = [row for row in questions if row.gold and all(id in sentences_of for id in row.gold)][: args.count]
    question_vectors = embedder.embed([question.text for question in answerable])
    expected = models.infer(part, {"vectors": question_vectors, "expected": True})
    gold = [set().union(*(sentences_of[id] for id in question.gold)) for question in answerable]
    with tempfile.TemporaryDirectory() as home:
        settings = load_settings(home=home, server_heap_mb=2048)
        store = Store.open(settings, embedder=embedder.name, dimension=embedder.dimension)
        try:
            write_collection(store, args.topics, vectors, distributions)
            measure(store, SCOPE, topic_property(args.topics), list(zip(question_vectors, expected, gold, strict=True)))
        finally:
            store.close()
            stop(settings)


def read_sentences(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield (id of the passage, sentence), one set after the other."""
    for name in SETS:
        for line in read_lines(folder / name / "corpus.jsonl.gz"):
            row = json.loads(line)
            for start, end in split_sentences(row["text"]):
                yield row["id"], f"{row['title']}. {row['text'][start:end]}"


def write_collection(store: Store, topics: str, vectors: Vectors, distributions: Vectors) -> None:
    """Write passages without text, with their vectors and topic distributions, and wait for both indexes."""
    started = time.perf_counter()
    store.ensure_vector_index(topic_property(topics), distributions.shape[1])
    for indices in np.array_split(np.arange(len(vectors)), len(vectors) // BATCH_SIZE + 1):
        store.write(
            ("ingest/write_passages", {"passages": [build_passage(n) for n in indices]}),
            ("ingest/write_vectors_evidence", {"rows": build_rows(indices, vectors), "embedding": store.embedding}),
            (
                "topics/write_topics",
                {
                    "property": topic_property(topics),
                    "themes": topics,
                    "rows": [{**row, "theme": 0} for row in build_rows(indices, distributions)],
                },
            ),
        )
    store.read("schema/await_indexes", {"seconds": 600})
    print(f"written and indexed in {time.perf_counter() - started:.0f} s", flush=True)


def build_passage(n: int) -> dict[str, object]:
    properties = {"collection": SCOPE.collection, "document": "", "text": ""}
    return {"id": f"s{n}", "pages": [], "search": "", "version": "1", "properties": properties}


def build_rows(indices: Sequence[int], vectors: Vectors) -> list[dict[str, object]]:
    return [{"id": f"s{n}", "vector": vectors[n].tolist()} for n in indices]


if __name__ == "__main__":
    main()
