"""What was learned, kept in the graph with the collection that it was learned on."""

from __future__ import annotations

import json
from typing import Any

from hopline.errors import UsageError
from hopline.flow.requests import Flow, fetch


def learned_for(name: str) -> Flow[dict[str, Any]]:
    """What was learned for a part ("gnn", "rgnn") in the collection that is asked.

    Raises:
        UsageError: nothing was; says how to train.
    """
    columns = yield fetch("train/learned", name=name)
    if not columns["values"]:
        raise UsageError(
            f"nothing was learned for {name} in this collection; hopline train {name} QUESTIONS.jsonl does it"
        )
    values: dict[str, Any] = json.loads(columns["values"][0])
    return values
