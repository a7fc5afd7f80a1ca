"""Time of parsing PDFs compared with the underlying parsers alone on the same pages, and memory use.

    python benchmarks/parsing.py FILE.pdf …

Baseline: pdfium's text of every page, the layout model on every page, and camelot's stream and lattice on every page on
which the layout model detects a table, one after the other in one process. Hopline: `DocumentParser` with one process
per core. Memory: the largest sum of resident memory of all parsing processes and their parent.
"""

from __future__ import annotations

import argparse
import os
import threading
import time
from pathlib import Path

import psutil

from hopline.config import load_settings
from hopline.errors import DocumentError
from hopline_ingest.sandbox.document_parser import DocumentParser


def measure_baseline(path: Path) -> tuple[float, int]:
    import camelot
    import pypdfium2
    from rapid_layout import RapidLayout

    layout = RapidLayout()
    started = time.perf_counter()
    document = pypdfium2.PdfDocument(path)
    tables = []
    for number, page in enumerate(document, 1):
        page.get_textpage().get_text_bounded()
        found = layout(page.render(scale=1.0).to_numpy())
        if "table" in {str(name).lower() for name in (found.class_names or ())}:
            tables.append(number)
    for number in tables:
        for flavor in ("stream", "lattice"):
            camelot.read_pdf(str(path), pages=str(number), flavor=flavor, suppress_stdout=True)
    return time.perf_counter() - started, len(document)


class MemoryMonitor(threading.Thread):
    """Peak resident memory of this process and its children, sampled ten times a second."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.peak, self.done = 0, threading.Event()

    def run(self) -> None:
        parent = psutil.Process()
        while not self.done.wait(0.1):
            total = 0
            for process in [parent, *parent.children(recursive=True)]:
                try:
                    total += process.memory_info().rss
                except psutil.NoSuchProcess:
                    continue
            self.peak = max(self.peak, total)


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("files", type=Path, nargs="+")
    args = arguments.parse_args()
    sums = [0.0, 0.0]
    with DocumentParser(load_settings(), processes=os.cpu_count() or 1) as parser:
        for path in args.files:
            memory = MemoryMonitor()
            memory.start()
            started = time.perf_counter()
            try:
                parser.parse(path, path.name)
            except DocumentError as error:
                print(f"{path.name}: {error}")
                continue
            seconds = time.perf_counter() - started
            memory.done.set()
            baseline, pages = measure_baseline(path)
            sums = [sums[0] + seconds, sums[1] + baseline]
            print(
                f"{path.name}: {pages} pages, parsed in {seconds:.1f} s, baseline {baseline:.1f} s, "
                f"{memory.peak / 2**20:.0f} MB"
            )
    print(f"ratio {sums[0] / sums[1]:.2f}")


if __name__ == "__main__":
    main()
