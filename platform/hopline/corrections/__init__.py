"""Corrections of what was read from documents: stored beside it, applied to it, and applied again when it is parsed."""
