"""The scorer of `hopline` with and without each trained part that it can listen to.

    python benchmarks/scorer.py TAUGHT.jsonl.gz -c COLLECTION --dev DEV.jsonl.gz --in COLLECTION [--with PART …]
                                [--home FOLDER] [--limit N]

A guide of its own learns from every other question of TAUGHT, and the scorer from the rest, since on questions that
taught it the guide is surer than it will be. "themes" wants both collections to have theirs (`hopline themes`), "hops"
a network (`hopline train graph_hop`). For no part, each of them and all: recall on held-out folds of the questions that
taught, then on dev, with the difference to the untrained order on the same questions, and the p50 of a question. The
guide stays in the home folder, the last scorer in the collection: take a home of its own.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import get_args

from hopline import Hopline
from hopline.evaluation import evaluate, read_questions
from hopline.retrieval.reranking.neural_features import Extra

PARTS: tuple[Extra, ...] = get_args(Extra)
TRAINED = "hopline:trained=true"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("taught", type=Path)
    parser.add_argument("-c", "--collection", required=True)
    parser.add_argument("--dev", type=Path, required=True)
    parser.add_argument("--in", dest="used_in", required=True)
    parser.add_argument("--with", dest="parts", action="append", choices=PARTS)
    parser.add_argument("--home")
    parser.add_argument("--limit", type=int, help="of the dev questions")
    given = parser.parse_args()
    taught = read_questions(given.taught)
    asked = read_questions(given.dev, limit=given.limit)
    parts = tuple(given.parts or PARTS)
    with Hopline.open(home=given.home) as hop:
        if "guide" in parts:
            card = hop.train_mdr({given.collection: taught[::2]})
            print(f"guide from {len(taught[::2])} questions, {card.seconds:.0f} s: {dict(card.figures)}", flush=True)
        for extras in variants(parts):
            learned = hop.train_scorer(
                taught[1::2], collection=given.collection, used_in=[given.used_in], extras=extras
            )
            found = evaluate(
                hop, asked, ["hopline", TRAINED], collection=given.used_in, answers=False, baseline="hopline"
            ).to_dict()
            [plain, trained] = found["strategies"]
            best = max(learned.untrained, *learned.held_out)
            print(
                f"{'+'.join(extras) or 'alone':20} held out {100 * learned.untrained:.1f} -> {100 * best:.1f}, "
                f"{learned.scorer.rounds} rounds; dev {told(plain)} -> {told(trained)}, {against(trained)}, "
                f"p50 {trained['latency_ms']['p50']:.0f} ms ({plain['latency_ms']['p50']:.0f})",
                flush=True,
            )


def variants(parts: Sequence[Extra]) -> list[tuple[Extra, ...]]:
    """No part, each by itself, and all of them."""
    return [(), *((one,) for one in parts), *([tuple(parts)] if len(parts) > 1 else [])]


def told(row: dict) -> str:
    recall, every = (100 * row["scores"][name]["mean"] for name in ("R@5", "all@5"))
    return f"{recall:.1f} / {every:.1f}"


def against(row: dict) -> str:
    found = row["against"]["R@5"]
    return f"R@5 {100 * found['mean']:+.1f} [{100 * found['low']:+.1f}, {100 * found['high']:+.1f}]"


if __name__ == "__main__":
    main()
