"""Evaluate strategies on a question set in a background thread, with progress and result."""

from __future__ import annotations

import csv
import io
import logging
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread
from typing import BinaryIO

from hopline.client import Hopline
from hopline.errors import HoplineError
from hopline.evaluation import Evaluation, Question, evaluate, read_questions
from hopline.evaluation.questions import parse_question
from hopline.evaluation.statistics import Figure
from hopline.feedback.question_rows import build_question_row
from hopline.records import Feedback

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class EvaluationRun:
    """One evaluation on a question set.

    It continues when the user leaves the page, and stops with the page's process. ``completed`` counts the questions
    done per strategy; with ``answers``, answers are scored as well as evidence. At the end either ``result`` or
    ``error`` is set.
    """

    collection: str
    strategies: tuple[str, ...]
    questions: int
    answers: bool = False
    completed: dict[str, int] = field(default_factory=dict)
    result: Evaluation | None = None
    error: str = ""

    @property
    def finished(self) -> bool:
        """Whether there is a result or an error."""
        return self.result is not None or bool(self.error)

    @property
    def progress(self) -> float:
        """The completed fraction, 0 to 1."""
        return min(sum(self.completed.values()) / max(1, self.questions * len(self.strategies)), 1.0)


def start_evaluation(
    hop: Hopline, questions: Sequence[Question], strategies: Sequence[str], collection: str, *, answers: bool = False
) -> EvaluationRun:
    """Start evaluating retrieval, and answers if asked for.

    The baseline is `dense`, or the first strategy where `dense` is not among them.
    """
    run = EvaluationRun(collection, tuple(strategies), len(questions), answers)
    baseline = "dense" if "dense" in strategies else strategies[0]

    def count(strategy: str, done: int, _: int) -> None:
        run.completed[strategy] = done

    def work() -> None:
        try:
            run.result = evaluate(
                hop,
                questions,
                strategies,
                collection=collection,
                answers="product" if answers else False,
                baseline=baseline,
                on_progress=count,
            )
        except HoplineError as error:
            run.error = str(error)
        except Exception:  # noqa: BLE001 - if the thread died without an error, the page would wait forever
            _log.exception("unexpected error while evaluating %s", ", ".join(strategies))
            run.error = "An unexpected error occurred during the evaluation; the details are in the log of this page."

    Thread(target=work, daemon=True, name="hopline-evaluation").start()
    return run


def read_uploaded_questions(file: BinaryIO, limit: int | None = None) -> list[Question]:
    """Read the questions of an uploaded ``.jsonl`` or ``.jsonl.gz`` file.

    Raises:
        UsageError: a row is not a question.
    """
    name = "questions.jsonl.gz" if file.name.endswith(".gz") else "questions.jsonl"
    with tempfile.TemporaryDirectory(prefix="hopline-") as folder:
        path = Path(folder) / name
        path.write_bytes(file.read())
        return read_questions(path, limit=limit)


def build_feedback_questions(feedback: Sequence[Feedback]) -> list[Question]:
    """Return the questions of feedback whose correct answer or evidence is known, oldest first."""
    rows = [build_question_row(item) for item in reversed(feedback) if item.is_question]
    return [parse_question(row, "feedback", number) for number, row in enumerate(rows, 1)]


def list_score_rows(result: Evaluation) -> list[dict[str, object]]:
    """Return a row per strategy: the mean of each metric in percent, its difference to the baseline, and latencies."""
    metrics = list(dict.fromkeys(name for row in result.strategies for name in row.scores))
    rows: list[dict[str, object]] = []
    for row in result.strategies:
        scores: dict[str, object] = {}
        for name in metrics:
            figure = row.scores.get(name)
            scores[name] = round(100 * figure.mean, 1) if figure else None
            if len(result.strategies) > 1:
                scores[f"{name} difference"] = format_difference(row.against.get(name))
        latencies = {"p50 ms": round(row.p50, 1), "p95 ms": round(row.p95, 1)}
        rows.append({"Strategy": row.strategy, **scores, **latencies, "Failed": row.failed})
    return rows


def format_difference(difference: Figure | None) -> str:
    """As "+1.5 (-0.3 to +3.2)" in percentage points; "—" for the baseline."""
    if difference is None:
        return "—"
    return f"{100 * difference.mean:+.1f} ({100 * difference.low:+.1f} to {100 * difference.high:+.1f})"


def write_csv(rows: Sequence[Mapping[str, object]]) -> bytes:
    """Return rows as CSV in UTF-8 with a byte order mark for spreadsheets."""
    file = io.StringIO()
    writer = csv.DictWriter(file, list(rows[0]) if rows else [])
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue().encode("utf-8-sig")
