"""Evidence graphs on EntailmentBank: GM, GS, GED, and precision, recall, F1 and EM of the evidence as a set.

    python benchmarks/evidence_graphs.py FOLDER [--home FOLDER] [--task 1|2] [--split test|dev] [--limit N] [--train
    [--epochs N]]

FOLDER holds train/, dev/ and test/ as EntailmentBank publishes them, gzipped. Task 2 (the usual one) gives 25 facts
to a question; task 1 only the right ones, so that only the edges have to be found. ``--train`` trains the network
first, on train, with model selection on dev (about 20 minutes of one core with 4 epochs), in HOME if it is given and in
a temporary folder otherwise; without ``--train`` the network is loaded from the home folder, and skipped if there is
none. BM25 and the encoder receive the number of right facts, as in the paper, and predict a star: an edge from the
question to every fact. The last line is the recall of the network's first hop with the same number.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from pathlib import Path
from statistics import fmean

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer

from hopline.config import Settings, load_settings
from hopline.embeddings.loader import load_embedder
from hopline.evaluation.evidence_graphs import EvidenceGraphSample, read_evidence_graphs
from hopline.evaluation.graph_matching import GraphMatch, match_graphs
from hopline.flow.run import run
from hopline.flow.services import Graph as Store
from hopline.flow.services import Scope, Services
from hopline.learned.graph_hop import DIRECTIONS
from hopline.learned.registry import ModelRegistry
from hopline.learned.weight_files import CARD_FILE
from hopline.retrieval.agent.bidirectional_search import SimilarityScorer, score_with_network, search_both_directions
from hopline.scoring.evidence_graph import GAMMA, QUESTION, Edge, MergeRule, list_nodes, merge_graphs
from hopline.training.graph_hop import RECIPE, GraphHopConfig, train_graph_hop

RULES: tuple[MergeRule, ...] = ("forward", "backward", "intersection", "text_code", "equation")
SECONDS = 0.1  # time limit of one edit distance; when it is exceeded, the result is an upper bound
HERE = Path(__file__).resolve().parent


class EmptyGraph(Store):
    """A graph without search: the facts are part of the question."""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--home")
    parser.add_argument("--task", default=2, type=int, choices=(1, 2))
    parser.add_argument("--split", default="test", choices=("test", "dev"))
    parser.add_argument("--limit", type=int)
    parser.add_argument("--train", action="store_true")
    parser.add_argument("--epochs", type=int, default=RECIPE.epochs)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        compare(args, load_settings(home=args.home or (temporary if args.train else None)))


def compare(args: argparse.Namespace, settings: Settings) -> None:
    if args.train:
        train_network(args, settings.weights / "graph_hop")
    models = ModelRegistry(settings.weights)
    trained = (settings.weights / "graph_hop" / CARD_FILE).exists()
    gamma = json.loads((models.folder("graph_hop") / CARD_FILE).read_text())["shape"]["gamma"] if trained else GAMMA
    services = Services(EmptyGraph(), load_embedder(settings), models=models)
    graphs = read_evidence_graphs(
        args.folder / args.split / f"task_{args.task}_{args.split}.jsonl.gz", limit=args.limit
    )
    predictions = {"bm25": [build_star(graph, score_bm25(graph)) for graph in graphs]}
    predictions["dense"] = [build_star(graph, score_dense(graph, services)) for graph in graphs]
    for name, follows in (("untrained", None), *([("trained", score_with_network)] if trained else [])):
        flows = [
            search_both_directions(
                graph.question, list(graph.facts.items()), follows or SimilarityScorer(), rule="equation", gamma=gamma
            )
            for graph in graphs
        ]
        graph_pairs = [run(flow, services, Scope("")).result for flow in flows]
        for rule in RULES:
            predictions[f"{name}, {rule}"] = [
                merge_graphs(pair.forward, pair.backward, rule=rule, gamma=gamma) for pair in graph_pairs
            ]
    rows = {name: compute_means(predicted, graphs) for name, predicted in predictions.items()}
    file = HERE / "results" / f"graphs-{args.task}-{args.split}.json"
    file.write_text(json.dumps({"graphs": len(graphs), "gamma": gamma, "rows": rows}, indent=1) + "\n")
    for name, row in rows.items():
        print(f"{name:24}", "  ".join(f"{key} {value}" for key, value in row.items()))
    if not trained:
        return
    recalls = [compute_recall(graph, score_first_hop(graph, services)) for graph in graphs]
    print(f"first hop of the network, given the number of facts: recall {100 * fmean(recalls):.1f}")


def train_network(args: argparse.Namespace, weights: Path) -> None:
    folder, task, limit = args.folder, args.task, args.limit
    config = GraphHopConfig(recipe=replace(RECIPE, epochs=args.epochs))
    train_graphs = read_evidence_graphs(folder / f"train/task_{task}_train_angles.jsonl.gz", limit=limit)
    dev_graphs = read_evidence_graphs(folder / f"dev/task_{task}_dev.jsonl.gz", limit=limit)
    started = time.perf_counter()
    metadata = {"learned from": f"EntailmentBank task {task}, train", "chosen on": f"EntailmentBank task {task}, dev"}
    card = train_graph_hop(train_graphs, dev_graphs, weights, config=config, metadata=metadata)
    print(f"trained in {time.perf_counter() - started:.0f} s: {card.figures}")


def build_star(graph: EvidenceGraphSample, scores: Sequence[float]) -> list[Edge]:
    ids = list(graph.facts)
    best = np.argsort(-np.asarray(scores), kind="stable")[: len(list_nodes(graph.edges))]
    return [(QUESTION, ids[n]) for n in best]


def compute_recall(graph: EvidenceGraphSample, scores: Sequence[float]) -> float:
    gold = set(list_nodes(graph.edges))
    return len({target for _, target in build_star(graph, scores)} & gold) / len(gold)


def score_dense(graph: EvidenceGraphSample, services: Services) -> Sequence[float]:
    vectors = services.embedder.embed([graph.question, *graph.facts.values()])
    scores: Sequence[float] = vectors[1:] @ vectors[0]
    return scores


def score_first_hop(graph: EvidenceGraphSample, services: Services) -> Sequence[float]:
    infer: Callable[..., np.ndarray] = services.models.infer  # type: ignore[union-attr]
    inputs = {"question": graph.question, "facts": list(graph.facts.values()), "paths": [[]]}
    scores: Sequence[float] = np.maximum(
        *(infer("graph_hop", {"direction": direction, **inputs})[0] for direction in DIRECTIONS)
    )
    return scores


def score_bm25(graph: EvidenceGraphSample, *, k1: float = 1.2, b: float = 0.75) -> Sequence[float]:
    """Okapi BM25 among the facts of one question, as Lucene computes it."""
    vectorizer = CountVectorizer(stop_words="english")
    counts = vectorizer.fit_transform(graph.facts.values()).toarray()
    query_terms = vectorizer.transform([graph.question]).toarray()[0] > 0
    lengths = counts.sum(axis=1, keepdims=True)
    document_frequency = (counts > 0).sum(axis=0)
    idf = np.log(1 + (len(counts) - document_frequency + 0.5) / (document_frequency + 0.5))
    weights = counts * (k1 + 1) / (counts + k1 * (1 - b + b * lengths / lengths.mean()))
    scores: Sequence[float] = (idf * weights)[:, query_terms].sum(axis=1)
    return scores


def compute_means(predictions: Sequence[Sequence[Edge]], graphs: Sequence[EvidenceGraphSample]) -> dict[str, float]:
    """Means over the graphs: distances as they are, all others in per cent."""
    matches = [
        match_graphs(prediction, graph.edges, timeout=SECONDS)
        for prediction, graph in zip(predictions, graphs, strict=True)
    ]
    mean = {field.name: fmean(getattr(match, field.name) for match in matches) for field in fields(GraphMatch)}
    return {name: round(value, 2) if name.endswith("ged") else round(100 * value, 1) for name, value in mean.items()}


if __name__ == "__main__":
    main()
