"""Kinds of entities: the spaCy labels, NAME for a proper name without one, NOUN for a common noun phrase."""

from __future__ import annotations

from typing import Final

UNNAMED_KINDS: Final = frozenset({"NOUN", "CARDINAL", "DATE", "MONEY", "ORDINAL", "PERCENT", "QUANTITY", "TIME"})
