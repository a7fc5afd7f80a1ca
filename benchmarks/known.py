"""R@5 of strategies whose figures on these files are known, beside those figures.

    python benchmarks/known.py FOLDER [--home FOLDER] [--set NAME …]

FOLDER holds hotpotqa/, 2wiki/ and musique/, each with corpus.jsonl.gz and questions.jsonl.gz. The
known figures are of the whole corpus in memory, searched exactly. Corpora are added when they are
not there yet.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from hopline import Hopline
from hopline.errors import HoplineError
from hopline.evaluation.questions import read_questions

SETS = ("hotpotqa", "2wiki", "musique")
KNOWN = {  # strategy: R@5 on the three sets
    "bm25": (73.4, 66.0, 44.7),
    "dense": (70.0, 61.9, 49.0),
    "hybrid": (76.4, 67.6, 50.5),
    "hybrid:fuse=sum": (78.2, 68.9, 53.6),
    "gnn_ret": (76.6, 70.3, 55.0),
    "gnn_ret:base=hybrid,hub=10": (83.4, 79.3, 58.8),
    "naive_ge": (None, None, None),
    "hopline": (93.1, 96.0, 63.7),  # the recipe of links, PageRank and GNN-Ret, summed
}
KS = (2, 5, 10)


def figures(hop: Hopline, questions: list, collection: str, strategy: str) -> tuple[list[float], float]:
    """R@2, R@5, R@10 and all-gold@5, in per cent; a question that fails counts 0."""
    found = hop.retrieve_many([q.text for q in questions], collection=collection, strategy=strategy, k=10)
    recall, whole = [0.0] * len(KS), 0
    for question, retrieval in zip(questions, found, strict=True):
        if isinstance(retrieval, HoplineError):
            continue
        gold, ids = set(question.gold), [one.source_id for one in retrieval.evidence]
        recall = [r + len(gold & set(ids[:k])) / len(gold) for r, k in zip(recall, KS, strict=True)]
        whole += gold <= set(ids[:5])
    return [100 * r / len(questions) for r in recall], 100 * whole / len(questions)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--home")
    parser.add_argument("--set", action="append", choices=SETS)
    given = parser.parse_args()
    furthest = 0.0
    with Hopline.open(home=given.home, server_heap_mb=1024) as hop:
        for name in given.set or SETS:
            begun = time.perf_counter()
            hop.add(given.folder / name / "corpus.jsonl.gz", collection=name).wait(progress=True)
            print(f"{name}: added in {time.perf_counter() - begun:.0f} s", flush=True)
            questions = read_questions(given.folder / name / "questions.jsonl.gz")
            for strategy, known in KNOWN.items():
                recall, whole = figures(hop, questions, name, strategy)
                there = known[SETS.index(name)]
                print(
                    f"  {strategy:28} R@2/5/10 {' / '.join(f'{r:.1f}' for r in recall)}  all@5 {whole:.1f}"
                    + (f"  known R@5 {there}: {recall[1] - there:+.1f}" if there else ""),
                    flush=True,
                )
                furthest = min(furthest, recall[1] - there) if there else furthest
    print(f"furthest below: {furthest:.1f}")


if __name__ == "__main__":
    main()
