"""`theme_scope.py` on a larger graph: every sentence of the three dev corpora is a passage of its own.

    python benchmarks/theme_scale.py FOLDER --themes SET [--home FOLDER] [--passages 100000] [--count 200]

FOLDER holds hotpotqa/, 2wiki/ and musique/, each with corpus.jsonl.gz and questions.jsonl.gz. SET is a set of themes in
the home folder, such as `hopline themes` learned from one of them. The graph is a new one that goes at the end. Gold
are the sentences of HotpotQA's gold passages, so that recall is for comparison with the scan only.
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
from theme_scope import measure

from hopline.atomic_files import text_lines
from hopline.config import load_settings
from hopline.embeddings.loader import load_embedder
from hopline.evaluation import read_questions
from hopline.flow.requests import Vectors
from hopline.flow.services import Scope
from hopline.ids import collection_id
from hopline.learned.registry import LearnedParts
from hopline.neo4j_server import stop
from hopline.store.graph import Store
from hopline.topics.topic_scope import theme_property
from hopline_ingest.chunking import sentences

AT_ONCE = 500  # passages a transaction
SCOPE = Scope(collection_id("sentences"))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--themes", required=True)
    parser.add_argument("--home")
    parser.add_argument("--passages", type=int, default=100_000)
    parser.add_argument("--count", type=int, default=200)
    given = parser.parse_args()
    learned = load_settings(home=given.home)
    embedder, parts, part = load_embedder(learned), LearnedParts(learned.weights), f"themes/{given.themes}"
    rows = list(islice(passages(given.folder), given.passages))
    began = time.perf_counter()
    vectors = embedder.embed([text for _, text in rows])
    themes = parts.infer(part, {"vectors": vectors})
    print(f"{len(rows)} sentences embedded in {time.perf_counter() - began:.0f} s", flush=True)
    sentences_of: dict[str, set[str]] = {}
    for n, (passage, _) in enumerate(rows):
        sentences_of.setdefault(passage, set()).add(f"s{n}")
    questions = read_questions(given.folder / SETS[0] / "questions.jsonl.gz")
    whole = [one for one in questions if one.gold and all(id in sentences_of for id in one.gold)][: given.count]
    asked = embedder.embed([one.text for one in whole])
    expected = parts.infer(part, {"vectors": asked, "expected": True})
    gold = [set().union(*(sentences_of[id] for id in one.gold)) for one in whole]
    with tempfile.TemporaryDirectory() as home:
        settings = load_settings(home=home, server_heap_mb=2048)
        store = Store.open(settings, embedder=embedder.name, dimension=embedder.dimension)
        try:
            fill(store, given.themes, vectors, themes)
            measure(store, SCOPE, theme_property(given.themes), list(zip(asked, expected, gold, strict=True)))
        finally:
            store.close()
            stop(settings)


def passages(folder: Path) -> Iterator[tuple[str, str]]:
    """(id of the passage that it stands in, sentence), set by set."""
    for name in SETS:
        for line in text_lines(folder / name / "corpus.jsonl.gz"):
            row = json.loads(line)
            for start, end in sentences(row["text"]):
                yield row["id"], f"{row['title']}. {row['text'][start:end]}"


def fill(store: Store, themes: str, vectors: Vectors, spread: Vectors) -> None:
    """A collection of passages without text, with their vectors and their distributions over themes, both indexed."""
    began = time.perf_counter()
    store.ensure_vectors(theme_property(themes), spread.shape[1])
    for places in np.array_split(np.arange(len(vectors)), len(vectors) // AT_ONCE + 1):
        store.write(
            ("ingest/write_passages", {"passages": [empty(n) for n in places]}),
            ("ingest/write_vectors_evidence", {"rows": written(places, vectors), "embedding": store.embedding}),
            (
                "themes/write",
                {
                    "property": theme_property(themes),
                    "themes": themes,
                    "rows": [{**row, "theme": 0} for row in written(places, spread)],
                },
            ),
        )
    store.columns("schema/await", {"seconds": 600})
    print(f"written and indexed in {time.perf_counter() - began:.0f} s", flush=True)


def empty(n: int) -> dict[str, object]:
    properties = {"collection": SCOPE.collection, "document": "", "text": ""}
    return {"id": f"s{n}", "pages": [], "search": "", "version": "1", "properties": properties}


def written(places: Sequence[int], vectors: Vectors) -> list[dict[str, object]]:
    return [{"id": f"s{n}", "vector": vectors[n].tolist()} for n in places]


if __name__ == "__main__":
    main()
