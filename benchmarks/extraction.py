"""Time of extraction without a language model compared with spaCy's entity recogniser alone on the same texts.

    python benchmarks/extraction.py CORPUS.jsonl.gz [--count 1000] [--rounds 3]

Both process the same texts alternately, in one process and on one thread. Prints the CPU seconds of each and the ratio
of their medians.
"""

from __future__ import annotations

import argparse
import gzip
import json
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from hopline.text.parser import MODEL
from hopline_ingest.extraction import ExtractionInput, extract_batch


def measure_cpu_time(call: Callable[[], object]) -> float:
    started = time.process_time()
    call()
    return time.process_time() - started


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    with gzip.open(args.corpus, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for _, line in zip(range(args.count), lines, strict=False)]
    inputs = [ExtractionInput(row["id"], "passage", row["text"], title=row["title"]) for row in rows]
    extract_batch(inputs[:10])

    import spacy

    recogniser = spacy.load(MODEL, exclude=["tok2vec", "tagger", "parser", "attribute_ruler", "lemmatizer"])
    times: dict[str, list[float]] = {"recogniser": [], "extraction": []}
    for _ in range(args.rounds):
        times["recogniser"].append(
            measure_cpu_time(lambda: sum(len(doc) for doc in recogniser.pipe(row.text for row in inputs)))
        )
        times["extraction"].append(measure_cpu_time(lambda: extract_batch(inputs)))
        print(", ".join(f"{name} {seconds[-1]:.2f} s" for name, seconds in times.items()), flush=True)
    medians = {name: statistics.median(seconds) for name, seconds in times.items()}
    print(f"{len(rows)} passages: ratio {medians['extraction'] / medians['recogniser']:.2f}")


if __name__ == "__main__":
    main()
