"""Feedback as rows of a question set, as `hopline.evaluation.questions` describes them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from hopline.records import Feedback


def build_question_row(feedback: Feedback) -> dict[str, Any]:
    """Return the row of a question set for feedback that is a question (`Feedback.is_question`)."""
    answer = feedback.correct_answer
    locations = ({"document": item.document, "page": item.page, "quote": item.quote} for item in feedback.citations)
    return {
        "id": feedback.id,
        "question": feedback.question,
        "answerable": feedback.answerable,
        **({"answer": answer} if answer else {}),
        "gold": list(dict.fromkeys(item.evidence for item in feedback.citations if item.evidence)),
        "evidence": list(locations),
        "filter": build_filter(feedback),
        "verdict": feedback.verdict,
    }


def build_filter(feedback: Feedback) -> str:
    """Return the filter that selects the documents that the question was asked of; "" for all."""
    names = ", ".join(json.dumps(name, ensure_ascii=False) for name in feedback.documents)
    conditions = [f"({feedback.filter})"] if feedback.filter else []
    return " and ".join([*conditions, *([f"document in [{names}]"] if names else [])])


def write_question_rows(feedback: Iterable[Feedback]) -> str:
    """Return the text of a question set: a JSON object a line, the oldest first, for all that is a question."""
    rows = [build_question_row(item) for item in feedback if item.is_question]
    return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in reversed(rows))
