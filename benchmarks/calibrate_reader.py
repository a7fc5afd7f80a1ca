"""Fit the confidence of the reader's answers on development questions, and plot its reliability.

    python benchmarks/calibrate_reader.py QUESTIONS.jsonl [FOLDER …] [-c COLLECTION] [--home FOLDER] [--folds 5]

The questions and folders are those of ``answers.py``. Each reading of a question is one row: its features
(`hopline.reading.confidence.compute_features`), and whether its sentence has the gold answer. The coefficients of a
logistic regression on all rows are written to ``platform/hopline/reading/confidence.json``. What is printed, and the
plot ``benchmarks/reliability.svg``, come from folds of questions that the coefficients were not fitted on; the second
hop and calculations are left out.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
from answers import contains_answer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import KFold

from hopline import Hopline
from hopline.answering.evidence_expansion import expand_evidence
from hopline.answering.extractive import READ
from hopline.answering.pipeline import retrieval_flow
from hopline.connections import Connections
from hopline.flow.requests import Flow
from hopline.reading.confidence import FEATURES, compute_features
from hopline.reading.span_reading import SpanReading, read_evidence
from hopline.strategies import load_strategy

OUTPUT = Path(__file__).resolve().parents[1] / "platform/hopline/reading/confidence.json"
REGULARISATION = 1.0
PLOT = Path(__file__).resolve().parent / "reliability.svg"
BINS = 5
SIZE = 240  # of the plot, in pixels


def collect_readings(question: str, collection: str) -> Flow[list[SpanReading]]:
    retrieval = yield from retrieval_flow(question, load_strategy("hopline"), "hopline", collection, 10)
    given = yield from expand_evidence(question, retrieval)
    return (yield from read_evidence(question, given.evidence[:READ]))


def label_readings(row: dict[str, Any], readings: Sequence[SpanReading]) -> list[bool]:
    golds = [text for text in (row["answer"], *row.get("answer_aliases", ())) if text]
    sentences = [reading.evidence.text[slice(*reading.sentence)] for reading in readings]
    return [bool(golds) and row["answerable"] and contains_answer(golds, [sentence]) for sentence in sentences]


def fit(rows: Sequence[Sequence[float]], labels: Sequence[bool]) -> LogisticRegression:
    return LogisticRegression(C=REGULARISATION, fit_intercept=False, max_iter=1000).fit(np.array(rows), labels)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("questions", type=Path)
    parser.add_argument("folders", type=Path, nargs="*")
    parser.add_argument("-c", "--collection", default="documents")
    parser.add_argument("--home")
    parser.add_argument("--folds", type=int, default=5)
    arguments = parser.parse_args()
    questions = [json.loads(line) for line in arguments.questions.read_text("utf-8").splitlines() if line.strip()]
    wanted = {name for row in questions for name in row["documents"]}
    files = [path for folder in arguments.folders for path in sorted(folder.glob("*.pdf")) if path.name in wanted]
    read: list[tuple[list[tuple[float, ...]], list[bool]]] = []
    if files:
        with Hopline.open(home=arguments.home) as hop:
            hop.add(files, collection=arguments.collection).wait(progress=True)
    with closing(Connections.open(home=arguments.home, reader="minilm")) as connections:
        scope = connections.resolve_scope(arguments.collection)
        for row in questions:
            readings = connections.run(collect_readings(row["question"], arguments.collection), scope).result
            read.append((compute_features(row["question"], readings), label_readings(row, readings)))
    report(questions, read, arguments.folds)
    model = fit([row for rows, _ in read for row in rows], [label for _, labels in read for label in labels])
    weights = {name: round(float(value), 4) for name, value in zip(FEATURES, model.coef_[0], strict=True)}
    OUTPUT.write_text(json.dumps({"weights": weights}, indent=1) + "\n", "utf-8")
    print(weights)


def report(
    questions: Sequence[dict[str, Any]], read: Sequence[tuple[list[tuple[float, ...]], list[bool]]], folds: int
) -> None:
    """Print what held-out folds give: right and refused by threshold, the area under ROC, and the reliability."""
    best: list[tuple[float, bool]] = [(0.0, False)] * len(questions)
    for train, test in KFold(folds, shuffle=True, random_state=1).split(np.arange(len(questions))):
        model = fit([row for n in train for row in read[n][0]], [label for n in train for label in read[n][1]])
        for n in test:
            if read[n][0]:
                rated = model.predict_proba(np.array(read[n][0]))[:, 1]
                best[n] = (float(rated.max()), read[n][1][int(rated.argmax())])
    answerable = [row["answerable"] for row in questions]
    print(f"area under ROC, answerable or not: {roc_auc_score(answerable, [rating for rating, _ in best]):.3f}")
    print("threshold  right  refused  balanced")
    for threshold in np.arange(0.1, 0.75, 0.05):
        right = np.mean([hit and rating >= threshold for (rating, hit), ok in zip(best, answerable, strict=True) if ok])
        absent = [rating < threshold for (rating, _), ok in zip(best, answerable, strict=True) if not ok]
        refused = float(np.mean(absent)) if absent else 1.0
        print(f"{threshold:9.2f}  {100 * right:5.1f}  {100 * refused:7.1f}  {50 * (right + refused):8.1f}")
    print("confidence  questions  right")
    points = []
    for low in np.arange(BINS) / BINS:
        inside = [(rating, hit) for rating, hit in best if low <= rating < low + 1 / BINS]
        if inside:
            right = float(np.mean([hit for _, hit in inside]))
            points.append((float(np.mean([rating for rating, _ in inside])), right, len(inside)))
            print(f"{low:.1f}–{low + 1 / BINS:.1f}  {len(inside):13}  {100 * right:5.1f}")
    PLOT.write_text(draw_reliability(points), "utf-8")


def draw_reliability(points: Sequence[tuple[float, float, int]]) -> str:
    """Draw the share of right answers over the confidence: a dot for each bin, larger for more questions."""
    dots = "".join(
        f'<circle cx="{40 + SIZE * x:.0f}" cy="{20 + SIZE * (1 - y):.0f}" r="{2 + n**0.5:.1f}" fill="#0b6e75">'
        f"<title>{n} questions</title></circle>"
        for x, y, n in points
    )
    ticks = "".join(
        f'<text x="{40 + SIZE * t / 4:.0f}" y="{SIZE + 36}" text-anchor="middle">{25 * t}</text>'
        f'<text x="34" y="{24 + SIZE * (1 - t / 4):.0f}" text-anchor="end">{25 * t}</text>'
        for t in range(5)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{SIZE + 60}" height="{SIZE + 60}" font-family="sans-serif" '
        f'font-size="11"><rect width="100%" height="100%" fill="#fff"/>'
        f'<rect x="40" y="20" width="{SIZE}" height="{SIZE}" fill="none" stroke="#999"/>'
        f'<line x1="40" y1="{SIZE + 20}" x2="{SIZE + 40}" y2="20" stroke="#999" stroke-dasharray="4"/>{dots}{ticks}'
        f'<text x="{40 + SIZE / 2:.0f}" y="{SIZE + 52}" text-anchor="middle">confidence, %</text>'
        f'<text x="44" y="34">right, %</text></svg>\n'
    )


if __name__ == "__main__":
    main()
