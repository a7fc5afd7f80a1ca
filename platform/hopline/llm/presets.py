"""Addresses of common endpoints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hopline.llm.endpoint import OPENAI


@dataclass(frozen=True, slots=True)
class Preset:
    """A kind of endpoint: its label, its usual address, and whether it needs an API key."""

    label: str
    address: str = ""
    needs_key: bool = False


OTHER: Final = Preset("Other")
PRESETS: Final = (
    Preset("OpenAI", OPENAI, needs_key=True),
    Preset("Ollama", "http://localhost:11434/v1"),
    Preset("LM Studio", "http://localhost:1234/v1"),
    Preset("vLLM", "http://localhost:8000/v1"),
    OTHER,
)


def find_preset(address: str) -> Preset:
    """Return the preset with this address; `OTHER` if there is none."""
    return next((preset for preset in PRESETS if preset.address == address.rstrip("/")), OTHER)
