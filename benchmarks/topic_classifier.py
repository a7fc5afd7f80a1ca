"""Micro and macro F1 of the topic classifier on held-out texts.

    python benchmarks/topic_classifier.py FOLDER [--home FOLDER]

FOLDER holds DBPedia labels: `train/` and `test/` with tables of two levels (9 and 70 labels, real abstracts), and
`teleclass_298/`, 298 labels in a hierarchy with documents written for them by a language model. The first classifier is
trained on `train/` and evaluated on `test/`; of the second set every tenth document is held out for evaluation. Both
use the recipe of `hopline train topics`.
"""

from __future__ import annotations

import argparse
import gzip
import json
import tempfile
import time
from pathlib import Path

import numpy as np

from hopline.config import load_settings
from hopline.embeddings.loader import load_embedder
from hopline.evaluation.labels import LabelledText, label_f1, read_labelled_texts, to_label_matrix
from hopline.learned.topic_classifier import load_topic_classifier
from hopline.training.topic_classifier import THRESHOLD
from hopline.training.topic_sets import train_topics_from_labels


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--home")
    args = parser.parse_args()
    embedder = load_embedder(load_settings(home=args.home))
    with tempfile.TemporaryDirectory() as weights:
        [table] = (args.folder / "train").glob("*.csv.gz")
        [test] = (args.folder / "test").glob("*.csv.gz")
        started = time.perf_counter()
        train_topics_from_labels(embedder, read_labelled_texts(table), Path(weights), "classes")
        seconds = time.perf_counter() - started
        print(
            f"two levels, {len(read_labelled_texts(table))} texts, {seconds:.0f} s:",
            evaluate(embedder, test, Path(weights) / "classes"),
        )
        rows = read_taxonomy(args.folder / "teleclass_298")
        card = train_topics_from_labels(embedder, rows, Path(weights), "dbpedia298")
        print(f"298 labels, {len(rows)} written documents, {card.seconds:.0f} s:", dict(card.figures))


def evaluate(embedder, path: Path, folder: Path) -> str:
    rows, classifier = read_labelled_texts(path), load_topic_classifier(folder)
    probabilities = classifier.predict_probabilities(embedder.embed([row.text for row in rows]))
    gold = to_label_matrix(rows, classifier.labels)
    levels = {name: [n for n, label in enumerate(classifier.labels) if label.startswith(name)] for name in ("l1", "l2")}
    figures = [str(label_f1(probabilities >= THRESHOLD, gold))]
    for name, columns in levels.items():
        correct = (probabilities[:, columns].argmax(axis=1) == gold[:, columns].argmax(axis=1)).mean()
        figures.append(f"top-1 accuracy of {name} {100 * np.mean(correct):.1f} %")
    return "; ".join(figures)


def read_taxonomy(folder: Path) -> list[LabelledText]:
    names = dict(line.split("\t") for line in read_gzip(folder / "labels.txt.gz").splitlines() if line.strip())
    texts = dict(
        line.split("\t", 1) for line in read_gzip(folder / "train/generated_docs.txt.gz").splitlines() if "\t" in line
    )
    labels = json.loads(read_gzip(folder / "train/generated_doc2label.json.gz"))
    return [
        LabelledText(texts[id], tuple(names[label] for label in row["with ancestors"]))
        for id, row in labels.items()
        if id in texts
    ]


def read_gzip(path: Path) -> str:
    return gzip.decompress(path.read_bytes()).decode()


if __name__ == "__main__":
    main()
