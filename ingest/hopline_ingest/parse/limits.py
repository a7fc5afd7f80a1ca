"""What a reading process may use, and how long a page may take."""

from __future__ import annotations

from dataclasses import dataclass

OPENING_SECONDS = 120.0  # a file's structure; the 352-page book takes .02
PAGE_SECONDS = 300.0  # one page; a dense scanned one takes 5 of CPU, and a busy machine gives little of it
CPU_SECONDS_A_PAGE = 60
DOCUMENT_SECONDS = 900.0  # a whole document that is no PDF
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
    """Let this process's address space grow by so much and no more, where the platform can.

    What it holds already does not count: models reserve far more than they use.
    """
    try:
        import resource
    except ImportError:  # Windows
        return
    import psutil

    held = psutil.Process().memory_info().vms
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = held + megabytes * 1024 * 1024
    resource.setrlimit(resource.RLIMIT_AS, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))


def limit_cpu(seconds: float) -> None:
    """Let this process use so many more seconds of CPU, where the platform can; then it is ended."""
    try:
        import resource
    except ImportError:  # Windows
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    wanted = int(used.ru_utime + used.ru_stime + seconds) + 1
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))
