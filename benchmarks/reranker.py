"""The learned reranker of `hopline` with and without each of the optional neural features.

    python benchmarks/reranker.py TRAIN.jsonl.gz -c COLLECTION --dev DEV.jsonl.gz --in COLLECTION [--with PART …]
                                  [--home FOLDER] [--limit N]

A guide is trained on every other question of TRAIN and the reranker on the rest, because a guide is overconfident on
questions that it was trained on. "themes" needs topics in both collections (`hopline topics`), "hops" a network
(`hopline train graph_hop`). For no neural feature, each of them and all: recall on held-out folds of the train
questions, then on dev, with the difference to the untrained ranking on the same questions, and the p50 latency of a
question. The guide stays in the home folder and the last reranker in the collection: use a separate home folder.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import get_args

from hopline import Hopline
from hopline.evaluation import evaluate, read_questions
from hopline.retrieval.reranking.features import NeuralFeature

PARTS: tuple[NeuralFeature, ...] = get_args(NeuralFeature)
TRAINED = "hopline:trained=true"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("train", type=Path)
    parser.add_argument("-c", "--collection", required=True)
    parser.add_argument("--dev", type=Path, required=True)
    parser.add_argument("--in", dest="used_in", required=True)
    parser.add_argument("--with", dest="parts", action="append", choices=PARTS)
    parser.add_argument("--home")
    parser.add_argument("--limit", type=int, help="number of dev questions")
    args = parser.parse_args()
    train_questions = read_questions(args.train)
    dev_questions = read_questions(args.dev, limit=args.limit)
    parts = tuple(args.parts or PARTS)
    with Hopline.open(home=args.home) as hop:
        if "guide" in parts:
            card = hop.training.mdr({args.collection: train_questions[::2]})
            print(
                f"guide from {len(train_questions[::2])} questions, {card.seconds:.0f} s: {dict(card.figures)}",
                flush=True,
            )
        for extras in build_variants(parts):
            learned = hop.training.reranker(
                train_questions[1::2], collection=args.collection, used_in=[args.used_in], extras=extras
            )
            scores = evaluate(
                hop, dev_questions, ["hopline", TRAINED], collection=args.used_in, answers=False, baseline="hopline"
            ).to_dict()
            [untrained, trained] = scores["strategies"]
            best = max(learned.untrained, *learned.held_out)
            print(
                f"{'+'.join(extras) or 'none':20} held out {100 * learned.untrained:.1f} -> {100 * best:.1f}, "
                f"{learned.reranker.rounds} rounds; dev {format_recall(untrained)} -> {format_recall(trained)}, "
                f"{format_difference(trained)}, "
                f"p50 {trained['latency_ms']['p50']:.0f} ms ({untrained['latency_ms']['p50']:.0f})",
                flush=True,
            )


def build_variants(parts: Sequence[NeuralFeature]) -> list[tuple[NeuralFeature, ...]]:
    """No part, each part alone, and all parts."""
    return [(), *((part,) for part in parts), *([tuple(parts)] if len(parts) > 1 else [])]


def format_recall(row: dict) -> str:
    recall, complete = (100 * row["scores"][name]["mean"] for name in ("R@5", "all@5"))
    return f"{recall:.1f} / {complete:.1f}"


def format_difference(row: dict) -> str:
    difference = row["against"]["R@5"]
    return f"R@5 {100 * difference['mean']:+.1f} [{100 * difference['low']:+.1f}, {100 * difference['high']:+.1f}]"


if __name__ == "__main__":
    main()
