"""What a reading process may use, and how long a page may take."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import psutil

OPENING_SECONDS = 120.0  # a file's structure; the 352-page book takes .02
PAGE_SECONDS = 300.0  # one page; a dense scanned one takes 5 of CPU, and a busy machine gives little of it
DOCUMENT_SECONDS = 900.0  # a whole document that is no PDF
CPU_SECONDS_A_PAGE = 60
CPU_SECONDS_A_DOCUMENT = 300
MAX_CHARACTERS = 20_000_000  # of one document; a 2,000-page book has 6 million
MAX_PIXELS = 25_000_000  # of one rendered page; A3 at 200 dpi has 8 million
PAGES_A_PROCESS = 400  # then a fresh one takes its place
GROWTH_MB = 700  # resident, beyond which a process is not used again


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one reading: megabytes a process may add to what its code and models take, and pages."""

    memory_mb: int = 2048
    max_pages: int = 2000
    max_file_mb: int = 100


def limit_memory(megabytes: int) -> None:
    """Let this process's address space grow by so much and no more, where the platform can."""
    _limit("RLIMIT_AS", _address_space() + megabytes * 2**20)


def limit_cpu(seconds: float) -> None:
    """Let this process use so many more seconds of CPU, where the platform can; then it is ended."""
    used = psutil.Process().cpu_times()
    _limit("RLIMIT_CPU", int(used.user + used.system + seconds) + 1)


@contextmanager
def loading() -> Iterator[None]:
    """Load code or a model; the address space that it reserves does not count against the limit.

    Libraries reserve far more than they use: all that camelot imports 1.2 GB, of which it touches 70 MB.
    """
    try:
        import resource
    except ImportError:  # Windows
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    before = _address_space()
    resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
    try:
        yield
    finally:
        if soft != resource.RLIM_INFINITY:
            _limit("RLIMIT_AS", soft + _address_space() - before)


def _address_space() -> int:
    return int(psutil.Process().memory_info().vms)


def _limit(name: str, wanted: int) -> None:
    """Set a soft limit, where the platform has it and its hard one allows."""
    try:
        import resource
    except ImportError:  # Windows
        return
    limit = getattr(resource, name)
    _, hard = resource.getrlimit(limit)
    resource.setrlimit(limit, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))
