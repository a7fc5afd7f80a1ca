"""Measuring strategies on a question set beside the page: a thread, how far it is, and what came of it."""

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
class Measuring:
    """One run over a question set. It goes on when the page is left, and stops with the page's process."""

    collection: str
    strategies: tuple[str, ...]
    questions: int
    done: dict[str, int] = field(default_factory=dict)
    result: Evaluation | None = None
    trouble: str = ""

    @property
    def over(self) -> bool:
        """Whether there is a result, or none will come."""
        return self.result is not None or bool(self.trouble)

    @property
    def share(self) -> float:
        """How much of it is done, 0 to 1."""
        return min(sum(self.done.values()) / max(1, self.questions * len(self.strategies)), 1.0)


def begin(hop: Hopline, questions: Sequence[Question], strategies: Sequence[str], collection: str) -> Measuring:
    """Starts measuring retrieval, `dense` or else the first strategy being what the others are compared with."""
    run = Measuring(collection, tuple(strategies), len(questions))
    baseline = "dense" if "dense" in strategies else strategies[0]

    def heard(strategy: str, done: int, _: int) -> None:
        run.done[strategy] = done

    def work() -> None:
        try:
            run.result = evaluate(
                hop, questions, strategies, collection=collection, answers=False, baseline=baseline, listener=heard
            )
        except HoplineError as error:
            run.trouble = str(error)
        except Exception:  # noqa: BLE001 - a thread that ends without a word would be waited for for ever
            _log.exception("measuring %s", ", ".join(strategies))
            run.trouble = "Something failed while measuring; the details are in the page's log."

    Thread(target=work, daemon=True, name="hopline-measuring").start()
    return run


def questions_of(file: BinaryIO, limit: int | None = None) -> list[Question]:
    """The questions of an uploaded ``.jsonl`` or ``.jsonl.gz``.

    Raises:
        UsageError: a row that is no question.
    """
    name = "questions.jsonl.gz" if file.name.endswith(".gz") else "questions.jsonl"
    with tempfile.TemporaryDirectory(prefix="hopline-") as folder:
        path = Path(folder) / name
        path.write_bytes(file.read())
        return read_questions(path, limit=limit)
