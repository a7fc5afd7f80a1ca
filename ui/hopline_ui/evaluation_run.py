"""Evaluate strategies on a question set in a background thread, with progress and result."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread
from typing import BinaryIO

from hopline.client import Hopline
from hopline.errors import HoplineError
from hopline.evaluation import Evaluation, Question, evaluate, read_questions

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class EvaluationRun:
    """One evaluation on a question set.

    It continues when the user leaves the page, and stops with the page's process. ``completed`` counts the questions
    done per strategy. At the end either ``result`` or ``error`` is set.
    """

    collection: str
    strategies: tuple[str, ...]
    questions: int
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
    hop: Hopline, questions: Sequence[Question], strategies: Sequence[str], collection: str
) -> EvaluationRun:
    """Start evaluating retrieval; the baseline is `dense`, or the first strategy where `dense` is not among them."""
    run = EvaluationRun(collection, tuple(strategies), len(questions))
    baseline = "dense" if "dense" in strategies else strategies[0]

    def count(strategy: str, done: int, _: int) -> None:
        run.completed[strategy] = done

    def work() -> None:
        try:
            run.result = evaluate(
                hop, questions, strategies, collection=collection, answers=False, baseline=baseline, on_progress=count
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
