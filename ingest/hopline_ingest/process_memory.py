"""Memory of this process: resident size, and returning freed memory to the system."""

from __future__ import annotations

import ctypes
import sys

import psutil


def release_memory() -> None:
    """Return freed memory to the system; glibc retains it, up to half of a parser process after a page with tables."""
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # musl has none
        if trim is not None:
            trim(0)


def resident_mb() -> int:
    """Return the resident memory of this process in megabytes."""
    return int(psutil.Process().memory_info().rss) // 2**20
