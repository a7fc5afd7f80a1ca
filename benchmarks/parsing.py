"""Time of parsing documents compared with the underlying parsers alone on the same files, and memory use.

    python benchmarks/parsing.py FILE … [--processes N]

Baseline, in one process and one thread: for a PDF pdfium's text of every page, the layout model on every page, OCR of
every page without text, and camelot's stream and lattice on every page on which the layout model detects a table; for
other formats, docling-rs; for text and Markdown, reading the file. Hopline: `DocumentParser` with one process, or
``--processes``. Each file is read twice, and the second time counts, so that loading models does not. Memory: the
largest sum of resident memory of all parsing processes and their parent. Prints the ratio of the sums for each format.
"""

from __future__ import annotations

import argparse
import logging
import threading
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

import psutil

from hopline.config import load_settings
from hopline_ingest.sandbox.document_parser import DocumentParser


class Baseline:
    """The parsers that Hopline uses, without Hopline; models are loaded on first use."""

    def __init__(self) -> None:
        self._layout: Any = None
        self._ocr: Any = None

    def parse(self, path: Path) -> None:
        """Parse a file.

        Raises:
            Exception: of whatever kind, from the parser; the file is damaged.
        """
        match path.suffix.lower():
            case ".pdf":
                self._parse_pdf(path)
            case ".txt" | ".md":
                path.read_text("utf-8", errors="replace")
            case _:
                from docling_rs import DocumentConverter

                DocumentConverter(image_sources="none").convert(path).document.export_to_dict()

    def _parse_pdf(self, path: Path) -> None:
        import camelot
        import pypdfium2

        if self._layout is None:
            from rapid_layout import RapidLayout
            from rapidocr import RapidOCR

            logging.getLogger("RapidLayout").setLevel(logging.WARNING)
            self._layout = RapidLayout(engine_cfg={"intra_op_num_threads": 1, "inter_op_num_threads": 1})
            threads = {f"EngineConfig.onnxruntime.{kind}_op_num_threads": 1 for kind in ("intra", "inter")}
            self._ocr = RapidOCR(params={"Global.log_level": "critical", **threads})
        tables = []
        for number, page in enumerate(pypdfium2.PdfDocument(path), 1):
            if not page.get_textpage().get_text_bounded().strip():
                self._ocr(page.render(scale=200 / 72).to_numpy())
            regions = self._layout(page.render(scale=1.0).to_numpy())
            if "table" in {str(name).lower() for name in (regions.class_names or ())}:
                tables.append(number)
        for number in tables:
            for flavor in ("stream", "lattice"):
                camelot.read_pdf(str(path), pages=str(number), flavor=flavor, suppress_stdout=True)


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


def measure(path: Path, parser: DocumentParser, baseline: Baseline) -> tuple[float, float, int] | None:
    """Return the seconds of Hopline and of the baseline, and the peak memory in bytes; None if a parser fails."""
    memory = MemoryMonitor()
    memory.start()
    started = time.perf_counter()
    try:
        parser.parse(path, path.name)
        middle = time.perf_counter()
        memory.done.set()
        baseline.parse(path)
    except Exception as error:  # noqa: BLE001 - a parser may raise anything
        print(f"{path.name}: {str(error)[:100]}")
        return None
    finally:
        memory.done.set()
    return middle - started, time.perf_counter() - middle, memory.peak


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("files", type=Path, nargs="+")
    arguments.add_argument("--processes", type=int, default=1)
    args = arguments.parse_args()
    sums: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0, 0])
    baseline = Baseline()
    with DocumentParser(load_settings(), processes=args.processes) as parser:
        for path in args.files:
            kind = path.suffix.lower()
            if measure(path, parser, baseline) and (result := measure(path, parser, baseline)):
                seconds, alone, peak = result
                sums[kind] = [sums[kind][0] + seconds, sums[kind][1] + alone, sums[kind][2] + 1]
                print(f"{path.name}: {seconds:.2f} s, baseline {alone:.2f} s, {peak / 2**20:.0f} MB")
    for kind, (seconds, alone, count) in sorted(sums.items()):
        print(f"{kind}: {count:.0f} files, {seconds:.1f} s, baseline {alone:.1f} s, ratio {seconds / alone:.2f}")
    print(f"ratio {sum(row[0] for row in sums.values()) / sum(row[1] for row in sums.values()):.2f}")


if __name__ == "__main__":
    main()
