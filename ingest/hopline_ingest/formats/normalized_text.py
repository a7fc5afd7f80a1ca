"""Texts of files without what only their layout needs: soft hyphens, ligatures, blanks and control characters."""

from __future__ import annotations

import unicodedata
from typing import Final

# Soft hyphens and characters without width, and ligatures of fonts.
_CHARACTERS: Final = str.maketrans(
    dict.fromkeys("\u00ad\u200b\u2060\ufeff", "")
    | {"\u2011": "-", "\ufb00": "ff", "\ufb01": "fi", "\ufb02": "fl", "\ufb03": "ffi", "\ufb04": "ffl"}
)


def normalize_code(text: str) -> str:
    """Return program code with its lines and indentation, without blanks at the ends of lines."""
    composed = unicodedata.normalize("NFC", text.translate(_CHARACTERS)).expandtabs(4)
    lines = ("".join(c if c.isprintable() else " " for c in line).rstrip() for line in composed.splitlines())
    return "\n".join(lines).strip("\n")


def normalize_text(text: str) -> str:
    """Collapse whitespace, compose accented letters (NFC), and remove non-printable characters."""
    text = unicodedata.normalize("NFC", text.translate(_CHARACTERS))
    return " ".join("".join(c if c.isprintable() or c.isspace() else " " for c in text).split())
