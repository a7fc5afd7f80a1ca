"""How well the classifier of themes finds labels: micro and macro F1 on texts that taught nothing.

    python benchmarks/themes.py FOLDER [--home FOLDER]

FOLDER is the data of DBPedia's themes: `train/` and `test/` with tables of two levels (9 and 70 labels, real
abstracts), and `teleclass_298/`, its 298 labels in a hierarchy with documents that a language model wrote for them. The
first learns from `train/` and is measured on `test/`; of the second every tenth document measures. Both take the
recipe of `hopline train themes`.
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
from hopline.evaluation.labels import Labelled, as_matrix, label_f1, read_labelled
from hopline.learned.topic_classifier import load_themes
from hopline.training.topic_classifier import BAR
from hopline.training.topic_sets import teach_themes


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--home")
    given = parser.parse_args()
    embedder = load_embedder(load_settings(home=given.home))
    with tempfile.TemporaryDirectory() as weights:
        [table] = (given.folder / "train").glob("*.csv.gz")
        [test] = (given.folder / "test").glob("*.csv.gz")
        began = time.perf_counter()
        teach_themes(embedder, read_labelled(table), Path(weights), "classes")
        seconds = time.perf_counter() - began
        print(
            f"two levels, {len(read_labelled(table))} texts, {seconds:.0f} s:",
            tested(embedder, test, Path(weights) / "classes"),
        )
        rows = of_taxonomy(given.folder / "teleclass_298")
        card = teach_themes(embedder, rows, Path(weights), "dbpedia298")
        print(f"298 labels, {len(rows)} written documents, {card.seconds:.0f} s:", dict(card.figures))


def tested(embedder, path: Path, folder: Path) -> str:
    rows, themes = read_labelled(path), load_themes(folder)
    chances = themes.chances(embedder.embed([row.text for row in rows]))
    about = as_matrix(rows, themes.labels)
    levels = {name: [n for n, label in enumerate(themes.labels) if label.startswith(name)] for name in ("l1", "l2")}
    told = [str(label_f1(chances >= BAR, about))]
    for name, places in levels.items():
        right = (chances[:, places].argmax(axis=1) == about[:, places].argmax(axis=1)).mean()
        told.append(f"likeliest {name} right {100 * np.mean(right):.1f} %")
    return "; ".join(told)


def of_taxonomy(folder: Path) -> list[Labelled]:
    names = dict(line.split("\t") for line in unpacked(folder / "labels.txt.gz").splitlines() if line.strip())
    texts = dict(
        line.split("\t", 1) for line in unpacked(folder / "train/generated_docs.txt.gz").splitlines() if "\t" in line
    )
    labels = json.loads(unpacked(folder / "train/generated_doc2label.json.gz"))
    return [
        Labelled(texts[id], tuple(names[one] for one in label["with ancestors"]))
        for id, label in labels.items()
        if id in texts
    ]


def unpacked(path: Path) -> str:
    return gzip.decompress(path.read_bytes()).decode()


if __name__ == "__main__":
    main()
