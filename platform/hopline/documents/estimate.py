"""Estimates of the time and model calls that processing files would take."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from hopline.config import Settings, to_environment
from hopline.documents.protected_pdfs import PdfState, read_pdf_state
from hopline.documents.source_files import SUPPORTED_SUFFIXES, describe_unsupported, find_files, is_jsonl
from hopline.errors import EngineError

_SECONDS_PER_PAGE: Final = 0.6  # measured on two cores, PDF pages with layout; only for estimates
_SECONDS_PER_PASSAGE: Final = 0.03
_TOKENS_PER_PASSAGE: Final = 700  # prompt and reply of extraction with a model
_COUNTING_SECONDS: Final = 120.0
_DAMAGED: Final = "the PDF is damaged and cannot be opened"


@dataclass(frozen=True, slots=True)
class Estimate:
    """Estimated size and cost of processing files. ``calls`` and ``tokens`` are 0 unless a model extracts.

    ``unsupported`` are the files that cannot be processed, each with its reason, but for those in ``protected``: the
    names of PDFs that need a password.
    """

    documents: int = 0
    pages: int = 0
    passages: int = 0
    seconds: float = 0.0
    calls: int = 0
    tokens: int = 0
    unsupported: tuple[str, ...] = ()
    protected: tuple[str, ...] = ()


def estimate_processing(settings: Settings, paths: Sequence[Path], extraction_model: str) -> Estimate:
    """Estimate the processing of files; ``extraction_model`` is the model of their collection, "" for rules.

    Raises:
        UsageError: a path does not exist.
        EngineError: the counting process failed.
    """
    files = find_files(paths)
    supported = [str(file.path) for file in files if file.name.lower().endswith(SUPPORTED_SUFFIXES)]
    unsupported = [
        f"{file.name}: {describe_unsupported(file.name)}"
        for file in files
        if not file.name.lower().endswith(SUPPORTED_SUFFIXES)
    ]
    try:
        counts = _count_in_process(settings, supported) if supported else {}
    except (subprocess.SubprocessError, OSError, ValueError) as error:
        raise EngineError(f"cannot estimate the files: {error}") from error
    unsupported += [f"{Path(path).name}: {count['error']}" for path, count in counts.items() if "error" in count]
    states = {path: _read_state(Path(path)) for path, count in counts.items() if "error" not in count}
    unsupported += [f"{Path(path).name}: {_DAMAGED}" for path, state in states.items() if state == "damaged"]
    protected = tuple(Path(path).name for path, state in states.items() if state == "protected")
    good = {path: count for path, count in counts.items() if states.get(path) == "open"}
    pages = sum(count["pages"] for path, count in good.items() if not is_jsonl(path))
    passages = sum(count["passages"] for count in good.values())
    calls = passages if extraction_model and extraction_model == settings.model else 0
    seconds = pages * _SECONDS_PER_PAGE + passages * _SECONDS_PER_PASSAGE
    return Estimate(
        len(good), pages, passages, seconds, calls, calls * _TOKENS_PER_PASSAGE, tuple(unsupported), protected
    )


def _read_state(path: Path) -> PdfState:
    return read_pdf_state(path) if path.name.lower().endswith(".pdf") else "open"


def _count_in_process(settings: Settings, paths: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return ``pages`` and ``passages``, or an ``error``, by path; the ingest package counts in a separate process.

    Raises:
        SubprocessError, OSError, ValueError: the process could not start, failed, or printed no JSON.
    """
    completed = subprocess.run(
        [sys.executable, "-m", "hopline_ingest", "estimate"],
        env=to_environment(settings),
        input=json.dumps(paths),
        capture_output=True,
        text=True,
        check=True,
        timeout=_COUNTING_SECONDS,
    )
    counts: dict[str, dict[str, Any]] = json.loads(completed.stdout)
    return counts
