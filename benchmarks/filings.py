"""Page recall on FinanceBench filings: questions with a gold page among the first pages retrieved.

    python benchmarks/filings.py FOLDER [--home FOLDER] [-s STRATEGY …]

FOLDER holds pdfs/ and questions.jsonl as published (Patronus AI); page numbers there count from 0. Pages are ranked by
their first evidence; each page counts once.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

from hopline import Hopline
from hopline.results import Retrieval


def rank_pages(retrieval: Retrieval) -> list[tuple[str, int]]:
    """(document, page) in the order of the evidence, without duplicates."""
    pages = [(Path(evidence.document).stem, page) for evidence in retrieval.evidence for page in evidence.pages]
    return list(dict.fromkeys(pages))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--home")
    parser.add_argument("-s", "--strategy", action="append")
    args = parser.parse_args()
    lines = (args.folder / "questions.jsonl").read_text(encoding="utf-8").strip().split("\n")
    questions = [json.loads(line) for line in lines]
    with Hopline.open(home=args.home) as hop:
        started = time.perf_counter()
        batch = hop.add(args.folder / "pdfs", collection="filings").wait(progress=True)
        documents = hop.documents.list("filings")
        pages, tables = sum(document.pages for document in documents), sum(document.tables for document in documents)
        print(f"{len(documents)} filings, {pages} pages, {tables} tables in {time.perf_counter() - started:.0f} s")
        for failure in batch.failures:
            print(f"  {failure.document}: {failure.reason}")
        names = {Path(document.name).stem for document in documents}
        answerable = [q for q in questions if q["doc_name"] in names]
        for strategy in args.strategy or ["hybrid", "hopline"]:
            hits = dict.fromkeys((5, 10), 0)
            for question in answerable:
                gold = {(evidence["doc_name"], evidence["evidence_page_num"] + 1) for evidence in question["evidence"]}
                ranking = rank_pages(hop.retrieve(question["question"], collection="filings", strategy=strategy, k=30))
                for k in hits:
                    hits[k] += bool(gold & set(ranking[:k]))
            counts = f"in the first 5: {hits[5]}, first 10: {hits[10]}"
            print(f"{strategy}: {len(answerable)} questions; a page of the evidence {counts}")


if __name__ == "__main__":
    main()
