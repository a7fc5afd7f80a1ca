"""Files of vectors: a NumPy array of float32, and a text file with the id of the node of each row."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import numpy as np
from numpy.lib import format as npy_format

from hopline.errors import UsageError

ARRAY: Final = ".npy"
IDS: Final = ".ids"


class VectorWriter:
    """Writes vectors one after the other; the header, which has their number, is written again at the end."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.rows = 0
        self._dimension = 0
        self._array = path.with_name(path.name + ARRAY).open("wb")
        self._ids = path.with_name(path.name + IDS).open("w", encoding="utf-8", newline="\n")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            self._array.seek(0)
            self._write_header()
        self._array.close()
        self._ids.close()

    def write(self, id: str, vector: list[float]) -> None:
        """Write the vector of a node.

        Raises:
            UsageError: it has another number of dimensions than the first one.
        """
        if not self.rows:
            self._dimension = len(vector)
            self._write_header()
        if len(vector) != self._dimension:
            raise UsageError(f"the vector of {id} has {len(vector)} dimensions, others have {self._dimension}")
        self._array.write(np.asarray(vector, dtype="<f4").tobytes())
        self._ids.write(f"{id}\n")
        self.rows += 1

    def _write_header(self) -> None:
        shape = (self.rows, self._dimension)  # NumPy pads the header so that the number of rows can grow
        npy_format.write_array_header_1_0(self._array, {"descr": "<f4", "fortran_order": False, "shape": shape})


def read_vectors(path: Path) -> Iterator[tuple[str, list[float]]]:
    """Read pairs of id and vector, in order, without loading the array.

    Raises:
        UsageError: a file is missing or damaged.
    """
    try:
        array: Any = np.load(path.with_name(path.name + ARRAY), mmap_mode="r", allow_pickle=False)
        if array.ndim != 2 or array.dtype != np.dtype("<f4"):
            raise UsageError(f"{path.name}{ARRAY} has no rows of float32")
        with path.with_name(path.name + IDS).open(encoding="utf-8") as ids:
            for vector, id in zip(array, ids, strict=True):
                yield id.rstrip("\n"), vector.tolist()
    except (OSError, ValueError) as error:
        if isinstance(error, UsageError):
            raise
        raise UsageError(f"the vectors in {path.name}{ARRAY} and {path.name}{IDS} cannot be read: {error}") from error
