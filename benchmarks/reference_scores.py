"""R@5 of strategies compared with reference scores on the same files.

    python benchmarks/reference_scores.py FOLDER [--home FOLDER] [--set NAME …]

FOLDER holds hotpotqa/, 2wiki/ and musique/, each with corpus.jsonl.gz and questions.jsonl.gz. The reference scores were
measured with the whole corpus in memory and exact search. Corpora that are not in the graph yet are added.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from hopline import Hopline
from hopline.errors import HoplineError
from hopline.evaluation.questions import read_questions

SETS = ("hotpotqa", "2wiki", "musique")
REFERENCE = {  # strategy: R@5 on the three sets
    "bm25": (73.4, 66.0, 44.7),
    "dense": (70.0, 61.9, 49.0),
    "hybrid": (76.4, 67.6, 50.5),
    "hybrid:fuse=sum": (78.2, 68.9, 53.6),
    "gnn_ret": (76.6, 70.3, 55.0),
    "gnn_ret:base=hybrid,hub=10": (83.4, 79.3, 58.8),
    "naive_ge": (None, None, None),
    "hopline": (93.1, 96.0, 63.7),  # sum of links, PageRank and GNN-Ret
}
KS = (2, 5, 10)


def compute_recall(hop: Hopline, questions: list, collection: str, strategy: str) -> tuple[list[float], float]:
    """R@2, R@5, R@10 and all-gold@5, in per cent; a question that fails counts as 0."""
    retrievals = hop.retrieve_many([q.text for q in questions], collection=collection, strategy=strategy, k=10)
    recall, complete = [0.0] * len(KS), 0
    for question, retrieval in zip(questions, retrievals, strict=True):
        if isinstance(retrieval, HoplineError):
            continue
        gold, ids = set(question.gold), [evidence.source_id for evidence in retrieval.evidence]
        recall = [r + len(gold & set(ids[:k])) / len(gold) for r, k in zip(recall, KS, strict=True)]
        complete += gold <= set(ids[:5])
    return [100 * r / len(questions) for r in recall], 100 * complete / len(questions)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--home")
    parser.add_argument("--set", action="append", choices=SETS)
    args = parser.parse_args()
    lowest = 0.0
    with Hopline.open(home=args.home, server_heap_mb=1024) as hop:
        for name in args.set or SETS:
            started = time.perf_counter()
            hop.add(args.folder / name / "corpus.jsonl.gz", collection=name).wait(progress=True)
            print(f"{name}: added in {time.perf_counter() - started:.0f} s", flush=True)
            questions = read_questions(args.folder / name / "questions.jsonl.gz")
            for strategy, scores in REFERENCE.items():
                recall, complete = compute_recall(hop, questions, name, strategy)
                reference = scores[SETS.index(name)]
                print(
                    f"  {strategy:28} R@2/5/10 {' / '.join(f'{r:.1f}' for r in recall)}  all@5 {complete:.1f}"
                    + (f"  reference R@5 {reference}: {recall[1] - reference:+.1f}" if reference else ""),
                    flush=True,
                )
                lowest = min(lowest, recall[1] - reference) if reference else lowest
    print(f"largest deficit: {lowest:.1f}")


if __name__ == "__main__":
    main()
