"""What a process holds of memory, and giving back what it no longer uses."""

from __future__ import annotations

import ctypes
import sys

import psutil


def release() -> None:
    """Give freed memory back to the system; glibc keeps it: after a page with tables, half of what a reader holds."""
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # musl has none
        if trim is not None:
            trim(0)


def resident_mb() -> int:
    """How much memory this process holds, in megabytes."""
    return int(psutil.Process().memory_info().rss) // 2**20
