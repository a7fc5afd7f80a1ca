"""Weights on disk: safetensors with their hash, and a model card with their origin and evaluation.

<folder>/model.safetensors   the trained parameters; those of the base model (MiniLM) are not included
<folder>/card.json           the model card for programs, with the sha256 of the parameters
<folder>/README.md           the model card for people
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

from hopline.atomic_files import replace_file, write_text_atomically
from hopline.errors import UsageError

WEIGHTS_FILE: Final = "model.safetensors"
CARD_FILE: Final = "card.json"
README_FILE: Final = "README.md"

Tensors = dict[str, NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class ModelCard:
    """The purpose, the training and the evaluation of a trained model.

    ``part`` is the model's name. ``shape`` are the sizes with which its network is built, ``recipe`` the
    hyperparameters (seed, epochs, rates), ``data`` the rows that it was trained and evaluated on, ``figures`` the
    results, by name, and ``date`` the day of the training ("2026-11-22").
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
    date: str = ""
    sha256: str = field(default="", kw_only=True)

    def to_markdown(self) -> str:
        """Render the card as Markdown."""
        parts = [
            f"# {self.part}",
            self.purpose,
            f"Base model: {self.base}. Trained in {self.seconds:.0f} s, {self.date}.",
        ]
        for name in ("data", "recipe", "shape", "figures"):
            rows = "\n".join(f"| {key} | {value} |" for key, value in getattr(self, name).items())
            parts.append(f"## {name.capitalize()}\n\n| | |\n|---|---|\n{rows}")
        parts += [f"## Limits\n\n{self.limits}"] if self.limits else []
        return "\n\n".join([*parts, f"sha256 of `{WEIGHTS_FILE}`: `{self.sha256}`"]) + "\n"


def save_weights(folder: Path, tensors: Mapping[str, NDArray[Any]], card: ModelCard) -> ModelCard:
    """Write parameters and card, the card last and each file atomically; return the card with the hash."""
    from safetensors.numpy import save

    folder.mkdir(parents=True, exist_ok=True)
    data = save({name: np.ascontiguousarray(array) for name, array in tensors.items()})
    hashed = ModelCard(**{**asdict(card), "sha256": hashlib.sha256(data).hexdigest()})
    replace_file(folder / WEIGHTS_FILE, lambda file: file.write_bytes(data))
    write_text_atomically(folder / README_FILE, hashed.to_markdown())
    write_text_atomically(folder / CARD_FILE, json.dumps(asdict(hashed), indent=1) + "\n")
    return hashed


def load_weights(folder: Path, *, version: int) -> tuple[Tensors, ModelCard]:
    """Load the parameters and the card of a folder.

    Raises:
        UsageError: files are missing or damaged, do not belong together, or are of another version.
    """
    from safetensors.numpy import load

    try:
        card = _parse_card((folder / CARD_FILE).read_text("utf-8"))
        data = (folder / WEIGHTS_FILE).read_bytes()
    except (OSError, ValueError, TypeError) as error:
        raise UsageError(f"weights cannot be read from {folder}: {error}") from error
    advice = f"train {card.part} again"
    if hashlib.sha256(data).hexdigest() != card.sha256:
        raise UsageError(f"{folder / WEIGHTS_FILE} does not match its card (sha256 differs); {advice}")
    if card.version != version:
        raise UsageError(f"{folder} is of another version of Hopline (wanted {version}, got {card.version}); {advice}")
    return load(data), card


def _parse_card(text: str) -> ModelCard:
    fields = dict(json.loads(text))
    date = fields.pop("made", "")  # the name of ``date`` in cards that an earlier version wrote
    return ModelCard(**{"date": date, **fields})
