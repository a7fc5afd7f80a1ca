"""Texts with labels, and the metrics of classifiers: micro and macro F1.

Rows are ``{"text", "labels": ["agent", "person", …]}``, one a line, plain or gzipped; or a table of values separated by
commas whose columns are ``text`` and ``l1``, ``l2``, … (the levels of a hierarchy, as DBPedia Classes is published), or
without a header, with the numbers of labels in the first columns and the text in the last.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hopline.atomic_files import read_lines
from hopline.errors import UsageError


@dataclass(frozen=True, slots=True)
class LabelledText:
    """A text with its labels; the ancestors of a label in a hierarchy are separate labels."""

    text: str
    labels: tuple[str, ...]


def read_labelled_texts(path: Path, *, limit: int | None = None) -> list[LabelledText]:
    """Read the first ``limit`` rows of a file.

    Raises:
        UsageError: the file cannot be read, has no row, or a row has no text or label; names the line.
    """
    is_csv = path.name.removesuffix(".gz").endswith(".csv")
    rows = list(_read_csv(path) if is_csv else _read_jsonl(path))[:limit]
    if not rows:
        raise UsageError(f"{path} has no row")
    return rows


def _read_jsonl(path: Path) -> Iterator[LabelledText]:
    for number, line in enumerate(read_lines(path), 1):
        if line.strip():
            try:
                row = json.loads(line)
                yield _validate(row["text"], row["labels"])
            except (ValueError, KeyError, TypeError) as error:
                raise UsageError(f'{path}:{number}: wanted {{"text", "labels": […]}} ({error!r})') from error


def _read_csv(path: Path) -> Iterator[LabelledText]:
    """Read rows of a CSV file; without a header the last column is the text, the others are numbers of labels."""
    rows = csv.reader(read_lines(path))
    header = next(rows, [])
    names, leading = header, []
    if len(header) > 1 and all(cell.isdigit() for cell in header[:-1]):
        names, leading = [*(f"l{n}" for n in range(1, len(header))), "text"], [header]
    levels = [name for name in names if name[:1] == "l" and name[1:].isdigit()]
    if not levels or "text" not in names:
        raise UsageError(f"{path}: wanted the columns text, l1, l2, … (got {', '.join(names)[:200] or 'nothing'})")
    for cells in chain(leading, rows):
        row = dict(zip(names, cells, strict=False))
        try:
            yield _validate(row["text"], [_make_label(level, row[level]) for level in levels])
        except (ValueError, KeyError) as error:
            raise UsageError(f"{path}:{rows.line_num}: wanted a text and {', '.join(levels)} ({error!r})") from error


def _make_label(level: str, value: str) -> str:
    """Prefix numbers with their level, since they are only unique within a level."""
    return f"{level} {value}" if value.isdigit() else value


def _validate(text: str, labels: Sequence[str]) -> LabelledText:
    if not text.strip() or isinstance(labels, str) or not all(label and isinstance(label, str) for label in labels):
        raise ValueError("wanted a text and a list of labels")
    return LabelledText(text, tuple(dict.fromkeys(labels)))


def to_label_matrix(rows: Sequence[LabelledText], labels: Sequence[str]) -> NDArray[np.bool_]:
    """Convert labels to a matrix (N, L): which of ``labels`` each row has; other labels are ignored."""
    index = {label: n for n, label in enumerate(labels)}
    matrix = np.zeros((len(rows), len(labels)), dtype=np.bool_)
    for n, row in enumerate(rows):
        matrix[n, [index[label] for label in row.labels if label in index]] = True
    return matrix


def label_f1(predicted: NDArray[np.bool_], gold: NDArray[np.bool_]) -> dict[str, float]:
    """Compute micro F1, and macro F1 over the labels that occur, in per cent, of matrices (N, L)."""
    true_positives = (predicted & gold).sum(axis=0)
    predicted_counts, gold_counts = predicted.sum(axis=0), gold.sum(axis=0)
    micro = 200.0 * true_positives.sum() / max(predicted_counts.sum() + gold_counts.sum(), 1)
    f1_scores = 200.0 * true_positives / np.maximum(predicted_counts + gold_counts, 1)
    return {
        "micro F1": round(float(micro), 1),
        "macro F1": round(float(f1_scores[gold_counts > 0].mean()) if gold_counts.any() else 0.0, 1),
    }
