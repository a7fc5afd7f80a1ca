"""Weights on disk: safetensors with their hash, and a card that says what they are and what they were measured at.

<folder>/model.safetensors   the numbers that were learned; what they stand on (MiniLM) is not repeated
<folder>/card.json           the same as the README, for programs; holds the sha256 of the numbers
<folder>/README.md           the card, for people
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hopline.atomic_files import replace, replace_text
from hopline.errors import UsageError

NUMBERS: Final = "model.safetensors"
CARD: Final = "card.json"
READ_ME: Final = "README.md"

Tensors = dict[str, NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class Card:
    """What a part is and where it comes from.

    ``shape`` is what its network is built with; ``recipe`` what it was trained with (seed, epochs, rates); ``data``
    which rows, of which split, taught it and which measured it; ``figures`` what came out, by name.
    """

    part: str
    version: int
    purpose: str
    base: str
    shape: Mapping[str, Any]
    recipe: Mapping[str, Any]
    data: Mapping[str, Any]
    figures: Mapping[str, Any]
    seconds: float
    limits: str = ""
    made: str = ""
    sha256: str = field(default="", kw_only=True)

    def read_me(self) -> str:
        """The card as Markdown."""
        parts = [
            f"# {self.part}",
            self.purpose,
            f"Stands on {self.base}. Trained in {self.seconds:.0f} s, {self.made}.",
        ]
        for name in ("data", "recipe", "shape", "figures"):
            rows = "\n".join(f"| {key} | {value} |" for key, value in getattr(self, name).items())
            parts.append(f"## {name.capitalize()}\n\n| | |\n|---|---|\n{rows}")
        parts += [f"## Limits\n\n{self.limits}"] if self.limits else []
        return "\n\n".join([*parts, f"sha256 of `{NUMBERS}`: `{self.sha256}`"]) + "\n"


def save_weights(folder: Path, tensors: Mapping[str, NDArray[Any]], card: Card) -> Card:
    """Write numbers and card; each file is whole or not there, and the card comes last. The card with its hash."""
    from safetensors.numpy import save

    folder.mkdir(parents=True, exist_ok=True)
    packed = save({name: np.ascontiguousarray(array) for name, array in tensors.items()})
    signed = Card(**{**asdict(card), "sha256": hashlib.sha256(packed).hexdigest()})
    replace(folder / NUMBERS, lambda fresh: fresh.write_bytes(packed))
    replace_text(folder / READ_ME, signed.read_me())
    replace_text(folder / CARD, json.dumps(asdict(signed), indent=1) + "\n")
    return signed


def load_weights(folder: Path, *, version: int) -> tuple[Tensors, Card]:
    """Numbers and card of a folder.

    Raises:
        UsageError: the files are not there, do not belong together, or another version wrote them.
    """
    from safetensors.numpy import load

    try:
        card = Card(**json.loads((folder / CARD).read_text("utf-8")))
        packed = (folder / NUMBERS).read_bytes()
    except (OSError, ValueError, TypeError) as error:
        raise UsageError(f"weights cannot be read from {folder}: {error}") from error
    again = f"train {card.part} again"
    if hashlib.sha256(packed).hexdigest() != card.sha256:
        raise UsageError(f"{folder / NUMBERS} is not what its card says it is (sha256 differs); {again}")
    if card.version != version:
        raise UsageError(f"{folder} is of another version of Hopline (wanted {version}, got {card.version}); {again}")
    return load(packed), card
