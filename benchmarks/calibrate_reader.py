"""Fit the confidence of the reader's answers on development questions, and plot its reliability.

    python benchmarks/calibrate_reader.py QUESTIONS.jsonl:COLLECTION … [--home FOLDER] [--folds 5] [--readings FILE]

The documents of the questions are in the collections already (``answers.py`` and ``answer_kinds.py`` add them). Each
reading of a question is one row: its features (`hopline.reader.confidence.compute_features`), and whether it is right.
The coefficients of two logistic regressions, for spans and for verdicts, are written to
``platform/hopline/reader/confidence.json``. What is printed, and the plots ``benchmarks/reliability.svg`` and
``risk-coverage.svg``, come from folds of questions that the coefficients were not fitted on; the second hop and
calculations are left out, and so are follow-ups, comparisons, counts, lists and contradictions, of which no single span
is the answer.
"""

from __future__ import annotations

import argparse
import json
import pickle
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
from answers import contains_answer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import KFold

from hopline.answers.answerer import MAX_EVIDENCE, THRESHOLD
from hopline.answers.expansion import expand_evidence
from hopline.answers.span import get_short
from hopline.connections import Connections
from hopline.flow.requests import Flow
from hopline.questions.analysis import analyse_question
from hopline.reader.confidence import FEATURES, VERDICT_FEATURES, compute_features, read_with_confidence
from hopline.reader.reading import SpanReading
from hopline.retrieval.evidence_retrieval import retrieve_evidence
from hopline.strategies import load_strategy
from hopline.text.words import find_content_words

OUTPUT = Path(__file__).resolve().parents[1] / "platform/hopline/reader/confidence.json"
REGULARISATION = 1.0
RELIABILITY = Path(__file__).resolve().parent / "reliability.svg"
RISK_COVERAGE = Path(__file__).resolve().parent / "risk-coverage.svg"
MIN_QUOTE = 0.6  # share of the words of a gold quote
PRECISION = 0.8  # share of right answers among the answered questions that the default threshold has to reach
BINS = 5
LEFT_OUT = {"comparison", "count", "list", "contradiction"}  # kinds that are answered by other means
SIZE = 240  # of the plot, in pixels


def collect_readings(question: str, collection: str) -> Flow[list[SpanReading]]:
    retrieval = yield from retrieve_evidence(load_strategy("hopline"), question, 10, collection=collection)
    analysis = analyse_question(question)
    expanded = yield from expand_evidence(analysis, retrieval)
    rated = yield from read_with_confidence(analysis, expanded.evidence[:MAX_EVIDENCE])
    return [item.reading for item in rated]


def label_readings(row: dict[str, Any], readings: Sequence[SpanReading]) -> list[bool]:
    """Whether each reading answers the question.

    It does if its span has the gold answer; for a reason, also if its sentence has most words of the gold quote; for
    yes or no, if it has them and the verdict is right.
    """
    return [row["answerable"] and _is_right(row, reading) for reading in readings]


def _is_right(row: dict[str, Any], reading: SpanReading) -> bool:
    golds = [text for text in (row["answer"], *row.get("answer_aliases", ())) if text]
    if row["answer"].lower() in {"yes", "no"} and reading.verdict:
        return row["answer"].lower() == reading.verdict and _has_quote(row, reading)
    short = get_short(analyse_question(row["question"]), reading)
    return contains_answer(golds, [short or reading.quote]) or (not short and _has_quote(row, reading))


def _has_quote(row: dict[str, Any], reading: SpanReading) -> bool:
    words = find_content_words(reading.quote)
    quotes = [
        find_content_words(item["quote"]) for item in row["evidence"] if item["document"] == reading.evidence.document
    ]
    return any(len(quote & words) >= MIN_QUOTE * len(quote) for quote in quotes)


def fit(rows: Sequence[Sequence[float]], labels: Sequence[bool]) -> LogisticRegression:
    return LogisticRegression(C=REGULARISATION, fit_intercept=False, max_iter=1000).fit(np.array(rows), labels)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", nargs="+", help="a file of questions and the collection with their documents")
    parser.add_argument("--home")
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument(
        "--readings", type=Path, help="file in which the readings are stored, and from which they are loaded"
    )
    arguments = parser.parse_args()
    questions = [row for item in arguments.questions for row in read_questions(*item.rsplit(":", 1))]
    if arguments.readings and arguments.readings.exists():
        readings = pickle.loads(arguments.readings.read_bytes())
    else:
        readings = read_all(questions, arguments.home)
        if arguments.readings:
            arguments.readings.write_bytes(pickle.dumps(readings))
    weights = {}
    for kind, names in (("span", FEATURES), ("verdict", VERDICT_FEATURES)):
        chosen = [
            (row, row_readings)
            for row, row_readings in zip(questions, readings, strict=True)
            if analyse_question(row["question"]).asks_for_verdict == (kind == "verdict")
        ]
        read = [
            (compute_features(analyse_question(row["question"]), row_readings), label_readings(row, row_readings))
            for row, row_readings in chosen
        ]
        print(f"\n{kind}: {len(chosen)} questions")
        best = rate_best(read, arguments.folds)
        report([row for row, _ in chosen], best)
        if kind == "span":
            draw_plots(best)
        model = fit([row for rows, _ in read for row in rows], [label for _, labels in read for label in labels])
        weights[kind] = {name: round(float(value), 4) for name, value in zip(names, model.coef_[0], strict=True)}
    OUTPUT.write_text(json.dumps(weights, indent=1) + "\n", "utf-8")
    print(json.dumps(weights, indent=1))


def read_questions(path: str, collection: str) -> list[dict[str, Any]]:
    """Read the questions of a file that one span or verdict answers, each with its collection."""
    rows = [json.loads(line) for line in Path(path).read_text("utf-8").split("\n") if line.strip()]
    return [
        {**row, "collection": collection}
        for row in rows
        if not row.get("before") and row["kind"] not in LEFT_OUT and row.get("answer") != "no value"
    ]


def read_all(questions: Sequence[dict[str, Any]], home: str | None) -> list[list[SpanReading]]:
    """Read the evidence of every question."""
    with closing(Connections.open(home=home, reader="minilm")) as connections:
        scopes = {name: connections.resolve_scope(name) for name in {row["collection"] for row in questions}}
        return [
            connections.run(collect_readings(row["question"], row["collection"]), scopes[row["collection"]]).result
            for row in questions
        ]


def report(questions: Sequence[dict[str, Any]], best: Sequence[tuple[float, bool]]) -> None:
    """Print what held-out folds give, by threshold, by confidence and by kind of question."""
    answerable = [row["answerable"] for row in questions]
    print(f"area under ROC, answerable or not: {roc_auc_score(answerable, [rating for rating, _ in best]):.3f}")
    print(f"area under ROC, right or wrong: {roc_auc_score([hit for _, hit in best], [rate for rate, _ in best]):.3f}")
    hits = [hit for (_, hit), ok in zip(best, answerable, strict=True) if ok]
    print(f"right without a threshold: {100 * np.mean(hits):.1f}")
    print("threshold  answered  precision  right  refused")
    for threshold in np.arange(0.05, 0.95, 0.05):
        answered = [hit for rating, hit in best if rating >= threshold]
        right = sum(answered) / sum(answerable)
        refused = np.mean([rating < threshold for (rating, _), ok in zip(best, answerable, strict=True) if not ok])
        precision = np.mean(answered) if answered else 1.0
        share = len(answered) / len(best)
        print(f"{threshold:9.2f}  {100 * share:8.1f}  {100 * precision:9.1f}  {100 * right:5.1f}  {100 * refused:7.1f}")
    print(f"lowest threshold with a precision of {PRECISION}: {find_threshold(best):.3f}")
    print("confidence  questions  right")
    for mean, right, count in bin_confidence(best):
        print(f"{mean:10.2f}  {count:9}  {100 * right:5.1f}")
    print("kind            questions  answered  right  sure and wrong")
    kinds = [(row["collection"], row["kind"]) for row in questions]
    for kind in sorted(set(kinds)):
        of_kind = [pair for name, pair in zip(kinds, best, strict=True) if name == kind]
        answered = [hit for rating, hit in of_kind if rating >= THRESHOLD]
        name = " ".join(kind)
        print(f"{name:24} {len(of_kind):5} {len(answered):5} {sum(answered):5} {len(answered) - sum(answered):5}")


def bin_confidence(best: Sequence[tuple[float, bool]]) -> list[tuple[float, float, int]]:
    """The mean confidence, the share of right answers and the number of questions of each bin that has some."""
    points = []
    for low in np.arange(BINS) / BINS:
        inside = [(rating, hit) for rating, hit in best if low <= rating < low + 1 / BINS]
        if inside:
            right = float(np.mean([hit for _, hit in inside]))
            points.append((float(np.mean([rating for rating, _ in inside])), right, len(inside)))
    return points


def draw_plots(best: Sequence[tuple[float, bool]]) -> None:
    """Write the plots of reliability and of risk over coverage."""
    RELIABILITY.write_text(draw_reliability(bin_confidence(best)), "utf-8")
    RISK_COVERAGE.write_text(draw_risk_coverage(best), "utf-8")


def rate_best(read: Sequence[tuple[list[tuple[float, ...]], list[bool]]], folds: int) -> list[tuple[float, bool]]:
    """The confidence of the best reading of each question, by the other folds, and whether it is right."""
    best: list[tuple[float, bool]] = [(0.0, False)] * len(read)
    for train, test in KFold(folds, shuffle=True, random_state=1).split(np.arange(len(read))):
        model = fit([row for n in train for row in read[n][0]], [label for n in train for label in read[n][1]])
        for n in test:
            if read[n][0]:
                rated = model.predict_proba(np.array(read[n][0]))[:, 1]
                best[n] = (float(rated.max()), read[n][1][int(rated.argmax())])
    return best


def find_threshold(best: Sequence[tuple[float, bool]]) -> float:
    """The lowest confidence at which the share of right answers is at least `PRECISION`; 1 if there is none."""
    ranked = sorted(best, reverse=True)
    right = np.cumsum([hit for _, hit in ranked]) / np.arange(1, len(ranked) + 1)
    enough = [number for number, share in enumerate(right) if share >= PRECISION]
    return ranked[enough[-1]][0] if enough else 1.0


def draw_risk_coverage(best: Sequence[tuple[float, bool]]) -> str:
    """Draw the share of wrong answers over the share of questions that are answered, the surest first."""
    hits = [hit for _, hit in sorted(best, reverse=True)]
    wrong = 1 - np.cumsum(hits) / np.arange(1, len(hits) + 1)
    points = " ".join(
        f"{40 + SIZE * (number + 1) / len(hits):.1f},{20 + SIZE * (1 - risk):.1f}" for number, risk in enumerate(wrong)
    )
    line = f'<polyline points="{points}" fill="none" stroke="#0b6e75" stroke-width="2"/>'
    return draw_axes(line, "questions answered, %", "wrong among the answered, %")


def draw_reliability(points: Sequence[tuple[float, float, int]]) -> str:
    """Draw the share of right answers over the confidence: a dot for each bin, larger for more questions."""
    dots = "".join(
        f'<circle cx="{40 + SIZE * x:.0f}" cy="{20 + SIZE * (1 - y):.0f}" r="{2 + n**0.5:.1f}" fill="#0b6e75">'
        f"<title>{n} questions</title></circle>"
        for x, y, n in points
    )
    line = f'<line x1="40" y1="{SIZE + 20}" x2="{SIZE + 40}" y2="20" stroke="#999" stroke-dasharray="4"/>'
    return draw_axes(line + dots, "confidence, %", "right, %")


def draw_axes(content: str, across: str, up: str) -> str:
    """Draw a square plot with both axes from 0 to 100 %."""
    ticks = "".join(
        f'<text x="{40 + SIZE * t / 4:.0f}" y="{SIZE + 36}" text-anchor="middle">{25 * t}</text>'
        f'<text x="34" y="{24 + SIZE * (1 - t / 4):.0f}" text-anchor="end">{25 * t}</text>'
        for t in range(5)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{SIZE + 60}" height="{SIZE + 60}" font-family="sans-serif" '
        f'font-size="11"><rect width="100%" height="100%" fill="#fff"/>'
        f'<rect x="40" y="20" width="{SIZE}" height="{SIZE}" fill="none" stroke="#999"/>{content}{ticks}'
        f'<text x="{40 + SIZE / 2:.0f}" y="{SIZE + 52}" text-anchor="middle">{across}</text>'
        f'<text x="44" y="34">{up}</text></svg>\n'
    )


if __name__ == "__main__":
    main()
