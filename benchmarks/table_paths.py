"""Paths of cells in tables of PDFs, compared with tables whose rows and headers people annotated.

    python benchmarks/table_paths.py PDFS [--annotations FILE] [--part dev|test] [--misses] [--show ID]

``PDFS`` is a folder with the files that the annotations name; each annotation gives the repository, commit and path of
its file, and its licence. A value counts if its row path (group rows, less indented rows above it, its labels) and its
column path (the texts of all header rows over it) are right. Files of part "dev" may be looked at while the parser is
written; those of part "test" were not before they were scored. Tables that are not annotated are not counted.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tables import Score, Triple, normalize, overlap

from hopline.records import Box
from hopline_ingest.formats.parsed_document import PageTable
from hopline_ingest.formats.pdf.assembly.document import assemble_document
from hopline_ingest.formats.pdf.file import open_pdf
from hopline_ingest.formats.pdf.page import PdfPageParser

GOOD, WRONG = 99, 50  # path F1 of a table without errors, and of one whose values are mostly wrong
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
    """The triples of a parsed table, with the structure that is stored with it."""
    triples: Counter[Triple] = Counter()
    for row, cells in zip(table.structure.rows, table.cells, strict=True):
        for cell, column in list(zip(cells, table.structure.columns, strict=True))[table.structure.label_columns :]:
            if row.path and normalize(cell):
                triples[build_triple(row.path, column.path, cell)] += 1
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


def find_table(parsed: Sequence[PageTable], annotated: dict[str, Any]) -> PageTable | None:
    """The parsed table that covers most of an annotated one; None if none covers it."""
    on_page = [table for table in parsed if table.page == annotated["page"] and table.boxes]
    best = max(on_page, key=lambda table: overlap(bound(table.boxes), annotated["rect"]), default=None)
    return best if best is not None and overlap(bound(best.boxes), annotated["rect"]) > 0 else None


def show_differences(table: PageTable | None, wanted: Counter[Triple], parsed: Counter[Triple]) -> None:
    """Print a parsed table, the values that are missing, and those that are wrong."""
    print(table.markdown if table else "not found", table.structure.problem if table else "", sep="\n")
    for kind, triples in (("missing", wanted - parsed), ("wrong", parsed - wanted)):
        print(f"-- {kind}", *sorted(triples)[:40], sep="\n")


def parse_arguments() -> argparse.Namespace:
    """The arguments of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pdfs", type=Path)
    parser.add_argument("--annotations", type=Path, default=ANNOTATIONS)
    parser.add_argument("--part", choices=("dev", "test"))
    parser.add_argument("--misses", action="store_true", help="print the score of each table with errors")
    parser.add_argument("--show", help="print the triples of this table that are missing and those that are wrong")
    return parser.parse_args()


def main() -> None:
    args = parse_arguments()
    tables = [json.loads(line) for line in args.annotations.read_text("utf-8").splitlines()]
    by_file = defaultdict(list)
    for table in tables:
        if args.part in (None, table["part"]) and args.show in (None, table["id"]):
            by_file[table["file"]].append(table)
    scores: defaultdict[tuple[str, str], Score] = defaultdict(Score)
    by_state: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    pages = PdfPageParser()
    for name, annotated in by_file.items():
        parsed = parse_pages(pages, args.pdfs / name, annotated)
        for table in annotated:
            best = find_table(parsed, table)
            wanted, parsed_values = list_annotated(table), list_parsed(best) if best else Counter()
            score = Score()
            score.add(parsed_values, wanted)
            for key in ((table["part"], "all"), (table["part"], table["kind"])):
                scores[key].add(parsed_values, wanted)
            state = "not found" if best is None else "not understood" if best.structure.problem else "understood"
            by_state[table["part"], state].append(score.f1)
            if args.misses and score.f1 < GOOD:
                print(f"{table['id']} {table['kind']:11} {name} page {table['page']}: {score.f1:.1f} {state}")
            if args.show:
                show_differences(best, wanted, parsed_values)
    for (part, kind), score in sorted(scores.items()):
        print(f"{part:5} {kind:11} path F1 {score.f1:5.1f} ({score.annotated} values)")
    for (part, state), values in sorted(by_state.items()):
        perfect, wrong = sum(value > GOOD for value in values), sum(value < WRONG for value in values)
        print(f"{part:5} {state}: {len(values)} tables, {perfect} without errors, {wrong} with path F1 below {WRONG}")


if __name__ == "__main__":
    main()
