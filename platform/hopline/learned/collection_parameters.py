"""Trained parameters that are stored in the graph, with the collection that they are used in."""

from __future__ import annotations

import json
from typing import Any, Final

from hopline.errors import UsageError
from hopline.flow.requests import Flow, fetch

COMMAND_NAMES: Final = {"scorer": "reranker"}  # stored name -> name in `hopline train`, where they differ


def load_parameters(name: str) -> Flow[dict[str, Any]]:
    """Load the parameters of a model ("gnn", "rgnn") of the collection that is searched.

    Raises:
        UsageError: the model was not trained for the collection; names the command that trains it.
    """
    return parse_parameters((yield from load_parameters_json(name)))


def load_parameters_json(name: str) -> Flow[str]:
    """Load the same as the stored JSON text, so that a caller can cache what it parses from a long one.

    Raises:
        UsageError: the model was not trained for the collection; names the command that trains it.
    """
    columns = yield fetch("learned/parameters", name=name)
    if not columns["values"]:
        model = COMMAND_NAMES.get(name, name)
        raise UsageError(
            f"{model} has not been trained for this collection; train it with: hopline train {model} QUESTIONS.jsonl"
        )
    parameters: str = columns["values"][0]
    return parameters


def parse_parameters(text: str) -> dict[str, Any]:
    """Parse stored parameters."""
    parameters: dict[str, Any] = json.loads(text)
    return parameters
