"""Side files: ``report.pdf.metadata.json`` beside ``report.pdf`` has its metadata, as one JSON object."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from hopline.errors import UsageError
from hopline.metadata.values import MetadataValue, check_metadata, combine_layers

SUFFIX: Final = ".metadata.json"
_MAX_BYTES: Final = 2_000_000  # more than all keys and values of the greatest lengths have


def is_side_file(path: Path) -> bool:
    """Return whether a file has the metadata of the file beside it that its name begins with."""
    return path.name.endswith(SUFFIX) and path.with_name(path.name.removesuffix(SUFFIX)).is_file()


def get_side_file(path: Path) -> Path:
    """Return the path that the side file of a file would have."""
    return path.with_name(path.name + SUFFIX)


def read_side_file(path: Path) -> dict[str, MetadataValue]:
    """Return the metadata in the side file of a file; none if it has no side file.

    Raises:
        UsageError: the side file cannot be read, or is not an object of valid keys and values.
    """
    side = get_side_file(path)
    try:
        if not side.is_file():
            return {}
        if side.stat().st_size > _MAX_BYTES:
            raise UsageError(f"{side} has more than {_MAX_BYTES:,} bytes; a side file is a small JSON object")
        metadata = json.loads(side.read_text("utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        if isinstance(error, UsageError):
            raise
        raise UsageError(f"{side} cannot be read as JSON: {error}; correct or remove it") from error
    return combine_layers(check_metadata(metadata, source=str(side)))
