"""Memory of the private server, chosen from the size of its graph and the memory of the machine."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hopline.neo4j_server.configuration import DATABASE

if TYPE_CHECKING:
    from hopline.config import Settings

MIN_HEAP: Final = 512  # MB
MIN_PAGECACHE: Final = 128  # MB
HEAP_SHARE: Final = 1 / 16  # of the size of the graph, added to the smallest heap
MAX_HEAP: Final = 1 / 8  # of the memory of the machine
PAGECACHE_SHARE: Final = 1.2  # of the size of the graph, which grows while the server runs
MAX_PAGECACHE: Final = 0.4  # of the memory of the machine; the vector and full-text indexes need the rest


@dataclass(frozen=True, slots=True)
class ServerMemory:
    """Heap and page cache of a server, in MB."""

    heap: int
    pagecache: int


def choose_memory(settings: Settings, home: Path) -> ServerMemory:
    """Choose the memory for the graph in a home folder of the server; settings that are set come first."""
    import psutil

    chosen = compute_memory(measure_graph(home), psutil.virtual_memory().total // 2**20)
    return ServerMemory(settings.server_heap_mb or chosen.heap, settings.server_pagecache_mb or chosen.pagecache)


def measure_graph(home: Path) -> int:
    """Return the size of the nodes, relationships and properties in a home folder of the server, in MB.

    The page cache holds these, not the vector and full-text indexes, which the operating system caches.
    """
    folder = home / "data" / "databases" / DATABASE
    files = folder.glob("neostore*") if folder.is_dir() else ()
    return sum(file.stat().st_size for file in files) // 2**20


def compute_memory(graph: int, machine: int) -> ServerMemory:
    """Compute heap and page cache for a graph of this size on a machine with this memory; all in MB."""
    heap = max(MIN_HEAP, min(MIN_HEAP + int(HEAP_SHARE * graph), int(MAX_HEAP * machine)))
    pagecache = max(MIN_PAGECACHE, min(int(PAGECACHE_SHARE * graph), int(MAX_PAGECACHE * machine)))
    return ServerMemory(heap, pagecache)
