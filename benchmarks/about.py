"""How often the text alone tells its title: passages with known titles are read with the titles hidden.

    python benchmarks/about.py FOLDER [--rows 1500] [--part 1]     FOLDER holds <corpus>/corpus.jsonl.gz
    python benchmarks/about.py FOLDER --fit TRAIN                  TRAIN holds published train questions

A passage counts where its title, without what tells it from others of its name, is among the names
that its subject or definition gives. ``--part 0`` is the sample that the rules were made on, ``1``
another. ``--fit`` prints the weights of `hopline_ingest.extraction.subjects.ranking` from other passages.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
from collections.abc import Iterator
from pathlib import Path

from hopline.ids import normalise
from hopline_ingest.extraction import Readable, read_batch
from hopline_ingest.extraction.aliases import without_suffix
from hopline_ingest.extraction.mentions.finder import found
from hopline_ingest.extraction.parsed_text import parsed, readable_by_spacy
from hopline_ingest.extraction.spacy_pipeline import one_thread, pipeline
from hopline_ingest.extraction.subjects.first_sentence import mended, opening_of
from hopline_ingest.extraction.subjects.ranking import candidates

CORPORA = ("hotpotqa", "2wiki", "musique")
SEED = 7

Rows = list[tuple[str, str]]  # (title, text)


def corpus(path: Path, rows: int, part: int) -> Rows:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        every = [json.loads(line) for line in lines]
    random.Random(SEED).shuffle(every)
    return [(row["title"], row["text"]) for row in every[part * rows : (part + 1) * rows]]


def measure(rows: Rows) -> tuple[float, float, float]:
    """Share of titles among the subjects, share as the first of them, subjects a passage."""
    read = read_batch([Readable(str(n), "passage", text) for n, (_, text) in enumerate(rows)])
    hits = firsts = names = 0
    for (title, _), extraction in zip(rows, read, strict=True):
        subjects = [normalise(one.name) for one in extraction.about]
        bare = normalise(without_suffix(title))
        hits += bare in subjects
        firsts += subjects[:1] == [bare]
        names += len(subjects)
    return hits / len(rows), firsts / len(rows), names / len(rows)


def train_rows(folder: Path, rows: int) -> Iterator[tuple[str, str]]:
    for path in sorted(folder.glob("*.json*.gz")):
        text = gzip.decompress(path.read_bytes()).decode()
        questions = json.loads(text) if text.lstrip().startswith("[") else list(map(json.loads, text.splitlines()))
        passages = {text: title for question in questions for title, text in _passages(question)}
        yield from ((title, text) for text, title in sorted(passages.items())[:rows])


def _passages(question: dict) -> Iterator[tuple[str, str]]:
    for paragraph in question.get("paragraphs", []):
        yield paragraph["title"], paragraph["paragraph_text"]
    context = question.get("context", [])
    pairs = zip(context["title"], context["sentences"], strict=True) if isinstance(context, dict) else context
    yield from ((title, sentences if isinstance(sentences, str) else "".join(sentences)) for title, sentences in pairs)


def fit(rows: Rows) -> dict[str, float]:
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.linear_model import LogisticRegression

    features, right = [], []
    with one_thread():
        docs = pipeline().pipe([readable_by_spacy(text) for _, text in rows], batch_size=64)
        for (title, text), doc in zip(rows, docs, strict=True):
            parse = parsed(doc, Readable("", "passage", text))
            opening = opening_of(parse)
            parse = mended(parse, opening)
            bare = normalise(without_suffix(title))
            for name, candidate in candidates(parse, found(parse), opening).items():
                features.append(candidate.features)
                right.append(name == bare)
    table = DictVectorizer()
    model = LogisticRegression(max_iter=3000, fit_intercept=False).fit(table.fit_transform(features), right)
    return dict(zip(table.feature_names_, model.coef_[0], strict=True))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rows", type=int, default=1500)
    parser.add_argument("--part", type=int, default=1)
    parser.add_argument("--fit", type=Path)
    given = parser.parse_args()
    if given.fit:
        for name, weight in sorted(fit(list(train_rows(given.fit, given.rows))).items(), key=lambda item: -item[1]):
            print(f"{name:20} {weight:6.2f}")
        return
    shares = []
    for name in CORPORA:
        share, first, names = measure(corpus(given.folder / name / "corpus.jsonl.gz", given.rows, given.part))
        shares.append(share)
        print(f"{name:10} title found {share:.3f}, first {first:.3f}, names a passage {names:.2f}", flush=True)
    print(f"mean share {sum(shares) / len(shares):.3f}")


if __name__ == "__main__":
    main()
