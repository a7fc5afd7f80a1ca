"""The time of reading without a model beside spaCy's bare entity recogniser over the same texts.

    python benchmarks/extraction.py CORPUS.jsonl.gz [--count 1000] [--rounds 3]

Both read the same texts in turns, in one process and on one thread. Prints the processor seconds of
each and the ratio of their medians.
"""

from __future__ import annotations

import argparse
import gzip
import json
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from hopline_ingest.extraction import Readable, read_batch
from hopline_ingest.extraction.spacy_pipeline import MODEL


def timed(call: Callable[[], object]) -> float:
    begun = time.process_time()
    call()
    return time.process_time() - begun


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    with gzip.open(given.corpus, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for _, line in zip(range(given.count), lines, strict=False)]
    readables = [Readable(row["id"], "passage", row["text"], title=row["title"]) for row in rows]
    read_batch(readables[:10])

    import spacy

    bare = spacy.load(MODEL, exclude=["tok2vec", "tagger", "parser", "attribute_ruler", "lemmatizer"])
    times: dict[str, list[float]] = {"recogniser": [], "reading": []}
    for _ in range(given.rounds):
        times["recogniser"].append(timed(lambda: sum(len(doc) for doc in bare.pipe(one.text for one in readables))))
        times["reading"].append(timed(lambda: read_batch(readables)))
        print(", ".join(f"{name} {seconds[-1]:.2f} s" for name, seconds in times.items()), flush=True)
    medians = {name: statistics.median(seconds) for name, seconds in times.items()}
    print(f"{len(rows)} passages: ratio {medians['reading'] / medians['recogniser']:.2f}")


if __name__ == "__main__":
    main()
