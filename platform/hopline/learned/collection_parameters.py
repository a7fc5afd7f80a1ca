"""What was learned, kept in the graph with the collection that it is used in."""

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
    return decoded((yield from kept_for(name)))


def kept_for(name: str) -> Flow[str]:
    """The same as it is kept, to be decoded once: a scorer is long.

    Raises:
        UsageError: nothing was learned; says how to train.
    """
    columns = yield fetch("train/learned", name=name)
    if not columns["values"]:
        raise UsageError(
            f"nothing was learned for {name} in this collection; hopline train {name} QUESTIONS.jsonl does it"
        )
    values: str = columns["values"][0]
    return values


def decoded(values: str) -> dict[str, Any]:
    """The values of what is kept."""
    found: dict[str, Any] = json.loads(values)
    return found
