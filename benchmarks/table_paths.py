"""Paths of cells in tables of PDFs, compared with tables whose rows and headers people annotated.

    python benchmarks/table_paths.py PDFS [--annotations FILE] [--part dev|test] [--misses] [--show ID]

``PDFS`` is a folder with the files that the annotations name; each annotation gives the repository, commit and path of
its file, and its licence. A value counts if its row path (group rows, less indented rows above it, its labels) and its
column path (the texts of all header rows over it) are right. Files of part "dev" may be looked at while the parser is
written; those of part "test" are only scored. Tables that are not annotated are not counted.
"""

from __future__ import annotations

import argparse
import json
import statistics
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tables import Score, Triple, normalize, overlap

from hopline.records import Box
from hopline.tables.grid import build_grid
from hopline.tables.paths import count_label_columns, list_column_path, list_row_paths
from hopline_ingest.formats.parsed_document import PageTable
from hopline_ingest.formats.pdf.assembly.document import assemble_document
from hopline_ingest.formats.pdf.file import open_pdf
from hopline_ingest.formats.pdf.page import PdfPageParser

ANNOTATIONS = Path(__file__).resolve().parent / "annotations" / "table-paths.jsonl"


def build_triple(row_path: Sequence[str], column_path: Sequence[str], value: str) -> Triple:
    """A row path, a column path and a value, without blanks, case and repetitions."""
    paths = ("".join(dict.fromkeys(filter(None, map(normalize, path)))) for path in (row_path, column_path))
    row, column = paths
    return row, column, normalize(value)


def list_annotated(table: dict[str, Any]) -> Counter[Triple]:
    """The triples of an annotated table."""
    triples: Counter[Triple] = Counter()
    for kind, path, cells in zip(table["row_kinds"], table["row_paths"], table["rows"], strict=True):
        for column in range(table["label_columns"], len(cells)) if kind in {"data", "total"} else ():
            if normalize(cells[column]):
                triples[build_triple(path, table["column_paths"][column], cells[column])] += 1
    return triples


def list_parsed(table: PageTable) -> Counter[Triple]:
    """The triples of a parsed table, by the same functions as answers use."""
    triples: Counter[Triple] = Counter()
    grid = build_grid(table.text, table.cells)
    if grid is None:
        return triples
    first = count_label_columns(grid)
    columns = [list_column_path(grid, column) for column in range(len(table.cells[0]))]
    for item in list_row_paths(grid):
        for column, cell in enumerate(item.row.cells[first:], start=first):
            if normalize(cell.text):
                triples[build_triple(item.path, columns[column], cell.text)] += 1
    return triples


def bound(boxes: Sequence[Box]) -> tuple[float, float, float, float]:
    """The rectangle around boxes."""
    return min(b.x0 for b in boxes), min(b.y0 for b in boxes), max(b.x1 for b in boxes), max(b.y1 for b in boxes)


def parse_pages(parser: PdfPageParser, path: Path, annotated: Sequence[dict[str, Any]]) -> list[PageTable]:
    """Parse the annotated pages of a file, and the pages before those that continue a table."""
    numbers = {table["page"] - before for table in annotated for before in ((0, 1) if table["continues"] else (0,))}
    document = open_pdf(str(path))
    pages = [parser.parse_page(document, number) for number in sorted(numbers) if number]
    document.close()
    return list(assemble_document(pages, name=path.name).tables)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pdfs", type=Path)
    parser.add_argument("--annotations", type=Path, default=ANNOTATIONS)
    parser.add_argument("--part", choices=("dev", "test"))
    parser.add_argument("--misses", action="store_true", help="print the score of each table with errors")
    parser.add_argument("--show", help="print the triples of this table that are missing and those that are wrong")
    args = parser.parse_args()
    tables = [json.loads(line) for line in args.annotations.read_text("utf-8").splitlines()]
    by_file = defaultdict(list)
    for table in tables:
        if args.part in (None, table["part"]) and args.show in (None, table["id"]):
            by_file[table["file"]].append(table)
    scores: defaultdict[tuple[str, str], Score] = defaultdict(Score)
    by_table: defaultdict[str, list[float]] = defaultdict(list)
    pages = PdfPageParser()
    for name, annotated in by_file.items():
        parsed = parse_pages(pages, args.pdfs / name, annotated)
        for table in annotated:
            on_page = [item for item in parsed if item.page == table["page"] and item.boxes]
            best = max(on_page, key=lambda item: overlap(bound(item.boxes), table["rect"]), default=None)
            is_found = best is not None and overlap(bound(best.boxes), table["rect"]) > 0
            wanted, found = list_annotated(table), list_parsed(best) if is_found else Counter()
            score = Score()
            score.add(found, wanted)
            for key in ((table["part"], "all"), (table["part"], table["kind"])):
                scores[key].add(found, wanted)
            by_table[table["part"]].append(score.f1)
            if args.misses and score.f1 < 99:
                print(f"{table['id']} {table['kind']:11} {name} page {table['page']}: {score.f1:.1f}")
            if args.show:
                print(best.markdown if is_found else "not found")
                for kind, triples in (("missing", wanted - found), ("wrong", found - wanted)):
                    print(f"-- {kind}", *sorted(triples)[:40], sep="\n")
    for (part, kind), score in sorted(scores.items()):
        print(f"{part:5} {kind:11} path F1 {score.f1:5.1f} ({score.annotated} values)")
    for part, values in sorted(by_table.items()):
        perfect = sum(value > 99 for value in values)
        print(f"{part:5} {len(values)} tables, median {statistics.median(values):.1f}, without errors {perfect}")


if __name__ == "__main__":
    main()
