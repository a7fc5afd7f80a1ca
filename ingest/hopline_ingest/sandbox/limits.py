"""Resource limits of a parser process: memory, CPU, time and pages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import psutil

OPENING_SECONDS = 120.0  # opening the file's structure; a 352-page book takes 0.02
PAGE_SECONDS = 300.0  # one page; a dense scan takes 5 s of CPU, which a busy machine may grant slowly
DOCUMENT_SECONDS = 900.0  # a whole document of another format than PDF
ASSEMBLY_SECONDS = 900.0  # all pages of a PDF into a document; 2,000 dense pages take 60 s of CPU and 230 MB
CPU_SECONDS_PER_PAGE = 60
CPU_SECONDS_PER_DOCUMENT = 300  # parsing of another format than PDF, or assembly of the pages of a PDF
MAX_CHARACTERS = 20_000_000  # of one document; a 2,000-page book has 6 million
MAX_PIXELS = 25_000_000  # of one rendered page; A3 at 200 dpi has 8 million
PAGES_PER_PROCESS = 400  # then the process is replaced
GROWTH_MB = 700  # resident memory beyond which a process is replaced


@dataclass(frozen=True, slots=True)
class ParserLimits:
    """Limits of one file: memory in megabytes beyond the process's code and models, pages, and file size."""

    memory_mb: int = 2048
    max_pages: int = 2000
    max_file_mb: int = 100


def limit_memory(megabytes: int) -> None:
    """Limit the growth of this process's address space, where the platform supports it."""
    _set_limit("RLIMIT_AS", _address_space_bytes() + megabytes * 2**20)


def limit_cpu(seconds: float) -> None:
    """Limit the further CPU time of this process, where the platform supports it; beyond it the process is killed."""
    used = psutil.Process().cpu_times()
    _set_limit("RLIMIT_CPU", int(used.user + used.system + seconds) + 1)


@contextmanager
def suspend_memory_limit() -> Iterator[None]:
    """Suspend the memory limit while code or a model is loaded; what is reserved meanwhile does not count against it.

    Libraries reserve far more than they use: importing camelot reserves 1.2 GB and touches 70 MB.
    """
    try:
        import resource
    except ImportError:  # Windows
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    before = _address_space_bytes()
    resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
    try:
        yield
    finally:
        if soft != resource.RLIM_INFINITY:
            _set_limit("RLIMIT_AS", soft + _address_space_bytes() - before)


def _address_space_bytes() -> int:
    return int(psutil.Process().memory_info().vms)


def _set_limit(name: str, value: int) -> None:
    """Set a soft limit, at most the hard limit, where the platform has it."""
    try:
        import resource
    except ImportError:  # Windows
        return
    limit = getattr(resource, name)
    _, hard = resource.getrlimit(limit)
    resource.setrlimit(limit, (value if hard == resource.RLIM_INFINITY else min(value, hard), hard))
