"""Graphs of evidence on EntailmentBank: GM, GS, GED and the evidence as a set.

    python benchmarks/graphs.py FOLDER [--home FOLDER] [--task 1|2] [--split test|dev] [--limit N] [--train]

FOLDER holds train/, dev/ and test/ as EntailmentBank publishes them, gzipped. Task 2 (the usual one) gives 25 facts to
a question, task 1 only those that are right, so that all is in how they follow each other. ``--train`` trains the
network first, on train, choosing on dev (about a quarter of an hour on two cores), in HOME where that is given and in a
passing one where not; else it is taken from the home folder, and left out where there is none. BM25 and the encoder are
told how many facts are right, as in the paper, and give a star: every fact hangs from the question. The last line sets
the network's first hop, told the same number, beside them.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import fields
from pathlib import Path
from statistics import fmean

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer

from hopline.config import Settings, load_settings
from hopline.embeddings.loader import load_embedder
from hopline.evaluation.evidence_graphs import Graph, read_graphs
from hopline.evaluation.graph_matching import Match, match
from hopline.flow.run import run
from hopline.flow.services import Graph as Store
from hopline.flow.services import Scope, World
from hopline.learned.graph_hop import WAYS
from hopline.learned.registry import LearnedParts
from hopline.learned.weight_files import CARD
from hopline.retrieval.agent.bidirectional_search import Likeness, by_network, hop
from hopline.scoring.evidence_graph import GAMMA, QUESTION, Edge, Merge, merged, nodes_of
from hopline.training.graph_hop import train_graph_hop

RULES: tuple[Merge, ...] = ("forward", "backward", "intersection", "text_code", "equation")
SECONDS = 0.1  # for one edit distance; where that does not end it, it is from above
HERE = Path(__file__).resolve().parent


class Nowhere(Store):
    """Facts are given: nothing is searched for."""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--home")
    parser.add_argument("--task", default=2, type=int, choices=(1, 2))
    parser.add_argument("--split", default="test", choices=("test", "dev"))
    parser.add_argument("--limit", type=int)
    parser.add_argument("--train", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as passing:
        compared(given, load_settings(home=given.home or (passing if given.train else None)))


def compared(given: argparse.Namespace, settings: Settings) -> None:
    if given.train:
        train(given.folder, given.task, settings.weights / "graph_hop", given.limit)
    parts = LearnedParts(settings.weights)
    trained = (settings.weights / "graph_hop" / CARD).exists()
    gamma = json.loads((parts.folder("graph_hop") / CARD).read_text())["shape"]["gamma"] if trained else GAMMA
    world = World(Nowhere(), load_embedder(settings), parts=parts)
    graphs = read_graphs(given.folder / given.split / f"task_{given.task}_{given.split}.jsonl.gz", limit=given.limit)
    found = {"bm25": [star(graph, bm25(graph)) for graph in graphs]}
    found["dense"] = [star(graph, dense(graph, world)) for graph in graphs]
    for name, follows in (("untrained", None), *([("trained", by_network)] if trained else [])):
        flows = [
            hop(one.question, list(one.facts.items()), follows or Likeness(), rule="equation", gamma=gamma)
            for one in graphs
        ]
        both = [run(flow, world, Scope("")).result for flow in flows]
        for rule in RULES:
            found[f"{name}, {rule}"] = [merged(one.forward, one.backward, rule=rule, gamma=gamma) for one in both]
    rows = {name: means(some, graphs) for name, some in found.items()}
    file = HERE / "results" / f"graphs-{given.task}-{given.split}.json"
    file.write_text(json.dumps({"graphs": len(graphs), "gamma": gamma, "rows": rows}, indent=1) + "\n")
    for name, row in rows.items():
        print(f"{name:24}", "  ".join(f"{key} {value}" for key, value in row.items()))
    if not trained:
        return
    told = [share(graph, first_hop(graph, world)) for graph in graphs]
    print(f"first hop of the network, told how many: recall {100 * fmean(told):.1f}")


def train(folder: Path, task: int, weights: Path, limit: int | None) -> None:
    taught = read_graphs(folder / f"train/task_{task}_train_angles.jsonl.gz", limit=limit)
    chosen_on = read_graphs(folder / f"dev/task_{task}_dev.jsonl.gz", limit=limit)
    began = time.perf_counter()
    told = {"learned from": f"EntailmentBank task {task}, train", "chosen on": f"EntailmentBank task {task}, dev"}
    card = train_graph_hop(taught, chosen_on, weights, told=told)
    print(f"trained in {time.perf_counter() - began:.0f} s: {card.figures}")


def star(graph: Graph, scores: Sequence[float]) -> list[Edge]:
    ids = list(graph.facts)
    best = np.argsort(-np.asarray(scores), kind="stable")[: len(nodes_of(graph.edges))]
    return [(QUESTION, ids[n]) for n in best]


def share(graph: Graph, scores: Sequence[float]) -> float:
    right = set(nodes_of(graph.edges))
    return len({target for _, target in star(graph, scores)} & right) / len(right)


def dense(graph: Graph, world: World) -> Sequence[float]:
    vectors = world.embedder.embed([graph.question, *graph.facts.values()])
    scores: Sequence[float] = vectors[1:] @ vectors[0]
    return scores


def first_hop(graph: Graph, world: World) -> Sequence[float]:
    ask: Callable[..., np.ndarray] = world.parts.infer  # type: ignore[union-attr]
    asked = {"question": graph.question, "facts": list(graph.facts.values()), "paths": [[]]}
    scores: Sequence[float] = np.maximum(*(ask("graph_hop", {"way": way, **asked})[0] for way in WAYS))
    return scores


def bm25(graph: Graph, *, k1: float = 1.2, b: float = 0.75) -> Sequence[float]:
    """Okapi BM25 among the facts of one question, as Lucene computes it."""
    words = CountVectorizer(stop_words="english")
    counts = words.fit_transform(graph.facts.values()).toarray()
    asked = words.transform([graph.question]).toarray()[0] > 0
    lengths = counts.sum(axis=1, keepdims=True)
    having = (counts > 0).sum(axis=0)
    rare = np.log(1 + (len(counts) - having + 0.5) / (having + 0.5))
    weights = counts * (k1 + 1) / (counts + k1 * (1 - b + b * lengths / lengths.mean()))
    scores: Sequence[float] = (rare * weights)[:, asked].sum(axis=1)
    return scores


def means(found: Sequence[Sequence[Edge]], graphs: Sequence[Graph]) -> dict[str, float]:
    """Distances as they are, all else in per cent."""
    matches = [match(one, graph.edges, seconds=SECONDS) for one, graph in zip(found, graphs, strict=True)]
    mean = {field.name: fmean(getattr(one, field.name) for one in matches) for field in fields(Match)}
    return {name: round(one, 2) if name.endswith("ged") else round(100 * one, 1) for name, one in mean.items()}


if __name__ == "__main__":
    main()
