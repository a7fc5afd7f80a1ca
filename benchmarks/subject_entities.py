"""Share of passages whose title is extracted as a subject entity when the title is hidden.

    python benchmarks/subject_entities.py FOLDER [--rows 1500] [--part 1]     FOLDER holds <corpus>/corpus.jsonl.gz
    python benchmarks/subject_entities.py FOLDER --fit TRAIN                  TRAIN holds published train questions

A passage counts as a hit if its title, without the suffix that disambiguates it, is one of the names of its subjects or
of its definition. ``--part 0`` is the sample on which the rules were developed, ``1`` another one. ``--fit`` prints the
weights of `hopline_ingest.extraction.subjects.ranking`, fitted on other passages.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
from collections.abc import Iterator
from pathlib import Path

from hopline.ids import normalize_name
from hopline_ingest.extraction import ExtractionInput, extract_batch
from hopline_ingest.extraction.aliases import strip_title_suffix
from hopline_ingest.extraction.mentions.finder import find_mentions
from hopline_ingest.extraction.parsed_text import clean_for_spacy, to_parsed_text
from hopline_ingest.extraction.spacy_pipeline import load_pipeline, single_threaded
from hopline_ingest.extraction.subjects.first_sentence import add_missing_subject, parse_opening
from hopline_ingest.extraction.subjects.ranking import collect_candidates

CORPORA = ("hotpotqa", "2wiki", "musique")
SEED = 7

Rows = list[tuple[str, str]]  # (title, text)


def sample_corpus(path: Path, rows: int, part: int) -> Rows:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        all_rows = [json.loads(line) for line in lines]
    random.Random(SEED).shuffle(all_rows)
    return [(row["title"], row["text"]) for row in all_rows[part * rows : (part + 1) * rows]]


def measure(rows: Rows) -> tuple[float, float, float]:
    """(share of titles among the subjects, share of titles that are the first subject, mean number of subjects)."""
    extractions = extract_batch([ExtractionInput(str(n), "passage", text) for n, (_, text) in enumerate(rows)])
    hits = firsts = names = 0
    for (title, _), extraction in zip(rows, extractions, strict=True):
        subjects = [normalize_name(subject.name) for subject in extraction.about]
        bare = normalize_name(strip_title_suffix(title))
        hits += bare in subjects
        firsts += subjects[:1] == [bare]
        names += len(subjects)
    return hits / len(rows), firsts / len(rows), names / len(rows)


def read_train_rows(folder: Path, rows: int) -> Iterator[tuple[str, str]]:
    for path in sorted(folder.glob("*.json*.gz")):
        text = gzip.decompress(path.read_bytes()).decode()
        questions = json.loads(text) if text.lstrip().startswith("[") else list(map(json.loads, text.splitlines()))
        passages = {text: title for question in questions for title, text in _read_passages(question)}
        yield from ((title, text) for text, title in sorted(passages.items())[:rows])


def _read_passages(question: dict) -> Iterator[tuple[str, str]]:
    for paragraph in question.get("paragraphs", []):
        yield paragraph["title"], paragraph["paragraph_text"]
    context = question.get("context", [])
    pairs = zip(context["title"], context["sentences"], strict=True) if isinstance(context, dict) else context
    yield from ((title, sentences if isinstance(sentences, str) else "".join(sentences)) for title, sentences in pairs)


def fit_weights(rows: Rows) -> dict[str, float]:
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.linear_model import LogisticRegression

    features, labels = [], []
    with single_threaded():
        docs = load_pipeline().pipe([clean_for_spacy(text) for _, text in rows], batch_size=64)
        for (title, text), doc in zip(rows, docs, strict=True):
            parse = to_parsed_text(doc, ExtractionInput("", "passage", text))
            opening = parse_opening(parse)
            parse = add_missing_subject(parse, opening)
            bare = normalize_name(strip_title_suffix(title))
            for name, candidate in collect_candidates(parse, find_mentions(parse), opening).items():
                features.append(candidate.features)
                labels.append(name == bare)
    vectorizer = DictVectorizer()
    model = LogisticRegression(max_iter=3000, fit_intercept=False).fit(vectorizer.fit_transform(features), labels)
    return dict(zip(vectorizer.feature_names_, model.coef_[0], strict=True))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rows", type=int, default=1500)
    parser.add_argument("--part", type=int, default=1)
    parser.add_argument("--fit", type=Path)
    args = parser.parse_args()
    if args.fit:
        for name, weight in sorted(
            fit_weights(list(read_train_rows(args.fit, args.rows))).items(), key=lambda item: -item[1]
        ):
            print(f"{name:20} {weight:6.2f}")
        return
    shares = []
    for name in CORPORA:
        share, first, names = measure(sample_corpus(args.folder / name / "corpus.jsonl.gz", args.rows, args.part))
        shares.append(share)
        print(f"{name:10} title found {share:.3f}, first {first:.3f}, names a passage {names:.2f}", flush=True)
    print(f"mean share {sum(shares) / len(shares):.3f}")


if __name__ == "__main__":
    main()
