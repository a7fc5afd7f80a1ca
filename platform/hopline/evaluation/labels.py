"""Texts with labels, and how well labels are found: micro and macro F1.

Rows are ``{"text", "labels": ["agent", "person", …]}``, one a line, plain or gzipped; or a table of values separated by
commas whose columns are ``text`` and ``l1``, ``l2``, … (the levels of a hierarchy, as DBPedia Classes is published), or
that begins at once with numbers of labels and the text behind them.
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

from hopline.atomic_files import text_lines
from hopline.errors import UsageError


@dataclass(frozen=True, slots=True)
class Labelled:
    """A text and what it is about; a label's ancestors in a hierarchy are labels of their own."""

    text: str
    labels: tuple[str, ...]


def read_labelled(path: Path, *, limit: int | None = None) -> list[Labelled]:
    """The first ``limit`` rows of a file.

    Raises:
        UsageError: the file cannot be read, has no row, or a row has no text or label; names the line.
    """
    table = path.name.removesuffix(".gz").endswith(".csv")
    rows = list(_of_table(path) if table else _of_lines(path))[:limit]
    if not rows:
        raise UsageError(f"{path} has no row")
    return rows


def _of_lines(path: Path) -> Iterator[Labelled]:
    for number, line in enumerate(text_lines(path), 1):
        if line.strip():
            try:
                row = json.loads(line)
                yield _checked(row["text"], row["labels"])
            except (ValueError, KeyError, TypeError) as error:
                raise UsageError(f'{path}:{number}: wanted {{"text", "labels": […]}} ({error!r})') from error


def _of_table(path: Path) -> Iterator[Labelled]:
    """Rows of a table; without a header its last column is the text, those before it are numbers of labels."""
    rows = csv.reader(text_lines(path))
    head = next(rows, [])
    names, first = head, []
    if len(head) > 1 and all(cell.isdigit() for cell in head[:-1]):
        names, first = [*(f"l{n}" for n in range(1, len(head))), "text"], [head]
    levels = [name for name in names if name[:1] == "l" and name[1:].isdigit()]
    if not levels or "text" not in names:
        raise UsageError(f"{path}: wanted the columns text, l1, l2, … (got {', '.join(names)[:200] or 'nothing'})")
    for cells in chain(first, rows):
        row = dict(zip(names, cells, strict=False))
        try:
            yield _checked(row["text"], [_label(level, row[level]) for level in levels])
        except (ValueError, KeyError) as error:
            raise UsageError(f"{path}:{rows.line_num}: wanted a text and {', '.join(levels)} ({error!r})") from error


def _label(level: str, value: str) -> str:
    """A number means something else on each level."""
    return f"{level} {value}" if value.isdigit() else value


def _checked(text: str, labels: Sequence[str]) -> Labelled:
    if not text.strip() or isinstance(labels, str) or not all(label and isinstance(label, str) for label in labels):
        raise ValueError("no text, or labels that are no list of texts")
    return Labelled(text, tuple(dict.fromkeys(labels)))


def as_matrix(rows: Sequence[Labelled], labels: Sequence[str]) -> NDArray[np.bool_]:
    """Which labels each row has, (N, L); others than these are left out."""
    place = {label: n for n, label in enumerate(labels)}
    about = np.zeros((len(rows), len(labels)), dtype=np.bool_)
    for n, row in enumerate(rows):
        about[n, [place[label] for label in row.labels if label in place]] = True
    return about


def label_f1(found: NDArray[np.bool_], right: NDArray[np.bool_]) -> dict[str, float]:
    """Micro F1, and macro F1 over the labels that some row has, in per cent, of matrices (N, L)."""
    both, said, there = (found & right).sum(axis=0), found.sum(axis=0), right.sum(axis=0)
    micro = 200.0 * both.sum() / max(said.sum() + there.sum(), 1)
    each = 200.0 * both / np.maximum(said + there, 1)
    return {
        "micro F1": round(float(micro), 1),
        "macro F1": round(float(each[there > 0].mean()) if there.any() else 0.0, 1),
    }
