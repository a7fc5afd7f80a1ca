"""FinanceBench filings: for how many questions is a page of the evidence among the first pages found?

    python benchmarks/filings.py FOLDER [--home FOLDER] [-s STRATEGY …]

FOLDER holds pdfs/ and questions.jsonl as published (Patronus AI); page numbers there count from 0.
A page counts once, in the order of the evidence that stands on it.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

from hopline import Hopline
from hopline.types import Retrieval


def pages_found(retrieval: Retrieval) -> list[tuple[str, int]]:
    """(document, page) in order of the evidence, each once."""
    found = [(Path(one.document).stem, page) for one in retrieval.evidence for page in one.pages]
    return list(dict.fromkeys(found))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--home")
    parser.add_argument("-s", "--strategy", action="append")
    given = parser.parse_args()
    lines = (given.folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    questions = [json.loads(line) for line in lines]
    with Hopline.open(home=given.home) as hop:
        begun = time.perf_counter()
        batch = hop.add(given.folder / "pdfs", collection="filings").wait(progress=True)
        documents = hop.documents("filings")
        pages, tables = sum(one.pages for one in documents), sum(one.tables for one in documents)
        print(f"{len(documents)} filings, {pages} pages, {tables} tables in {time.perf_counter() - begun:.0f} s")
        for failure in batch.failures:
            print(f"  {failure.document}: {failure.reason}")
        names = {Path(one.name).stem for one in documents}
        asked = [q for q in questions if q["doc_name"] in names]
        for strategy in given.strategy or ["hybrid", "hopline"]:
            first = dict.fromkeys((5, 10), 0)
            for question in asked:
                gold = {(one["doc_name"], one["evidence_page_num"] + 1) for one in question["evidence"]}
                found = pages_found(hop.retrieve(question["question"], collection="filings", strategy=strategy, k=30))
                for k in first:
                    first[k] += bool(gold & set(found[:k]))
            counts = f"in the first 5: {first[5]}, first 10: {first[10]}"
            print(f"{strategy}: {len(asked)} questions; a page of the evidence {counts}")


if __name__ == "__main__":
    main()
