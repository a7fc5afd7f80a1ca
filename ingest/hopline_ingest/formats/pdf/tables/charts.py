"""Charts whose labels are in rows and columns like the cells of a table. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from hopline_ingest.formats.pdf.page_content import Cells

_AXIS_NUMBER = re.compile(r"[-−]?[$€£]?\d[\d,]*(?:\.\d+)?%?")
_MIN_STEPS = 5  # numbers of an axis
_EVEN = 0.01  # of a step, at most between two steps of an axis
_SPARSE_SHARE = 0.5  # of the cells beside a vertical axis


def is_chart(cells: Cells) -> bool:
    """Return whether cells are the labels of a chart: numbers in equal steps as its last row or first column.

    The row has no label. The column falls to zero or below, and most cells beside it are empty.
    """
    *above, last = cells
    if not last[0] and _read_axis([word for cell in last for word in cell.text.split()]):
        return True
    axis = _read_axis([row[0].text for row in cells if row[0]])
    filled = sum(map(bool, (cell for row in above for cell in row[1:])))
    return bool(axis) and axis[0] > 0 >= axis[-1] and filled < _SPARSE_SHARE * len(above) * (len(last) - 1)


def _read_axis(texts: Sequence[str]) -> list[float]:
    """Return the numbers of the axis of a chart, at least `_MIN_STEPS` in equal steps; none if they are no axis."""
    if len(texts) < _MIN_STEPS or not all(_AXIS_NUMBER.fullmatch(text) for text in texts):
        return []
    numbers = [float(re.sub(r"[$€£,%]", "", text).replace("−", "-")) for text in texts]
    step = numbers[1] - numbers[0]
    is_even = step != 0 and all(abs(after - before - step) < _EVEN * abs(step) for before, after in pairwise(numbers))
    return numbers if is_even else []
