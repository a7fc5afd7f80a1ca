"""Trace files: JSON that another machine can replay."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from hopline.errors import UsageError
from hopline.results import Trace, TraceStep

VERSION = 1


def trace_to_dict(trace: Trace) -> dict[str, Any]:
    """Convert a trace to plain data, including the recorded requests and answers that replay needs."""
    return {"version": VERSION, "steps": [asdict(step) for step in trace.steps]}


def trace_from_dict(data: Mapping[str, Any]) -> Trace:
    """Build the trace from the dictionary that `trace_to_dict` made.

    Raises:
        UsageError: the data is not a trace, or one of another version.
    """
    if not isinstance(data, Mapping) or data.get("version") != VERSION:
        received = data.get("version") if isinstance(data, Mapping) else type(data).__name__
        raise UsageError(f"wanted a trace of version {VERSION}; got {received!r}")
    known = {field.name for field in fields(TraceStep)}
    try:
        steps = [TraceStep(**{name: value for name, value in step.items() if name in known}) for step in data["steps"]]
    except (KeyError, TypeError, AttributeError) as error:
        raise UsageError(f"a step of the trace cannot be parsed: {error}") from error
    return Trace(tuple(steps))


def save_trace(trace: Trace, path: Path) -> None:
    """Write a trace as JSON."""
    path.write_text(json.dumps(trace_to_dict(trace), ensure_ascii=False), encoding="utf-8")


def load_trace(path: Path) -> Trace:
    """Read a trace that `save_trace` wrote.

    Raises:
        UsageError: the file is not a trace.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise UsageError(f"{path} is not a trace file: {error}") from error
    return trace_from_dict(data)
