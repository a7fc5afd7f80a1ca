"""Reading PDFs, beside the bare parser calls on the same pages, and the memory that it takes.

    python benchmarks/parsing.py FILE.pdf …

Bare: pdfium's text of every page, the layout model on every page, and camelot's stream and lattice
on every page on which the layout model sees a table, one after the other in one process. Ours:
`Reader.read` with a process a core. Memory: the largest sum of resident memory of all reading
processes and their parent.
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
from hopline_ingest.sandbox.reader import Reader


def bare(path: Path) -> tuple[float, int]:
    import camelot
    import pypdfium2
    from rapid_layout import RapidLayout

    layout = RapidLayout()
    begun = time.perf_counter()
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
    return time.perf_counter() - begun, len(document)


class Memory(threading.Thread):
    """The largest memory of this process and its children, looked at ten times a second."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.most, self.done = 0, threading.Event()

    def run(self) -> None:
        here = psutil.Process()
        while not self.done.wait(0.1):
            total = 0
            for process in [here, *here.children(recursive=True)]:
                try:
                    total += process.memory_info().rss
                except psutil.NoSuchProcess:
                    continue
            self.most = max(self.most, total)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("files", type=Path, nargs="+")
    given = parser.parse_args()
    sums = [0.0, 0.0]
    with Reader(load_settings(), processes=os.cpu_count() or 1) as reader:
        for path in given.files:
            memory = Memory()
            memory.start()
            begun = time.perf_counter()
            try:
                reader.read(path, path.name)
            except DocumentError as error:
                print(f"{path.name}: {error}")
                continue
            ours = time.perf_counter() - begun
            memory.done.set()
            alone, pages = bare(path)
            sums = [sums[0] + ours, sums[1] + alone]
            print(f"{path.name}: {pages} pages, read in {ours:.1f} s, bare {alone:.1f} s, {memory.most / 2**20:.0f} MB")
    print(f"ratio {sums[0] / sums[1]:.2f}")


if __name__ == "__main__":
    main()
